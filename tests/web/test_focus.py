"""By keys alone: what has the focus when something comes or goes, and that one press does one thing."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage
from tests.web.files_page import PHONE, ready
from tests.web.test_adding import DROP

pytestmark = pytest.mark.browser


def press(page: Page, wanted: str, place: int = 0) -> None:
    page.locator(wanted).nth(place).focus()
    page.keyboard.press("Enter")


def test_who_lays_refusals_away_goes_on_from_the_next_one_and_then_from_the_way_in(visit: OpenPage) -> None:
    page = visit()
    for name in ("一.png", "二.png", "三.png", "四.png"):
        page.evaluate(DROP, ["#turns", name])
    lines = page.locator("#uploads .refused")
    expect(lines).to_have_count(4)
    press(page, "#uploads .refused button", 1)
    expect(lines.first.get_by_role("button")).to_be_focused()
    press(page, "#uploads .sent > button")
    expect(lines).to_have_count(0)
    expect(page.get_by_role("button", name="添加资料")).to_be_focused()
    page.get_by_role("tab", name="资料").click()
    page.evaluate(DROP, ["#drop .zone", "五.png"])
    press(page, "#drop .refused button")
    expect(page.get_by_role("button", name="选择文件", exact=True)).to_be_focused()


def test_who_calls_a_file_off_goes_on_from_the_next_one_and_nobody_else_loses_the_focus(visit: OpenPage) -> None:
    page = visit()
    page.route("**/file", lambda route: None)
    for name in ("甲.txt", "乙.txt"):
        page.evaluate(DROP, ["#turns", name])
    expect(page.locator("#uploads .upload")).to_have_count(2)
    press(page, "#uploads .upload button")
    expect(page.get_by_role("button", name="取消 乙.txt")).to_be_focused()
    page.locator("#question textarea").focus()
    page.evaluate("document.querySelector('#uploads .upload button').click()")
    expect(page.locator("#uploads .upload")).to_have_count(0)
    expect(page.locator("#question textarea")).to_be_focused()


@pytest.mark.parametrize("way", ["button", "Escape", "back"])
def test_the_sheet_of_a_phone_takes_the_focus_and_gives_it_back(visit: OpenPage, way: str) -> None:
    page = visit(viewport=PHONE, asks="错误码")
    press(page, "#turns .cite")
    lay_away = page.get_by_role("button", name="收起资料")
    expect(lay_away).to_be_focused()
    if way == "back":
        page.wait_for_function("history.state?.covered")
        page.go_back()
    else:
        page.keyboard.press("Enter" if way == "button" else way)
    expect(lay_away).to_be_hidden()
    expect(page.locator("#turns .cite").first).to_be_focused()


def test_escape_lays_one_thing_away_at_a_time(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    ready(page, tmp_path, "手册.pdf").locator(".title").click()
    expect(page.locator("#inspector img")).to_be_visible()
    press(page, ".badge summary")
    page.keyboard.press("Escape")
    expect(page.locator(".badge[open]")).to_have_count(0)
    expect(page.locator("#inspector .detail")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#inspector .detail")).to_have_count(0)


@pytest.mark.parametrize("way", ["edit", "retry"])
def test_who_has_a_question_answered_anew_goes_on_from_where_that_was_asked_for(visit: OpenPage, way: str) -> None:
    page = visit(asks="错误码")
    button = "#turns [data-edit]" if way == "edit" else "#turns .tool[data-act=retry]"
    press(page, button)
    if way == "edit":
        page.keyboard.type("另一问")
        page.keyboard.press("Enter")
    expect(page.locator("#turns .switch > span")).to_have_text("2/2")
    expect(page.locator(button)).to_be_focused()
    press(page, "#turns .tool[data-act=retry]")
    page.locator("#question textarea").focus()
    expect(page.locator("#turns .switch > span")).to_have_text("3/3")
    expect(page.locator("#question textarea")).to_be_focused()


def test_who_renames_a_conversation_by_keys_goes_on_from_there(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    press(page, "#conversations [data-edit]")
    page.keyboard.type("笔记")
    page.keyboard.press("Enter")
    expect(page.locator("#conversations .open span")).to_have_text("笔记")
    expect(page.locator("#conversations [data-edit]")).to_be_focused()
