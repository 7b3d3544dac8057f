"""What the page shows, as pure functions: folding, citations, places, states."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from rag.errors import ModelStreamBroken
from rag.events import (
    Budgeted,
    Decided,
    EvidenceShortened,
    Failed,
    Finished,
    Queued,
    Reading,
    Retrieved,
    Thinking,
    Token,
    TurnEvent,
)
from rag.i18n import Language
from rag.retrieval.reading import IN_PLACE, ONLY_BEGINNING
from rag.types import (
    Conversation,
    Decision,
    Message,
    SearchTrace,
    Span,
    Timing,
    Turn,
    TurnStatus,
    TurnTrace,
    Usage,
)
from rag.web import icons
from rag.web.chat import conversation_list, render_thread
from rag.web.chat.render_thread import Place
from rag.web.chat.thread import LiveTurn
from rag.web.chat.trace_pane import trace
from rag.web.session import Visitor, new_visitor, visitor
from rag.web.view import Stage, TurnView, fold, views
from tests.samples_web import BUDGET, HOSTILE, candidate, evidence, searched, turn
from tests.tags import Tags

ZH, EN = Language.ZH, Language.EN
DECIDED = Decided(Decision.RETRIEVE, Message("decision.first_question"), 0.86, 0.012)


def test_thoughts_are_folded_and_tell_how_long_they_took() -> None:
    thought = turn(thinking="先看资料。", trace=TurnTrace(spans=(Span("think", 0.9, 2.1), Span("write", 2.1, 3.0))))
    html = render_thread.article(thought, Place(), ZH)
    assert '<details class="thinking"><summary>思考过程<small>1.2 秒</small></summary>' in html
    assert (
        "<small>" not in render_thread.article(replace(thought, trace=TurnTrace()), Place(), ZH).split("</summary>")[0]
    )
    assert LiveTurn(ZH).value(TurnView("问", thinking="先"))["thoughts"] == "正在思考…"


def test_a_turn_passes_through_its_stages() -> None:
    view = TurnView("问")
    stages = []
    for event in (Queued(2), DECIDED, Retrieved((evidence(),), 0.1), Reading(37, 100), Token("答")):
        view = fold(view, event)
        stages.append(view.stage)
    assert stages == [Stage.QUEUED, Stage.SEARCHING, Stage.READING, Stage.READING, Stage.WRITING]
    assert (view.answer, view.read, view.evidence) == ("答", 0.37, (evidence(),))


def test_evidence_that_is_shortened_leaves_what_the_search_made_of_it() -> None:
    first, second = evidence(1), evidence(2)
    view = fold(TurnView("问"), Retrieved((first, second), 0.1, SearchTrace(candidates=searched().candidates)))
    shorter = fold(view, EvidenceShortened((first,)))
    assert (shorter.evidence, shorter.candidates) == ((first,), view.candidates)
    assert fold(TurnView("问"), EvidenceShortened((first,))).evidence == (first,)


def test_a_turn_that_reuses_its_evidence_shows_no_search() -> None:
    view = fold(TurnView("问"), replace(DECIDED, decision=Decision.REUSE))
    assert view.stage is Stage.READING
    assert "检索" not in render_thread.steps(view, ZH)


def test_the_steps_say_how_many_wait_and_how_much_is_read() -> None:
    assert "前面还有 2 个问题" in render_thread.steps(fold(TurnView("问"), Queued(2)), ZH)
    assert "阅读资料 37%" in render_thread.steps(fold(TurnView("问"), Reading(37, 100)), ZH)


def test_tokens_are_shown_at_most_once_an_interval_and_the_end_always() -> None:
    seconds = iter(range(1000))
    finished = turn()
    events: list[TurnEvent] = [*(Token("字") for _ in range(100)), Finished(finished)]
    shown = list(views("问", events, interval=10, clock=lambda: next(seconds)))
    assert len(shown) == 1 + 1 + 9 + 1
    assert shown[-1].turn == finished


def test_a_change_of_stage_is_never_held_back() -> None:
    events: list[TurnEvent] = [Queued(1), DECIDED, Retrieved((), 0.1), Thinking("想")]
    stages = [view.stage for view in views("问", events, interval=1e9)]
    assert stages == [Stage.DECIDING, Stage.QUEUED, Stage.SEARCHING, Stage.READING, Stage.WRITING]


def test_an_answer_that_begins_anew_takes_the_place_of_what_was_said_before() -> None:
    view = TurnView("问", Stage.WRITING, thinking="想", answer="半句")
    for event in (Budgeted(BUDGET, ()), Token("全句。")):
        view = fold(view, event)
    assert (view.thinking, view.answer) == ("", "全句。")


def test_a_failure_keeps_the_turn_that_was_stored() -> None:
    kept = turn(status=TurnStatus.FAILED)
    view = fold(TurnView("问", answer="半"), Failed(ModelStreamBroken(model="m"), kept))
    assert view.over and view.turn == kept


@pytest.mark.parametrize(
    ("status", "sentence"),
    [(TurnStatus.STOPPED, "以上是停止前的内容"), (TurnStatus.CUT, "没有写完"), (TurnStatus.FAILED, "回答中途断开")],
)
def test_an_answer_that_is_not_whole_says_so_and_offers_to_retry(status: TurnStatus, sentence: str) -> None:
    unfinished: Turn = turn(status=status)
    html = render_thread.article(unfinished, Place(), ZH)
    assert sentence in html
    assert f'data-act="retry" data-id="{unfinished.turn_id}"' in html


def test_an_answer_that_never_began_says_so_and_has_nothing_to_copy() -> None:
    html = render_thread.article(turn(answer="", status=TurnStatus.STOPPED), Place(), ZH)
    assert "已停止，还没有开始回答。" in html and "data-copy" not in html


def test_conversations_stand_by_day_and_empty_ones_not_at_all() -> None:
    now = datetime.now().astimezone()
    entries = [
        Conversation("a", "甲", 1, now),
        Conversation("b", "乙", 2, now - timedelta(days=1)),
        Conversation("c", "丙", 3, now - timedelta(days=9)),
        Conversation("d", "丁", 0, now),
    ]
    text = Tags(conversation_list.conversations(entries, "b", now, ZH)).text
    assert [text.index(word) for word in ("今天", "甲", "昨天", "乙", "更早", "丙")] == sorted(
        text.index(word) for word in ("今天", "甲", "昨天", "乙", "更早", "丙")
    )
    assert "丁" not in text
    # What closes something is drawn as a cross, on a phone a hand's breadth above.
    assert icons.CROSS not in conversation_list.conversations(entries, "b", now, ZH)


def test_a_day_is_one_of_the_readers_time_zone() -> None:
    said = datetime(2026, 7, 13, 2, tzinfo=UTC)  # 10:00 in Shanghai
    morning = datetime(2026, 7, 13, 23, 30, tzinfo=UTC)  # 07:30 of the next day
    entries = [Conversation("a", "甲", 1, said)]
    assert "昨天" in conversation_list.conversations(entries, None, morning.astimezone(ZoneInfo("Asia/Shanghai")), ZH)
    assert "今天" in conversation_list.conversations(entries, None, morning, ZH)


def test_while_an_answer_comes_it_may_cite_what_earlier_turns_have_brought_in() -> None:
    live = LiveTurn(ZH, iter([evidence(3)]))
    cited, unknown = live.value(TurnView("问", answer="甲[3]。乙[4]。"))["blocks"][0].split("乙")
    assert "doubtful" not in cited and "doubtful" in unknown


def newest(told: Turn, language: Language = ZH) -> str:
    """How the only turn of a conversation came about."""
    return trace(told, [told], language)


def test_the_trace_tells_decision_question_time_and_tokens() -> None:
    reason = Message("decision.first_question")
    told = turn(reason=reason, certainty=0.86, trace=searched(), budget=BUDGET, generated_question="错误码有几位？")
    text = Tags(newest(told)).text
    for fact in (
        "第一个问题",
        "把握 86%",
        "不查资料",
        "错误码有几位？",
        "语义 50",
        "约 1812 / 4096 词元",
        "资料610",
        "判断12 ms",
        "读提示词840 ms",
        "作答3.3 秒",
        "首字 0.9 秒",
        "共 4.2 秒",
        "提示 938（缓存命中 512，55%），回答 86",
    ):
        assert fact in text


def test_what_a_question_means_is_told_too_where_evidence_in_hand_answers_it() -> None:
    for question, meant in (("能办几张？", True), ("尊享199能办几张？", False)):
        reused = turn(question, decision=Decision.REUSE, trace=searched(), generated_question="尊享199能办几张？")
        assert ("问题理解为尊享199能办几张？" in Tags(newest(reused)).text) is meant


def test_a_time_that_is_hardly_any_is_told_in_signs_and_not_in_their_html() -> None:
    instant = TurnTrace(spans=(Span("decide", 0.0, 0.0002),))
    text = Tags(newest(turn(timing=Timing(total=0.0003), trace=instant))).text
    assert "共 <1 ms" in text and "判断<1 ms" in text


def test_the_trace_tells_where_each_candidate_went_in_its_last_order() -> None:
    html = newest(turn(trace=searched()))
    rows = [Tags(row).text for row in html.split("</table>")[0].split("<tr")[2:]]
    place = "Java开发手册（黄山版）.pdf第 27 页（页面标注 25）"
    # Ranks of both routes, fused, after the reranker with how far it moved, relevance, and where it went;
    # what the prompt holds is told apart by its heading.
    heading = " · (一) 错误码"
    assert [row.split(place)[1] for row in rows] == [
        f"{heading}字词得分 错误码 2.3 · <b> 0.4 · 其余 1.21121↑190%1",
        f"{heading}2212↓190%2",
        "443390%放不下",
        "3–443%不够相关",
    ]
    assert html.count("data-cite=") == 2


def test_the_trace_tells_of_a_copy_which_number_says_the_same() -> None:
    copy = replace(candidate(3, fused=5, reranked=5), document_name="手册 (2).pdf", passage=1)
    html = newest(turn(trace=replace(searched(), candidates=(*searched().candidates, copy))))
    assert html.count("原文与编号 1 的相同") == 2 and html.count("以编号 1 进入提示词") == 2


def test_the_trace_tells_that_a_place_was_read_instead_of_searched_for() -> None:
    told = turn(trace=TurnTrace(notes=(Message("search.in_place"),)))
    text = Tags(newest(told)).text
    assert "按问题指明的位置读取原文" in text and "照原样检索" not in text


@pytest.mark.parametrize(("key", "told"), [("reworded", "换成“开放时间”"), ("narrowed", "只用其中的“开放时间”")])
def test_the_trace_does_not_say_that_a_question_was_searched_for_as_asked_where_other_words_were_tried(
    key: str, told: str
) -> None:
    noted = TurnTrace(found={"chunk_dense": 1}, notes=(Message(f"search.{key}", {"question": "开放时间"}),))
    text = Tags(newest(turn(trace=noted))).text
    assert told in text and "照原样检索" not in text


def test_the_trace_tells_what_the_model_has_not_read_of_a_place() -> None:
    values = {"name": HOSTILE, "count": 16, "pages": "27–29、31"}
    notes = (IN_PLACE, ONLY_BEGINNING, Message("search.no_room", values))
    html = newest(turn(trace=TurnTrace(notes=notes)))
    assert "只取了开头的一部分" in html and "还有 16 段（第 27–29、31 页）放不进提示词" in Tags(html).text
    assert "<script" not in html
    english = Tags(newest(turn(trace=TurnTrace(notes=notes)), EN)).text
    assert "16 more passages" in english and "27–29, 31" in english


def test_a_page_that_there_is_not_is_told_below_the_answer() -> None:
    nothing = turn(sources=(), trace=TurnTrace(notes=(Message("search.no_such_page"),)))
    assert "资料里没有问题指明的页" in Tags(render_thread.article(nothing, Place(), ZH)).text
    assert (
        "资料里没有找到相关的内容" in Tags(render_thread.article(replace(nothing, trace=TurnTrace()), Place(), ZH)).text
    )


def test_an_answer_from_words_alone_says_so_and_can_be_asked_for_again() -> None:
    early = turn(trace=TurnTrace(notes=(Message("search.still_filling"),)))
    for told in (early, replace(early, sources=())):
        shown = render_thread.article(told, Place(), ZH)
        assert "只按字词查找" in Tags(shown).text and 'data-act="retry"' in shown
        assert "没有找到相关的内容" not in Tags(shown).text


def test_that_a_document_has_other_versions_is_told_below_the_answer() -> None:
    note = Message("search.other_versions", {"names": "“制度<2023版>”“制度2025版”"})
    shown = Tags(render_thread.article(turn(trace=TurnTrace(notes=(note,))), Place(), ZH))
    assert "“制度<2023版>”“制度2025版”只差年份或版本" in shown.text


def test_the_tokens_of_an_answer_that_was_stopped_are_said_to_be_unknown_and_not_none() -> None:
    halted = turn(status=TurnStatus.STOPPED, budget=BUDGET)
    assert "不含中途停下的回答" in newest(halted)
    assert "模型没有报告用量" in newest(replace(halted, usage=Usage()))
    assert "没有用到模型" in newest(turn(usage=Usage()))
    assert "不含" not in newest(turn(budget=BUDGET))


@pytest.mark.parametrize("stored", [None, "shared", {"session_id": "shared"}, {"session_id": "client-abc"}, {}, 7])
def test_a_browser_cannot_claim_a_session_that_is_not_a_secret(stored: object) -> None:
    assert len(visitor(stored).session_id) == 32


def test_a_browser_comes_back_as_the_same_visitor() -> None:
    known = Visitor(new_visitor().session_id, "conversation")
    assert visitor(known.stored()) == known
