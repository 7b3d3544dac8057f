"""A person writes a question: what was said of the last one, the answer above it, a file put into it."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, ask, exchange

pytestmark = pytest.mark.browser
# How far the conversation's end is below what is seen of it.
BELOW = "(({scrollHeight, scrollTop, clientHeight}) => scrollHeight - scrollTop - clientHeight)(thread)"
PASTE = """([names, text]) => {
  const clipboardData = new DataTransfer();
  for (const name of names) clipboardData.items.add(new File(["content"], name));
  if (text) clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  return document.querySelector("#question textarea").dispatchEvent(event);
}"""


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
        exchange(page, "错误码", count)
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


def test_a_file_that_is_pasted_is_taken_in(visit: OpenPage) -> None:
    page = visit()
    assert not page.evaluate(PASTE, [["贴上.txt"], ""])
    expect(page.locator("#storage p").first).to_contain_text("1 份")
    # Some systems name a file in words as well.
    assert not page.evaluate(PASTE, [["又一份.txt"], "又一份.txt"])
    expect(page.locator("#storage p").first).to_contain_text("2 份")
    assert not page.evaluate(PASTE, [["照片.png"], ""])
    expect(page.locator("#uploads .refused")).to_contain_text("“照片.png”不是支持的类型")


def test_text_that_is_pasted_with_its_picture_stays_text(visit: OpenPage) -> None:
    page = visit()
    assert page.evaluate(PASTE, [["image.png"], "两格\t表格"])
    assert page.evaluate(PASTE, [[], "只有字"])
    page.wait_for_timeout(300)
    expect(page.locator("#uploads .refused")).to_have_count(0)
