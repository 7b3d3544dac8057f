"""Pages shown to those who may see them: as images with boxes, or as text."""

import json
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import docx
import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from sqlalchemy import update

from rag.database import transaction
from rag.errors import UnknownDocument
from rag.events import Searchable
from rag.knowledge.base import SHARED_COLLECTION
from rag.knowledge.contents import Contents
from rag.knowledge.schema import chunks as stored_chunks
from rag.knowledge.schema import pages
from rag.types import Box, Chunk, Document, Evidence, MarkedText, PlacedLine
from tests.ingesting import Rig
from tests.knowledge import Store, made_older, open_store
from tests.pdf_files import write_pdf
from tests.samples import evidence
from tests.statements import asked_of
from tests.viewing import CountingViewer, pages_over

FIRST = ["第一章 总则", "注册资本为人民币一千万元。"]
SECOND = ["第二章 组织", "董事会由五名董事组成。"]


class Shown:
    """An ingest and the pages of what it took in."""

    def __init__(self, folder: Path) -> None:
        self.rig = Rig(folder)
        self.rig.ingest.start()
        self.viewer = CountingViewer()
        self.pages = pages_over(folder, self.rig.catalog, self.viewer)

    def take_in(self, path: Path, session: str = "mine", **arguments: str) -> Document:
        event = self.rig.take_in(path, session, **arguments)[-1]
        assert isinstance(event, Searchable)
        return event.document

    def text(self, document: Document) -> str:
        return Contents(self.rig.catalog.engine).content(document.document_id).text

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
    view = shown.pages.view("mine", document.document_id, 2, shown.span(document, "五名董事"))
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
    first, second = (shown.pages.view("mine", document.document_id, page, (start, end)) for page in (1, 2))
    assert (first.text.passage, second.text.passage) == ("一千万元。", "第二章")
    assert len(first.boxes) == len(second.boxes) == 1
    second_page = end - len("第二章")
    assert shown.pages.numbers("mine", document.document_id, (0, start, second_page - 1, second_page)) == (1, 1, 1, 2)
    elsewhere = shown.pages.view("mine", document.document_id, 2, (0, 4))
    assert elsewhere.boxes == () and elsewhere.text.passage == "" and elsewhere.text.after.startswith("第二章")


def test_what_bears_a_sentence_out_is_marked_again_on_each_page_that_has_some_of_it(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf)
    passage, key = shown.span(document, "人民币一千万元。\n第二章 组织"), shown.span(document, "万元。\n第二章")
    first, second = (shown.pages.view("mine", document.document_id, page, passage, key) for page in (1, 2))
    assert [view.text.passage[slice(*view.text.key)] for view in (first, second)] == ["万元。", "第二章"]
    (whole,), (inner,) = first.boxes, first.key_boxes
    assert whole.left < inner.left < inner.right == whole.right
    assert second.key_boxes[0].right < second.boxes[0].right
    away = shown.pages.view("mine", document.document_id, 2, passage, (0, 4))
    assert away.key_boxes == () and away.text.key == (0, 0)


