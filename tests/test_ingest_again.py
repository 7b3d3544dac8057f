"""Documents read anew from the copy that was kept of them."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.errors import UnknownDocument
from rag.types import DocumentStatus, LoadedDocument
from tests.ingesting import TEXT, Rig, wait_for
from tests.knowledge import content


class Editions:
    """A reader that reads something else each time, the first at once and each further one when it is let."""

    def __init__(self, *texts: str) -> None:
        self._texts = iter(texts)
        self._first = True
        self.let = threading.Event()

    def __call__(self, path: Path, **_: object) -> LoadedDocument:
        assert self._first or self.let.wait(30)
        self._first = False
        return content(next(self._texts))[0]


@pytest.fixture
def editions() -> Editions:
    return Editions("年假为十天，需要申请。", "年假为十五天，需要申请。")


@pytest.fixture
def rig(tmp_path: Path, editions: Editions) -> Iterator[Rig]:
    rig = Rig(tmp_path / "store", editions)
    rig.ingest.start()
    yield rig
    rig.close()


def test_a_document_read_anew_has_its_new_text_and_keeps_its_id(rig: Rig, editions: Editions, tmp_path: Path) -> None:
    path = tmp_path / "手册.txt"
    path.write_text(TEXT, encoding="utf-8")
    rig.take_in(path)
    (document,) = rig.ingest.documents("mine")
    path.unlink()
    again = rig.ingest.reread("mine", document.document_id)
    assert again.status in (DocumentStatus.QUEUED, DocumentStatus.READING)
    editions.let.set()

    def found() -> list[str]:
        return [hit.chunk.passage.text for hit in rig.knowledge.search("年假几天", ["mine"]).hits]

    assert wait_for(lambda: found() == ["年假为十五天，需要申请。"])
    assert [again.document_id for again in rig.ingest.documents("mine")] == [document.document_id]


def test_another_sessions_document_is_not_read_anew(rig: Rig, tmp_path: Path) -> None:
    path = tmp_path / "手册.txt"
    path.write_text(TEXT, encoding="utf-8")
    rig.take_in(path)
    (document,) = rig.ingest.documents("mine")
    with pytest.raises(UnknownDocument):
        rig.ingest.reread("yours", document.document_id)
