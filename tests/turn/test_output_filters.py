"""What a reader is given of an answer, however the stream cuts it."""

import threading
from collections.abc import Callable, Generator, Iterable
from functools import partial

import pytest

from rag.errors import ModelStreamBroken
from rag.llm.stream import Done, Heartbeat, Part
from rag.llm.think import Text, ThoughtsEnd
from rag.turn.draft import Draft
from rag.turn.output_filters import NearestInstead, OutputFilter, WithoutDenial, WithoutPlace, filtered
from rag.turn.said_before import SaidBefore
from rag.types import Evidence, Usage
from tests.waiting import within_cpu_seconds

NEAR = "资料里没有找到直接的回答，最接近的原文是：\n\n> 年假为十天。[1]"
END = Done(Usage())


def streamed(
    pieces: Iterable[str | Part], near: str = NEAR, *, breaks: bool = False, stopped: bool = False
) -> list[str]:
    """What is given of an answer, piece by piece, where what is `near` may take its place."""
    return given(pieces, partial(NearestInstead, near=lambda _: near), breaks=breaks, stopped=stopped)


def given(
    pieces: Iterable[str | Part],
    holder: Callable[[Draft], OutputFilter],
    question: str = "年假几天？",
    *,
    breaks: bool = False,
    stopped: bool = False,
) -> list[str]:
    """What a holder gives of an answer, piece by piece."""
    cancel = threading.Event()
    draft = Draft(question, "s", "c", None, cancel=cancel)

    def parts() -> Generator[Part, None, None]:
        for piece in pieces:
            yield Text(piece) if isinstance(piece, str) else piece
        if breaks:
            raise ModelStreamBroken(model="m")
        if stopped:
            cancel.set()
        yield END

    told = []
    try:
        for part in filtered(parts(), holder(draft)):
            match part:
                case Text(text):
                    told.append(text)
                    draft.answer += text
                case ThoughtsEnd():
                    told.append("|")
                    draft.answer = ""
    except ModelStreamBroken:
        told.append("!")
    return told


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


def with_tail(
    pieces: Iterable[str | Part], question: str = "年假几天？", *, borne_out: str = "十天", stopped: bool = False
) -> str:
    """What is given of an answer of which this alone is borne out."""
    stage = partial(WithoutDenial, is_borne_out=borne_out.__eq__)
    return "".join(given(pieces, stage, question, stopped=stopped))


@pytest.mark.parametrize(
    ("pieces", "told"),
    [
        (["十天", "，资料", "中没有相关内容", "。"], "十天。"),
        (["十天，资料中没有相关内容"], "十天"),
        (["十天", ",", " the documents say", " nothing about it."], "十天."),
        (["十天", Heartbeat(), "，资料中没有相关内容。"], "十天。"),
    ],
)
def test_words_that_there_is_no_answer_are_left_out_behind_one_that_is_borne_out(
    pieces: list[str | Part], told: str
) -> None:
    assert with_tail(pieces) == told


@pytest.mark.parametrize(
    "pieces",
    [
        ["二十天", "，资料中没有相关内容。"],
        ["我不知道", "，资料中没有相关内容。"],
        ["十天", "，资料中没有", "病假的内容。"],
        ["十天", "，资料中没有相关内容。", "请看手册。"],
        ["十天", "，", "可分两次。"],
        ["十天，资料中没有相关内容。", Done(Usage(), cut=True)],
        ["十天", "，资料中没有相关内容。", ThoughtsEnd()],
    ],
    ids=["not borne out", "refusal", "something else", "goes on", "comma", "cut", "thoughts"],
)
def test_an_answer_that_ends_otherwise_stays_as_it_is(pieces: list[str | Done | ThoughtsEnd]) -> None:
    said = "".join("|" if isinstance(piece, ThoughtsEnd) else piece for piece in pieces if not isinstance(piece, Done))
    assert with_tail(pieces) == said


def test_an_answer_to_two_questions_may_lack_one() -> None:
    assert with_tail(["十天，资料中没有相关内容。"], "年假和婚假几天？") == "十天，资料中没有相关内容。"


def test_the_end_of_an_answer_that_was_stopped_stays() -> None:
    assert with_tail(["十天，资料中没有相关内容。"], stopped=True) == "十天，资料中没有相关内容。"


PASSAGE = Evidence(
    1, 7, "doc", "学生手册.pdf", 117, "117", ("第八章 休学与复学",), "休学由本人申请。", 0.9, chunk_ids=(7,)
)


def told(answer: str, step: int, *known: Evidence) -> str:
    holder = WithoutPlace(known)
    pieces = [holder.feed(answer[start : start + step]) for start in range(0, len(answer), step)]
    return "".join((*pieces, holder.end(END)))


@pytest.mark.parametrize("step", [1, 3, 1000])
@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("学生手册 · 第 117 页 · 第三十四条 休学由本人申请。[1]", "第三十四条 休学由本人申请。[1]"),
        ("学生手册 · 第 117 页 · 第八章 休学与复学\n休学由本人申请。[1]", "休学由本人申请。[1]"),
        ("\n学生手册 · page 117\n休学由本人申请。[1]", "休学由本人申请。[1]"),
        ("学生手册 · 第 117 页", "学生手册 · 第 117 页"),
        ("学生手册 · 第 117 页 · 第八章 休学与复学", "第八章 休学与复学"),
        ("学生手册第 117 页写明由本人申请。[1]", "学生手册第 117 页写明由本人申请。[1]"),
        ("由本人申请。学生手册 · 第 117 页 · 第三十四条", "由本人申请。学生手册 · 第 117 页 · 第三十四条"),
        ("学生手册 · 第八章没有写明。", "学生手册 · 第八章没有写明。"),
    ],
)
def test_an_answer_does_not_begin_with_the_place_of_a_passage(answer: str, left: str, step: int) -> None:
    assert told(answer, step, PASSAGE) == left


def test_what_begins_otherwise_is_given_at_once() -> None:
    assert WithoutPlace([PASSAGE]).feed("休学") == "休学"


def test_new_lines_without_end_are_held_back_in_no_time() -> None:
    before = SaidBefore([("年假有几天？", "员工入职满一年以后，每年的年假为十天。")], lambda *_: False)
    said: list[Part] = [*[Text("\n")] * 20_000, Text("病假为五天。"), END]
    with within_cpu_seconds(5):
        assert list(filtered((part for part in said), before)) == [Text("\n" * 20_000 + "病假为五天。"), END]
