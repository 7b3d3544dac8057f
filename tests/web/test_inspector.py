"""A person looks into a file: what was asked for last is shown, as often as it is asked for, and can be laid away."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.web.conftest import OpenPage, Served, answered, ask
from tests.web.files_page import PHONE, ready

pytestmark = pytest.mark.browser
_ASKING = re.compile("/run/predict")


@pytest.fixture
def pane(visit: OpenPage, tmp_path: Path) -> Locator:
    """What is in a file, open on its first page."""
    return look_into(ready(visit(), tmp_path, "手册.pdf"))


def look_into(row: Locator) -> Locator:
    row.get_by_role("button", name="查看").click()
    inspector = row.page.locator("#inspector")
    expect(inspector.locator("img")).to_be_visible()
    return inspector


def hold(page: Page, word: str) -> list[Route]:
    """Keep back what the page asks the server from now on in which a word stands."""
    held: list[Route] = []
    page.route(
        _ASKING, lambda route: held.append(route) if word in (route.request.post_data or "") else route.continue_()
    )
    return held


def let_go(page: Page, held: list[Route]) -> None:
    """Let through what was kept back, and give the page time to take the answer wrongly."""
    with page.expect_response(lambda response: response.request == held[0].request):
        held[0].continue_()
    page.wait_for_timeout(300)


def test_a_file_that_was_closed_is_there_again_when_it_is_opened_again(pane: Locator) -> None:
    row = pane.page.locator("#files .file", has_text="手册.pdf")
    for close in ("Enter", "Escape"):
        pane.get_by_role("button", name="关闭").focus()
        pane.page.keyboard.press(close)
        expect(pane).to_be_hidden()
        look_into(row)
        expect(pane.locator('.ways [aria-current="true"]')).to_be_focused()


def test_an_answer_that_comes_late_takes_nothing_newer_away(pane: Locator) -> None:
    held = hold(pane.page, "passages")
    pane.get_by_role("button", name="段落").click()
    pane.get_by_role("button", name="报告").click()
    expect(pane.locator(".report li").first).to_be_visible()
    pane.page.keyboard.press("Escape")
    look_into(pane.page.locator("#files .file", has_text="手册.pdf"))
    let_go(pane.page, held)
    expect(pane.locator("img")).to_be_visible()
    expect(pane.locator(".passages")).to_have_count(0)


def test_an_image_that_does_not_come_is_asked_for_as_often_as_the_reader_wants(visit: OpenPage, tmp_path: Path) -> None:
    page = visit(provokes=("503.*/page/",))
    page.route("**/page/*", lambda route: route.fulfill(status=503))
    ready(page, tmp_path, "手册.pdf").get_by_role("button", name="查看").click()
    again = page.locator("#inspector").get_by_role("button", name="再试一次")
    expect(again).to_be_visible()
    for _ in range(2):
        with page.expect_response(re.compile("/page/")):
            again.click()
        expect(again).to_be_visible()
    page.unroute("**/page/*")
    again.click()
    expect(page.locator("#inspector img")).to_be_visible()
    expect(again).to_be_hidden()


def test_who_lays_a_file_away_with_escape_does_not_stop_the_answer_behind_it(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    own = ready(page, tmp_path, "手册.pdf")
    page.get_by_role("tab", name="对话").click()
    ask(page, "慢")
    page.locator("#live .prose:not(:empty)").wait_for()
    page.get_by_role("tab", name="资料").click()
    pane = look_into(own)
    page.keyboard.press("Escape")
    expect(pane).to_be_hidden()
    look_into(own)
    page.get_by_role("tab", name="对话").click()
    expect(page.locator("#live .turn")).to_have_count(1)
    page.keyboard.press("Escape")
    answered(page)
    expect(page.locator("#turns .notice")).to_contain_text("已停止")
    page.get_by_role("tab", name="资料").click()
    expect(pane).to_be_visible()


def test_on_a_phone_a_file_that_cannot_be_shown_says_why_and_can_be_closed(
    visit: OpenPage, served: Served, tmp_path: Path
) -> None:
    page = visit(viewport=PHONE)
    own = ready(page, tmp_path, "手册.pdf")
    ingest = served.services.ingest
    (document,) = [kept for kept, _ in ingest._documents.values() if kept.name == "手册.pdf"][-1:]
    ingest.delete(document.collection_id, document.document_id)
    own.get_by_role("button", name="查看").click()
    pane = page.locator("#inspector")
    expect(pane.locator(".notice")).to_be_visible()
    close = pane.get_by_role("button", name="关闭")
    expect(close).to_be_focused()
    close.click()
    expect(page.locator("#drop .zone")).to_be_in_viewport()


def test_on_a_phone_nothing_covers_the_screen_before_there_is_something_to_see(visit: OpenPage, tmp_path: Path) -> None:
    page = visit(viewport=PHONE)
    own = ready(page, tmp_path, "手册.pdf")
    held = hold(page, "inspect")
    own.get_by_role("button", name="查看").click()
    page.wait_for_function("document.documentElement.classList.contains('inspecting')")
    own.locator(".title").click(trial=True)
    let_go(page, held)
    expect(page.locator("#inspector img")).to_be_visible()


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1024, "height": 768}], ids=["phone", "tablet"])
def test_the_way_back_leads_from_a_file_that_covers_the_page_to_the_list_of_files(
    visit: OpenPage, tmp_path: Path, viewport: dict[str, int]
) -> None:
    row = ready(visit(viewport=viewport), tmp_path, "手册.pdf")
    pane = look_into(row)
    row.page.go_back()
    expect(pane).to_be_hidden()
    expect(row).to_be_visible()