def test_a_docx_is_opened_by_its_worker_alone(shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = docx.Document()
    written.add_paragraph("董事会由五名董事组成。")
    written.save(str(tmp_path / "章程.docx"))
    monkeypatch.setattr(zipfile, "ZipFile", None)  # in this process, not in a worker
    document = shown.take_in(tmp_path / "章程.docx")
    view = shown.pages.view("mine", document.document_id, 1, shown.span(document, "五名董事"))
    assert (view.text.passage, view.size, view.note) == ("五名董事", None, None)
    with pytest.raises(UnknownDocument):
        shown.pages.image(document.document_id, 1)


def test_what_was_seen_is_not_looked_at_again(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf)
    span = shown.span(document, "五名董事")
    view = shown.pages.view("mine", document.document_id, 2, span)
    image = shown.pages.image(document.document_id, 2)
    assert (image.width, image.height) == view.size
    assert shown.pages.view("mine", document.document_id, 2, span) == view
    assert len(shown.viewer.looks) == 1
    shown.pages.view("mine", document.document_id, 2, shown.span(document, "第二章"))
    assert [look.width for look in shown.viewer.looks] == [1200, None]


def test_a_passage_and_what_bears_a_sentence_out_are_one_look_and_one_reading_of_the_page(
    shown: Shown, pdf: Path
) -> None:
    document = shown.take_in(pdf)
    passage, key = shown.span(document, "五名董事"), shown.span(document, "五名")
    with asked_of(shown.rig.catalog.engine) as asked:
        first = shown.pages.view("mine", document.document_id, 2, passage, key)
    assert len(shown.viewer.looks) == 1
    assert len([statement for statement in asked.statements if "FROM pages" in statement]) == 1
    (whole,), (inner,) = first.boxes, first.key_boxes
    assert (whole.left, whole.right > inner.right) == (inner.left, True)
    other = shown.pages.view("mine", document.document_id, 2, passage, shown.span(document, "组织"))
    assert [look.spans for look in shown.viewer.looks[1:]] == [((4, 6),)] and other.boxes == first.boxes


def test_pages_belong_to_their_session(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf)
    for session, document_id, page in (("yours", document.document_id, 1), ("mine", "../" + document.document_id, 1)):
        with pytest.raises(UnknownDocument):
            shown.pages.view(session, document_id, page)
        item = replace(evidence(1, "总则"), document_id=document_id)
        assert shown.pages.spans(session, [item]) == {}
        with pytest.raises(UnknownDocument):
            shown.pages.numbers(session, document_id, [0])
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
    view = shown.pages.view("mine", document.document_id, 1, shown.span(document, "要找的一句话。"))
    assert view.size is None and view.note is None and view.boxes == ()
    assert view.text.passage == "要找的一句话。"
    assert view.text.cut_before and view.text.cut_after
    assert len(view.text.before) == len(view.text.after) == 4000
    with pytest.raises(UnknownDocument):
        shown.pages.image(document.document_id, 1)


def test_a_page_whose_password_was_not_kept_is_shown_as_text_and_says_so(shown: Shown, tmp_path: Path) -> None:
    secret = StandardEncryption("secret", "owner", strength=128)
    document = shown.take_in(write_pdf(tmp_path / "a.pdf", [FIRST], encryption=secret), password="secret")
    view = shown.pages.view("mine", document.document_id, 1, shown.span(document, "一千万元"))
    assert view.size is None and view.text.passage == "一千万元"
    assert view.note is not None and view.note.key == "page.locked"


def test_a_page_that_crashes_the_viewer_is_shown_as_text(shown: Shown, tmp_path: Path, pdf: Path) -> None:
    document = shown.take_in(pdf)
    crashing = pages_over(tmp_path / "store", shown.rig.catalog, CountingViewer(crashes=True))
    view = crashing.view("mine", document.document_id, 1)
    assert view.size is None and view.text.after.startswith("第一章")
    assert view.note is not None and view.note.key == "error.reader_crashed"


def test_a_page_read_from_its_image_has_the_boxes_that_were_stored(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf)
    line = PlacedLine(0, 6, Box(0.1, 0.2, 0.7, 0.3))
    read_from_image = update(pages).where(pages.c.number == 1).values(lines=json.dumps([asdict(line)]))
    with transaction(shown.rig.catalog.engine) as connection:
        connection.execute(read_from_image)
    assert shown.pages.view("mine", document.document_id, 1, (0, 6)).boxes == (line.box,)
    assert shown.viewer.looks[-1].spans == ()
    assert shown.pages.view("mine", document.document_id, 2, shown.span(document, "组织")).boxes[0] != line.box


def looked_for(shown: Shown, document: Document, page: int, passage: str) -> tuple[int, int] | None:
    """Where a passage is found whose chunks are gone."""
    item = replace(evidence(1, passage, page), document_id=document.document_id, chunk_ids=())
    return shown.pages.spans("mine", [item])[1]


def test_a_passage_is_found_by_its_text_around_its_page(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf)
    passage = "一千万元。\n第二章 组织"
    expected = shown.span(document, passage)
    for page in (1, 2):
        assert looked_for(shown, document, page, passage) == expected
    assert looked_for(shown, document, 1, f"项目 | 金额\n{passage}") == expected
    assert looked_for(shown, document, 1, "没有这句话") is None
    assert looked_for(shown, document, 1, "") is None


def test_a_sentence_over_a_page_break_is_marked_on_both_pages_and_found_by_its_text(
    shown: Shown, tmp_path: Path
) -> None:
    full, rest = "竞业限制的范围和期限由用人单位与劳动者约定，不得违反法律、法规的规定，且其期", "限不得超过二年。"
    document = shown.take_in(write_pdf(tmp_path / "a.pdf", [["第一条 总则。", full, full], [rest, "第二条 其他。"]]))
    expected = shown.span(document, f"且其期{rest}")
    views = [shown.pages.view("mine", document.document_id, page, expected) for page in (1, 2)]
    assert [view.text.passage for view in views] == ["且其期", rest]
    assert all(len(view.boxes) == 1 for view in views)
    assert [looked_for(shown, document, page, f"且其期{rest}") for page in (1, 2)] == [expected] * 2


def test_of_equal_passages_that_on_the_page_is_found(shown: Shown, tmp_path: Path) -> None:
    document = shown.take_in(write_pdf(tmp_path / "a.pdf", [["甲方签字盖章"], ["甲方签字盖章"], ["甲方签字盖章"]]))
    assert [looked_for(shown, document, page, "签字") for page in (1, 2, 3)] == [(2, 4), (9, 11), (16, 18)]


def test_where_all_passages_of_an_answer_stand_is_one_question_to_the_store(store: Store, tmp_path: Path) -> None:
    document = store.put("mine", "长.txt", *(f"第 {number} 节的内容。" for number in range(50)), embed=False)
    pages = pages_over(tmp_path, store.catalog, CountingViewer())
    with transaction(store.catalog.engine) as connection:
        connection.execute(update(stored_chunks).where(stored_chunks.c.page == 4).values(context="表头"))
    known = Contents(store.catalog.engine).chunks("mine", document.document_id)

    def found(number: int, *chunks: Chunk) -> Evidence:
        text = "\n".join(chunk.passage.text_in_context for chunk in chunks)
        return replace(evidence(number, text), chunk_ids=tuple(chunk.chunk_id for chunk in reversed(chunks)))

    shown_to_reader = [found(1, known[0]), found(2, *known[3:5]), found(3, known[49])]
    with asked_of(store.catalog.engine) as asked:
        spans = pages.spans("mine", shown_to_reader)
    assert len(asked.statements) == 1
    assert spans == {
        number: (known[first].passage.start, known[last].passage.end)
        for number, first, last in ((1, 0, 0), (2, 3, 4), (3, 49, 49))
    }
    assert pages.spans("yours", shown_to_reader) == {}


def test_of_a_passage_that_was_cut_only_what_is_left_is_marked(store: Store, tmp_path: Path) -> None:
    document = store.put("mine", "甲.txt", "年假为十天。病假为五天。", embed=False)
    [chunk] = Contents(store.catalog.engine).chunks("mine", document.document_id)
    cut = replace(evidence(1, "年假为十天。"), document_id=document.document_id, chunk_ids=(chunk.chunk_id,))
    assert pages_over(tmp_path, store.catalog, CountingViewer()).spans("mine", [cut]) == {1: (0, 6)}


def test_where_a_page_begins_is_read_and_not_counted_over_all_before_it(shown: Shown, pdf: Path) -> None:
    document = shown.take_in(pdf)
    with asked_of(shown.rig.catalog.engine) as asked:
        beginning, _ = Contents(shown.rig.catalog.engine).placed(document.document_id, 2)
    assert beginning == shown.text(document).index(SECOND[0])
    # Others of the app ask at the same time: how much a session stores, for one.
    assert not any("sum(" in statement and "pages" in statement for statement in asked.statements)


def test_the_pages_of_an_older_store_learn_where_they_begin(tmp_path: Path) -> None:
    before = open_store(tmp_path)
    texts = ("第一页。", "第二页的字。", "三")
    documents = [before.put("mine", name, *texts, name) for name in ("甲.txt", "乙.txt")]
    made_older(before.catalog.engine, 7, "ALTER TABLE pages DROP COLUMN start")
    after = Contents(open_store(tmp_path).catalog.engine)
    for document in documents:
        assert [after.placed(document.document_id, number)[0] for number in range(1, 5)] == [0, 5, 12, 14]
