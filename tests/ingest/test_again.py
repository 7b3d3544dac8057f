"""Documents read anew from the copy that was kept of them."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.errors import PasswordNeeded, WenquError
from rag.types import Document, DocumentStatus, LoadedDocument
from tests.ingesting import TEXT, Rig
from tests.knowledge import content, made_older, open_store, search
from tests.waiting import wait_for


class Editions:
    """A reader that reads something else each time, the first at once and each further one when it is let."""

    def __init__(self, *editions: str | WenquError) -> None:
        self._editions = iter(editions)
        self._first = True
        self.let = threading.Event()

    def __call__(self, path: Path, **_: object) -> LoadedDocument:
        assert self._first or self.let.wait(30)
        self._first = False
        edition = next(self._editions)
        if isinstance(edition, WenquError):
            raise edition
        return content(edition)[0]


@pytest.fixture
def editions() -> Editions:
    return Editions("年假为十天，需要申请。", "年假为十五天，需要申请。")


@pytest.fixture
def rig(tmp_path: Path, editions: Editions) -> Iterator[Rig]:
    rig = Rig(tmp_path / "store", editions)
    rig.ingest.start()
    yield rig
    rig.close()


def found(rig: Rig) -> list[str]:
    return [hit.chunk.passage.text for hit in search(rig.knowledge, "年假几天", ["mine"]).hits]


def test_a_document_read_anew_has_its_new_text_and_keeps_its_id(rig: Rig, editions: Editions, tmp_path: Path) -> None:
    path = tmp_path / "手册.txt"
    path.write_text(TEXT, encoding="utf-8")
    rig.take_in(path)
    (document,) = rig.ingest.documents("mine")
    path.unlink()
    again = rig.ingest.reread("mine", document.document_id)
    assert again.status in (DocumentStatus.QUEUED, DocumentStatus.READING)
    editions.let.set()

    assert wait_for(lambda: found(rig) == ["年假为十五天，需要申请。"])
    assert [again.document_id for again in rig.ingest.documents("mine")] == [document.document_id]


def test_a_document_that_cannot_be_read_anew_is_searched_still_and_says_why(tmp_path: Path) -> None:
    editions = Editions("年假为十天，需要申请。", PasswordNeeded(name="手册.txt"), "年假为十五天，需要申请。")
    editions.let.set()
    rig = Rig(tmp_path / "store", editions)
    rig.ingest.start()
    path = tmp_path / "手册.txt"
    path.write_text(TEXT, encoding="utf-8")
    rig.take_in(path)
    (first,) = rig.ingest.documents("mine")

    def state() -> Document:
        return rig.catalog.document(first.document_id)

    rig.ingest.reread("mine", first.document_id)
    assert wait_for(lambda: state().reread_failure == PasswordNeeded(name="手册.txt").message)
    assert wait_for(lambda: state().status is DocumentStatus.READY)
    assert (state().searchable, state().message, found(rig)) == (True, None, ["年假为十天，需要申请。"])
    rig.ingest.reread("mine", first.document_id, "geheim")
    assert wait_for(lambda: found(rig) == ["年假为十五天，需要申请。"])
    assert state().reread_failure is None
    rig.close()


def test_what_an_older_program_called_failed_and_searched_is_called_searched(tmp_path: Path) -> None:
    before = open_store(tmp_path)
    document, failed = before.put("me", "甲.txt", "年假为十天。"), before.catalog.register("me", "乙.txt", "0", 1)
    refused = PasswordNeeded(name="x").message
    before.catalog.fail(failed.document_id, refused)
    made_older(
        before.catalog.engine,
        5,
        "UPDATE documents SET status = 'failed', message = (SELECT message FROM documents WHERE chunks = 0)",
        "ALTER TABLE documents DROP COLUMN reread_failure",
    )
    after = open_store(tmp_path).catalog.document
    searched, still_failed = after(document.document_id), after(failed.document_id)
    assert (searched.searchable, searched.message, searched.reread_failure) == (True, None, refused)
    assert (still_failed.status, still_failed.message) == (DocumentStatus.FAILED, refused)
