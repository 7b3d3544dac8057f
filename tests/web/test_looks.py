"""Small things that are seen: what a phone has room for, what a finger needs, what the dark changes."""

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pypdfium2 import PdfDocument

from tests.web.conftest import OpenPage, answered, ask, exchange
from tests.web.settings_page import open_settings

pytestmark = pytest.mark.browser
PHONE = {"width": 414, "height": 896}
SIDEWAYS = {"width": 667, "height": 300}  # what the bars of a browser leave


def test_the_theme_button_shows_what_a_press_brings(visit: OpenPage) -> None:
    page = visit(color_scheme="light")
    moon, sun = page.locator("#controls .moon"), page.locator("#controls .sun")
    expect(moon).to_be_visible()
    expect(sun).to_be_hidden()
    page.locator('[data-page="theme"]').click()
    expect(sun).to_be_visible()
    expect(moon).to_be_hidden()


def test_beside_a_wide_page_the_sidebar_is_laid_away_and_brought_back(visit: OpenPage) -> None:
    page = visit()
    sidebar, menu = page.locator("#sidebar"), page.locator("#menu button")
    menu.click()
    expect(sidebar).not_to_be_visible()
    page.wait_for_function("document.querySelector('#tabs').getBoundingClientRect().left < 100")
    menu.click()
    expect(sidebar).to_be_visible()
    page.wait_for_function("document.querySelector('#tabs').getBoundingClientRect().left > 256")


def test_on_a_phone_the_badge_has_the_model_alone_a_count_looks_like_a_button_and_a_passage_has_its_own_line(
    visit: OpenPage,
) -> None:
    page = visit(viewport=PHONE)
    expect(page.locator("#badge summary b")).to_be_visible()
    expect(page.locator("#badge summary .provider")).to_be_hidden()
    exchange(page, "错误码")
    assert "inset" in page.locator("#turns .chip.count").evaluate("(chip) => getComputedStyle(chip).boxShadow")
    page.locator("#turns .decided").click()
    row = page.locator("#trace tbody tr").first
    row.wait_for()
    assert row.evaluate(
        """(row) => {
          const [name, rank] = ["th", ".rank"].map((part) => row.querySelector(part).getBoundingClientRect());
          return name.width === row.offsetWidth && rank.top >= name.bottom;
        }"""
    )


def test_on_a_phone_a_field_that_opens_moves_nothing_aside(visit: OpenPage) -> None:
    page = visit(viewport=PHONE, has_touch=True, asks="错误码")
    answer = page.locator("#turns .prose")
    before = answer.bounding_box()
    page.locator("#turns [data-edit]").click()
    expect(page.locator("#turns .edit textarea")).to_be_focused()
    after = answer.bounding_box()
    assert before and after and before["x"] == after["x"]


def test_on_a_phone_nothing_holds_a_place_for_a_button_that_is_not_there(visit: OpenPage) -> None:
    page = visit(viewport=PHONE)
    open_settings(page)
    footer = page.locator("#preferences footer")
    left, line = (footer.locator("button:visible").first.bounding_box(), footer.bounding_box())
    assert left and line and left["x"] - line["x"] < 2
    page.locator("#preferences input[type=number]").first.fill("7")
    expect(footer.locator("[data-discard]")).to_be_visible()


def test_below_the_list_of_models_there_is_no_hole(visit: OpenPage) -> None:
    page = visit()
    open_settings(page)
    field = page.locator("#preferences [data-field='llm.model']")
    choice, whole = field.locator(".choice").last.bounding_box(), field.bounding_box()
    assert choice and whole
    assert whole["y"] + whole["height"] - choice["y"] - choice["height"] < 20
    field.locator("input[type=radio]").last.check()
    expect(field.locator("[data-reset]")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1440])
def test_the_button_behind_a_hint_is_not_broken_into_lines(visit: OpenPage, width: int) -> None:
    page = visit(viewport={"width": width, "height": 844}, asks="尚早的问题")
    button = page.locator("#turns .hint button")
    assert button.evaluate("(one) => one.scrollHeight") <= 40


@pytest.mark.parametrize("width", [390, 1024])
def test_the_menus_button_stands_in_one_line_with_the_badge(visit: OpenPage, width: int) -> None:
    page = visit(viewport={"width": width, "height": 844})
    button, badge = (page.locator(part).bounding_box() for part in ("#menu button", "#badge summary"))
    assert button and badge
    assert abs(button["y"] + button["height"] / 2 - badge["y"] - badge["height"] / 2) <= 2


def test_on_a_phone_the_bar_of_what_is_stored_has_no_line_of_its_own(visit: OpenPage, tmp_path: Path) -> None:
    page = visit("en", viewport={"width": 390, "height": 844})
    (tmp_path / "a.txt").write_bytes(b"content" * 1000)
    page.get_by_role("tab", name="Files").click()
    page.locator("#drop .zone").wait_for()
    page.locator("#drop input[type=file]").first.set_input_files(tmp_path / "a.txt")
    bar = page.locator("#room .bar")
    bar.wait_for()
    assert bar.evaluate(
        """(bar) => {
          const middle = (part) => part.getBoundingClientRect().top + part.offsetHeight / 2;
          return [...bar.parentElement.querySelectorAll(":scope > span:not(.bar)")].some(
            (text) => Math.abs(middle(text) - middle(bar)) < 4,
          );
        }"""
    )


