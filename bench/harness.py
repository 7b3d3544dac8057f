"""What all measurements share: a fresh store to work in, the machine's description, the result file."""

import hashlib
import json
import os
import platform
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

import psutil

from rag.build import Services, build_services
from rag.embeddings.encoder import Encoder
from rag.ingest import Ingest
from rag.knowledge.catalog import Catalog
from rag.knowledge.encoders import Encoders
from rag.knowledge.local import LocalIndex
from rag.knowledge.request import CHUNK_DENSE
from rag.knowledge.stored import StoredKnowledgeBase
from rag.knowledge.tokenizer import Tokenizer
from rag.settings import Settings, read_settings
from rag.types import DocumentStatus, ModelState, Provider

ROOT = Path(__file__).parent.parent
# Stands behind a commit that is not what was measured.
CHANGED = "-dirty"
# Variables whose values a result tells: what makes a measurement smaller, and what is to answer. Others may be secrets.
_TOLD = (
    *(f"WENQU_BENCH_{name}" for name in ("QUESTIONS", "CONVERSATIONS", "CORPORA", "ARMS", "TURNS")),
    *(f"WENQU_{name}" for name in ("LLM_PROVIDER", "LLM_MODEL", "LANGUAGE", "OFFLINE")),
)


class NotMeasured(RuntimeError):
    """What keeps something from being measured, in a sentence."""


@dataclass(frozen=True)
class Outcome:
    """A measurement: flat figures by name, the rows behind them, and what else is written beside the result file.

    `model`: provider and name of the model that answered, where one was asked.
    """

    figures: Mapping[str, float]
    rows: Sequence[Mapping[str, object]] = field(default=())
    report: Callable[[Path], None] | None = None
    model: str = ""


def local_knowledge(
    catalog: Catalog, encoder: Encoder, tokenizer: Tokenizer, settings: Settings
) -> StoredKnowledgeBase:
    """The knowledge base in this process's memory, with chunks' vectors alone."""
    encoders = Encoders(catalog.engine, {CHUNK_DENSE: encoder})
    index = LocalIndex(catalog.engine, tokenizer, settings.sparse_fields.chunk)
    return StoredKnowledgeBase(catalog, encoders, tokenizer, index)


@contextmanager
def fresh_services(*, may_keep: bool = False) -> Iterator[tuple[Services, Settings]]:
    """The app's services over an empty store, nothing started, and the settings they were built from.

    Where the measurement `may_keep` it, WENQU_BENCH_STORE names a store that stays: its vectors are not made again.
    """
    kept = os.environ.get("WENQU_BENCH_STORE") if may_keep else None
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as folder:
        settings = settings_for(Path(kept or folder))
        services = build_services(settings)
        try:
            yield services, settings
        finally:
            services.close()


def settings_for(folder: Path) -> Settings:
    """The shipped settings with their store in `folder`."""
    settings = read_settings(ROOT / "config.yaml")
    return settings.model_copy(update={"store": settings.store.model_copy(update={"path": folder.absolute()})})


def wanted(default: int, name: str) -> int:
    """How many of something a measurement takes: WENQU_BENCH_QUESTIONS, WENQU_BENCH_CONVERSATIONS, or `default`."""
    return int(os.environ.get(f"WENQU_BENCH_{name}") or default)


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file. Raises NotMeasured where a line holds none."""
    # `splitlines` would cut at U+2028 and U+0085 too, which JSON leaves in texts as they are.
    return [
        _object(line, f"{path}, line {number}")
        for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), start=1)
        if line.strip()
    ]


def read_if_there(path: Path) -> list[dict[str, Any]]:
    """The same of a file that a measurement can do without; that it is not there is told."""
    if path.exists():
        return read_jsonl(path)
    print(f"left out: {path} is not there")
    return []


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(line)
    except json.JSONDecodeError as error:
        raise NotMeasured(f"{where}: {error}") from error
    return found


def figure(name: str, values: Sequence[float], of: Callable[[Sequence[float]], float] = fmean) -> dict[str, float]:
    """A figure by its name, the mean or another one of some values; left out where there are none."""
    return {name: of(values)} if values else {}


def fold_of(key: str, folds: int) -> int:
    """Which of some folds a key is in, always the same one."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % folds


def memory_mb(process: psutil.Process) -> float:
    """Resident memory of a process and its children, in MB (10^6 bytes)."""
    return sum(one.memory_info().rss for one in (process, *process.children(recursive=True))) / 1e6


def wait_for_model(services: Services) -> str:
    """Wait until who answers is settled. Returns provider and name; raises NotMeasured where it is no model."""
    while (status := services.models.status()).state is not ModelState.READY:
        time.sleep(0.5)
    if status.provider is Provider.EXTRACTIVE:
        raise NotMeasured(f"no model answers: {status.reason}")
    return f"{status.provider} {status.model}"


def wait_for_documents(ingest: Ingest, session: str) -> None:
    """Wait until a session's documents are found by words and by meaning. Raises NotMeasured where one failed."""
    while waiting := [item for item in ingest.documents(session) if item.status is not DocumentStatus.READY]:
        for item in waiting:
            if item.status is DocumentStatus.FAILED:
                raise NotMeasured(f"{item.name}: {item.message}")
        time.sleep(0.2)


def rest() -> None:
    """Wait, as who reads an answer does, for what is done between turns."""
    for thread in threading.enumerate():
        if thread.name == "upkeep":
            thread.join()


def commit() -> str:
    """What is checked out here, in short, and whether a file was changed since; `all` itself changes the results."""
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!bench/results")
    return _git("rev-parse", "--short", "HEAD") + (CHANGED if changed else "")


def _git(*arguments: str) -> str:
    found = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return found.stdout.strip()


def write(outcome: Outcome, name: str, out: Path) -> None:
    """Write an outcome as JSON, with when, where and at which commit it was measured."""
    result = {
        "bench": name,
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{_processor()}, {os.cpu_count()} cores, {psutil.virtual_memory().total / 2**30:.0f} GiB",
        "asked_for": {
            key: value if key in _TOLD else "(set)" for key, value in os.environ.items() if key.startswith("WENQU_")
        },
        "model": outcome.model,
        "python": platform.python_version(),
        "commit": commit(),
        "figures": outcome.figures,
        "rows": outcome.rows,
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if outcome.report:
        outcome.report(out)


def _processor() -> str:
    """The processor's name where the system tells it, or else its kind."""
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()
