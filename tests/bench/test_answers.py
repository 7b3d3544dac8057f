"""What counts as a right answer, and figures of groups that may be empty."""

from statistics import median

import pytest

from bench import turns
from bench.answers import _row, agrees
from bench.harness import figure
from bench.pdf import _places
from rag.types import Turn
from tests.samples import evidence, turn

QUESTION = {"id": "q", "file": "员工手册.pdf", "evidence_pages": [1], "answer": "年假为十天", "answerable": True}


@pytest.mark.parametrize(
    ("gold", "answer", "right"),
    [
        ("是", "是的，可以。", True),
        ("是", "不知道", False),
        ("单表超过 5 张", "单表超过 3 张[5]", False),
        ("单表超过 5 张", "单表超过 5 张[3]", True),
        ("营业收入 1,581 万元", "营业收入为1581万元。", True),
        ("营业收入 1,581 万元", "营业收入为1582万元。", False),
        ("采用驼峰命名", "全部大写", False),
    ],
)
def test_an_answer_is_right_by_the_numbers_and_the_words_of_the_gold_one(gold: str, answer: str, right: bool) -> None:
    assert agrees(gold, answer) is right


def told(answer: str) -> Turn:
    return turn("年假有几天？", answer, (evidence(1),))


def test_an_answer_that_mentions_what_is_not_there_is_no_refusal() -> None:
    row = _row(QUESTION, told("年假为十天，手册没有提到婚假[1]。"), 0.1)
    assert (row["right"], row["refused"], row["page_found"], row["cited"]) == (True, False, True, True)


def test_an_unanswerable_question_is_right_when_the_answer_only_says_that_there_is_none() -> None:
    silent = {**QUESTION, "answer": None, "evidence_pages": [], "answerable": False}
    assert [_row(silent, told(text), 0.1)["right"] for text in ("我不知道。", "年假为十天。")] == [True, False]


def test_a_figure_of_no_values_is_left_out() -> None:
    assert figure("share", []) == {}
    assert figure("share", [True, False]) == {"share": 0.5}
    assert figure("seconds", [1.0, 9.0, 2.0], median) == {"seconds": 2.0}


def test_places_of_pages_are_told_by_depth_and_not_at_all_without_questions() -> None:
    rows = [{"place": place, "refused": not place} for place in (1, 4, 0)]
    figures = _places("", rows)
    assert [figures["page_in_top_1"], figures["page_in_top_5"]] == pytest.approx([1 / 3, 2 / 3])
    assert figures["refused_though_answerable"] == pytest.approx(1 / 3)
    assert _places("_named", []) == {}


def test_the_evidence_of_the_turns_that_are_still_in_the_prompt_is_in_it() -> None:
    first, second = (turn(f"{number}？", "十天[1]。", (evidence(1, page=number),)) for number in (1, 2))
    follow_up = turn("那病假呢？", "五天。", first_turn_in_prompt=second.turn_id)
    assert turns._in_prompt([first, second, follow_up]) == {("员工手册.pdf", 2)}
