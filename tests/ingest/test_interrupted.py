"""Files whose way is cut: deleted, called off or killed with their process."""

import errno
import subprocess
import sys
import threading
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from loaders.process import WorkerProcess
from rag.database import reading
from rag.errors import ReadingPutOff, StoreUnavailable
from rag.events import IngestFailed, Searchable
from rag.knowledge import words
from rag.knowledge.postings import Segment
from rag.types import DocumentStatus
from tests.ingesting import ROOT, TEXT, Build, SlowReader, being_read, last, stored
from tests.knowledge import search
from tests.waiting import wait_for


@pytest.mark.parametrize("forget", [False, True], ids=["deleted", "forgotten"])
def test_a_document_that_goes_while_it_is_read_stops_its_reader_and_leaves_nothing(
    forget: bool, build: Build, manual: Path, tmp_path: Path
) -> None:
    rig, reader, document_id = being_read(build, manual)
    if forget:
        rig.ingest.forget("mine")
    else:
        rig.ingest.delete("mine", document_id)
    assert reader.ended.wait(30)
    assert rig.ingest.documents("mine") == ()
    assert stored(tmp_path) == []
    assert wait_for(lambda: rig.ingest._intake._jobs == {})
    assert rig.ingest._intake._progress == {}
    reader.go_on.set()
    assert isinstance(rig.take_in(manual)[-1], Searchable)


