"""What stands under an answer, and the summary of a conversation, as pure functions."""

from datetime import UTC, datetime

import pytest

from rag.i18n import Language
from rag.types import Decision, Rating, Summary, Turn, TurnStatus
from rag.web.chat import render_thread
from rag.web.chat.memory_pane import summary_form
from rag.web.chat.render_foot import other_ways
from tests.samples_web import HOSTILE, turn

ZH = Language.ZH
RETRIEVE, REUSE, NO_RETRIEVE = Decision


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
    ],
)
def test_evidence_is_offered_for_reuse_only_where_earlier_turns_have_some(
    decided: Decision, earlier: tuple[Turn, ...], ways: set[Decision]
) -> None:
    assert set(other_ways(turn(decision=decided), earlier)) == ways


def test_only_the_newest_answer_can_be_overruled_or_asked_again() -> None:
    older, newest = turn(), turn("那它是什么类型？", decision=REUSE)
    html = render_thread.thread((older, newest), ZH)
    for way, label in ((RETRIEVE, "重新检索"), (NO_RETRIEVE, "不检索")):
        assert f'data-id="{newest.turn_id}" data-decision="{way}"' in html
        assert f">{label}</button>" in html
    assert html.count('data-act="retry"') == 3
    assert f'data-act="retry" data-id="{older.turn_id}"' not in html


def test_a_stopped_answer_can_be_overruled_too() -> None:
    html = render_thread.thread((turn(status=TurnStatus.STOPPED),), ZH)
    assert 'data-decision="no_retrieve"' in html


@pytest.mark.parametrize(
    ("feedback", "offered"),
    [(Rating.NONE, ("good", "bad")), (Rating.GOOD, ("none", "bad")), (Rating.BAD, ("good", "none"))],
)
def test_a_pressed_thumb_takes_the_opinion_back(feedback: Rating, offered: tuple[str, str]) -> None:
    html = render_thread.thread((turn(feedback=feedback),), ZH)
    for rating in offered:
        assert f'data-rating="{rating}" aria-pressed="{"true" if rating == "none" else "false"}"' in html


def test_without_an_answer_there_is_nothing_to_rate() -> None:
    assert 'data-act="rate"' not in render_thread.thread((turn(answer="", status=TurnStatus.FAILED),), ZH)


def test_a_conversation_without_a_summary_shows_no_block() -> None:
    assert summary_form(None, ZH) == ""


def test_a_summary_stands_folded_in_a_field_of_its_length() -> None:
    html = summary_form(summary(), ZH)
    assert html.startswith("<details><summary>对话摘要</summary>")
    assert 'data-id="summary"' in html
    assert 'maxlength="1000"' in html
    assert ">\n用户问过错误码。</textarea>" in html


def test_a_summary_in_the_readers_words_says_so() -> None:
    assert "<em>已编辑</em>" in summary_form(summary(edited=True), ZH)


def test_a_hostile_summary_stays_inside_its_field() -> None:
    html = summary_form(summary(f"</textarea>{HOSTILE}"), ZH)
    assert html.count("</textarea>") == 1
    assert "<script" not in html
