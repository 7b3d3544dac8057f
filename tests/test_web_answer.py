"""What stands under an answer, and the summary of a conversation, as pure functions."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import gradio as gr
import pytest

from rag import i18n
from rag.errors import NoDocumentUsed
from rag.i18n import Language
from rag.types import (
    CheckedSentence,
    Decision,
    Message,
    Rating,
    Recollection,
    Summary,
    Support,
    Turn,
    TurnStatus,
    Verification,
)
from rag.web.chat.composer import Composer
from rag.web.chat.memory_pane import memory
from rag.web.chat.render_foot import foot, other_ways
from rag.web.chat.render_thread import welcome
from rag.web.chat.thread import Thread
from rag.web.readers import Scene
from tests.samples_web import HOSTILE, evidence, scene, turn

ZH = Language.ZH
RETRIEVE, REUSE, NO_RETRIEVE = Decision


def refused() -> Turn:
    return turn(sources=(evidence(relevant=False),))


def summary(text: str = "用户问过错误码。", edited: bool = False) -> Summary:
    return Summary("summary", "session", "conversation", "turn", text, edited, datetime.now(UTC))


@pytest.mark.parametrize(
    ("decided", "earlier", "ways"),
    [
        (RETRIEVE, (), {NO_RETRIEVE}),
        (RETRIEVE, (turn(sources=()),), {NO_RETRIEVE}),
        (RETRIEVE, (turn(), turn(sources=())), {REUSE, NO_RETRIEVE}),
        (REUSE, (turn(),), {RETRIEVE, NO_RETRIEVE}),
        (NO_RETRIEVE, (), {RETRIEVE}),
        (NO_RETRIEVE, (turn(),), {RETRIEVE, REUSE}),
        (RETRIEVE, (refused(),), {NO_RETRIEVE}),
    ],
)
def test_evidence_is_offered_for_reuse_only_where_earlier_turns_have_some(
    decided: Decision, earlier: tuple[Turn, ...], ways: set[Decision]
) -> None:
    assert set(other_ways(turn(decision=decided), earlier)) == ways


def patch(before: Scene | None, after: Scene) -> dict[str, Any]:
    thread = Thread()
    value: dict[str, Any] = (thread.changed(before, after) if before else thread.shown(after))[thread.turns]
    return value


def html_of(*turns: Turn, **changes: object) -> str:
    return "".join(patch(None, scene(*turns, **changes))["html"].values())


def test_a_refusal_can_be_answered_all_the_same() -> None:
    html = html_of(refused())
    assert 'data-decision="retrieve" title="让模型读最接近的段落来回答">仍然回答</button>' in html
    assert "重新检索" not in html and "仍然回答" not in html_of(turn())


def test_only_the_newest_answer_can_be_overruled() -> None:
    older, newest = turn(), turn("那它是什么类型？", decision=REUSE)
    html = html_of(older, newest)
    for way, label in ((RETRIEVE, "重新检索"), (NO_RETRIEVE, "不查资料")):
        assert f'data-id="{newest.turn_id}" data-decision="{way}"' in html
        assert f">{label}</button>" in html
    assert html.count("data-decision") == 2


def test_a_stopped_answer_can_be_overruled_too() -> None:
    assert 'data-decision="no_retrieve"' in html_of(turn(status=TurnStatus.STOPPED))


def test_a_decision_is_told_with_its_reason() -> None:
    html = html_of(turn(reason=Message("decision.first_question")))
    assert "检索资料<small>第一个问题</small>" in html


def test_under_an_answer_stands_how_far_its_sources_bear_it_out() -> None:
    supported = CheckedSentence(0, 5, Support.SUPPORTED, (1,))
    made_up = CheckedSentence(5, 9, Support.UNVERIFIED, (1,))
    bare = CheckedSentence(9, 12, Support.UNMARKED, is_bare=True)
    told = foot(turn(), (), Verification((supported, supported, made_up, bare)), ZH)
    assert "✓ 已核实 2 处" in told and "⚠ 待核对 1 处" in told and "没有标明出处" not in told
    assert "⚠ 1 句没有出处" in told
    mistaken = CheckedSentence(0, 5, Support.SUPPORTED, (1,), (2,), (1,))
    put_right = foot(turn(), (), Verification((mistaken,)), ZH)
    assert "✓ 已核实 1 处" in put_right and "已更正 1 处出处" in put_right and "待核对" not in put_right
    assert "没有标明出处" in foot(turn(), (), Verification((), unsourced=True), ZH)


def test_an_answer_that_knows_nothing_is_not_said_to_be_verified_by_what_is_quoted_behind_it() -> None:
    refusal = turn(answer="我不知道，资料中没有相关内容。\n\n> 错误码为字符串类型。[1]")
    told = foot(refusal, (), Verification((CheckedSentence(16, 30, Support.SUPPORTED, (1,)),)), ZH)
    assert "已核实" not in told and "data-turn-sources" in told


def test_what_is_verified_and_what_was_put_right_are_both_counted_by_markers() -> None:
    both = CheckedSentence(0, 5, Support.SUPPORTED, (1, 2))
    corrected = CheckedSentence(5, 9, Support.SUPPORTED, (1, 2), (3,), (1, 2))
    told = foot(turn(), (), Verification((both, corrected)), ZH)
    assert "✓ 已核实 3 处" in told and "已更正 2 处出处" in told


def test_the_sources_in_another_ones_place_are_listed_as_each_language_lists_them() -> None:
    mistaken = CheckedSentence(5, 9, Support.SUPPORTED, (1,), (2, 3), (1,))
    assert i18n.sentence(ZH, mistaken.doubt(1)) == "出处 1 没有这样说，程序已改标出处 2、3"
    assert i18n.sentence(Language.EN, mistaken.doubt(1)).endswith("the program names sources 2, 3 instead")
    one = CheckedSentence(5, 9, Support.SUPPORTED, (1,), (2,), (1,))
    assert i18n.sentence(Language.EN, one.doubt(1)).endswith("the program names source 2 instead")


def test_an_answer_that_quotes_is_labelled_so_and_no_other_is() -> None:
    label = '<span class="chip">原文摘录</span>'
    assert label in html_of(turn(model="extractive"))
    assert "Quotations" in foot(turn(model="extractive"), (), Verification(()), Language.EN)
    assert label not in html_of(turn())
    assert label not in html_of(turn(model="extractive", answer="", status=TurnStatus.STOPPED))
    assert label not in html_of(turn(model="extractive", sources=(), decision=NO_RETRIEVE))


def test_where_nothing_was_found_the_next_step_is_offered() -> None:
    assert 'data-page="files"' in html_of(turn(sources=()))
    assert 'data-page="files"' not in html_of(turn(sources=(), decision=NO_RETRIEVE))
    unused = turn(answer="", sources=(), status=TurnStatus.FAILED, message=NoDocumentUsed().message)
    assert 'data-page="files">去勾选<' in html_of(unused) and "没有找到相关的内容" not in html_of(unused)


def test_a_conversation_that_is_gone_says_so_where_it_stood() -> None:
    assert "已过期或被删除" in patch(None, scene(is_gone=True))["html"]["welcome"]


def test_the_verse_is_read_as_chinese_on_an_english_page_too() -> None:
    assert '<p class="verse" lang="zh">问渠' in welcome(Language.EN)


def test_after_an_answer_only_what_changed_is_sent() -> None:
    turns = [turn(f"第 {number} 问") for number in range(40)]
    new = turn("新的一问")
    value = patch(scene(*turns), scene(*turns, new))
    assert value["order"] == [item.turn_id for item in (*turns, new)]
    assert set(value["html"]) == {turns[-1].turn_id, new.turn_id}


def test_a_turn_with_versions_shows_the_way_to_both_sides() -> None:
    middle = turn()
    html = html_of(middle, branches={middle.turn_id: ("first", middle.turn_id, "last")})
    assert "<span>2/3</span>" in html
    assert 'data-act="branch" data-id="first"' in html and 'data-act="branch" data-id="last"' in html


@pytest.mark.parametrize(
    ("feedback", "offered"),
    [(Rating.NONE, ("good", "bad")), (Rating.GOOD, ("none", "bad")), (Rating.BAD, ("good", "none"))],
)
def test_a_pressed_thumb_takes_the_opinion_back(feedback: Rating, offered: tuple[str, str]) -> None:
    html = html_of(turn(feedback=feedback))
    for rating in offered:
        assert f'data-rating="{rating}" aria-pressed="{"true" if rating == "none" else "false"}"' in html


def test_without_an_answer_there_is_nothing_to_rate() -> None:
    assert 'data-act="rate"' not in html_of(turn(answer="", status=TurnStatus.FAILED))


def test_a_reason_is_asked_for_only_right_after_the_opinion() -> None:
    rated, after = turn(feedback=Rating.BAD), turn()
    thread = Thread()
    asked = thread.rated(scene(rated, after), rated.turn_id, asks_why=True)[thread.turns]["html"]
    assert list(asked) == [rated.turn_id] and 'class="why"' in asked[rated.turn_id]
    assert 'class="why"' not in html_of(rated, after)


def test_that_a_restart_empties_the_store_is_told_in_every_conversation_that_is_empty() -> None:
    thread = Thread(ephemeral=True)
    gone = scene(is_gone=True)
    for changes in (thread.shown(gone), thread.changed(scene(turn()), gone), thread.rated(gone, "gone", asks_why=True)):
        assert "服务器每次重启" in changes[thread.turns]["html"]["welcome"]


def known(told: Summary | None = None, **changes: object) -> Recollection:
    return replace(Recollection(told, (turn("早先一问"),), (turn(), turn()), 1024, 4096), **changes)  # type: ignore[arg-type]


def test_what_the_prompt_holds_is_told_with_its_weight() -> None:
    html = memory(known(), (), ZH)
    assert html.startswith("<details><summary>记忆<small>记得 2 轮</small></summary>")
    assert "约 1024 / 4096 词元" in html and "width:25.0%" in html
    assert "不需要摘要" in html


def test_a_summary_stands_in_a_field_of_its_length_with_the_turns_that_it_covers() -> None:
    html = memory(known(summary()), (), ZH)
    assert "概括了较早的 1 轮" in html and "<li>早先一问</li>" in html
    assert 'data-id="summary"' in html
    assert 'maxlength="1000"' in html
    assert ">\n用户问过错误码。</textarea>" in html


def test_turns_that_the_newest_one_came_back_to_are_told_by_their_questions() -> None:
    assert "<li>很早的一问</li>" in memory(known(), (turn("很早的一问"),), ZH)


def test_why_no_summary_could_be_made_is_told() -> None:
    trouble = Message("error.model_gave_nothing", {"model": "小模型"})
    assert memory(known(trouble=trouble), (), ZH).count("小模型") == 1


def test_a_summary_in_the_readers_words_says_so() -> None:
    assert "<em>已编辑</em>" in memory(known(summary(edited=True)), (), ZH)


def test_a_hostile_summary_stays_inside_its_field() -> None:
    html = memory(known(summary(f"</textarea>{HOSTILE}")), (turn(HOSTILE),), ZH)
    assert html.count("</textarea>") == 1
    assert "<script" not in html


def test_questions_to_follow_are_waited_for_after_a_fresh_answer_from_sources_only() -> None:
    fresh, old = turn(sources=(evidence(1),)), datetime.now(UTC) - timedelta(hours=1)
    assert scene(fresh).may_be_followed
    assert not scene(replace(fresh, created_at=old)).may_be_followed
    assert not scene(replace(fresh, sources=())).may_be_followed
    assert not scene().may_be_followed


def test_nobody_looks_for_questions_that_are_there_or_will_not_come() -> None:
    with gr.Blocks():
        composer = Composer()
    assert composer.suggested((), expects_more=True) == {}
    found = composer.suggested(("病假有几天？",), expects_more=False)
    assert not found[composer.timer].active and "病假有几天？" in found[composer.suggestions]
    assert list(composer.suggested((), expects_more=False)) == [composer.timer]
