"""A person at the page: asking, following up, stopping, retrying, coming back."""

import re
import threading
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from rag.conversation.shelf import View
from rag.errors import QuestionCalledOff, StoreUnavailable
from rag.events import Failed, Queued, TurnEvent
from rag.types import Turn
from tests.fakes_engine import FakeEngine
from tests.waiting import wait_for
from tests.web.conftest import OpenPage, Served, answered, ask, begin_anew, delete_elsewhere, exchange, page_of_source

pytestmark = pytest.mark.browser


def test_a_suggested_question_is_answered_at_once_with_its_sources(visit: OpenPage) -> None:
    page = visit()
    expect(page.locator("#suggestions button:visible")).to_have_count(3)
    page.locator("#suggestions button").first.click()
    answered(page)
    expect(page.locator("#turns .question")).to_have_text("问渠能做什么？")
    expect(page.locator("#turns .cite").first).to_have_text("1")
    card = page.locator('#sources [data-source="1"]')
    expect(card).to_contain_text("Java开发手册（黄山版）.pdf")
    expect(card).to_contain_text("第 27 页（页面标注 25）")
    expect(card.locator(".score")).to_have_text("90%")
    expect(card.locator(".text")).to_contain_text("错误码为字符串类型")


def test_the_stages_change_in_place_until_the_answer_streams(visit: OpenPage) -> None:
    page = visit()
    # A stage may be over before anybody looks for it.
    page.evaluate(
        """window.stages = [];
        new MutationObserver(() => window.stages.push(document.querySelector("#live .steps .now")?.textContent))
            .observe(document.body, {subtree: true, childList: true, characterData: true})"""
    )
    ask(page, "错误码的格式是怎样的？慢")
    prose = page.locator("#live .prose")
    prose.wait_for()
    assert any(re.search(r"阅读资料 \d+%", stage or "") for stage in page.evaluate("window.stages"))
    early = len(prose.inner_text())
    page.wait_for_timeout(500)
    assert len(prose.inner_text()) > early
    page.locator("#question .stop-button").click()
    answered(page)


def test_stop_keeps_what_had_arrived_and_says_so(visit: OpenPage) -> None:
    page = visit()
    ask(page, "慢一点")
    page.locator("#live .prose").wait_for()
    page.get_by_role("button", name="停止").click()
    expect(page.locator("#turns .notice")).to_contain_text("已停止")
    length = len(page.locator("#turns .prose").inner_text())
    page.wait_for_timeout(400)
    assert 0 < len(page.locator("#turns .prose").inner_text()) == length
    expect(page.locator("#question .submit-button")).to_be_visible()


def test_stop_leaves_the_answer_in_another_tab_of_the_same_conversation_alone(visit: OpenPage, served: Served) -> None:
    page = visit(asks="第一问")
    other = page.context.new_page()
    other.goto(served.url)
    answered(other)
    for tab in (page, other):
        ask(tab, "慢慢回答")
        tab.locator("#live .prose").wait_for()
    other.get_by_role("button", name="停止").click()
    expect(other.locator("#turns .notice")).to_contain_text("已停止")
    page.wait_for_timeout(400)
    expect(page.locator("#live .turn")).to_have_count(1)
    page.get_by_role("button", name="停止").click()
    expect(page.locator("#turns .notice")).to_contain_text("已停止")


def test_stop_ends_an_answer_in_place_of_a_conversation_that_is_gone(visit: OpenPage, served: Served) -> None:
    page = visit(asks="此后消失")
    delete_elsewhere(served, "此后消失")
    ask(page, "慢慢回答")
    expect(page.locator(".toast-body")).to_contain_text("之前的那段对话已过期或被删除")
    page.locator("#live .prose").wait_for()
    page.get_by_role("button", name="停止").click()
    expect(page.locator("#turns .notice")).to_contain_text("已停止")


