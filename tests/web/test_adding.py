"""A person brings files from anywhere on the page, and sees in the conversation which cannot be asked yet."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Served

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


@pytest.mark.parametrize("target", ["#question textarea", "#turns", "#sidebar"])
def test_a_file_dropped_on_the_conversation_of_a_fresh_page_is_taken(visit: OpenPage, target: str) -> None:
    page = visit()
    assert page.evaluate(DROP, [target, "随手一放.txt"])
    expect(page.get_by_role("tab", name="资料")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#files .file", has_text="随手一放.txt")).to_have_count(1)


def test_an_image_of_the_page_itself_is_no_file_that_is_dropped(visit: OpenPage) -> None:
    page = visit()
    page.evaluate("document.body.dispatchEvent(new DragEvent('dragstart', { bubbles: true }))")
    for name in ("页面.txt", "文件.txt"):
        assert page.evaluate(DROP, ["#question textarea", name])
    expect(page.locator("#files .file", has_text="文件.txt")).to_have_count(1)
    expect(page.locator("#files .file", has_text="页面.txt")).to_have_count(0)


@pytest.mark.parametrize("width", [414, 1440])
def test_the_paperclip_leads_to_the_choice_of_files(visit: OpenPage, tmp_path: Path, width: int) -> None:
    page = visit(viewport={"width": width, "height": 896})
    choose_beside_the_question(page, tmp_path / "附件.txt")
    expect(page.get_by_role("tab", name="资料")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#files .file", has_text="附件.txt")).to_have_count(1)
    page.get_by_role("tab", name="对话").click()
    choose_beside_the_question(page, tmp_path / "又一份.txt")
    expect(page.locator("#files .file", has_text="又一份.txt")).to_have_count(1)


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
    page.locator("#files .file", has_text="长篇.txt").wait_for()
    page.get_by_role("tab", name="对话").click()
    line = page.locator("#using button")
    expect(line).to_have_text(re.compile(r"^《长篇\.txt》正在读取 \d+%，读完就能问到$"))
    line.click()
    expect(page.get_by_role("tab", name="资料")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="对话").click()
    choose_beside_the_question(page, tmp_path / "续篇.txt")
    expect(line).to_have_text("2 份资料正在读取，读完就能问到")
    monkeypatch.undo()
    expect(line).to_have_count(0)
