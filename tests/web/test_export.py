"""A conversation is taken along from its head, in every format, with the reader's own session left behind."""

import json
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Served, delete_elsewhere, exchange

pytestmark = pytest.mark.browser


def taken(page: Page, name: str) -> Path:
    """The file that a format's button gives."""
    page.locator("#head summary").click()
    with page.expect_download() as download:
        page.locator("#head li button", has_text=name).click()
    assert download.value.suggested_filename.startswith("错误码的格式是怎样的")
    return Path(download.value.path())


def test_a_conversation_is_taken_along_in_every_format(visit: OpenPage, served: Served) -> None:
    page = visit()
    expect(page.locator("#head h1")).to_have_count(0)
    exchange(page, "错误码的格式是怎样的？导出")
    expect(page.locator("#head h1")).to_have_text("错误码的格式是怎样的？导出")
    assert "[^1]: Java开发手册" in taken(page, "Markdown").read_text(encoding="utf-8")
    assert taken(page, "PDF").read_bytes().startswith(b"%PDF")
    records = taken(page, "JSON").read_text(encoding="utf-8")
    assert json.loads(records)["turns"][0]["user_query"] == "错误码的格式是怎样的？导出"
    assert served.services.engine.stored("错误码的格式是怎样的？导出").session_id not in records


@pytest.mark.parametrize("zone", ["Pacific/Pago_Pago", "Pacific/Kiritimati"])  # one of them has another day than here
def test_the_day_of_an_export_is_the_readers(visit: OpenPage, zone: str) -> None:
    page = visit(timezone_id=zone, asks="错误码的格式是怎样的？日期")
    day = f"{datetime.now(ZoneInfo(zone)):%Y-%m-%d}"
    assert f"导出于 {day}" in taken(page, "Markdown").read_text(encoding="utf-8")


def test_an_exported_page_opens_by_itself_and_acts_in_no_way(visit: OpenPage, tmp_path: Path) -> None:
    page = visit(asks="错误码的格式是怎样的？恶意")
    file = tmp_path / "page.html"
    file.write_bytes(taken(page, "网页").read_bytes())
    alone = page.context.browser.new_context() if page.context.browser else page.context
    other = alone.new_page()
    asked: list[str] = []
    other.on("request", lambda request: asked.append(request.url))
    other.goto(file.as_uri())
    expect(other.locator("h2").first).to_contain_text("恶意")
    other.locator("sup a").first.click()
    expect(other.locator("#source-1")).to_be_in_viewport()
    assert other.evaluate("window.stolen") is None
    assert [url for url in asked if not url.startswith("file:")] == []
    other.close()


def test_the_menu_of_formats_closes_with_escape_and_beside_it(visit: OpenPage) -> None:
    page = visit(asks="错误码的格式是怎样的？")
    summary, menu = page.locator("#head summary"), page.locator("#head ul")
    summary.focus()
    page.keyboard.press("Enter")
    expect(menu).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(menu).not_to_be_visible()
    expect(summary).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("#question textarea").focus()
    page.keyboard.press("Escape")
    expect(menu).not_to_be_visible()
    summary.click()
    page.locator("#thread").click(position={"x": 20, "y": 5})
    expect(menu).not_to_be_visible()


def test_that_another_tab_has_deleted_the_conversation_is_told_where_a_file_is_wanted(
    visit: OpenPage, served: Served
) -> None:
    page = visit(asks="错误码的格式是怎样的？已删除")
    delete_elsewhere(served, "错误码的格式是怎样的？已删除")
    page.locator("#head summary").click()
    page.locator("#head li button", has_text="JSON").click()
    expect(page.locator(".toast-body")).to_contain_text("找不到这段对话")
