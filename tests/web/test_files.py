"""A person at the page: files, folders, passwords, what is in a file, which are used, deletion."""

import re
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Request, Route, expect

from rag.errors import KnowledgeUnavailable
from tests.web.conftest import OpenPage, Served
from tests.web.files_page import PHONE, drop, ready, row

pytestmark = pytest.mark.browser
# Drops files as a browser does, some of them in a folder, which cannot be read where it has none.
DROP = """([names, folder]) => {
  const entry = (name) => ({
    name, isFile: true,
    file: (done, fail) => name.startsWith("坏") ? fail(new Error(name)) : done(new File(["content"], name)),
  });
  let given = false;
  const directory = { name: "文件夹", isFile: false, createReader: () => ({
    readEntries: (done, fail) => {
      if (!folder.length) fail(new Error("folder"));
      done(given ? [] : folder.map(entry));
      given = true;
    },
  }) };
  const items = [...names.map(entry), directory].map((each) => ({ webkitGetAsEntry: () => each }));
  const event = new Event("drop", { bubbles: true, cancelable: true });
  event.dataTransfer = { types: ["Files"], items, files: [] };
  document.querySelector("#drop .zone").dispatchEvent(event);
}"""


def test_files_show_progress_and_then_that_they_can_be_asked(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    drop(page, tmp_path, "手册 一.pdf", "笔记.txt")
    expect(page.locator("#files .file")).to_have_count(3)
    expect(page.locator("#files .stage").first).to_contain_text("读取页面")
    own = row(page, "手册 一.pdf")
    expect(own.locator(".state")).to_have_text("可以提问")
    expect(own.locator(".count")).to_have_text("12 页48 段")
    expect(page.locator("#room")).to_contain_text("再有 30 天不用就自动删除")
    expect(page.locator("#storage")).to_contain_text("你的资料 2 份")
    expect(page.locator("#drop .uploads li")).to_have_count(0)
    page.reload()
    page.get_by_role("tab", name="资料").click()
    expect(page.locator("#files .file")).to_have_count(3)


def test_files_say_while_the_index_is_out_of_reach_that_they_cannot_be_asked(
    visit: OpenPage, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit()
    own = ready(page, tmp_path, "手册.pdf")
    down = KnowledgeUnavailable(address="http://milvus:19530")
    monkeypatch.setattr(served.services.reconciler, "trouble", down.message)
    expect(own.locator(".state")).to_have_text("暂时不能提问", timeout=15_000)
    expect(page.locator("#files .notice")).to_contain_text("http://milvus:19530")
    expect(page.locator("#files .file")).to_have_count(2)
    page.get_by_role("tab", name="对话").click()
    expect(page.locator("#using .notice")).to_contain_text("http://milvus:19530")
    for claim in page.locator(":is(.of-files, .of-guide)").all():
        expect(claim).to_be_hidden()
    page.get_by_role("tab", name="资料").click()
    monkeypatch.setattr(served.services.reconciler, "trouble", None)
    expect(own.locator(".state")).to_have_text("可以提问", timeout=15_000)
    expect(page.locator("#files .notice")).to_have_count(0)


def test_files_that_cannot_be_taken_are_refused_before_they_are_sent(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/file") else None)
    (tmp_path / "空.txt").touch()
    drop(page, tmp_path, "照片.png", "笔记.md")
    page.locator("#drop input[type=file]").first.set_input_files(tmp_path / "空.txt")
    expect(page.locator("#drop .refused")).to_have_count(2)
    expect(page.locator("#drop .refused").first).to_contain_text("“照片.png”不是支持的类型")
    expect(page.locator("#drop .refused").last).to_contain_text("“空.txt”是空的")
    expect(row(page, "笔记.md")).to_have_count(1)
    assert len(sent) == 1
    page.locator("#drop .refused button").first.click()
    expect(page.locator("#drop .refused")).to_have_count(1)


def test_a_file_whose_content_is_there_already_is_told_of_where_it_was_sent(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    drop(page, tmp_path, "副本.pdf")
    told = page.locator("#drop .refused")
    expect(told.locator("span")).to_have_text("“副本.pdf”与已有的“手册.pdf”内容相同，没有再存一份。")
    told.get_by_role("button", name="关闭").click()
    expect(told).to_have_count(0)


def test_a_folder_is_opened_and_what_is_of_other_kinds_is_skipped(visit: OpenPage) -> None:
    page = visit()
    page.get_by_role("tab", name="资料").click()
    page.locator("#drop .zone").wait_for()
    page.evaluate(DROP, [["单个.txt"], ["夹里一.md", "夹里二.md", "图.jpg"]])
    expect(page.locator("#files .file")).to_have_count(4)
    expect(page.locator("#drop .refused")).to_contain_text("有 1 个文件不是支持的类型，已跳过")


def test_one_file_that_is_skipped_is_told_in_the_singular(visit: OpenPage) -> None:
    page = visit("en")
    page.get_by_role("tab", name="Files").click()
    page.locator("#drop .zone").wait_for()
    page.evaluate(DROP, [[], ["夹里.md", "图.jpg"]])
    expect(page.locator("#drop .refused")).to_contain_text("Skipped 1 file of unsupported types in the folder.")


def test_what_cannot_be_read_is_told_and_the_rest_of_the_drop_is_taken(visit: OpenPage) -> None:
    page = visit()
    page.get_by_role("tab", name="资料").click()
    page.locator("#drop .zone").wait_for()
    page.evaluate(DROP, [["坏的.txt", "好的.txt"], ["坏的.md", "好的.md"]])
    expect(page.locator("#files .file")).to_have_count(3)
    page.evaluate(DROP, [["再来.txt"], []])
    expect(page.locator("#files .file")).to_have_count(4)
    told = [re.compile(f"浏览器读不了“{name}”") for name in ("坏的.txt", "坏的.md", "文件夹")]
    expect(page.locator("#drop .refused span")).to_have_text(told)


def test_a_file_on_its_way_can_be_called_off_and_those_behind_it_go_on(visit: OpenPage, tmp_path: Path) -> None:
    page, held = visit(), list[Route]()
    page.route("**/file", lambda route: held.append(route))  # noqa: PLW0108 - no built-in can be wrapped
    drop(page, tmp_path, "甲.txt", "乙.txt", "丙.txt")
    expect(page.locator("#drop .upload")).to_have_count(3)
    page.get_by_role("button", name="取消 甲.txt").click()
    expect(page.locator("#drop .upload")).to_have_count(2)
    # The browser would send what is held here when it is let go, also what the page has called off.
    held[0].abort()
    page.unroute("**/file")
    expect(row(page, "丙.txt")).to_have_count(1)
    expect(row(page, "甲.txt")).to_have_count(0)


def test_a_file_that_did_not_arrive_can_be_sent_again(visit: OpenPage, tmp_path: Path) -> None:
    page = visit(provokes=("net::ERR_FAILED.*/file$",))
    page.route("**/file", lambda route: route.abort())
    drop(page, tmp_path, "断.txt")
    expect(page.locator("#drop .refused")).to_contain_text("“断.txt”没有传完")
    page.unroute("**/file")
    page.locator("#drop .refused").get_by_role("button", name="重试").click()
    expect(row(page, "断.txt")).to_have_count(1)


def test_a_protected_file_asks_for_its_password_until_it_is_right(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    drop(page, tmp_path, "加密合同.pdf")
    failed = page.locator("#files .file.failed")
    expect(failed).to_contain_text("有密码保护")
    failed.locator("form input").fill("0000")
    failed.locator("form button").click()
    expect(failed).to_contain_text("密码不对")
    expect(failed.locator("form input")).to_be_focused()
    failed.locator("form input").fill("1234")
    failed.locator("form button").click()
    expect(page.locator("#files .file.ready", has_text="合同.pdf").locator(".title")).to_be_focused()


def test_a_password_half_written_stays_while_other_files_are_read(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    drop(page, tmp_path, "加密合同.pdf")
    field = page.locator("#files .file.failed form input")
    field.fill("12")
    drop(page, tmp_path, "别的.txt")
    expect(row(page, "别的.txt").locator(".state")).to_have_text("可以提问")
    expect(field).to_have_value("12")


def test_a_file_is_deleted_after_a_yes_and_the_sample_cannot_be(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    ready(page, tmp_path, "旧稿.txt")
    page.locator("#files .remove").click()
    page.locator("dialog[open] button").first.click()
    expect(page.locator("#files .file")).to_have_count(2)
    page.locator("#files .remove").click()
    page.locator("dialog .yes").click()
    expect(page.locator("#files .file")).to_have_count(1)
    expect(page.locator("#files .remove")).to_have_count(0)


def test_after_a_deletion_the_focus_is_at_the_next_file(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    drop(page, tmp_path, "甲.txt", "乙.txt")
    expect(page.locator("#files .file.ready")).to_have_count(3)
    titles = page.locator("#files .title").all_inner_texts()
    for after in titles[1:]:
        page.locator("#files .remove").first.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog", name="删除“")).to_be_visible()
        page.locator("dialog .yes").press("Enter")
        expect(page.locator("#files .title").first).to_have_text(after)
        expect(page.locator("#files .title").first).to_be_focused()


def test_a_file_is_read_anew_from_its_copy(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    own = ready(page, tmp_path, "手册.pdf")
    own.locator(".reread").click()
    # Nothing is lost by it.
    expect(page.locator("dialog .yes")).to_have_css("background-color", "rgb(15, 118, 110)")
    page.locator("dialog .yes").click()
    expect(own.locator(".state")).to_have_text("读取中")
    expect(own.locator(".state")).to_have_text("可以提问")


def test_recognition_is_stopped_and_resumed_beside_its_progress(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    own = ready(page, tmp_path, "图片.pdf")
    expect(own.locator(".stage")).to_contain_text("识别图片里的文字 5 / 12")
    own.get_by_role("button", name="停止识别").click()
    expect(own.locator(".stage")).to_have_text("文字识别已停止，还有 7 页没有识别")
    page.reload()
    page.get_by_role("tab", name="资料").click()
    own.get_by_role("button", name="继续识别").click()
    expect(own.locator(".stage")).to_contain_text("识别图片里的文字 5 / 12")


def test_a_passage_leads_to_its_page_with_it_marked(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    own = ready(page, tmp_path, "手册.pdf")
    own.locator(".title").click()
    inspector = page.locator("#inspector")
    expect(inspector.locator("img")).to_be_visible()
    expect(inspector.locator(".mark")).to_have_count(0)
    inspector.get_by_role("button", name="段落").click()
    expect(inspector.locator(".passages li")).to_have_count(50)
    expect(inspector.locator(".passages li").nth(20)).to_contain_text("第 27 页 · 第一章 › 休假")
    inspector.locator(".passages li button").nth(20).click()
    expect(inspector.locator(".mark")).to_have_count(2)
    expect(inspector.locator(".where")).to_contain_text("第 27 页")
    inspector.locator("button.after").click()
    expect(inspector.locator(".where")).to_contain_text("第 28 页")
    page.keyboard.press("Escape")
    expect(inspector).to_be_hidden()


def test_the_row_that_is_looked_into_stays_in_view_and_is_marked(visit: OpenPage, tmp_path: Path) -> None:
    page = visit(viewport={"width": 1440, "height": 500})
    drop(page, tmp_path, "甲.txt", "乙.txt", "丙.txt")
    expect(page.locator("#files .file.ready")).to_have_count(4)
    last = page.locator("#files .file").last
    last.get_by_role("button", name="查看").click()
    expect(page.locator("#inspector h2")).to_be_visible()
    expect(last.locator(".title")).to_be_in_viewport()
    expect(page.locator("#files .inspected")).to_have_count(1)
    expect(last).to_have_class(re.compile("inspected"))
    page.keyboard.press("Escape")
    expect(page.locator("#files .inspected")).to_have_count(0)


def test_the_report_says_what_is_searched_and_which_route_is_broken(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    own = ready(page, tmp_path, "扫描.pdf")
    own.locator(".title").click()
    inspector = page.locator("#inspector")
    inspector.get_by_role("button", name="报告").click()
    expect(inspector.locator(".report li").first).to_have_text("第 1–11 页有文字，可以检索")
    expect(inspector.locator(".report li.doubt")).to_contain_text("第 12 页")
    inspector.get_by_role("button", name="开始自检").click()
    expect(inspector.locator(".routes")).to_contain_text("0 / 20")
    expect(inspector.locator(".report .notice")).to_contain_text("请到“设置”检查向量模型")
    expect(own.locator(".check")).to_have_text("向量检索失灵")
    expect(own.locator(".check")).to_have_css("border-top-width", "0px")


def test_the_chat_uses_the_files_that_are_chosen_and_says_so(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    own = ready(page, tmp_path, "手册.pdf")
    expect(page.locator("#using button")).to_have_count(0)
    own.locator("input[data-use]").uncheck()
    expect(page.locator("#using")).to_have_text("使用 1/2 份资料（含示例）")
    page.get_by_role("tab", name="对话").click()
    page.locator("#using button").click()
    page.locator('#files input[data-use=""]').check()
    expect(own.locator("input[data-use]")).to_be_checked()
    expect(page.locator("#using button")).to_have_count(0)
    page.locator('#files input[data-use=""]').uncheck()
    expect(page.locator("#using")).to_have_text("使用 0/2 份资料（含示例）")


def test_a_page_that_looks_on_is_sent_only_what_it_does_not_have(
    visit: OpenPage, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, sent = visit(), list[str]()
    own = ready(page, tmp_path, "手册.pdf")
    page.wait_for_timeout(1500)  # for the last of those that came each second

    def note(one: Request) -> None:
        if "run/predict" in one.url and (response := one.response()):
            sent.append(response.text())

    page.on("requestfinished", note)
    page.wait_for_timeout(6000)  # for one of those that come every five
    assert sent and all(len(each) < 2000 for each in sent)
    down = KnowledgeUnavailable(address="http://milvus:19530")
    monkeypatch.setattr(served.services.reconciler, "trouble", down.message)
    expect(own.locator(".state")).to_have_text("暂时不能提问")
    assert any("<table" in each for each in sent) and not any("data-pick" in each for each in sent)


def test_a_tab_that_is_opened_late_has_what_came_before(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    page.locator("#entry").get_by_role("button", name="添加资料").wait_for()
    (tmp_path / "手册.pdf").write_bytes(b"content")
    with page.expect_file_chooser() as chooser:
        page.locator("#attach button").click()
    chooser.value.set_files(tmp_path / "手册.pdf")
    expect(page.locator("#storage p").first).to_contain_text("1 份")
    page.wait_for_timeout(4000)
    page.route("**/run/predict*", lambda route: None)  # nothing is sent any more
    page.get_by_role("tab", name="资料").click()
    expect(row(page, "手册.pdf").locator(".state")).to_have_text("可以提问")
    expect(page.locator("#room")).to_contain_text("1 份")


def test_a_choice_that_could_not_be_kept_is_not_shown_as_made(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    box = ready(page, tmp_path, "磁盘.pdf").locator("input[data-use]")
    for _ in range(2):
        box.click()
        expect(page.locator("#refusals .notice")).to_be_visible()
        expect(box).to_be_checked()


def test_a_hostile_file_name_stays_text(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    ready(page, tmp_path, "<img src=x onerror=alert(1)>.txt").locator(".title").click()
    expect(page.locator("#inspector h2")).to_have_text("<img src=x onerror=alert(1)>.txt")
    assert page.locator("#files img").count() == 0


def test_a_file_keeps_the_name_it_was_given(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    drop(page, tmp_path, "派生 中文（空格）&符号.txt")
    expect(page.locator("#files p.name").first).to_have_text("派生 中文（空格）&符号.txt")


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12"])
def test_the_day_on_which_a_file_came_is_the_readers(visit: OpenPage, served: Served, zone: str) -> None:
    page = visit(timezone_id=zone)
    page.get_by_role("tab", name="资料").click()
    (sample,) = served.services.ingest.documents("nobody")
    expect(page.locator("td.added")).to_have_text(f"{sample.created_at.astimezone(ZoneInfo(zone)):%Y-%m-%d}")


def test_with_files_of_ones_own_the_questions_to_begin_with_are_about_those(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    first = page.locator("#suggestions button:visible").first
    expect(first).to_have_text("问渠能做什么？")
    hint = page.locator("#turns .welcome h1 ~ p:visible").first
    expect(hint).to_contain_text("示例资料")
    drop(page, tmp_path, "我的.txt")
    expect(page.locator("#files .file")).to_have_count(2)
    page.get_by_role("tab", name="对话").click()
    expect(first).to_have_text("我的文件主要讲什么？")
    expect(hint).to_contain_text("你的文件可以提问了")
    expect(page.locator("#suggestions button:visible")).to_have_count(3)


def test_everything_of_mine_is_deleted_after_a_yes(visit: OpenPage, tmp_path: Path) -> None:
    page = visit()
    page.locator("#suggestions button").first.click()
    expect(page.locator("#turns footer")).to_have_count(1)
    drop(page, tmp_path, "我的.txt")
    expect(page.locator("#files .file")).to_have_count(2)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#turns footer")).to_have_count(1)
    page.locator("#storage button").click()
    page.locator("dialog .yes").click()
    expect(other.locator("#conversations li")).to_have_count(0)
    other.locator("#turns .welcome").wait_for()
    expect(page.locator("#files .file")).to_have_count(1)
    expect(page.locator("#conversations li")).to_have_count(0)
    page.get_by_role("tab", name="对话").click()
    page.locator("#turns .welcome").wait_for()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_words_of_each_column_stay_in_it(visit: OpenPage, tmp_path: Path, language: str) -> None:
    page = visit(language)
    (tmp_path / "手册.pdf").write_bytes(b"content")
    page.get_by_role("tab").nth(1).click()
    page.locator("#drop .zone").wait_for()
    page.locator("#drop input[type=file]").first.set_input_files(tmp_path / "手册.pdf")
    row(page, "手册.pdf").and_(page.locator(".ready")).wait_for()
    overflowing = (
        """(cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.className)"""
    )
    assert page.locator("#files :is(th, td)").evaluate_all(overflowing) == []


def test_how_many_of_how_many_stays_on_one_line(visit: OpenPage, tmp_path: Path) -> None:
    page = visit(viewport={"width": 320, "height": 700})
    count = ready(page, tmp_path, "图片.pdf").locator(".stage small", has_text="5 / 12")
    count.wait_for()
    assert count.evaluate("element => element.getClientRects().length") == 1


@pytest.mark.parametrize(("width", "bars"), [(1440, 2), (414, 1)])
def test_how_far_a_file_is_stands_clear_of_its_bar_and_a_card_has_no_other(
    visit: OpenPage, tmp_path: Path, width: int, bars: int
) -> None:
    page = visit(viewport={"width": width, "height": 896})
    own = ready(page, tmp_path, "图片.pdf")
    words, bar = own.locator(".stage").bounding_box(), own.locator(".bar").bounding_box()
    assert words and bar and words["y"] + words["height"] + 3 <= bar["y"]
    expect(own.locator(":is(.bar, .pages-bar):visible")).to_have_count(bars)
    state, title = own.locator(".state").bounding_box(), own.locator(".title").bounding_box()
    assert state and title and state["y"] - (title["y"] + title["height"]) < 8


@pytest.mark.parametrize("language", ["zh", "en"])
def test_on_a_phone_files_are_cards_and_a_file_covers_the_screen(
    visit: OpenPage, tmp_path: Path, language: str
) -> None:
    page = visit(language, viewport=PHONE, color_scheme="dark")
    (tmp_path / "手册.pdf").write_bytes(b"content")
    page.locator('#tabs [role="tab"]').nth(1).click()
    page.locator("#drop .zone").wait_for()
    page.locator("#drop input[type=file]").first.set_input_files(tmp_path / "手册.pdf")
    own = page.locator("#files .file.ready", has_text="手册.pdf")
    own.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for button in own.locator("button:visible").all()[1:]:
        box = button.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    own.locator(".title").click()
    page.locator("#inspector img").wait_for()
    covering = page.locator("#shelf-detail").bounding_box()
    assert covering is not None and covering["width"] == PHONE["width"]
    page.locator("#inspector [data-close]").click()
    expect(page.locator("#inspector")).to_be_hidden()
