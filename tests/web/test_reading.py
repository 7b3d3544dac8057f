"""A person reads on: where another conversation opens, and that in a low window there is room for its list."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, begin_anew, exchange

pytestmark = pytest.mark.browser
_TO_THE_END = "thread => thread.scrollHeight - thread.scrollTop - thread.clientHeight"


def talk(page: Page, name: str) -> None:
    """A conversation that is longer than the window is high."""
    begin_anew(page)
    for count in range(1, 5):
        exchange(page, f"{name}，第 {count} 问", count)


def test_another_conversation_opens_at_its_end_though_one_has_read_back_in_this_one(visit: OpenPage) -> None:
    page = visit()
    talk(page, "甲")
    talk(page, "乙")
    thread = page.locator("#thread")
    thread.hover()
    page.mouse.wheel(0, -3000)
    page.wait_for_function("document.querySelector('#thread').scrollTop === 0")
    page.locator("#conversations .open", has_text="甲").click()
    expect(page.locator("#turns .question").last).to_have_text("甲，第 4 问")
    page.wait_for_timeout(500)
    assert thread.evaluate(_TO_THE_END) < 2
    thread.hover()
    page.mouse.wheel(0, -3000)
    page.wait_for_function("document.querySelector('#thread').scrollTop === 0")
    page.locator("[data-turn] [data-rating=good]").first.click()
    expect(page.locator("#turns .why")).to_have_count(1)
    page.wait_for_timeout(300)
    assert thread.evaluate(_TO_THE_END) > 100


def test_in_a_low_window_the_list_of_conversations_can_be_read(visit: OpenPage) -> None:
    page = visit(viewport={"width": 844, "height": 390}, asks="错误码")
    page.locator("#menu button").click()
    box = page.locator("#conversations").bounding_box()
    assert box and box["height"] > 60
    forget = page.locator("#storage button")
    forget.scroll_into_view_if_needed()
    expect(forget).to_be_in_viewport()