def test_who_rates_an_answer_of_a_conversation_that_is_gone_sees_all_of_it_go(visit: OpenPage, served: Served) -> None:
    page = visit(asks="此后过期")
    delete_elsewhere(served, "此后过期")
    page.locator("#turns .thumb.good").click()
    expect(page.locator("#turns .welcome .notice")).to_contain_text("已过期或被删除")
    for left in ("#head h1", "#conversations .open", "#sources .source"):
        expect(page.locator(left)).to_have_count(0)


def test_a_broken_off_answer_stays_and_can_be_asked_again(visit: OpenPage) -> None:
    page = visit()
    ask(page, "请中断")
    expect(page.locator("#turns .notice")).to_contain_text("中途断开")
    expect(page.locator("#turns .prose")).to_contain_text("错误码是字符串类型")
    page.locator("#turns .notice button").click()
    page.locator("#live .turn").wait_for()
    expect(page.locator("#turns .notice")).to_contain_text("中途断开")
    answered(page, 1)


def test_a_follow_up_stands_under_the_first_answer_and_a_reload_shows_both(visit: OpenPage) -> None:
    page = visit(asks="错误码的格式是怎样的？")
    exchange(page, "那它是什么类型？", 2)
    page.reload()
    answered(page, 2)
    expect(page.locator("#turns .question")).to_have_text(["错误码的格式是怎样的？", "那它是什么类型？"])
    expect(page.locator("#conversations li")).to_have_count(1)


def test_a_question_that_a_reload_broke_off_is_there_afterwards(visit: OpenPage) -> None:
    page = visit(provokes=("AbortError|Connection errored out",))
    ask(page, "迟迟才回答，慢慢说")
    expect(page.locator("#live .steps .now")).to_contain_text("阅读资料")
    page.reload()
    answered(page)
    expect(page.locator("#turns .question")).to_have_text("迟迟才回答，慢慢说")
    expect(page.locator("#turns .notice")).to_contain_text("页面刷新或离开时中断")


def test_an_answer_that_another_tab_waits_for_comes_to_this_one_too(visit: OpenPage, served: Served) -> None:
    page = visit()
    ask(page, "错误码？慢")
    page.locator("#live .prose").wait_for()
    other = page.context.new_page()
    other.goto(served.url)
    other.locator("#turns .welcome").wait_for()
    page.get_by_role("button", name="停止").click()
    answered(other)
    expect(other.locator("#turns .notice")).to_contain_text("已停止")


def test_a_new_conversation_is_empty_and_the_old_one_can_be_opened_and_deleted(visit: OpenPage) -> None:
    page = visit(asks="第一段对话")
    begin_anew(page)
    page.locator("#conversations .open").click()
    expect(page.locator("#turns .question")).to_have_text("第一段对话")
    page.locator("#conversations li").hover()
    page.locator("#conversations .remove").click()
    expect(page.locator("dialog.ask")).to_contain_text("第一段对话")
    page.locator("dialog .yes").click()
    expect(page.locator("#conversations li")).to_have_count(0)
    page.locator("#turns .welcome").wait_for()


def test_leaving_a_conversation_ends_its_answer(visit: OpenPage, served: Served) -> None:
    page = visit()
    closed = served.services.engine.closed
    ask(page, "慢，但我要走了")
    page.locator("#live .prose").wait_for()
    begin_anew(page)
    expect(page.locator("#live .turn")).to_have_count(0)
    expect(page.locator("#question .submit-button")).to_be_visible()
    page.wait_for_timeout(500)
    assert served.services.engine.closed == closed + 1


def test_leaving_the_page_ends_its_answer(visit: OpenPage, served: Served) -> None:
    page = visit()
    closed = served.services.engine.closed
    ask(page, "慢，但我要关掉网页")
    page.locator("#live .prose").wait_for()
    page.close()
    assert wait_for(lambda: served.services.engine.closed == closed + 1)


