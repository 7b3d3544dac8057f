"""The list of conversations: names of their own, search; one that is gone."""

import re
import threading
import time

import pytest
from playwright.sync_api import Page, expect

from rag.conversation.shelf import View
from rag.errors import StoreUnavailable
from rag.types import Conversation
from tests.waiting import wait_for
from tests.web.conftest import OpenPage, Served, answered, ask, begin_anew, converse, exchange

pytestmark = pytest.mark.browser


def test_a_conversation_is_renamed_in_place(visit: OpenPage) -> None:
    page = visit(asks="错误码的格式是怎样的？")
    page.locator("#conversations li").hover()
    page.get_by_role("button", name="重命名").click()
    page.keyboard.type("错误码 <b>笔记</b>")
    page.keyboard.press("Enter")
    expect(page.locator("#conversations .open span")).to_have_text("错误码 <b>笔记</b>")
    expect(page.locator("#head h1")).to_have_text("错误码 <b>笔记</b>")
    page.locator("#conversations li").hover()
    page.get_by_role("button", name="重命名").click()
    page.keyboard.type("不要这个")
    page.keyboard.press("Escape")
    expect(page.locator("#conversations .open span")).to_have_text("错误码 <b>笔记</b>")
    rename(page, "  　")
    page.keyboard.press("Enter")
    expect(page.locator("#conversations input")).to_be_visible()  # as long as it is blank
    page.keyboard.press("Escape")
    rename(page, "")
    expect(page.locator("#conversations input")).to_have_value("错误码 <b>笔记</b>")
    page.reload()
    expect(page.locator("#conversations .open span")).to_have_text("错误码 <b>笔记</b>")


def test_the_name_of_one_conversation_is_not_offered_to_the_one_that_takes_its_place(visit: OpenPage) -> None:
    page = visit(asks="疫苗的产量")
    rename(page, "疫苗")
    page.keyboard.press("Enter")
    expect(page.locator("#conversations .open span")).to_have_text("疫苗")
    begin_anew(page)
    exchange(page, "错误码的格式")
    expect(page.locator("#conversations .open span")).to_have_text(["错误码的格式", "疫苗"])
    page.locator("#conversations li").first.hover()
    page.get_by_role("button", name="重命名").first.click()
    expect(page.locator("#conversations input").first).to_have_value("错误码的格式")


def test_who_writes_a_name_is_not_disturbed_by_a_conversation_that_comes_into_the_list(visit: OpenPage) -> None:
    page = visit(asks="疫苗的产量")
    begin_anew(page)
    ask(page, "缓缓说")
    page.locator("#live .prose:not(:empty)").wait_for()
    rename(page, "疫苗")
    answered(page)
    page.wait_for_timeout(500)
    page.keyboard.type("笔记")
    page.keyboard.press("Enter")
    expect(page.locator("#conversations .open span")).to_have_text(["缓缓说", "疫苗笔记"])


def rename(page: Page, name: str) -> None:
    """Write another name for the first conversation, and do not save it yet."""
    page.locator("#conversations li").first.hover()
    page.get_by_role("button", name="重命名").first.click()
    page.keyboard.type(name)


def test_conversations_are_searched(visit: OpenPage) -> None:
    page = visit()
    converse(page, "疫苗的产量", "错误码的格式")
    search = page.locator("#search").get_by_label("搜索对话")
    search.fill("疫苗")
    expect(page.locator("#conversations .open span")).to_have_text(["疫苗的产量"])
    page.locator("#conversations li").hover()
    page.get_by_role("button", name="重命名").click()
    page.keyboard.type("疫苗")
    page.keyboard.press("Enter")
    expect(page.locator("#conversations .open span")).to_have_text(["疫苗"])
    search.fill("没有这样的")
    expect(page.locator("#conversations")).to_contain_text("没有找到")
    search.fill(" ")
    expect(page.locator("#conversations .open")).to_have_count(2)
    search.fill("疫苗")
    expect(page.locator("#conversations .open")).to_have_count(1)
    page.locator("#conversations .open").click()
    expect(page.locator("#turns .question")).to_have_text("疫苗的产量")
    expect(search).to_have_value("")
    expect(page.locator("#conversations .open")).to_have_count(2)


