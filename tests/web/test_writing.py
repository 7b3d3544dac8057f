"""A person writes a question: what was said of the last one, the answer above it."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, answered, ask

pytestmark = pytest.mark.browser
# How far the conversation's end is below what is seen of it.
BELOW = "(({scrollHeight, scrollTop, clientHeight}) => scrollHeight - scrollTop - clientHeight)(thread)"


def test_why_a_question_was_not_taken_goes_as_soon_as_it_is_put_right_and_comes_again(visit: OpenPage) -> None:
    page = visit()
    for _ in range(2):
        ask(page, "长" * 2001)
        expect(page.locator("#refusal .notice")).to_contain_text("2001 个字")
        page.locator("#question textarea").press_sequentially("短")
        expect(page.locator("#refusal .notice")).to_have_count(0)


def test_a_long_question_leaves_the_end_of_the_answer_in_view(visit: OpenPage) -> None:
    page = visit()
    for count in (1, 2, 3):
        ask(page, "错误码")
        answered(page, count)
    page.wait_for_function(f"{BELOW} < 1")
    height = _height(page)
    page.locator("#question textarea").fill("\n".join("一二三四五六"))
    page.wait_for_function(f"thread.clientHeight < {height - 50}")
    page.wait_for_function(f"{BELOW} < 1")
    page.locator("#turns .question").first.scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    page.locator("#question textarea").fill("")
    page.wait_for_function(f"thread.clientHeight == {height}")
    assert page.evaluate(BELOW) > 40


def _height(page: Page) -> int:
    height: int = page.evaluate("thread.clientHeight")
    return height