@pytest.mark.parametrize("ends", [True, False], ids=["until its reader ends", "for long"])
def test_what_windows_holds_open_while_it_is_read_is_deleted_with_all_else(
    ends: bool, build: Build, manual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, reader, document_id = being_read(build, manual)
    (other := tmp_path / "另一份.txt").write_text(f"{TEXT}另一份。", encoding="utf-8")
    rig.ingest.receive("mine", other, other.name)
    unlink = Path.unlink

    def held(path: Path, missing_ok: bool = False) -> None:
        if path.name == document_id and not (ends and reader.ended.is_set()):
            error = PermissionError(errno.EACCES, "The process cannot access the file")
            error.winerror = 32  # type: ignore[attr-defined]
            raise error
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", held)
    rig.ingest.forget("mine")
    left = [] if ends else [document_id]
    assert [path.name for path in stored(tmp_path)] == left
    monkeypatch.undo()
    build().ingest.start()
    assert stored(tmp_path) == []


def test_what_a_killed_process_had_not_removed_of_a_deleted_document_goes_at_the_next_start(
    build: Build, manual: Path
) -> None:
    def left() -> list[int]:
        with reading(rig.catalog.engine) as connection:
            tables = ("documents", "chunks", "pages", "deleted_documents")
            return [connection.scalar(text(f"SELECT count(*) FROM {table}")) or 0 for table in tables]

    rig = build()
    rig.ingest._intake.start()
    document_id = rig.ingest.receive("mine", manual, manual.name).document.document_id
    assert isinstance(last(rig, document_id), Searchable)
    rig.ingest.delete("mine", document_id)
    documents, *others = left()
    assert documents == 0 and all(others)
    assert search(rig.knowledge, "年假", ["mine"]).hits == ()
    build().ingest.start()
    assert wait_for(lambda: left() == [0, 0, 0, 0])
    with reading(rig.catalog.engine) as connection:
        assert connection.execute(text("PRAGMA foreign_key_check")).all() == []


def test_who_waits_for_a_file_is_told_that_the_program_ends(build: Build, manual: Path) -> None:
    rig, _, document_id = being_read(build, manual)
    events = rig.ingest.follow("mine", document_id)
    next(events)
    rig.ingest.close()
    with pytest.raises(ReadingPutOff, match="下次启动"):
        list(events)


def test_a_document_deleted_in_the_queue_leaves_nothing(build: Build, manual: Path, tmp_path: Path) -> None:
    rig = build()
    document = rig.ingest.receive("mine", manual, manual.name).document
    rig.ingest.delete("mine", document.document_id)
    rig.ingest.start()
    assert wait_for(lambda: rig.ingest._intake._jobs == {})
    assert rig.ingest._intake._progress == {}
    assert stored(tmp_path) == []


def test_a_document_deleted_while_its_passages_are_stored_is_in_no_index(
    build: Build, manual: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = build()
    document = rig.ingest.receive("mine", manual, manual.name).document
    search(rig.knowledge, "年假", ["mine"])

    def delete_meanwhile(*arguments: Any) -> Segment:
        rig.knowledge.delete(document.document_id)
        return words.cut_beside(*arguments)

    monkeypatch.setattr("rag.knowledge.stored.cut_beside", delete_meanwhile)
    rig.ingest.start()
    assert wait_for(lambda: rig.ingest._intake._jobs == {})
    assert search(rig.knowledge, "年假", ["mine"]).hits == ()


def test_a_document_deleted_while_its_words_are_cut_holds_up_no_other(
    build: Build, manual: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manual.write_text("".join(f"第{i}件事要这样做，{'写得很长' * 20}。\n" for i in range(2500)), encoding="utf-8")
    begun, ended = threading.Event(), threading.Event()

    class Endless(WorkerProcess):
        def send(self, lines: Iterable[bytes]) -> None:
            super().send(islice(lines, 1))  # and it waits for the texts
            begun.set()

        def close(self) -> None:
            super().close()
            ended.set()

    monkeypatch.setattr(words, "WorkerProcess", Endless)
    rig = build()
    rig.ingest.start()
    document = rig.ingest.receive("mine", manual, manual.name).document
    assert begun.wait(60)
    rig.ingest.delete("mine", document.document_id)
    assert ended.wait(30)
    assert wait_for(lambda: rig.ingest._intake._jobs == {})


def test_a_file_called_off_by_the_programs_end_is_read_at_the_next_start(build: Build, manual: Path) -> None:
    document_id = ""
    for _ in range(3):  # more often than a file that kills the process would be tried
        ended, _, document_id = being_read(build, manual)
        ended.close()
        document = ended.catalog.document(document_id)
        assert (document.status, document.attempts, document.message) == (DocumentStatus.QUEUED, 0, None)
    restarted = build()
    restarted.ingest.start()
    assert isinstance(last(restarted, document_id), Searchable)


KILLED = """
import sys, threading
from pathlib import Path
from tests.ingesting import Rig, SlowReader
reader = SlowReader()
rig = Rig(Path(sys.argv[1]), reader)
rig.ingest.start()
rig.ingest.receive("mine", Path(sys.argv[2]), "员工手册.txt")
reader.begun.wait()
print("reading", flush=True)
threading.Event().wait()
"""


def test_a_killed_process_loses_no_file_and_leaves_no_half(build: Build, manual: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "store"), str(manual)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"reading\n"
        process.kill()
    restarted = build()
    (document,) = restarted.ingest.documents("mine")
    assert document.status is DocumentStatus.READING
    assert search(restarted.knowledge, "年假有几天", ["mine"]).hits == ()
    (tmp_path / "store" / "files" / "cut-off-copy").write_bytes(b"half")
    restarted.ingest.start()
    assert isinstance(last(restarted, document.document_id), Searchable)
    assert [path.name for path in stored(tmp_path)] == [document.document_id]


def test_a_file_that_is_gone_from_the_store_is_said_to_need_uploading_again(
    build: Build, manual: Path, tmp_path: Path
) -> None:
    killed = build()
    document = killed.ingest.receive("mine", manual, manual.name).document
    (tmp_path / "store" / "files" / document.document_id).unlink()
    restarted = build()
    restarted.ingest.start()
    failed = last(restarted, document.document_id)
    assert isinstance(failed, IngestFailed)
    assert failed.document.message is not None
    assert failed.document.message.key == "error.reading_interrupted"


def test_the_same_bytes_uploaded_twice_at_once_are_read_once(build: Build, manual: Path, tmp_path: Path) -> None:
    reader = SlowReader()
    rig = build(reader)
    reads: list[str] = []
    uploads = [
        threading.Thread(
            target=lambda: reads.append(rig.ingest.receive("mine", manual, manual.name).document.document_id)
        )
        for _ in range(8)
    ]
    for upload in uploads:
        upload.start()
    for upload in uploads:
        upload.join()
    assert len(set(reads)) == 1
    assert len(rig.ingest._intake._queue._waiting["mine"]) == 1
    assert len(stored(tmp_path)) == 1


def test_a_failed_document_is_queued_once_however_often_it_is_retried(build: Build, manual: Path) -> None:
    rig = build()
    document = rig.ingest.receive("mine", manual, manual.name).document
    rig.ingest._intake._queue.get(lambda _: True)
    for _ in range(2):
        rig.catalog.start_attempt(document.document_id)
    rig.catalog.fail(document.document_id, StoreUnavailable(path="x", reason="y").message)
    for _ in range(3):
        queued = rig.ingest.reread("mine", document.document_id)
    assert (queued.status, queued.attempts, queued.message) == (DocumentStatus.QUEUED, 0, None)
    assert len(rig.ingest._intake._queue._waiting["mine"]) == 1