def test_of_two_conversations_opened_at_once_the_last_one_is_shown_and_can_be_gone_on_with(
    served: Served, visit: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit()
    converse(page, "甲的问题", "乙的问题", "丙的问题")
    read = served.services.engine.view

    pauses = iter([1.2, 0.8])  # the first one would be there last

    def slow(*asked: str) -> View:
        time.sleep(next(pauses, 0.2))
        return read(*asked)

    monkeypatch.setattr(served.services.engine, "view", slow)
    entries = page.locator("#conversations .open")
    entries.filter(has_text="甲").click()
    entries.filter(has_text="乙").click()
    expect(page.locator("#turns .question")).to_have_text("乙的问题")
    expect(page.locator("#conversations [aria-current] .open")).to_have_text("乙的问题")
    page.wait_for_timeout(2000)
    expect(page.locator("#turns .question")).to_have_text("乙的问题")
    exchange(page, "丁的问题", 2)


def test_who_asks_and_leaves_at_once_sees_the_turns_of_the_conversation_that_was_opened(visit: OpenPage) -> None:
    page = visit()
    converse(page, "甲的问题", "乙的问题")
    exchange(page, "再问", 2)
    slow = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    page.locator("#question textarea").fill("丙的问题")
    page.evaluate(
        """async () => {
          const press = { key: "Enter", bubbles: true, cancelable: true };
          document.querySelector("#question textarea").dispatchEvent(new KeyboardEvent("keypress", press));
          await new Promise((resolve) => setTimeout(resolve, 200));
          document.querySelector("#conversations li:not([aria-current]) .open").click();
        }"""
    )
    expect(page.locator("#conversations [aria-current] .open")).to_have_text("甲的问题")
    page.wait_for_timeout(2500)
    expect(page.locator("#turns .question")).to_have_text("甲的问题")


def test_of_two_searches_the_last_one_is_shown_though_the_first_one_takes_longer(
    visit: OpenPage, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit()
    converse(page, "疫苗的产量", "疫苗的价格")
    find = served.services.engine.store.conversations

    def slow(session_id: str, text: str = "") -> tuple[Conversation, ...]:
        time.sleep(1.5 if text == "疫苗" else 0)
        return find(session_id, text)

    monkeypatch.setattr(served.services.engine.store, "conversations", slow)
    search = page.locator("#search").get_by_label("搜索对话")
    with page.expect_request(re.compile("/run/predict"), timeout=5000):
        search.fill("疫苗")
    search.fill("疫苗的价")
    entries = page.locator("#conversations .open span")
    expect(entries).to_have_text(["疫苗的价格"])
    page.wait_for_timeout(2500)
    expect(entries).to_have_text(["疫苗的价格"])


def test_conversations_are_deleted_one_right_after_the_other(
    visit: OpenPage, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit()
    converse(page, "甲的问题", "乙的问题", "丙的问题")
    delete = served.services.engine.delete_conversation

    def slow(*asked: str) -> None:
        time.sleep(0.5)
        delete(*asked)

    monkeypatch.setattr(served.services.engine, "delete_conversation", slow)
    page.evaluate(
        """async () => {
          for (const button of document.querySelectorAll("#conversations li:not([aria-current]) .remove")) {
            button.click();
            document.querySelector("dialog .yes").click();
            await new Promise((resolve) => setTimeout(resolve, 100));
          }
        }"""
    )
    expect(page.locator("#conversations .open span")).to_have_text(["丙的问题"])


def test_the_list_stays_as_it_is_searched_when_an_answer_ends(visit: OpenPage) -> None:
    page = visit()
    entries = page.locator("#conversations .open span")
    converse(page, "旧的对话", "疫苗的产量")
    search = page.locator("#search").get_by_label("搜索对话")
    search.fill("旧的")
    expect(entries).to_have_text(["旧的对话"])
    exchange(page, "疫苗的价格", 2)
    page.wait_for_timeout(500)
    expect(entries).to_have_text(["旧的对话"])
    search.fill("")
    expect(entries).to_have_count(2)


def test_an_answer_goes_on_while_another_conversation_is_deleted_and_its_own_is_pressed(visit: OpenPage) -> None:
    page = visit()
    entries = page.locator("#conversations .open span")
    converse(page, "旧的对话", "疫苗的产量", "疫苗的价格")
    ask(page, "慢慢说")
    page.locator("#live .prose").wait_for()
    page.locator("#search").get_by_label("搜索对话").fill("疫苗")
    expect(entries).to_have_text(["疫苗的价格", "疫苗的产量"])
    page.locator("#conversations li").last.hover()
    page.locator("#conversations .remove").last.click()
    page.locator("dialog .yes").click()
    expect(entries).to_have_text(["疫苗的价格"])
    entries.click()
    page.wait_for_timeout(500)
    expect(page.locator("#live .turn")).to_have_count(1)
    page.locator("#question .stop-button").click()
    expect(page.locator("#turns .notice")).to_contain_text("已停止")


def test_a_question_sent_on_the_way_to_a_conversation_goes_to_it(
    visit: OpenPage, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit(asks="先前的问题")
    begin, started = served.services.engine.store.start, threading.Event()

    def start(session_id: str) -> str:
        started.wait(10)
        return begin(session_id)

    monkeypatch.setattr(served.services.engine.store, "start", start)
    page.locator("#new-conversation").dblclick()
    ask(page, "疫苗的产量")
    started.set()
    expect(page.locator("#turns .question")).to_have_text(["疫苗的产量"])
    answered(page)
    exchange(page, "接着问", 2)


def test_after_a_way_that_failed_one_can_ask_on_at_once(
    visit: OpenPage, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: str) -> str:
        raise RuntimeError

    page = visit(asks="先前的问题")
    monkeypatch.setattr(served.services.engine.store, "start", fail)
    page.locator("#new-conversation").click()
    expect(page.locator(".toast-body")).to_be_visible()
    monkeypatch.undo()
    began = time.monotonic()
    exchange(page, "疫苗的产量", 2)
    assert time.monotonic() - began < 8


def test_a_conversation_that_is_gone_says_so_and_the_next_question_begins_a_new_one(
    visit: OpenPage, served: Served
) -> None:
    page = visit(asks="会过期的")
    served.services.engine.forget(served.services.engine.stored("会过期的").session_id)
    page.reload()
    expect(page.locator("#turns .welcome .notice")).to_contain_text("已过期或被删除")
    exchange(page, "重新开始")
    expect(page.locator("#turns .question")).to_have_text("重新开始")


def test_what_could_not_be_deleted_is_told_and_stays_the_visitors(
    visit: OpenPage, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: str) -> None:
        raise StoreUnavailable(path="wenqu.sqlite3", reason="locked")

    page = visit(asks="留下来的")
    monkeypatch.setattr(served.services.engine, "forget", refuse)
    page.locator("#storage button").click()
    page.locator("dialog.ask button").last.click()
    expect(page.locator(".toast-body")).to_contain_text("wenqu.sqlite3")
    expect(page.locator("#turns .question")).to_have_text("留下来的")


def test_who_deletes_everything_during_an_answer_is_somebody_new_afterwards(visit: OpenPage, served: Served) -> None:
    page = visit()
    engine = served.services.engine
    ask(page, "迟迟才回答，然后全部删除")
    expect(page.locator("#live .steps .now")).to_contain_text("阅读资料")
    before = engine.running[-1].session_id
    page.locator("#storage button").click()
    page.locator("dialog.ask button").last.click()
    page.locator("#turns .welcome").wait_for()
    assert wait_for(lambda: not engine.is_answering(before))
    page.wait_for_timeout(500)
    ask(page, "慢，之后再问")
    page.locator("#live .prose").wait_for()
    assert engine.running[-1].session_id != before
