"""Small documents of our own with everyday questions about them, `paraphrases.toml`, and how they come into the app."""

import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.harness import ROOT, wait_for_documents
from rag.build import Services
from rag.knowledge.base import STILL_FILLING

# A document's `name`, `text`, `fitted`, its `answered` questions with words of their answers, and the `unanswered`.
Case = Mapping[str, Any]


def read_cases() -> list[Case]:
    """All the documents."""
    cases: list[Case] = tomllib.loads((ROOT / "bench" / "paraphrases.toml").read_text(encoding="utf-8"))["document"]
    return cases


def write_case(case: Case, folder: Path) -> Path:
    """A document as a file."""
    path = folder / f"{case['name']}.md"
    path.write_text(case["text"], encoding="utf-8")
    return path


def upload_cases(services: Services, cases: Sequence[Case], session: str) -> dict[str, str]:
    """Put documents into a session, and wait until they are found by meaning. Returns their ids by name."""
    with TemporaryDirectory(prefix="wenqu-bench-") as folder:
        files = {write_case(case, Path(folder)): case["name"] for case in cases}
        for path in files:
            services.ingest.receive(session, path, path.name)
        wait_for_documents(services.ingest, session)
    while STILL_FILLING in services.retrieval.find((cases[0]["name"],), (session,)).trace.notes:
        time.sleep(0.2)
    names = {path.name: name for path, name in files.items()}
    return {names[item.name]: item.document_id for item in services.ingest.documents(session) if item.name in names}
