"""All by keyboard: sending, breaking a line, stopping, a Chinese input method, the way from part to part."""

import pytest
from playwright.sync_api import expect

from tests.web.conftest import OpenPage, answered, ask

pytestmark = pytest.mark.browser


def test_enter_sends_and_shift_enter_breaks_the_line(visit: OpenPage) -> None:
    page = visit()
    page.locator("#question textarea").click()
    page.keyboard.type("第一行")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("第二行")
    expect(page.locator("#question textarea")).to_have_value("第一行\n第二行")
    page.keyboard.press("Enter")
    answered(page)
    expect(page.locator("#turns .question")).to_have_text("第一行第二行")


@pytest.mark.parametrize("sign", ["isComposing: true", "keyCode: 229"])
def test_the_enter_that_picks_a_word_does_not_send(visit: OpenPage, sign: str) -> None:
    page = visit()
    page.locator("#question textarea").fill("cuowuma")
    page.locator("#question textarea").evaluate(
        f"""field => {{
          field.dispatchEvent(new CompositionEvent("compositionstart", {{ bubbles: true }}));
          const enter = {{ key: "Enter", bubbles: true, cancelable: true, {sign} }};
          field.dispatchEvent(new KeyboardEvent("keydown", enter));
        }}"""
    )
    page.wait_for_timeout(600)
    expect(page.locator("#live .turn")).to_have_count(0)
    expect(page.locator("#question textarea")).to_have_value("cuowuma")
    page.locator("#question textarea").press("Enter")
    answered(page)


def test_a_sheet_that_a_wider_window_does_not_show_keeps_no_escape_from_the_answer(visit: OpenPage) -> None:
    page = visit(asks="错误码", viewport={"width": 414, "height": 896})
    page.locator("#turns .chip.count").click()
    page.set_viewport_size({"width": 1440, "height": 900})
    ask(page, "慢")
    page.locator("#live .prose:not(:empty)").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("#turns .notice")).to_contain_text("已停止")


def test_an_escape_that_is_meant_for_something_else_stops_no_answer(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    ask(page, "慢")
    page.locator("#live .prose:not(:empty)").wait_for()
    page.locator("#head summary").click()
    page.keyboard.press("Escape")
    expect(page.locator("#head ul")).not_to_be_visible()
    page.locator("#search").get_by_label("搜索对话").press("Escape")
    page.wait_for_timeout(500)
    expect(page.locator("#live .turn")).to_have_count(1)
    page.locator("#question textarea").press("Escape")
    answered(page, 2)
    expect(page.locator("#turns .notice")).to_contain_text("已停止")


def test_everything_that_can_be_pressed_has_a_name(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    nameless = page.evaluate(
        """[...document.querySelectorAll("#sidebar button, #thread button, #composer button, #sources button")]
           .filter(button => !button.innerText.trim() && !button.getAttribute("aria-label"))
           .map(button => button.outerHTML.slice(0, 90))"""
    )
    assert nameless == []
