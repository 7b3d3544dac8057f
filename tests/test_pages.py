"""Pages shown to those who may see them: as images with boxes, or as text."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from sqlalchemy import update

from loaders.view_wire import Look, Sight
from loaders.viewer import Viewer
from rag.database import transaction
from rag.errors import ReaderCrashed, UnknownDocument
from rag.events import Searchable
from rag.knowledge.base import SHARED_COLLECTION
from rag.knowledge.schema import pages
from rag.pages import Pages
from rag.types import Box, Document, MarkedText, PlacedLine
from tests.ingesting import Rig, rig_settings
from tests.pdf_files import write_pdf

FIRST = ["第一章 总则", "注册资本为人民币一千万元。"]
SECOND = ["第二章 组织", "董事会由五名董事组成。"]


class CountingViewer(Viewer):
    """A real viewer that notes what it was asked to see, or one that crashes."""

    def __init__(self, crashes: bool = False) -> None:
        super().__init__(time_limit_seconds=30)
        self.looks: list[Look] = []
        self._crashes = crashes

    def see(self, look: Look) -> Sight:
        self.looks.append(look)
        if self._crashes:
            raise ReaderCrashed(name=look.name)
        return super().see(look)


class Shown:
    """An ingest and the pages of what it took in."""

    def __init__(self, folder: Path) -> None:
        self.rig = Rig(folder)
        self.rig.ingest.start()
        self.viewer = CountingViewer()
        self.pages = Pages(rig_settings(folder), self.rig.catalog, self.viewer)

    def take_in(self, path: Path, session: str = "mine", **arguments: str) -> Document:
        event = self.rig.take_in(path, session, **arguments)[-1]
        assert isinstance(event, Searchable)
        return event.document

    def text(self, document: Document) -> str:
        numbers = range(1, document.pages + 1)
        return "\n".join(self.rig.catalog.page(document.document_id, number).text for number in numbers)

    def span(self, document: Document, passage: str) -> tuple[int, int]:
        start = self.text(document).index(passage)
        return start, start + len(passage)


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[Shown]:
    shown = Shown(tmp_path / "store")
    yield shown
    shown.pages.close()
    shown.rig.close()


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    return write_pdf(tmp_path / "章程.pdf", [FIRST, SECOND])


def test_a_passage_is_boxed_on_its_page(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf)
    view = shown.pages.view("mine", document.document_id, 2, *shown.span(document, "五名董事"))
    assert (view.document_name, view.page, view.page_label, view.page_count) == ("章程.pdf", 2, "2", 2)
    assert view.text == MarkedText("第二章 组织\n董事会由", "五名董事", "组成。", False, False)
    assert view.size == (1200, 1698) and view.note is None
    assert len(view.boxes) == 1
    # Four characters of 12 points, the fifth of the line, on a page of 595 points.
    assert view.boxes[0].left == pytest.approx((72 + 48) / 595, abs=0.002)
    assert view.boxes[0].right == pytest.approx((72 + 96) / 595, abs=0.002)


def test_a_passage_over_a_page_break_is_marked_on_both_pages_and_on_no_other(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf)
    start, end = shown.span(document, "一千万元。\n第二章")
    first, second = (shown.pages.view("mine", document.document_id, page, start, end) for page in (1, 2))
    assert (first.text.passage, second.text.passage) == ("一千万元。", "第二章")
    assert len(first.boxes) == len(second.boxes) == 1
    assert shown.pages.parts("mine", document.document_id, (start, end), range(1, 3)) == ("一千万元。", "第二章")
    assert shown.pages.parts("mine", document.document_id, (0, 4), range(1, 3)) == ("第一章 ", "")
    elsewhere = shown.pages.view("mine", document.document_id, 2, 0, 4)
    assert elsewhere.boxes == () and elsewhere.text.passage == "" and elsewhere.text.after.startswith("第二章")


def test_what_was_seen_is_not_looked_at_again(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf)
    span = shown.span(document, "五名董事")
    view = shown.pages.view("mine", document.document_id, 2, *span)
    image = shown.pages.image(document.document_id, 2)
    assert (image.width, image.height) == view.size
    assert shown.pages.view("mine", document.document_id, 2, *span) == view
    assert len(shown.viewer.looks) == 1
    shown.pages.view("mine", document.document_id, 2, *shown.span(document, "第二章"))
    assert [look.width for look in shown.viewer.looks] == [1200, None]


def test_pages_belong_to_their_session(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf)
    for session, document_id, page in (("yours", document.document_id, 1), ("mine", "../" + document.document_id, 1)):
        with pytest.raises(UnknownDocument):
            shown.pages.view(session, document_id, page)
        with pytest.raises(UnknownDocument):
            shown.pages.span(session, document_id, page, "总则")
    with pytest.raises(UnknownDocument):
        shown.pages.view("mine", document.document_id, 3)
    with pytest.raises(UnknownDocument):
        shown.pages.image(document.document_id, 3)


def test_a_deleted_document_is_shown_no_more(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf)
    shown.pages.view("mine", document.document_id, 1)
    shown.rig.ingest.delete("mine", document.document_id)
    with pytest.raises(UnknownDocument):
        shown.pages.view("mine", document.document_id, 1)
    with pytest.raises(UnknownDocument):
        shown.pages.image(document.document_id, 1)


def test_everybody_sees_the_shared_collection(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf, SHARED_COLLECTION)
    assert shown.pages.view("anybody", document.document_id, 1).size


def test_a_text_file_is_shown_as_text_with_its_surroundings(shown: Shown, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("前文。\n" * 2000 + "要找的一句话。\n" + "后文。\n" * 2000, encoding="utf-8")
    document = shown.take_in(path)
    view = shown.pages.view("mine", document.document_id, 1, *shown.span(document, "要找的一句话。"))
    assert view.size is None and view.note is None and view.boxes == ()
    assert view.text.passage == "要找的一句话。"
    assert view.text.cut_before and view.text.cut_after
    assert len(view.text.before) == len(view.text.after) == 4000
    with pytest.raises(UnknownDocument):
        shown.pages.image(document.document_id, 1)


def test_a_page_whose_password_was_not_kept_is_shown_as_text_and_says_so(shown: Shown, tmp_path: Path) -> None:
    secret = StandardEncryption("secret", "owner", strength=128)
    document = shown.take_in(write_pdf(tmp_path / "a.pdf", [FIRST], encryption=secret), password="secret")
    view = shown.pages.view("mine", document.document_id, 1, *shown.span(document, "一千万元"))
    assert view.size is None and view.text.passage == "一千万元"
    assert view.note is not None and view.note.key == "page.locked"


def test_a_page_that_crashes_the_viewer_is_shown_as_text(shown: Shown, tmp_path: Path, pdf: Path) -> None:
    document = shown.take_in(pdf)
    crashing = Pages(rig_settings(tmp_path / "store"), shown.rig.catalog, CountingViewer(crashes=True))
    view = crashing.view("mine", document.document_id, 1)
    assert view.size is None and view.text.after.startswith("第一章")
    assert view.note is not None and view.note.key == "error.reader_crashed"


def test_a_page_read_from_its_image_has_the_boxes_that_were_stored(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf)
    line = PlacedLine(0, 6, Box(0.1, 0.2, 0.7, 0.3))
    read_from_image = update(pages).where(pages.c.number == 1).values(lines=json.dumps([asdict(line)]))
    with transaction(shown.rig.catalog.engine) as connection:
        connection.execute(read_from_image)
    assert shown.pages.view("mine", document.document_id, 1, 0, 6).boxes == (line.box,)
    assert shown.viewer.looks[-1].span is None
    assert shown.pages.view("mine", document.document_id, 2, *shown.span(document, "组织")).boxes[0] != line.box


def test_a_passage_is_found_by_its_text_around_its_page(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf)
    passage = "一千万元。\n第二章 组织"
    expected = shown.span(document, passage)
    for page in (1, 2):
        assert shown.pages.span("mine", document.document_id, page, passage) == expected
    assert shown.pages.span("mine", document.document_id, 1, f"项目 | 金额\n{passage}") == expected
    assert shown.pages.span("mine", document.document_id, 1, "没有这句话") is None
    assert shown.pages.span("mine", document.document_id, 1, "") is None


def test_of_equal_passages_that_on_the_page_is_found(shown: Shown, tmp_path: Path) -> None:
    document = shown.take_in(write_pdf(tmp_path / "a.pdf", [["甲方签字盖章"], ["甲方签字盖章"], ["甲方签字盖章"]]))
    assert [shown.pages.span("mine", document.document_id, page, "签字") for page in (1, 2, 3)] == [
        (2, 4),
        (9, 11),
        (16, 18),
    ]
