"""The place of a passage is no part of an answer, however the stream cuts it."""

import pytest

from rag.llm.stream import Done
from rag.turn.output_filters import WithoutPlace
from rag.types import Evidence, Usage

PASSAGE = Evidence(
    1, 7, "doc", "学生手册.pdf", 117, "117", ("第八章 休学与复学",), "休学由本人申请。", 0.9, chunk_ids=(7,)
)


def told(answer: str, step: int, *known: Evidence) -> str:
    holder = WithoutPlace(known)
    pieces = [holder.feed(answer[start : start + step]) for start in range(0, len(answer), step)]
    return "".join((*pieces, holder.end(Done(Usage()))))


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
