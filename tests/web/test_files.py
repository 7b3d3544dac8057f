"""A person at the page: files, passwords, deletion, the model badge, the settings."""

from pathlib import Path

import pytest
from gradio.utils import get_upload_folder
from playwright.sync_api import Page, expect

from rag.types import Message, ModelState, ModelStatus, Provider
from tests.web.conftest import OpenPage, Served

pytestmark = pytest.mark.browser


def drop(page: Page, folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).write_bytes(b"content" * 1000)
    page.get_by_role("tab", name="资料").click()
    page.locator("#drop input[type=file]").set_input_files([folder / name for name in names])


def test_files_show_progress_and_then_that_they_can_be_asked(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    drop(page, tmp_path, "手册 一.pdf", "笔记.txt")
    expect(page.locator("#files .file")).to_have_count(3)
    expect(page.locator("#files .stage").first).to_contain_text("读取页面")
    row = page.locator("#files .file", has_text="手册 一.pdf")
    expect(row.locator(".state")).to_have_text("可以提问")
    expect(row.locator(".facts")).to_contain_text("12 页 · 48 段")
    expect(page.locator("#storage")).to_contain_text("2 份资料")
    page.reload()
    page.get_by_role("tab", name="资料").click()
    expect(page.locator("#files .file")).to_have_count(3)


def test_a_file_of_an_unknown_kind_is_refused_in_one_sentence_beside_the_others(
    visit: OpenPage, tmp_path: Path
) -> None:
    page = visit()
    drop(page, tmp_path, "照片.png", "笔记.md")
    expect(page.locator("#refusals")).to_contain_text("“照片.png”不是支持的类型")
    expect(page.locator("#files .file", has_text="笔记.md")).to_have_count(1)


def test_a_protected_file_asks_for_its_password_until_it_is_right(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    drop(page, tmp_path, "加密合同.pdf")
    row = page.locator("#files .file.failed")
    expect(row).to_contain_text("有密码保护")
    row.locator("input").fill("0000")
    row.locator("form button").click()
    expect(row).to_contain_text("密码不对")
    row.locator("input").fill("1234")
    row.locator("form button").click()
    expect(page.locator("#files .file.ready", has_text="合同.pdf")).to_have_count(1)


def test_a_file_is_deleted_after_a_yes_and_the_sample_cannot_be(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    drop(page, tmp_path, "旧稿.txt")
    page.locator("#files .remove").click()
    page.locator("dialog button").first.click()
    expect(page.locator("#files .file")).to_have_count(2)
    page.locator("#files .remove").click()
    page.locator("dialog .yes").click()
    expect(page.locator("#files .file")).to_have_count(1)
    expect(page.locator("#files .remove")).to_have_count(0)


def test_a_hostile_file_name_stays_text(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    drop(page, tmp_path, "<img src=x onerror=alert(1)>.txt")
    expect(page.locator("#files .file")).to_have_count(2)
    assert page.locator("#files img").count() == 0


def test_a_file_keeps_the_name_it_was_given(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    drop(page, tmp_path, "派生 中文（空格）&符号.txt")
    expect(page.locator("#files .name").first).to_have_text("派生 中文（空格）&符号.txt")


def test_uploads_do_not_stay_in_the_folder_of_gradio(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    drop(page, tmp_path, "不留痕迹的私密文件.txt")
    expect(page.locator("#files .file")).to_have_count(2)
    assert list(Path(get_upload_folder()).rglob("不留痕迹的私密文件.txt")) == []


def test_another_browser_sees_only_the_sample(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    drop(page, tmp_path, "我的.txt")
    expect(page.locator("#files .file")).to_have_count(2)
    other = visit()
    other.get_by_role("tab", name="资料").click()
    expect(other.locator("#files .file")).to_have_count(1)


def test_everything_of_mine_is_deleted_after_a_yes(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    page.locator("#suggestions button").first.click()
    expect(page.locator("#turns footer")).to_have_count(1)
    drop(page, tmp_path, "我的.txt")
    expect(page.locator("#files .file")).to_have_count(2)
    page.locator("#storage button").click()
    page.locator("dialog .yes").click()
    expect(page.locator("#files .file")).to_have_count(1)
    expect(page.locator("#conversations li")).to_have_count(0)
    page.get_by_role("tab", name="对话").click()
    page.locator("#turns .welcome").wait_for()


def test_the_badge_says_who_answers_and_how_far_a_better_model_is(visit: OpenPage, served: Served) -> None:
    models, before = served.services.models, served.services.models.current
    models.current = ModelStatus(
        Provider.EXTRACTIVE,
        "extractive",
        ModelState.DOWNLOADING,
        Message("model.extractive_downloading", {"model": "qwen2.5-1.5b-instruct"}),
        done=419_430_400,
        total=1_048_576_000,
        speed=2_097_152,
    )
    page = visit()
    expect(page.locator(".badge summary")).to_contain_text("原文摘录")
    expect(page.locator(".badge summary")).to_contain_text("下载模型 40%")
    page.locator(".badge summary").click()
    expect(page.locator(".badge .card")).to_contain_text("400 / 1000 MB，2.0 MB/s，约剩 5 分钟")
    models.current = before
    expect(page.locator(".badge summary")).to_contain_text("qwen2.5-1.5b-instruct")


def test_on_a_phone_the_whole_account_of_the_model_is_on_the_screen(visit: OpenPage) -> None:
    page = visit(viewport={"width": 414, "height": 896})
    page.locator(".badge summary").click()
    box = page.locator(".badge .card").bounding_box()
    assert box is not None
    assert box["x"] >= 0 and box["x"] + box["width"] <= 414


def test_the_badge_can_look_for_a_model_again(visit: OpenPage, served: Served) -> None:
    page = visit()
    page.locator(".badge summary").click()
    page.locator(".badge button").click()
    page.wait_for_timeout(500)
    assert served.services.models.retries == 1


def test_the_settings_in_force_are_shown(visit: OpenPage) -> None:
    page = visit()
    page.get_by_role("tab", name="设置").click()
    expect(page.locator("#settings")).to_contain_text("fuse.weights")
    expect(page.locator("#settings")).to_contain_text("0.7 / 0.3")
    expect(page.locator("#settings")).not_to_contain_text("api_key")
