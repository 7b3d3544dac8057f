"""The uploaded files in the store, each under its document's id: copied whole or not at all."""

import hashlib
import itertools
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import BinaryIO

from filelock import FileLock, Timeout

from rag.database import store_errors
from rag.errors import EmptyFile, FileTooLarge, StoreInUse

MEGABYTE = 1024 * 1024
_NAME_LENGTH = 200
# What a turn takes in the database, and more.
_TRIAL_BYTES = 64 * 1024
# How Windows refuses to delete what a process has open, as a reader has its file until it has ended.
_HELD_OPEN = 32
_HELD_SECONDS = 2.0
_POLL_SECONDS = 0.05
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Copy:
    """A file copied into the store, not yet kept."""

    path: Path
    sha256: str
    size: int


class FileStore:
    """The uploaded files in the folder of the store. Every method raises StoreError where the disk refuses."""

    def __init__(self, store: Path) -> None:
        self._folder = store / "files"

    def path(self, document_id: str) -> Path:
        """Where a document's file is, if it is there."""
        return self._folder / document_id

    @contextmanager
    def copied(self, path: Path) -> Iterator[Copy]:
        """A copy of a file, gone at the block's end unless it was kept."""
        with store_errors(str(self._folder)):
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._folder)
        copy = Path(name)
        try:
            with store_errors(str(self._folder)), os.fdopen(handle, "wb") as target, path.open("rb") as source:
                sha256 = _copy(source, target)
                size = target.tell()
            yield Copy(copy, sha256, size)
        finally:
            with store_errors(str(self._folder)):
                copy.unlink(missing_ok=True)

    def keep(self, copy: Copy, document_id: str) -> None:
        """Make a copy a document's file. A process killed at any moment leaves a whole file or none."""
        with store_errors(str(self._folder)):
            copy.path.replace(self.path(document_id))

    def check_writable(self) -> None:
        """Write a little, and delete it again. Raises StoreError where that cannot be done."""
        with store_errors(str(self._folder)):
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._folder) as trial:
                trial.write(bytes(_TRIAL_BYTES))

    def remove(self, document_id: str) -> None:
        """Delete a document's file, if there is one; one that is held open for long goes with the next `sweep`."""
        deadline = time.monotonic() + _HELD_SECONDS
        with store_errors(str(self._folder)):
            while time.monotonic() < deadline:
                try:
                    self.path(document_id).unlink(missing_ok=True)
                except PermissionError as error:
                    if getattr(error, "winerror", None) != _HELD_OPEN:
                        raise
                    time.sleep(_POLL_SECONDS)
                else:
                    return
        _log.warning("the file of %s is in use and is deleted at the next start", document_id)

    def sweep(self, kept: Collection[str]) -> None:
        """Delete what a killed process left behind: the files of all but these documents."""
        with store_errors(str(self._folder)):
            for path in self._folder.glob("*"):
                if path.name not in kept:
                    path.unlink(missing_ok=True)


def _copy(source: BinaryIO, target: BinaryIO) -> str:
    digest = hashlib.sha256()
    while block := source.read(MEGABYTE):
        digest.update(block)
        target.write(block)
    target.flush()
    os.fsync(target.fileno())  # or a power cut could leave the row of a file whose bytes never came to the disk
    return digest.hexdigest()


@contextmanager
def only_user(store: Path) -> Iterator[None]:
    """Keeps other processes out of a store: each would delete and read what another one is taking in.

    Raises StoreInUse, StoreError.
    """
    with store_errors(str(store)):
        store.mkdir(parents=True, exist_ok=True)
        # The system lets go of it when the process ends, however that comes.
        lock = FileLock(store / ".lock")
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise StoreInUse(path=store) from error
    try:
        yield
    finally:
        lock.release()


def keep_temporary_files_in(store: Path) -> None:
    """Let all temporary files of this process lie in a folder of its store, emptied of what a killed one left.

    Raises StoreError.
    """
    folder = store / "temporary"
    with store_errors(str(folder)):
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir()
        tempfile.tempdir = str(folder.resolve())


@contextmanager
def passing_file() -> Iterator[Path]:
    """Where a client's file can be written until the store has a copy; gone at the block's end. Raises StoreError."""
    # In a folder of its own: Windows lets nobody open a temporary file a second time.
    with store_errors(tempfile.gettempdir()), tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "file"


def check_size(path: Path, name: str, limit_mb: int) -> None:
    """Raises EmptyFile or FileTooLarge for a file that is not to be taken, StoreError for one that is gone."""
    with store_errors(name):
        size = path.stat().st_size
    if size == 0:
        raise EmptyFile(name=name)
    if size > limit_mb * MEGABYTE:
        raise FileTooLarge(name=name, size_mb=-(-size // MEGABYTE), limit_mb=limit_mb)


def plain_name(name: str) -> str:
    """A client's file name without its folders and without characters that are not to be seen."""
    last = PureWindowsPath(PurePosixPath(name).name).name
    return "".join(character for character in last if character.isprintable())[-_NAME_LENGTH:].strip() or "未命名"


def name_beside(taken: Collection[str], name: str) -> str:
    """A name that no other file bears: 甲.txt, and where there is one, 甲 (2).txt."""
    path = PurePath(name)
    numbered = (f"{path.stem} ({number}){path.suffix}" for number in itertools.count(2))
    return next(free for free in itertools.chain((name,), numbered) if free not in taken)
