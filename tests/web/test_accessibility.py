"""Nobody is shut out: axe-core finds nothing serious, and the main path needs no pointer."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.axe import serious
from tests.web.conftest import OpenPage, answered, begin_anew, exchange, page_of_source

pytestmark = pytest.mark.browser
PHONE = {"width": 414, "height": 896}
_FAR = 80  # presses


def open_tab(page: Page, place: int, shown: str) -> None:
    """Go to a tab by its place, and wait for what it shows."""
    page.get_by_role("tab").nth(place).click()
    page.locator(shown).first.wait_for()


def tab_until(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Press Tab until it has the focus."""
    for _ in range(_FAR):
        page.keyboard.press(key)
        if wanted.evaluate("node => node === document.activeElement"):
            return
    pytest.fail(f"{_FAR} times {key} did not lead to {wanted}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_what_covers_the_page(visit: OpenPage, scheme: str) -> None:
    page = visit("en", color_scheme=scheme, asks="错误码")
    page_of_source(page)
    page.locator("#leaf [data-enlarge]").click()
    found = {"reader": serious(page, "dialog[open]")}
    page.keyboard.press("Escape")
    page.locator("#storage button").click()
    found["question"] = serious(page, "dialog[open]")
    page.keyboard.press("Escape")
    page.locator(".badge summary").click()
    found["badge"] = serious(page, ".badge")
    assert {part: said for part, said in found.items() if said} == {}


def test_a_question_is_asked_and_its_source_opened_without_a_pointer(visit: OpenPage) -> None:
    page = visit()
    tab_until(page, page.locator("#question textarea"))
    page.keyboard.type("错误码的格式是怎样的？")
    page.keyboard.press("Enter")
    answered(page)
    expect(page.locator("#question textarea")).to_be_focused()
    marker = page.locator("#turns .cite[data-cite='2']")
    tab_until(page, marker, "Shift+Tab")
    assert marker.evaluate("element => getComputedStyle(element).outlineStyle") in ("solid", "auto")
    page.keyboard.press("Enter")
    expect(page.locator("#sources .source.shown")).to_have_attribute("data-source", "2")
    page_of_source(page)
    enlarge = page.locator("#leaf [data-enlarge]")
    tab_until(page, enlarge)
    page.keyboard.press("Enter")
    expect(page.locator("dialog.reader")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.reader")).to_be_hidden()
    expect(enlarge).to_be_focused()


def test_who_opens_a_source_by_keys_hears_what_is_in_view(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    marker, heard = page.locator("#turns .cite").first, page.locator("#live [role=status]")
    page_of_source(page)
    marker.focus()
    page.keyboard.press("Enter")
    place = page.locator("#leaf .where").text_content()
    expect(heard).to_contain_text(f"{page.locator('#leaf .file').text_content()} · {place}")
    turned = page.locator("#leaf .after")
    turned.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#leaf .where[aria-live]")).not_to_have_text(place or "")
    expect(heard).to_contain_text(f"· {place}")


def test_the_arrow_keys_lead_from_tab_to_tab(visit: OpenPage) -> None:
    page = visit()
    tabs = page.get_by_role("tab")
    tab_until(page, tabs.first)
    for place, shown in ((1, "#drop .zone"), (2, "#preferences form"), (0, "#question")):
        page.keyboard.press("ArrowRight")
        expect(tabs.nth(place)).to_have_attribute("aria-selected", "true")
        expect(tabs.nth(place)).to_be_focused()
        expect(page.locator(shown)).to_be_visible()


def test_each_tab_has_a_heading_of_the_first_level_and_a_files_two_bars_are_told_apart(visit: OpenPage) -> None:
    page = visit()
    headings = page.get_by_role("heading", level=1)
    for place, shown, named in ((2, "#preferences form", "设置"), (1, "#drop .zone", "资料")):
        open_tab(page, place, shown)
        expect(headings).to_have_count(1)
        expect(headings).to_have_text(named)
    page.locator('[data-act="inspect"]').first.click()
    page.locator("#inspector nav.ways").wait_for()
    names = page.get_by_role("navigation").evaluate_all("(bars) => bars.map((bar) => bar.ariaLabel)")
    assert len(set(names)) == len(names)


def test_each_question_is_a_heading_by_which_one_goes_from_turn_to_turn(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    exchange(page, "第二问", 2)
    expect(page.locator("#thread").get_by_role("heading", level=2)).to_have_text(["错误码", "第二问"])


def test_a_question_that_needs_a_yes_is_called_off_by_escape_and_gives_the_focus_back(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    forget = page.locator("#storage button")
    tab_until(page, forget)
    page.keyboard.press("Enter")
    expect(page.locator("dialog.ask")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.ask")).to_have_count(0)
    expect(forget).to_be_focused()
    answered(page)


def test_the_account_of_the_model_is_opened_and_closed_by_keys(visit: OpenPage) -> None:
    page = visit()
    summary = page.locator(".badge summary")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".badge .card")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator(".badge .card")).to_be_hidden()
    expect(summary).to_be_focused()


def test_the_sidebar_of_a_phone_takes_the_focus_and_gives_it_back(visit: OpenPage) -> None:
    page = visit(viewport=PHONE)
    button, new = page.locator("#menu button"), page.locator("#new-conversation")
    expect(new).to_be_hidden()
    button.focus()
    page.keyboard.press("Enter")
    expect(new).to_be_focused()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(new).to_be_hidden()


@pytest.mark.parametrize("width", [390, 1024])
def test_the_focus_does_not_go_behind_the_sidebar_that_covers_the_page(visit: OpenPage, width: int) -> None:
    page = visit(viewport={"width": width, "height": 800})
    page.locator("#menu button").click()
    close = page.get_by_role("button", name="关闭侧栏", exact=True)
    tab_until(page, close)
    assert page.locator("#main").evaluate("part => part.inert")
    for _ in range(8):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('#main') === null")
    close.click()
    expect(page.locator("#menu button")).to_be_focused()


def test_a_page_that_becomes_wide_under_the_open_sidebar_can_be_used(visit: OpenPage) -> None:
    page = visit(viewport=PHONE)
    page.locator("#menu button").click()
    page.set_viewport_size({"width": 1300, "height": 800})
    exchange(page, "错误码")


def test_who_opens_a_conversation_from_the_sidebar_of_a_phone_goes_on_where_it_was_opened(visit: OpenPage) -> None:
    page = visit(viewport=PHONE, asks="错误码")
    menu = page.locator("#menu button")
    menu.click()
    begin_anew(page)
    expect(menu).to_be_focused()
    menu.click()
    page.locator("#conversations .open").click()
    answered(page)
    expect(menu).to_be_focused()


def test_who_deletes_the_last_conversation_goes_on_from_the_button_of_a_new_one(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    page.locator("#conversations .remove").focus()
    page.keyboard.press("Enter")
    page.locator("dialog .yes").click()
    page.locator("#turns .welcome").wait_for()
    expect(page.locator("#new-conversation")).to_be_focused()


def test_what_is_in_a_file_is_opened_turned_and_closed_by_keys(visit: OpenPage, tmp_path: Path) -> None:
    page = visit(viewport=PHONE)
    open_tab(page, 1, "#drop .zone")
    (tmp_path / "手册.pdf").write_bytes(b"content")
    page.locator("#drop input[type=file]").first.set_input_files(tmp_path / "手册.pdf")
    title = page.locator("#files .file.ready .title", has_text="手册.pdf")
    title.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#inspector .ways [aria-current=true]")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#inspector .passages li").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(title).to_be_focused()


def test_the_box_that_has_the_focus_is_outlined(visit: OpenPage) -> None:
    page = visit()
    open_tab(page, 1, "#files input[data-use]")
    box = page.locator("#files input[data-use]").first
    tab_until(page, box)
    assert box.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"
