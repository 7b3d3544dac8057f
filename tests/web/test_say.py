"""A person at the page has a say: overruling a decision, rating an answer, putting a summary right."""

import pytest
from playwright.sync_api import expect

from tests.web.conftest import OpenPage, Served, answered, ask, begin_anew, exchange

pytestmark = pytest.mark.browser


def test_a_decision_is_overruled_by_answering_the_question_again(visit: OpenPage) -> None:
    page = visit(asks="错误码的格式是怎样的？")
    ways = page.locator("#turns .way")
    expect(ways).to_have_text(["不查资料"])
    exchange(page, "那它是什么类型？缓缓道来。", 2)
    expect(ways).to_have_text(["沿用资料", "不查资料"])
    ways.last.click()
    page.locator("#live .turn").wait_for()
    expect(page.locator("#turns .question")).to_have_text(["错误码的格式是怎样的？"])
    answered(page, 2)
    expect(page.locator("#turns .question")).to_have_text(["错误码的格式是怎样的？", "那它是什么类型？缓缓道来。"])
    expect(page.locator("#turns .decided").last).to_contain_text("不查资料")
    expect(ways).to_have_text(["重新检索", "沿用资料"])
    page.locator("#trace summary").click()
    expect(page.locator("#trace")).to_contain_text("按你的选择")


def test_a_thumb_stays_pressed_until_it_is_pressed_again(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    good = page.get_by_role("button", name="回答得好", exact=True)
    good.click()
    expect(good).to_have_attribute("aria-pressed", "true")
    page.reload()
    answered(page)
    expect(good).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="回答得不好").click()
    expect(good).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="回答得不好").click()
    expect(page.locator('#turns [aria-pressed="true"]')).to_have_count(0)


def test_a_summary_is_read_and_put_into_the_readers_own_words(visit: OpenPage) -> None:
    page = visit(asks="第一问")
    expect(page.locator("#memory form")).to_have_count(0)
    exchange(page, "这次会有摘要", 2)
    expect(page.locator("#memory textarea")).not_to_be_visible()
    page.locator("#memory summary").first.click()
    expect(page.locator("#memory textarea")).to_have_value("用户在问错误码的格式。")
    page.locator("#memory textarea").fill("用户在问错误码的\n类型。")
    page.locator("#memory button").click()
    expect(page.locator("#memory em")).to_have_text("已编辑")
    expect(page.locator("#memory textarea")).to_be_visible()
    page.reload()
    page.locator("#memory summary").first.click()
    expect(page.locator("#memory textarea")).to_have_value("用户在问错误码的\n类型。")


def test_words_for_a_summary_that_another_tab_has_left_behind_are_refused_and_stay_in_their_field(
    visit: OpenPage, served: Served
) -> None:
    page = visit(asks="摘要之一")
    other = page.context.new_page()
    other.goto(served.url)
    answered(other)
    exchange(other, "摘要之二", 2)
    page.locator("#memory summary").first.click()
    page.locator("#memory textarea").fill("我的说法")
    page.locator("#memory button").click()
    expect(page.locator(".toast-body")).to_contain_text("这份对话摘要已不再使用")
    expect(page.locator("#memory textarea")).to_have_value("我的说法")


def test_words_that_were_not_saved_do_not_reach_another_conversations_summary(visit: OpenPage) -> None:
    page = visit(asks="摘要之一")
    page.locator("#memory summary").first.click()
    page.locator("#memory textarea").fill("改过的")
    page.locator("#memory button").click()
    expect(page.locator("#memory em")).to_have_text("已编辑")
    page.locator("#memory textarea").fill("没有保存的")
    begin_anew(page)
    expect(page.locator("#memory details")).to_have_count(0)
    exchange(page, "摘要之二")
    page.locator("#memory summary").first.click()
    page.locator("#memory textarea").fill("也没有保存")
    page.locator("#conversations .open").last.click()
    expect(page.locator("#turns .question")).to_have_text("摘要之一")
    expect(page.locator("#memory textarea")).to_have_value("改过的")


def test_a_summary_that_is_being_put_right_stays_open_when_an_answer_ends(visit: OpenPage) -> None:
    page = visit(asks="摘要之一")
    page.locator("#memory summary").first.click()
    ask(page, "缓缓再答")
    page.locator("#live .prose:not(:empty)").wait_for()
    page.locator("#memory textarea").fill("写到一半")
    answered(page, 2)
    expect(page.locator("#memory summary").first).to_contain_text("1 轮")
    page.wait_for_timeout(500)
    expect(page.locator("#memory textarea")).to_be_focused()
    page.keyboard.type("，再写完")
    expect(page.locator("#memory textarea")).to_have_value("写到一半，再写完")
