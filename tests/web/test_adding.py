"""A person brings files from anywhere on the page, and sees in the conversation which cannot be asked yet."""

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from rag.files import MEGABYTE
from rag.types import Arrival
from tests.fakes_web import FakeServices
from tests.preferring import settings_with
from tests.web.conftest import OpenPage, Served, arrive, serving

pytestmark = pytest.mark.browser
# Drops a file as the browser does; tells whether the page kept it from being opened in its own place.
DROP = """([target, name]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File(["content"], name));
  const drop = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer });
  return !document.querySelector(target).dispatchEvent(drop);
}"""


def choose_beside_the_question(page: Page, file: Path) -> None:
    file.write_bytes(b"content")
    with page.expect_file_chooser() as chooser:
        page.locator("#entry").get_by_role("button", name="添加资料").click()
    chooser.value.set_files(file)


def stays_in_the_conversation(page: Page) -> None:
    expect(page.get_by_role("tab", name="对话")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#question textarea")).to_be_visible()


@pytest.mark.parametrize("target", ["#question textarea", "#turns", "#sidebar"])
def test_a_file_dropped_on_the_conversation_of_a_fresh_page_is_taken_there(
    visit: OpenPage, served: Served, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.setattr(served.services.ingest, "seconds", 600.0)
    page = visit()
    assert page.evaluate(DROP, [target, "随手一放.txt"])
    expect(page.locator("#using button")).to_contain_text("《随手一放.txt》正在读取")
    stays_in_the_conversation(page)


def test_a_file_on_its_way_is_seen_in_the_conversation_and_in_the_files(visit: OpenPage) -> None:
    page = visit()
    page.route("**/file", lambda route: None)
    page.evaluate(DROP, ["#turns", "半路.txt"])
    expect(page.locator("#uploads .uploads .name")).to_have_text("半路.txt")
    expect(page.locator("#uploads .uploads")).to_be_visible()
    page.get_by_role("tab", name="资料").click()
    expect(page.locator("#drop .uploads .name")).to_have_text("半路.txt")
    page.get_by_role("tab", name="对话").click()
    page.locator("#uploads .uploads button").click()
    expect(page.locator(".uploads li")).to_have_count(0)


def test_a_file_that_has_arrived_cannot_be_called_off_any_more(
    visit: OpenPage, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored, receive = threading.Event(), served.services.ingest.receive

    def late(*given: Any) -> Arrival:
        stored.wait()
        return receive(*given)

    monkeypatch.setattr(served.services.ingest, "receive", late)
    page = visit()
    page.evaluate(DROP, ["#turns", "已到.txt"])
    line = page.locator("#uploads .upload")
    expect(line.locator("small")).to_have_text("已收到")
    expect(line.get_by_role("button")).to_have_count(0)
    stored.set()
    expect(page.locator("#storage p").first).to_contain_text("1 份")


def test_a_page_that_is_loaded_anew_tells_which_files_had_not_been_sent(visit: OpenPage) -> None:
    page = visit(provokes=("ERR_FAILED",))
    told = page.locator("#uploads .refused span")
    page.route("**/file", lambda route: route.abort())
    page.evaluate(DROP, ["#turns", "断了.txt"])
    expect(told).to_have_text("“断了.txt”没有传完，请检查网络后重试。")
    page.route("**/file", lambda route: None)
    page.evaluate(DROP, ["#turns", "半路.txt"])
    page.evaluate(DROP, ["#turns", "照片.png"])
    expect(page.locator("#uploads li")).to_have_count(3)
    page.reload()
    expect(told).to_have_text([re.compile("“断了.txt”没有传完"), re.compile("“半路.txt”没有传完")])
    page.get_by_role("button", name="全部关闭").click()
    page.reload()
    page.locator("#storage p").first.wait_for(state="attached")
    page.wait_for_timeout(500)
    expect(told).to_have_count(0)


def test_a_file_that_is_too_large_or_has_no_room_is_refused_before_it_is_sent(
    chromium: Browser, tmp_path: Path
) -> None:
    settings = settings_with(loaders={"max_file_mb": 2}, store={"session_quota_mb": 1})
    with serving(FakeServices(settings)) as served:
        page = chromium.new_page(locale="zh-CN")
        arrive(page, served.url)
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url))
        for name, size in (("长.txt", 5 * MEGABYTE // 2), ("中.txt", 3 * MEGABYTE // 2)):
            (tmp_path / name).write_bytes(b"x" * size)
            with page.expect_file_chooser() as chooser:
                page.locator("#entry").get_by_role("button", name="添加资料").click()
            chooser.value.set_files(tmp_path / name)
        refused = page.locator("#uploads .refused span")
        expect(refused).to_have_text(
            [re.compile("“长.txt”有 3 MB，超过了 2 MB 的上限"), re.compile("超过 1 MB 的上限")]
        )
        page.close()


def test_many_refusals_leave_the_question_in_view_and_are_laid_away_at_once(visit: OpenPage) -> None:
    page = visit()
    page.evaluate(DROP, ["#turns", "照片0.png"])
    every = page.get_by_role("button", name="全部关闭")
    expect(page.locator("#uploads .refused")).to_have_count(1)
    expect(every).not_to_be_visible()
    for number in range(1, 30):
        page.evaluate(DROP, ["#turns", f"照片{number}.png"])
    expect(page.locator("#uploads .refused").last).to_be_in_viewport()
    expect(page.locator("#question textarea")).to_be_in_viewport()
    every.click()
    expect(page.locator(".uploads li")).to_have_count(0)
    expect(every).not_to_be_visible()


def test_a_file_for_which_there_is_no_room_is_told_of_as_such_and_can_be_sent_again(
    visit: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit("en", provokes=("507",))
    with monkeypatch.context() as full:
        full.setattr("rag.web.http.upload_room._room", lambda _: (10**12, 10**12))
        page.evaluate(DROP, ["#turns", "late.txt"])
        expect(page.locator("#uploads .refused")).to_contain_text("Please try again later.")
    page.locator("#uploads .refused").get_by_role("button", name="Retry").click()
    expect(page.locator("#storage p").first).to_contain_text("Your files: 1")


def test_a_file_dropped_on_the_settings_leads_to_the_files(visit: OpenPage) -> None:
    page = visit()
    page.get_by_role("tab", name="设置").click()
    page.evaluate(DROP, ["#preferences", "另一份.txt"])
    expect(page.get_by_role("tab", name="资料")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#files .file", has_text="另一份.txt")).to_have_count(1)


def test_a_file_that_could_not_be_read_is_told_of_in_the_conversation(visit: OpenPage) -> None:
    page = visit()
    page.evaluate(DROP, ["#turns", "加密.pdf"])
    line = page.locator("#using button")
    expect(line).to_have_text("《加密.pdf》有密码保护，请到“资料”里填写密码")
    line.click()
    page.locator("#files .file", has_text="加密.pdf").locator("input[type=password]").wait_for()


def test_an_image_of_the_page_itself_is_no_file_that_is_dropped(visit: OpenPage) -> None:
    page = visit()
    page.evaluate("document.body.dispatchEvent(new DragEvent('dragstart', { bubbles: true }))")
    for name in ("页面.txt", "文件.txt"):
        assert page.evaluate(DROP, ["#question textarea", name])
    page.get_by_role("tab", name="资料").click()
    expect(page.locator("#files .file", has_text="文件.txt")).to_have_count(1)
    expect(page.locator("#files .file", has_text="页面.txt")).to_have_count(0)


@pytest.mark.parametrize("width", [414, 1440])
def test_the_paperclip_leads_to_the_choice_of_files(visit: OpenPage, tmp_path: Path, width: int) -> None:
    page = visit(viewport={"width": width, "height": 896})
    for count, name in enumerate(("附件.txt", "又一份.txt"), 1):
        choose_beside_the_question(page, tmp_path / name)
        expect(page.locator("#storage p").first).to_contain_text(f"{count} 份")
        stays_in_the_conversation(page)


def test_the_paperclip_stands_in_the_questions_field_and_covers_none_of_it(visit: OpenPage) -> None:
    page = visit()
    box = page.locator("#question").bounding_box()
    clip, field = page.locator("#attach button").bounding_box(), page.locator("#question textarea").bounding_box()
    assert box and clip and field
    assert box["x"] < clip["x"] and clip["x"] + clip["width"] <= field["x"]
    assert box["y"] < clip["y"] and clip["y"] + clip["height"] < box["y"] + box["height"]


@pytest.mark.parametrize(("language", "words"), [("zh", "向这些资料提问……"), ("en", "Ask about these documents…")])
def test_on_a_phone_nobody_is_told_to_drag(visit: OpenPage, language: str, words: str) -> None:
    page = visit(language, viewport={"width": 414, "height": 896})
    expect(page.locator("#question textarea")).to_have_attribute("placeholder", words)


def test_a_file_that_is_being_read_is_told_above_the_question_until_it_can_be_asked(
    visit: OpenPage, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served.services.ingest, "seconds", 600.0)
    page = visit()
    choose_beside_the_question(page, tmp_path / "长篇.txt")
    line = page.locator("#using button")
    expect(line).to_have_text(re.compile(r"^《长篇\.txt》正在读取 \d+%，读完就能问到$"))
    line.click()
    expect(page.get_by_role("tab", name="资料")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="对话").click()
    choose_beside_the_question(page, tmp_path / "续篇.txt")
    expect(line).to_have_text("2 份资料正在读取，读完就能问到")
    monkeypatch.undo()
    expect(line).to_have_count(0)