def test_one_slow_answer_does_not_hold_up_another_person(visit: OpenPage) -> None:
    slow, quick = visit(), visit()
    ask(slow, "慢慢回答")
    slow.locator("#live .prose").wait_for()
    exchange(quick, "快问快答")
    expect(slow.locator("#live .turn")).to_have_count(1)
    slow.locator("#question .stop-button").click()
    answered(slow)


def test_a_question_that_is_empty_or_too_long_is_refused_in_one_sentence_and_a_long_one_kept(visit: OpenPage) -> None:
    page = visit()
    ask(page, "   ")
    expect(page.locator("#refusal .notice")).to_contain_text("问题是空的")
    page.locator("#turns .welcome").wait_for()
    ask(page, "长" * 2001)
    expect(page.locator("#refusal .notice")).to_contain_text("2001 个字，超过了 2000 字的上限")
    expect(page.locator("#question textarea")).to_have_value("长" * 2001)


def test_a_question_that_is_not_taken_leaves_what_is_written_meanwhile(
    visit: OpenPage, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse = threading.Event()

    def stream(*_: object, **__: object) -> Iterator[TurnEvent]:
        yield Queued(1)
        refuse.wait(10)
        yield Failed(QuestionCalledOff(), None)

    page = visit(asks="第一问")
    monkeypatch.setattr(served.services.engine, "stream", stream)
    ask(page, "第二问")
    page.locator("#live .turn").wait_for()
    page.locator("#question textarea").fill("第三问，写到一半")
    refuse.set()
    expect(page.locator("#refusal .notice")).to_be_visible()
    page.wait_for_timeout(300)
    expect(page.locator("#question textarea")).to_have_value("第三问，写到一半")
    page.locator("#question textarea").fill("")
    refuse.clear()
    page.get_by_role("button", name="重新回答").click()
    expect(page.locator("#refusal .notice")).to_have_count(0)
    refuse.set()
    expect(page.locator("#refusal .notice")).to_be_visible()
    page.wait_for_timeout(300)
    expect(page.locator("#question textarea")).to_have_value("")
    expect(page.locator("#turns .question")).to_have_text(["第一问"])


@pytest.mark.parametrize("end", [0, 1])
def test_a_question_is_kept_where_the_store_fails_before_or_after_its_answer(
    visit: OpenPage, served: Served, monkeypatch: pytest.MonkeyPatch, end: int
) -> None:
    engine = served.services.engine
    reads = 0

    def view(session_id: str, conversation_id: str) -> View:
        nonlocal reads
        reads += 1
        if reads == end + 1:
            raise StoreUnavailable(path="wenqu.sqlite3", reason="locked")
        return FakeEngine.view(engine, session_id, conversation_id)

    page = visit(asks="第一问")
    monkeypatch.setattr(engine, "view", view)
    ask(page, "第二问")
    expect(page.locator("#refusal .notice")).to_contain_text("wenqu.sqlite3")
    expect(page.locator("#question textarea")).to_have_value("第二问")
    expect(page.locator("#turns .question")).to_have_text(["第一问"])
    expect(page.locator("#live .turn")).to_have_count(0)
    page.locator("#question .submit-button").click()
    expect(page.locator("#turns .question").last).to_have_text("第二问")
    answered(page, 2 + end)


def test_hostile_text_stays_text(visit: OpenPage) -> None:
    page = visit(asks="恶意的资料和模型")
    assert page.evaluate("window.stolen") is None
    assert page.locator("#turns img, #turns script, #sources script, #turns .turn [style], #turns iframe").count() == 0
    assert page.locator("#turns .prose").locator("[data-act], [data-page], [data-edit], form, input").count() == 0
    assert page.evaluate("[...document.links].filter(link => !/^https?:/.test(link.href)).length") == 0
    expect(page.locator("#turns .prose")).to_contain_text("<script>window.stolen=1</script>")
    expect(page.locator("#sources")).to_contain_text("${window.stolen=1}{{constructor}}")


def test_the_language_is_chosen_on_the_page_whatever_the_browser_speaks(visit: OpenPage) -> None:
    page = visit(locale="en-US")
    expect(page.get_by_role("tab", name="资料")).to_be_visible()
    expect(page.locator("#question textarea")).to_have_attribute("placeholder", "向这些资料提问，或拖入文件……")
    page.locator('[data-page="language"]').click()
    expect(page.get_by_role("tab", name="Files")).to_be_visible()
    expect(page.locator("#question textarea")).to_have_attribute("placeholder", re.compile("Ask.* drop files"))
    expect(page.locator("#turns .welcome")).to_contain_text("see the sources")


def test_a_choice_of_dark_stays(visit: OpenPage) -> None:
    page = visit()
    page.locator('[data-page="theme"]').click()
    page.reload()
    page.locator("#turns .welcome").wait_for()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 26, 25)"


