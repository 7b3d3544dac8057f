"""A sentence that runs over a page break is one sentence; what begins anew on the next page is not."""

from pathlib import Path

import pytest

from loaders import load
from loaders.cleaning import clean_line
from loaders.heading_detection import detect_headings
from loaders.lines import TextLine
from loaders.page_breaks import with_separators
from loaders.paragraphs import join_lines
from loaders.sections import split_document
from rag.types import LoadedDocument, Page, PageHealth
from tests.pdf_files import write_pdf

FULL = "在解除或者终止劳动合同后，前款规定的人员到与本单位生产同类产品的其他用人单"
REST = "位，或者自己开业生产同类产品的竞业限制期限，不得超过二年。"
ABOVE = "竞业限制的范围、地域、期限由用人单位与劳动者约定，约定不得违反法律、法规的"


def line(text: str, index: int, left: float = 70, right: float = 530, size: float = 12) -> TextLine:
    bottom = 700 - 20 * index
    return TextLine(text, left, right, bottom, bottom + size, size)


def joined(first: list[TextLine], second: list[TextLine], apart: frozenset[str] = frozenset()) -> str:
    """The text of two pages of these lines."""
    rows = [first, second]
    pages = [Page(n, str(n), join_lines(lines), PageHealth.TEXT) for n, lines in enumerate(rows, start=1)]
    return LoadedDocument(with_separators(pages, rows, apart)).text


ENDS_AT_EDGE = [line(ABOVE, 0), line(FULL, 1)]


def test_a_sentence_that_goes_on_on_the_next_page_is_one() -> None:
    assert joined(ENDS_AT_EDGE, [line(REST, 0, right=400)]) == f"{ABOVE}{FULL}{REST}"


def test_an_item_that_goes_on_on_the_next_page_is_no_heading() -> None:
    lines = [line(ABOVE, 0), line("（三）建立必要性的评估标准；", 1, right=300), line(f"（四）{FULL[:-3]}", 2)]
    rows = [lines, [line(REST, 0, right=400), line("（一）总则", 1, right=150), line(FULL, 2)]]
    pages = [Page(n, str(n), "\n".join(row.text for row in page), PageHealth.TEXT) for n, page in enumerate(rows, 1)]
    whole = with_separators(pages, rows, frozenset())
    assert f"（四）{FULL[:-3]}{REST}" in LoadedDocument(whole).text
    assert [(heading.title, heading.page) for heading in detect_headings(whole)] == [("（一）总则", 2)]


def test_latin_words_on_both_sides_of_a_page_break_are_parted_by_a_blank() -> None:
    words = "retrieval augmented generation is a way to answer"
    assert joined([line(words, 0), line(words, 1)], [line("questions with documents.", 0)]).endswith(
        "to answer questions with documents."
    )


@pytest.mark.parametrize(
    ("last", "first"),
    [
        (line(FULL[:-1] + "。", 1), line(REST, 0)),
        (line(FULL, 1, right=300), line(REST, 0)),  # it ends before the edge
        (line(FULL, 1), line("第二十五条 除本法规定的情形外，不得约定违约金", 0)),
        (line(FULL, 1), line("（二）未缴纳社会保险费的", 0)),
        (line(FULL, 1), line("项目\t金额", 0)),
        (line(FULL, 1), line(REST, 0, size=18)),
        (line(FULL, 1), line("附件一", 0)),  # a title, by the file's own outline
    ],
)
def test_what_begins_anew_on_the_next_page_stays_apart(last: TextLine, first: TextLine) -> None:
    text = joined([line(ABOVE, 0), last], [first, line(ABOVE, 1)], apart=frozenset({"附件一"}))
    assert f"{last.text}\n{clean_line(first.text)[:2]}" in text or f"{last.text}\n| " in text


def test_a_paragraph_that_is_set_in_begins_anew() -> None:
    assert f"{FULL}\n{REST}" in joined(ENDS_AT_EDGE, [line(REST, 0, left=94), line(ABOVE, 1)])


def test_a_page_whose_last_line_was_left_out_is_not_joined() -> None:
    pages = [Page(1, "1", ABOVE, PageHealth.TEXT), Page(2, "2", REST, PageHealth.TEXT)]
    parted = with_separators(pages, [ENDS_AT_EDGE, [line(REST, 0)]], frozenset())
    assert [page.separator for page in parted] == ["\n", "\n"]


def test_a_passage_over_the_page_break_of_a_file_has_its_sentence_whole(tmp_path: Path) -> None:
    document = load(write_pdf(tmp_path / "a.pdf", [["第一条 本法保护劳动者的合法权益。", ABOVE, FULL], [REST]]))
    passages = [child for section in split_document(document, 200, 40, 800) for child in section.children]
    assert f"{FULL}{REST}" in "".join(passage.text for passage in passages)
    assert all(passage.text == document.text[passage.start : passage.end] for passage in passages)
    assert document.starts == (0, document.text.index(REST))
    assert [(passage.page, passage.last_page) for passage in passages] == [(1, 2)]
