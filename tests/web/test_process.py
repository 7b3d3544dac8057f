"""How an answer came about is shown for any turn, in any language and width, and after a reload."""

import time

import pytest
from playwright.sync_api import Page, expect

from rag.conversation.shelf import View
from tests.web.conftest import OpenPage, Served, answered, exchange, page_of_source

pytestmark = pytest.mark.browser


def no_sideways_scrolling(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_how_an_answer_came_about_is_the_same_after_a_reload(visit: OpenPage) -> None:
    page = visit(asks="错误码的格式是怎样的？")
    page.locator("#trace summary").click()
    trace = page.locator("#trace")
    expect(trace.locator("tbody tr")).to_have_count(4)
    before = trace.inner_text()
    for fact in ("第一个问题", "把握 86%", "放不下", "不够相关", "读提示词", "缓存命中"):
        assert fact in before
    page.reload()
    answered(page)
    page.locator("#trace summary").click()
    assert trace.inner_text() == before


def test_an_earlier_turns_line_shows_how_that_one_came_about(visit: OpenPage) -> None:
    page = visit(asks="第一问")
    exchange(page, "第二问", 2)
    of = page.locator("#trace .of")
    page.locator("#turns .decided").first.focus()
    page.keyboard.press("Enter")
    expect(of).to_have_text("“第一问”的检索过程")
    expect(page.locator("#trace summary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#trace dl")).not_to_be_visible()
    page.locator("#turns .decided").last.click()
    expect(page.locator("#trace dl")).to_be_visible()
    expect(of).to_have_count(0)


def test_of_two_turns_asked_about_at_once_the_last_one_is_shown(
    served: Served, visit: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit()
    for count, question in enumerate(("第一问", "第二问", "第三问"), 1):
        exchange(page, question, count)
    read, waits = served.services.engine.view, [1.5, 0.0]

    def late(*asked: str) -> View:
        time.sleep(waits.pop(0) if waits else 0.0)
        return read(*asked)

    monkeypatch.setattr(served.services.engine, "view", late)
    page.locator("#turns .decided").nth(0).click()
    page.locator("#turns .decided").nth(1).click()
    expect(page.locator("#trace .of")).to_have_text("“第二问”的检索过程")
    page.wait_for_timeout(2000)
    expect(page.locator("#trace .of")).to_have_text("“第二问”的检索过程")
    assert not waits


def test_a_decision_is_overruled_where_its_reasons_stand(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    page.locator("#turns .decided").click()
    page.locator("#trace").get_by_role("button", name="不查资料").click()
    expect(page.locator("#turns .switch")).to_have_text("2/2")
    expect(page.locator("#trace .of-decision")).to_contain_text("按你的选择")
    expect(page.locator("#trace table")).to_have_count(0)


def test_a_marker_shows_its_page_after_the_process_was_read_and_so_does_another_answer(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    page_of_source(page)
    page.locator("#turns .decided").click()
    expect(page.locator("#leaf .view")).not_to_be_in_viewport()
    page.locator("#turns .cite").first.click()
    expect(page.locator("#leaf .mark").first).to_be_in_viewport()
    page.locator("#turns .decided").click()
    exchange(page, "第二问", 2)
    expect(page.locator("#trace dl")).not_to_be_visible()
    expect(page.locator("#leaf .mark").first).to_be_in_viewport()


def test_a_candidate_that_entered_the_prompt_leads_to_its_source(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    page.locator("#turns .decided").click()
    page.locator("#trace button[data-cite='2']").click()
    expect(page.locator("#sources .source.shown")).to_have_attribute("data-source", "2")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_the_process_opens_in_the_sheet(visit: OpenPage, scheme: str) -> None:
    page = visit("en", viewport={"width": 414, "height": 896}, color_scheme=scheme, asks="错误码")
    page.locator("#turns .decided").click()
    expect(page.locator("#trace summary")).to_be_in_viewport()
    expect(page.locator("#trace")).to_contain_text("What entered the prompt")
    assert no_sideways_scrolling(page)
    table = page.locator("#trace .scroll")
    assert table.evaluate("table => table.scrollWidth <= table.clientWidth")
    page.locator("#memory summary").first.scroll_into_view_if_needed()
    page.locator(".lay-away").click()
    expect(page.locator("#trace summary")).not_to_be_in_viewport()


def test_what_the_model_remembers_is_told_with_its_weight(visit: OpenPage) -> None:
    page = visit(asks="第一问")
    exchange(page, "这次会有摘要", 2)
    page.locator("#memory summary").first.click()
    expect(page.locator("#memory")).to_contain_text("约 1234 / 4096 词元")
    page.get_by_text("概括了较早的 2 轮").click()
    expect(page.locator("#memory .questions li")).to_have_text(["第一问", "这次会有摘要"])
