"""Files that the disk, the database or the loaders refuse: each fails with its reason, and the next is read."""

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from loaders import load
from rag.database import open_database
from rag.errors import DiskFull, ReadingTimedOut, TooManyPassages
from rag.events import IngestFailed, Searchable
from rag.types import DocumentStatus, LoadedDocument
from tests.ingesting import ROOT, Build, being_read, last, stored
from tests.recognising import read_here
from tests.waiting import wait_for


def test_a_full_disk_fails_the_file_with_its_reason_and_the_next_is_read(build: Build, manual: Path) -> None:
    refused = threading.Event()

    def read(path: Path, *, name: str, **_: object) -> LoadedDocument:
        if not refused.is_set():
            refused.set()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return load(path, name=name)

    rig = build(read)
    rig.ingest.start()
    failed = rig.take_in(manual)[-1]
    assert isinstance(failed, IngestFailed)
    assert failed.document.message is not None
    assert failed.document.message.key == "error.disk_full"
    assert isinstance(rig.take_in(manual)[-1], Searchable)


@pytest.mark.parametrize("forget", [False, True], ids=["deleted", "forgotten"])
def test_on_a_full_disk_a_files_own_room_is_enough_to_delete_it(
    forget: bool, build: Build, manual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = build()
    rig.ingest.start()
    document = rig.take_in(manual)[-1].document  # type: ignore[union-attr]

    def refusing(deletes: Callable[[str], None]) -> Callable[[str], None]:
        def delete(deleted_id: str) -> None:
            if stored(tmp_path):
                raise DiskFull(path="store")
            deletes(deleted_id)

        return delete

    for name in ("delete", "delete_collection"):
        monkeypatch.setattr(rig.knowledge, name, refusing(getattr(rig.knowledge, name)))
    if forget:
        rig.ingest.forget("mine")
    else:
        rig.ingest.delete("mine", document.document_id)
    assert rig.ingest.documents("mine") == ()


def test_a_strange_error_fails_its_file_and_the_next_is_read(build: Build, manual: Path) -> None:
    def read(path: Path, *, name: str, **_: object) -> LoadedDocument:
        if name == "奇怪.txt":
            raise RecursionError
        return load(path, name=name)

    rig = build(read)
    rig.ingest.start()
    strange = manual.with_name("奇怪.txt")
    strange.write_text("别的内容。", encoding="utf-8")
    failed = rig.take_in(strange)[-1]
    assert isinstance(failed, IngestFailed)
    assert failed.document.message is not None
    assert failed.document.message.key == "error.reader_crashed"
    assert isinstance(rig.take_in(manual)[-1], Searchable)


def test_a_file_that_is_split_too_slowly_fails_as_one_that_is_read_too_slowly(build: Build, manual: Path) -> None:
    rig = build(read_here, time_limit_seconds=0.01)
    rig.ingest.start()
    failed = rig.take_in(manual)[-1]
    assert isinstance(failed, IngestFailed)
    assert failed.document.message == ReadingTimedOut(name=manual.name, seconds=0.01).message


def test_a_file_that_is_split_into_too_many_passages_fails_and_says_so(build: Build, manual: Path) -> None:
    rig = build(read_here, max_chunks=2)
    rig.ingest.start()
    manual.write_text("年假为十天，入职满一年后可以使用。\n" * 40, encoding="utf-8")
    failed = rig.take_in(manual)[-1]
    assert isinstance(failed, IngestFailed)
    assert failed.document.message == TooManyPassages(name=manual.name, chunks=5, limit=2).message


class FullDisk:
    """A file that stops half-way, as where the copy no longer fits on the disk."""

    def open(self, _mode: str) -> "FullDisk":
        return self

    def stat(self) -> os.stat_result:
        return ROOT.stat()

    def __enter__(self) -> "FullDisk":
        self.blocks = [b"half of a file"]
        return self

    def __exit__(self, *_: object) -> None:
        self.blocks = []

    def read(self, _size: int) -> bytes:
        if not self.blocks:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self.blocks.pop()


def test_a_copy_that_does_not_fit_on_the_disk_leaves_no_document(build: Build, tmp_path: Path) -> None:
    rig = build()
    with pytest.raises(DiskFull):
        rig.ingest.receive("mine", FullDisk(), "大文件.txt")  # type: ignore[arg-type]
    assert rig.ingest.documents("mine") == ()
    assert stored(tmp_path) == []


def test_a_file_that_cannot_be_moved_to_its_place_fails_and_is_taken_when_it_is_given_again(
    build: Build, manual: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise DiskFull(path="files")

    rig = build()
    rig.ingest.start()
    with monkeypatch.context() as full:
        full.setattr("rag.files.FileStore.keep", refuse)
        with pytest.raises(DiskFull):
            rig.ingest.receive("mine", manual, manual.name)
    (failed,) = rig.ingest.documents("mine")
    assert failed.message is not None
    assert (failed.status, failed.message.key) == (DocumentStatus.FAILED, "error.disk_full")
    assert isinstance(rig.take_in(manual)[-1], Searchable)


def test_a_database_that_refuses_for_a_while_does_not_end_the_reading_of_files(
    build: Build, manual: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rig, reader, document_id = being_read(build, manual)
    engine = open_database(f"sqlite:///{tmp_path / 'store' / 'test.sqlite3'}")
    with engine.connect() as connection:
        connection.exec_driver_sql("ALTER TABLE documents RENAME TO hidden")
        connection.commit()
    reader.go_on.set()
    assert wait_for(lambda: any(record.name == "rag.ingest.intake" for record in caplog.records))
    with engine.connect() as connection:
        connection.exec_driver_sql("ALTER TABLE hidden RENAME TO documents")
        connection.commit()
    assert isinstance(last(rig, document_id), IngestFailed)
    following = tmp_path / "另一份.txt"
    following.write_text("婚假为三天。", encoding="utf-8")
    assert isinstance(rig.take_in(following)[-1], Searchable)
