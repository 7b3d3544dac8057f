"""Tables of an answer, on a screen and on paper: figures stay whole, what is too wide scrolls by itself."""

from typing import Literal

import pytest
from playwright.sync_api import Page

from rag.i18n import Language
from rag.web.export.page import to_html
from rag.web.markdown import markdown
from rag.web.passage import Mark, passage
from tests.samples_web import turn
from tests.web.conftest import OpenPage

pytestmark = pytest.mark.browser
REMARK = "须在三十日内提交发票，逾期不予报销"
ROWS = (
    "级别|餐补|交通|通讯|住宿|住宿（其他）|备注|备注",
    "-|-|-|-|-|-|-|-",
    f"P10|1000|2000|3000|每晚{500}元|每晚{350}元|{REMARK}|{REMARK}",
)
TABLE = "\n".join(f"|{row}|" for row in ROWS)
# How many lines each of the cells takes that hold but a figure, and how far the page goes beyond its width.
FIGURES = """[...document.querySelectorAll(":is(.prose, section) td")].slice(0, 4).map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
})"""
BEYOND = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("width", [1280, 390])
def test_a_table_of_an_answer_breaks_no_figure(visit: OpenPage, width: int) -> None:
    page = visit(viewport={"width": width, "height": 800}, asks="错误码")
    table = markdown(TABLE, lambda number, _: "")
    page.locator("#turns .prose").evaluate("(prose, html) => (prose.innerHTML = html)", table)
    _is_whole(page)


def test_a_table_of_a_saved_page_breaks_no_figure(visit: OpenPage) -> None:
    page = visit(viewport={"width": 700, "height": 800})
    page.set_content(to_html("题", (turn("问", TABLE),), Language.ZH, None))
    _is_whole(page)


def _is_whole(page: Page) -> None:
    assert page.evaluate(FIGURES) == [1] * 4
    assert page.evaluate(BEYOND) == 0
    assert page.locator(":is(.prose, section) td").last.evaluate("(cell) => cell.clientWidth") > 60


def test_on_a_phone_a_table_of_a_saved_page_breaks_no_short_cell_and_a_long_word_makes_it_no_wider(
    visit: OpenPage,
) -> None:
    page = visit(viewport={"width": 390, "height": 800})
    table = f"|职级|餐补|网址|\n|-|-|-|\n|总经理|120|{'长' * 60}|\n|员工|80|{'x' * 300}|"
    page.set_content(to_html("题", (turn("问", table),), Language.ZH, None))
    assert page.evaluate(FIGURES)[:2] == [1, 1]
    assert page.locator("table").evaluate("(table) => table.scrollWidth") < 700


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_header_of_a_table_is_marked_as_its_rows_are(visit: OpenPage, scheme: Literal["light", "dark"]) -> None:
    page = visit(color_scheme=scheme)
    text = "级别 | 餐补\n经理 | 100\n员工 | 80"
    page.locator("#leaf").evaluate(
        "(leaf, html) => (leaf.innerHTML = `<div class='leaf'><div class='words'>${html}</div></div>`)",
        passage(text, [Mark(0, len(text))]),
    )
    cells = page.locator("#leaf :is(th, td)")
    assert len(set(cells.evaluate_all("all => all.map(cell => getComputedStyle(cell).backgroundColor)"))) == 1
