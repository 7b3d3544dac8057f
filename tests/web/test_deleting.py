"""A person deletes: what was asked about goes, and nothing of it stays in view."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Served, answered, ask, begin_anew, converse
from tests.web.files_page import ready

pytestmark = pytest.mark.browser


def test_the_conversation_that_was_asked_about_is_deleted_though_the_list_has_moved_on(visit: OpenPage) -> None:
    page = visit()
    converse(page, "甲的问题", "乙的问题")
    begin_anew(page)
    ask(page, "缓缓地答")
    page.locator("#live .prose:not(:empty)").wait_for()
    entry = page.locator("#conversations li", has_text="甲的问题")
    entry.hover()
    entry.locator(".remove").click()
    expect(page.locator("dialog.ask")).to_contain_text("甲的问题")
    answered(page)
    entries = page.locator("#conversations .open span")
    expect(entries).to_have_text(["缓缓地答", "乙的问题", "甲的问题"])
    page.locator("dialog .yes").click()
    expect(entries).to_have_text(["缓缓地答", "乙的问题"])


def test_a_file_that_is_looked_into_leaves_the_page_with_its_row(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    own, pane = ready(page, tmp_path, "手册.pdf"), page.locator("#inspector")
    own.locator(".title").click()
    expect(pane.locator("img")).to_be_visible()
    own.locator(".remove").click()
    page.locator("dialog .yes").click()
    expect(own).to_have_count(0)
    expect(pane.locator(".detail")).to_have_count(0)
    page.locator("#files .title").first.click()
    expect(pane.locator("img")).to_be_visible()


def test_of_everything_that_is_deleted_the_file_that_is_looked_into_does_not_stay_in_view(
    visit: OpenPage, tmp_path: Path
) -> None:
    page = visit()
    ready(page, tmp_path, "手册.pdf").locator(".title").click()
    expect(page.locator("#inspector img")).to_be_visible()
    page.locator("#storage button").click()
    page.locator("dialog .yes").click()
    expect(page.locator("#files .file")).to_have_count(1)
    expect(page.locator("#inspector .detail")).to_have_count(0)


@pytest.mark.parametrize("is_deleted", [False, True], ids=["another branch", "deleted"])
def test_another_question_for_a_turn_that_another_tab_has_left_shows_what_there_is_and_is_given_back(
    visit: OpenPage, served: Served, is_deleted: bool
) -> None:
    page = visit(asks="第一问")
    other = page.context.new_page()
    other.goto(served.url)
    answered(other)
    if is_deleted:
        other.locator("#conversations .remove").focus()
        other.keyboard.press("Enter")
        other.locator("dialog .yes").click()
        other.locator("#turns .welcome").wait_for()
    else:
        rewrite(other, "另一问")
        expect(other.locator("#turns .question")).to_have_text("另一问")
    rewrite(page, "写了很久的问法")
    expect(page.locator("#refusal .notice")).to_contain_text("找不到")
    expect(page.locator("#question textarea")).to_have_value("写了很久的问法")
    expect(page.locator("#turns .question")).to_have_text([] if is_deleted else ["另一问"])
    expect(page.locator("#turns .welcome")).to_have_count(int(is_deleted))
    page.locator("#question textarea").press("Enter")
    answered(page, 1 if is_deleted else 2)


def rewrite(page: Page, text: str) -> None:
    """Put the first question differently."""
    page.locator("[data-edit]:not(#conversations *)").first.focus()
    page.keyboard.press("Enter")
    page.locator("#turns .edit textarea").first.fill(text)
    page.keyboard.press("Enter")
