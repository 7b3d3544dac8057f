"""Answers that end before a text that their client names."""

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from rag import events
from rag.types import Turn, TurnOptions, TurnStatus
from tests.engine.rig import Build, model
from tests.samples import hit
from tests.scripted import FixedKnowledgeBase, ScriptedChatModel

QUESTION = "年假有几天？"


class _Endless(ScriptedChatModel):
    """Goes on until nobody reads any more."""

    left: threading.Event

    def _stream(self, *_: object, **__: object) -> Iterator[object]:  # type: ignore[override]
        try:
            yield from ScriptedChatModel(scripts=[["十天。", *["完了。"] * 10_000]])._stream([])
        finally:
            self.left.set()


def asked(build: Build, scripted: ScriptedChatModel, *stops: str, question: str = QUESTION) -> tuple[str, Turn]:
    """What was streamed, and the turn."""
    *told, last = build(scripted).stream(question, "s", options=TurnOptions(stop=stops))
    assert isinstance(last, events.Finished)
    return "".join(event.text for event in told if isinstance(event, events.Token)), last.turn


@pytest.mark.parametrize(
    ("said", "stops", "left"),
    [
        (["十天[1]。完", "毕。"], ["完毕"], "十天[1]。"),
        (["十天[1]。", "完", "了，完", "毕"], ["完毕", "没有"], "十天[1]。完了，"),
        (["十天[1]。\n\n其余不写。"], ["\n\n"], "十天[1]。"),
        (list("一二三四"), ["一二三四", "二"], "一"),
        (["一二三四"], ["一二三四", "二"], "一"),
        (["十天[1]。", "完"], ["完毕"], "十天[1]。完"),
        (["十天[1]。"], ["十"], ""),
        (["\n", "\n十天[1]。\n其余"], ["\n"], "十天[1]。"),
        (["<think>完毕</think>", "十天[1]。完毕"], ["完毕"], "十天[1]。"),
    ],
)
def test_an_answer_ends_before_its_stop_text_however_it_comes_in_pieces(
    build: Build, said: list[str], stops: list[str], left: str
) -> None:
    streamed, turn = asked(build, model(said), *stops)
    assert streamed == turn.answer == left
    assert turn.status is TurnStatus.FINISHED


def test_at_a_stop_text_the_model_ends_and_what_it_wrote_is_counted(build: Build) -> None:
    endless = _Endless(scripts=[], left=threading.Event())
    streamed, turn = asked(build, endless, "完了")
    assert endless.left.wait(5)
    assert streamed == "十天。"
    assert turn.usage.completion == 3 and turn.usage.prompt > 100


def test_what_is_said_without_the_model_stops_too(build: Build, knowledge: FixedKnowledgeBase) -> None:
    knowledge.hits = (replace(hit(1, "食堂七点开门。"), relevance=0.001),)
    streamed, turn = asked(build, model(), "，", "。")
    assert turn.budget is None
    assert streamed == turn.answer != "" and not {"，", "。"} & set(streamed)