def test_without_a_mouse_the_pencil_and_the_tools_of_a_conversation_are_there(visit: OpenPage) -> None:
    page = visit(viewport={"width": 1024, "height": 768}, has_touch=True, is_mobile=True, asks="错误码")
    expect(page.locator("#turns .asked [data-edit]")).to_have_css("opacity", "1")
    page.locator("#menu button").click()
    for name in ("重命名", "删除这段对话"):
        expect(page.locator("#conversations").get_by_label(name, exact=True).first).to_have_css("opacity", "1")
        expect(page.locator("#conversations").get_by_label(name, exact=True).first).to_have_css("width", "40px")


def test_the_questions_field_stays_where_it_stands_while_the_page_is_built(visit: OpenPage) -> None:
    page = visit()
    page.add_init_script(
        """window.places = new Set();
        (function look() {
          const field = document.querySelector("#question");
          if (field?.offsetWidth) window.places.add(Math.round(field.getBoundingClientRect().x));
          requestAnimationFrame(look);
        })();"""
    )
    page.reload()
    page.locator("#turns .welcome").wait_for()
    assert page.evaluate("window.places.size") == 1
    exchange(page, "错误码")
    page.reload()
    answered(page)
    assert page.evaluate("window.places.size") == 1


def test_folders_and_dragging_are_for_a_mouse_however_narrow_its_window_is(visit: OpenPage) -> None:
    narrow = {"width": 720, "height": 450}
    for page, has_mouse in (
        (visit(viewport=narrow), True),
        (visit(viewport=PHONE, has_touch=True, is_mobile=True), False),
    ):
        page.get_by_role("tab", name="资料").click()
        page.get_by_role("button", name="选择文件", exact=True).wait_for()
        expect(page.get_by_role("button", name="选择文件夹")).to_be_visible(visible=has_mouse)
        expect(page.get_by_text("把文件或文件夹拖到这里")).to_be_visible(visible=has_mouse)


def test_a_long_name_takes_two_lines_of_its_card(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    name = page.locator("#sources .source .file").first
    name.evaluate("(name) => (name.textContent = '很长的文件名'.repeat(20))")
    assert name.evaluate("(name) => name.offsetHeight <= 2.1 * parseFloat(getComputedStyle(name).lineHeight)")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_answer_is_as_wide_as_the_input_and_its_facts_have_one_line_without_what_stands_beside_it(
    visit: OpenPage, language: str
) -> None:
    page = visit(language, asks="思考：错误码")
    answer, entry = (page.locator(part).bounding_box() for part in ("#turns .answer .prose >> nth=0", "#question"))
    assert answer and entry and (answer["x"], answer["width"]) == (entry["x"], entry["width"])
    expect(page.locator("#turns .chip.count")).to_be_hidden()
    facts = page.locator("#turns .facts").bounding_box()
    assert facts and facts["height"] <= 44


def test_on_a_phone_held_sideways_bar_and_tabs_share_a_line(visit: OpenPage) -> None:
    page = visit(viewport=SIDEWAYS, has_touch=True)
    parts = ("#menu button", "[data-tab-id=settings]", "#badge summary")
    menu, tab, badge = (page.locator(part).bounding_box() for part in parts)
    assert menu and tab and badge
    assert menu["x"] + menu["width"] <= tab["x"] and tab["x"] + tab["width"] <= badge["x"]
    assert max(menu["y"], tab["y"], badge["y"]) < 10


def test_on_a_phone_held_sideways_an_answer_is_seen_while_it_comes(visit: OpenPage) -> None:
    page = visit(viewport=SIDEWAYS, has_touch=True)
    ask(page, "慢慢回答")
    words = page.locator("#live .prose > *")
    expect(words.last).not_to_be_empty()
    expect(words.last).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="停止").click()
    answered(page)


@pytest.mark.parametrize(("tab", "read"), [("资料", "#files .file .title"), ("设置", "#preferences h2")])
def test_of_every_tab_what_is_read_is_printed_and_nothing_that_is_pressed(visit: OpenPage, tab: str, read: str) -> None:
    page = visit()
    page.get_by_role("tab", name=tab).click()
    page.locator(read).first.wait_for()
    page.emulate_media(media="print")
    expect(page.locator(read).first).to_be_visible()
    seen = page.locator("button:visible, #files input:visible, #files th:has(label):visible").evaluate_all(
        "(buttons) => buttons.map((button) => button.textContent)"
    )
    assert seen == page.locator(f"{read}:is(button):visible, #files .check:visible").all_text_contents()


def test_a_conversation_is_printed_whole_and_in_ink(visit: OpenPage) -> None:
    page = visit(color_scheme="dark", asks="第一问")
    for number, question in enumerate(("第二问", "第三问", "第四问", "第五问"), 2):
        exchange(page, question, number)
    with closing(PdfDocument(page.pdf(format="A5"))) as paper:
        printed = "".join(sheet.get_textpage().get_text_range() for sheet in paper)
    assert [name for name in ("第一问", "第五问") if name not in printed] == []
    assert "新对话" not in printed
    page.emulate_media(media="print")
    assert page.locator("#turns .prose").first.evaluate("(one) => getComputedStyle(one).color") == "rgb(31, 37, 35)"
