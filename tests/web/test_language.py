"""A person switches the page to another language, which loads it anew."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, answered, ask
from tests.web.settings_page import save

pytestmark = pytest.mark.browser


def switch(page: Page) -> None:
    page.locator('#controls [data-page="language"]').click()


def test_a_question_that_is_being_written_is_there_in_the_other_language_too(visit: OpenPage) -> None:
    page = visit()
    page.locator("#question textarea").fill("写到一半的问题\n第二行")
    switch(page)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#question textarea")).to_have_value("写到一半的问题\n第二行")
    page.locator("#question textarea").fill("")
    page.reload()
    page.locator("#turns .welcome").wait_for()
    page.wait_for_timeout(500)
    expect(page.locator("#question textarea")).to_have_value("")


def test_who_switches_the_language_or_loads_the_page_anew_stays_in_the_tab(visit: OpenPage) -> None:
    page = visit()
    page.get_by_role("tab").nth(1).click()
    page.locator("#drop .zone").wait_for()
    switch(page)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_role("tab", name="Files")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#drop .zone")).to_be_visible()
    page.get_by_role("tab").nth(2).click()
    page.reload()
    expect(page.locator("#preferences form")).to_be_visible()
    page.get_by_role("tab").nth(0).click()
    page.reload()
    expect(page.locator("#question textarea")).to_be_visible()


def test_an_answer_under_way_is_not_broken_off_by_a_switch_without_a_yes(visit: OpenPage) -> None:
    page = visit(provokes=("AbortError|Connection errored out",))
    ask(page, "慢慢回答")
    page.locator("#live .prose").wait_for()
    switch(page)
    expect(page.locator("dialog.ask")).to_contain_text("正在写的回答会中断")
    page.locator("dialog").get_by_role("button", name="取消").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(page.locator("#live .turn")).to_have_count(1)
    switch(page)
    page.locator("dialog .yes").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    answered(page)


@pytest.mark.parametrize("limit", ["3", "99"])
def test_settings_that_are_not_saved_or_were_refused_are_there_in_the_other_language_too(
    visit: OpenPage, limit: str
) -> None:
    page = visit()
    page.get_by_role("tab", name="设置").click()
    page.get_by_label("用于回答（段）", exact=True).fill(limit)
    if limit == "99":
        save(page, "填写有误")
    page.locator('.choice:has([data-look][value="en"])').click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_label("Passages used", exact=True)).to_have_value(limit)
    expect(page.locator("#preferences form")).to_have_class(re.compile("dirty"))
    page.get_by_role("button", name="Discard changes").click()
    expect(page.get_by_label("Passages used", exact=True)).to_have_value("5")


def test_a_page_is_in_one_language_though_another_page_of_the_browser_has_chosen_the_other(visit: OpenPage) -> None:
    page = visit()
    ask(page, "缓缓说")
    page.locator("#live .prose").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    other.locator('[data-page="language"]').click()
    expect(other.locator("html")).to_have_attribute("lang", "en")
    other.close()
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    answered(page)  # which was not lost
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#new-conversation")).to_contain_text("New conversation")
    answered(page)


@pytest.mark.parametrize(("language", "told"), [("zh", "正在重新连接"), ("en", "Reconnecting")])
def test_a_lost_connection_is_told_in_the_pages_language_and_costs_no_word_that_was_written(
    visit: OpenPage, language: str, told: str
) -> None:
    page = visit(language, provokes=("ERR_FAILED",))
    page.locator("#question textarea").fill("写到一半的问题")
    page.evaluate("window.wasHere = true")
    page.route("**/gradio_api/**", lambda route: route.abort())
    page.locator("#new-conversation").click()
    expect(page.locator(".toast-message-text")).to_contain_text(told)
    expect(page.locator(".toast-close")).to_have_attribute("aria-label", {"zh": "关闭", "en": "Close"}[language])
    expect(page.locator(".toast-body").get_by_role("button")).to_have_count(1)
    page.unroute("**/gradio_api/**")
    page.wait_for_function("!window.wasHere")  # Gradio has loaded the page anew
    page.locator("#turns .welcome").wait_for()
    expect(page.locator("#question textarea")).to_have_value("写到一半的问题")
