"""From a marker in an answer to its passage on the page of its document, in a real browser."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import Page, Route, expect

from tests.fakes_pages import BOXES
from tests.web.conftest import OpenPage, answered, ask, exchange, page_of_source

pytestmark = pytest.mark.browser

ON_SCREEN = """([a, b]) => {
  const inner = document.querySelector(a).getBoundingClientRect();
  const outer = document.querySelector(b).getBoundingClientRect();
  return inner.top >= outer.top && inner.bottom <= outer.bottom;
}"""


def where(page: Page) -> str:
    """The page in view, as the reader is told."""
    return page.locator("#leaf .where").inner_text()


def has_lines(page: Page) -> bool:
    """Whether the grey lines of an image of a page are seen."""
    picture = Image.open(io.BytesIO(page.locator("#leaf img").screenshot())).convert("L")
    return sum(picture.histogram()[195:206]) > 1000


@pytest.fixture
def asked(visit: OpenPage) -> Page:
    """A page with one answer and its first source in view."""
    page = visit(asks="错误码")
    page_of_source(page)
    return page


def test_the_first_source_that_is_cited_shows_its_page_once_the_answer_has_ended(visit: OpenPage) -> None:
    page = visit()
    ask(page, "慢")
    page.locator("#live .prose:not(:empty)").wait_for()
    expect(page.locator("#sources .source")).to_have_count(3)
    expect(page.locator("#leaf .view")).to_have_count(0)
    page.keyboard.press("Escape")
    answered(page)
    page_of_source(page)
    assert where(page) == "第 27 页（页面标注 25）"
    expect(page.locator('#sources [data-source="1"]')).to_have_class(re.compile("shown"))


def test_the_passage_is_marked_on_its_page_and_in_view(asked: Page) -> None:
    marks = asked.evaluate(
        """() => {
          const sheet = document.querySelector("#leaf img").getBoundingClientRect();
          return [...document.querySelectorAll("#leaf .mark")].map((mark) => {
            const box = mark.getBoundingClientRect();
            return [(box.left - sheet.left) / sheet.width, (box.top - sheet.top) / sheet.height,
                    (box.right - sheet.left) / sheet.width, (box.bottom - sheet.top) / sheet.height];
          });
        }"""
    )
    for found, box in zip(marks, BOXES, strict=True):
        assert found == pytest.approx([box.left, box.top, box.right, box.bottom], abs=0.003)
    assert asked.evaluate(ON_SCREEN, ["#leaf .mark", "#leaf .view"])


def test_a_marker_shows_its_card_and_the_page_of_its_passage_that_says_the_sentence(asked: Page) -> None:
    asked.get_by_role("button", name="出处 2，第 27–28 页").first.click()
    expect(asked.locator('#sources [data-source="2"]')).to_have_class(re.compile("shown"))
    expect(asked.locator("#sources .shown")).to_have_count(1)
    expect(asked.locator("#leaf .pager")).to_contain_text("28 / 55")
    expect(asked.locator("#leaf .home")).to_have_count(0)
    asked.locator('#sources [data-source="2"] .head').click()
    expect(asked.locator("#leaf .pager")).to_contain_text("27 / 55")
    # A marker that stands for nothing says so, and no page stays in view as if it were its source.
    nowhere = asked.locator('#turns .cite[data-cite="9"]')
    expect(nowhere).to_have_class(re.compile("doubtful"))
    nowhere.click()
    remark = asked.locator("#sources .remark.gone").first
    expect(remark).to_have_text("没有编号为 9 的出处")
    expect(remark).to_have_css("color", "rgb(168, 75, 6)")
    expect(asked.locator("#leaf .view")).to_have_count(0)


def test_a_marker_brings_its_passage_back_into_view_after_the_reader_has_scrolled_away_from_it(asked: Page) -> None:
    marker, view = asked.locator("#turns .cite").first, asked.locator("#leaf .view")
    marker.click()
    expect(asked.locator("#leaf .key")).to_have_count(1)
    view.evaluate("view => view.scrollTo(0, 10000)")
    assert not asked.evaluate(ON_SCREEN, ["#leaf .key", "#leaf .view"])
    marker.click()
    asked.wait_for_function(ON_SCREEN, arg=["#leaf .key", "#leaf .view"])


def test_nothing_that_is_told_on_a_card_runs_over_its_edge(asked: Page) -> None:
    wide = """(card, name) => {
      const line = document.createElement("p");
      line.className = name;
      line.textContent = "a".repeat(300);
      card.append(line);
      return card.scrollWidth > card.clientWidth;
    }"""
    card = asked.locator("#sources .source").first
    assert [card.evaluate(wide, name) for name in ("remark", "place", "text")] == [False] * 3


def test_what_of_the_passage_bears_a_sentence_out_is_marked_again_and_so_it_is_after_a_reload(asked: Page) -> None:
    expect(asked.locator("#leaf .key")).to_have_count(1)
    asked.locator("#leaf .after").click()
    expect(asked.locator("#leaf .pager")).to_contain_text("28 / 55")
    expect(asked.locator("#leaf .key")).to_have_count(1)
    asked.locator('#sources [data-source="1"] .head').click()
    expect(asked.locator("#leaf .pager")).to_contain_text("27 / 55")
    expect(asked.locator("#leaf .key")).to_have_count(0)
    asked.reload()
    expect(asked.locator("#leaf .key")).to_be_in_viewport()
    # The second source does not say what it is cited for.
    asked.get_by_role("button", name="出处 2，第 27–28 页").first.click()
    expect(asked.locator("#leaf .pager")).to_contain_text("28 / 55")
    expect(asked.locator("#leaf .key")).to_have_count(0)


def test_during_another_answer_no_card_is_framed_for_a_passage_that_only_has_its_number(asked: Page) -> None:
    asked.locator("#turns .turn").last.hover()
    asked.locator("#turns [data-edit]").last.click()
    asked.locator("#turns .edit textarea").last.fill("慢，加密的资料")
    asked.keyboard.press("Enter")
    asked.locator('#sources [data-source="1"][data-document="加密"]').wait_for()
    expect(asked.locator("#sources .shown")).to_have_count(0)
    asked.keyboard.press("Escape")
    answered(asked)


def test_a_card_that_stands_below_comes_into_view_and_the_page_stays_there(visit: OpenPage) -> None:
    page = visit(viewport={"width": 1440, "height": 700}, asks="错误码")
    page_of_source(page)
    page.locator('#turns .cite[data-cite="2"]').click()
    page.wait_for_function(
        """() => {
          const card = document.querySelector('#sources [data-source="2"]').getBoundingClientRect();
          const leaf = document.querySelector("#leaf").getBoundingClientRect();
          return leaf.top >= 0 && card.top >= leaf.bottom && card.top < innerHeight - 60;
        }"""
    )


def test_pages_are_turned_and_the_way_back_is_offered(asked: Page) -> None:
    following = asked.get_by_role("button", name="下一页")
    place = following.bounding_box()
    following.click()
    expect(asked.locator("#leaf .pager")).to_contain_text("28 / 55")
    # The passage goes on there.
    expect(asked.locator("#leaf .mark")).to_have_count(2)
    following.click()
    expect(asked.locator("#leaf .pager")).to_contain_text("29 / 55")
    expect(asked.locator("#leaf .mark")).to_have_count(0)
    # Who presses it once more presses it again, not the way back.
    assert following.bounding_box() == place
    page_of_source(asked)
    expect(asked.locator('#sources [data-source="1"]')).to_have_class(re.compile("shown"))
    asked.get_by_role("button", name="回到引用处").click()
    expect(asked.locator("#leaf .pager")).to_contain_text("27 / 55")
    expect(asked.locator("#leaf .mark")).to_have_count(2)
    assert asked.evaluate("document.querySelector('#leaf .pager').contains(document.activeElement)") is False


def test_of_a_page_that_is_turned_to_no_other_ones_image_is_shown_until_its_own_is_there(asked: Page) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    asked.route("**/page/**", hold)
    asked.locator("#leaf .after").click()
    expect(asked.locator("#leaf .where")).to_contain_text("第 28 页")
    asked.wait_for_timeout(300)
    assert held and not has_lines(asked)
    for route in held:
        route.continue_()
    page_of_source(asked)
    assert has_lines(asked)


def test_who_turns_quickly_arrives_at_the_last_page_asked_for(asked: Page) -> None:
    for number in range(28, 32):
        asked.locator("#leaf .after").click()
        expect(asked.locator("#leaf .pager")).to_contain_text(f"{number} / 55")
    asked.locator("#leaf .before").dblclick()
    expect(asked.locator("#leaf .pager")).to_contain_text("30 / 55")


def test_of_sources_pressed_at_once_the_last_one_is_opened(asked: Page) -> None:
    asked.evaluate("document.querySelectorAll('#sources .source .head').forEach((head) => head.click())")
    last = asked.locator("#sources .source").last
    expect(last).to_have_class(re.compile("shown"))
    expect(asked.locator("#leaf .file")).to_have_text(last.locator(".file").inner_text())


def test_an_enlarged_page_is_turned_by_arrows_closed_by_escape_and_keeps_the_focus(asked: Page) -> None:
    asked.get_by_role("button", name="放大", exact=True).click()
    dialog = asked.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert dialog.locator("img").bounding_box()["width"] > 900  # type: ignore[index]
    assert asked.evaluate(ON_SCREEN, ["#leaf .mark", "#leaf .view"])
    asked.keyboard.press("ArrowRight")
    expect(dialog.locator(".pager")).to_contain_text("28 / 55")
    asked.keyboard.press("ArrowLeft")
    expect(dialog.locator(".pager")).to_contain_text("27 / 55")
    for _ in range(8):
        asked.keyboard.press("Tab")
        assert asked.evaluate("document.activeElement.matches('dialog *, body')")
    asked.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(asked.get_by_role("button", name="放大", exact=True)).to_be_focused()
    page_of_source(asked)


def test_an_enlarged_page_stays_while_an_answer_comes_and_ends(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    page_of_source(page)
    page.locator("#leaf .after").click()
    expect(page.locator("#leaf .pager")).to_contain_text("28 / 55")
    ask(page, "第二问，缓缓道来")
    page.locator("#live .turn").wait_for()
    page.get_by_role("button", name="放大", exact=True).click()
    answered(page, 2)
    page.wait_for_timeout(300)
    expect(page.get_by_role("dialog").locator(".pager")).to_contain_text("28 / 55")


def test_what_the_reader_turned_to_during_an_answer_is_not_taken_away_at_its_end(visit: OpenPage) -> None:
    page = visit()
    ask(page, "慢")
    page.locator("#live .cite").first.click()
    page_of_source(page)
    page.locator("#leaf .after").click()
    expect(page.locator("#leaf .pager")).to_contain_text("28 / 55")
    page.keyboard.press("Escape")
    answered(page)
    page.wait_for_timeout(300)
    expect(page.locator("#leaf .pager")).to_contain_text("28 / 55")
    expect(page.locator('#sources [data-source="1"]')).to_have_class(re.compile("shown"))


def test_the_sources_of_earlier_turns_are_reached_by_their_markers_and_by_their_questions(asked: Page) -> None:
    exchange(asked, "第二问", 2)
    expect(asked.locator("#sources .of")).to_have_count(0)
    asked.locator("#turns .turn").first.locator(".cite").first.click()
    expect(asked.locator("#sources .of")).to_contain_text("“错误码”的资料")
    asked.get_by_text("其他问题的资料（1）").click()
    asked.get_by_role("button", name="第二问").locator("visible=true").last.click()
    expect(asked.locator("#sources .of")).to_have_count(0)


def test_an_earlier_marker_leads_back_from_the_answer_that_comes_as_often_as_it_is_pressed(asked: Page) -> None:
    exchange(asked, "第二问", 2)
    ask(asked, "第三问，慢")
    live = asked.locator("#live .cite").first
    live.wait_for()
    for _ in range(2):
        asked.locator("#turns .cite").first.click()
        expect(asked.locator("#sources .of")).to_contain_text("“错误码”的资料")
        live.click()
        expect(asked.locator("#sources .of")).to_have_count(0)
    asked.keyboard.press("Escape")
    answered(asked, 3)


def test_a_reload_shows_the_same_page_and_cards(asked: Page) -> None:
    before = asked.locator("#sources").inner_text()
    asked.reload()
    answered(asked)
    page_of_source(asked)
    assert where(asked) == "第 27 页（页面标注 25）"
    assert asked.locator("#sources").inner_text() == before


def test_another_conversation_begins_without_a_page_and_the_first_one_shows_its_own_again(asked: Page) -> None:
    asked.locator("#new-conversation").click()
    expect(asked.locator("#leaf .view")).to_have_count(0)
    expect(asked.locator("#desk-sources")).to_be_hidden()
    asked.locator("#conversations .open").click()
    page_of_source(asked)
    expect(asked.locator("#leaf .mark")).to_have_count(2)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_on_a_phone_the_sheet_holds_page_and_cards(visit: OpenPage, language: str, theme: str) -> None:
    page = visit(language, viewport={"width": 414, "height": 896}, color_scheme=theme, asks="错误码")
    page.locator("#turns .cite").first.click()
    page_of_source(page)
    expect(page.locator("#leaf .mark").first).to_be_in_viewport()
    small = page.evaluate(
        """[...document.querySelectorAll("#desk-sources button, #desk-sources summary")]
           .filter(part => part.checkVisibility() && Math.round(part.getBoundingClientRect().height) < 40)
           .map(part => part.outerHTML.slice(0, 80))"""
    )
    assert small == []
    wide = "element => element.scrollWidth <= element.clientWidth"
    assert page.evaluate("document.documentElement.scrollWidth") <= 414
    assert page.locator("#desk-sources").evaluate(wide) and page.locator("#leaf .view").evaluate(wide)
    page.locator(".lay-away").click()
    expect(page.locator("#leaf .mark").first).not_to_be_in_viewport()


def test_on_a_phone_the_count_under_an_answer_opens_the_sources_of_that_answer(visit: OpenPage) -> None:
    page = visit(viewport={"width": 414, "height": 896}, asks="第一问")
    exchange(page, "第二问", 2)
    expect(page.locator("#sources .earlier button span")).to_have_text("第一问")
    page.locator("#turns .count").first.click()
    expect(page.locator("#sources .earlier button span")).to_have_text("第二问")
    expect(page.locator("#sources .source").first).to_be_visible()
    page_of_source(page)
