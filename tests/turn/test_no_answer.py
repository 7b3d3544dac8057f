"""How a model's words that there is no answer are told, while they stream."""

import threading
from collections.abc import Iterable, Iterator

import pytest

from rag.errors import ModelStreamBroken
from rag.llm.stream import Done, Heartbeat, Part
from rag.llm.think import Text, ThoughtsEnd
from rag.turn.draft import Draft
from rag.turn.no_answer import with_nearest
from rag.types import Usage

NEAR = "资料里没有找到直接的回答，最接近的原文是：\n\n> 年假为十天。[1]"
END = Done(Usage())


def streamed(
    pieces: Iterable[str | Part], near: str = NEAR, *, breaks: bool = False, stopped: bool = False
) -> list[str]:
    """What is given of an answer, piece by piece."""
    cancel = threading.Event()
    draft = Draft("年假几天？", "s", "c", None, cancel=cancel)

    def parts() -> Iterator[Part]:
        for piece in pieces:
            yield Text(piece) if isinstance(piece, str) else piece
        if breaks:
            raise ModelStreamBroken(model="m")
        if stopped:
            cancel.set()
        yield END

    given = []
    try:
        for part in with_nearest(parts(), draft, lambda _: near):
            match part:
                case Text(text):
                    given.append(text)
                    draft.answer += text
                case ThoughtsEnd():
                    given.append("|")
                    draft.answer = ""
    except ModelStreamBroken:
        given.append("!")
    return given


@pytest.mark.parametrize(
    "pieces",
    [
        ["我", "不知道", "，资料中没有相关内容。"],
        ["资料", "中没有提到年假。"],
        ["抱歉，", "我不知道。"],
        ["不好意思，", "我不知道。"],
        ["I don’t", " know, the documents say nothing about it."],
        ["我不", Heartbeat(), "知道。"],
    ],
)
def test_the_nearest_takes_the_place_of_words_that_there_is_no_answer(pieces: list[str | Part]) -> None:
    assert streamed(pieces) == [NEAR]


def test_an_answer_is_given_as_soon_as_it_cannot_be_a_refusal() -> None:
    assert streamed(["十天", "[1]", "。"]) == ["十天", "[1]", "。"]
    assert streamed(["我", "们有", "十天[1]。"]) == ["我们有", "十天[1]。"]
    assert streamed(["资料中", "没有限制[1]", "。"]) == ["资料中没有限制[1]", "。"]


def test_a_refusal_that_says_more_stays_as_it_is() -> None:
    more = "我不知道年假，但病假为五天。"
    assert streamed([more]) == [more]


def test_words_of_another_kind_that_there_is_no_answer_stand_before_the_nearest() -> None:
    assert streamed(["根据资料，", "没有提到年假。"]) == ["根据资料，", "没有提到年假。", f"\n\n{NEAR}"]


def test_where_nothing_is_near_the_models_own_words_stay() -> None:
    assert streamed(["我不知道，", "资料中没有相关内容。"], near="") == ["我不知道，资料中没有相关内容。"]


def test_what_was_held_back_is_given_of_an_answer_that_broke_off_or_was_stopped_or_cut() -> None:
    assert streamed(["我不知道"], breaks=True) == ["我不知道", "!"]
    assert streamed(["我不知道"], stopped=True) == ["我不知道"]
    assert streamed(["我不知道", Done(Usage(), cut=True)])[0] == "我不知道"


def test_what_turned_out_to_be_thoughts_is_given_before_they_end() -> None:
    assert streamed(["我不知道", ThoughtsEnd(), "我不知道。"]) == ["我不知道", "|", NEAR]


def test_a_refusal_behind_a_first_try_that_said_nothing_is_replaced_too() -> None:
    assert streamed([Done(Usage()), "我不知道。"]) == [NEAR]