def test_the_menu_opens_the_sidebar_on_a_phone(visit: OpenPage) -> None:
    page = visit(viewport={"width": 414, "height": 896})
    page.locator("#menu button").click()
    expect(page.locator("#new-conversation")).to_be_in_viewport()
    # It covers the screen, and has its own way back.
    page.get_by_role("button", name="关闭侧栏", exact=True).click()
    expect(page.locator("#new-conversation")).not_to_be_in_viewport()
    page.locator("#menu button").click()
    page.locator("#new-conversation").click()
    expect(page.locator("#new-conversation")).not_to_be_in_viewport()


def test_on_a_phone_the_way_back_lays_away_what_covers_the_page_and_then_leaves(visit: OpenPage) -> None:
    page = visit(viewport={"width": 414, "height": 896}, asks="错误码")
    card, new = page.locator("#sources .source").first, page.locator("#new-conversation")
    page.locator("#turns .cite").first.click()
    expect(card).to_be_in_viewport()
    page.get_by_role("button", name="收起资料").first.click()
    expect(card).not_to_be_in_viewport()
    page.locator("#menu button").click()
    expect(new).to_be_in_viewport()
    page.go_back()
    expect(new).not_to_be_in_viewport()
    page.locator("#turns .cite").first.click()
    page_of_source(page)
    page.get_by_role("button", name="放大").click()
    page.locator("dialog.reader[open]").wait_for()
    page.go_back()
    expect(page.locator("dialog.reader")).not_to_be_visible()
    expect(card).to_be_in_viewport()
    page.go_back()
    expect(card).not_to_be_in_viewport()
    expect(page.locator("#turns .turn")).to_be_visible()
    page.go_back()
    assert page.url == "about:blank"


@pytest.mark.parametrize("width", [414, 1440])
def test_what_can_be_pressed_is_large_enough_for_a_finger(visit: OpenPage, width: int) -> None:
    page = visit(viewport={"width": width, "height": 896}, asks="错误码")
    small = page.evaluate(
        """[...document.querySelectorAll('#main button:not(.cite):not(.chip), #sidebar button')]
           .filter(button => button.offsetParent && button.getBoundingClientRect().height < 40)
           .map(button => button.outerHTML.slice(0, 80))"""
    )
    assert small == []


def test_a_conversation_that_is_begun_while_the_page_opens_is_not_taken_by_the_last_one(
    visit: OpenPage, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit(asks="错误码")
    read, begun = served.services.engine.turns, threading.Event()

    def late_at_first(session_id: str, conversation_id: str) -> tuple[Turn, ...]:
        turns = read(session_id, conversation_id)
        if turns and not begun.is_set():
            begun.set()
            time.sleep(3)
        return turns

    monkeypatch.setattr(served.services.engine, "turns", late_at_first)
    page.reload()
    page.wait_for_function("window.wenqu?.leave && document.querySelector('#new-conversation')")
    assert begun.wait(30)
    page.locator("#new-conversation").click()
    exchange(page, "缓：疫苗的产量")
    expect(page.locator("#turns .question")).to_have_text(["缓：疫苗的产量"])
    expect(page.locator("#conversations .open")).to_have_count(2)
