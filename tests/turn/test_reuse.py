"""When a turn does with the evidence in hand, and when it rather searches."""

import pytest

from rag.decision.base import Material, Situation
from rag.rewriting.condense import own_words
from rag.turn.reuse import answers_too_little, asks_of_another, fits_better_elsewhere


@pytest.mark.parametrize("question", ["那索引呢？", "好的，那么病假呢", "病假呢？"])
def test_what_a_follow_up_names_is_asked_of_that(question: str) -> None:
    assert asks_of_another(own_words(question))


@pytest.mark.parametrize("question", ["那家公司呢？", "那张表呢", "好的，那款手机呢？", "那呢？"])
def test_what_a_follow_up_points_to_is_no_other(question: str) -> None:
    assert not asks_of_another(own_words(question))


@pytest.mark.parametrize(
    ("probable", "held", "too_little"),
    [
        ({}, {1}, False),
        ({1: 0.1}, {1}, False),
        ({1: 0.09}, {1}, True),
        ({1: 0.09, 2: 0.9}, {1}, True),
        ({2: 0.1}, set(), True),
    ],
)
def test_evidence_in_hand_gives_way_where_none_of_it_counts_as_an_answer(
    probable: dict[int, float], held: set[int], too_little: bool
) -> None:
    assert answers_too_little(probable, held, threshold=0.1) is too_little


@pytest.mark.parametrize(
    ("question", "held", "elsewhere", "fits_better"),
    [
        ("年假有几天？", 0.4, 0.2, False),  # what is in hand likely does not answer
        ("年假有几天？", 0.4, 0.21, True),
        ("那索引呢？", 0.2, 0.3, False),
        ("那索引呢？", 0.2, 0.31, True),
        ("病假有几天？", 0.6, 0.66, False),  # something of it is not said in hand
        ("病假有几天？", 0.6, 0.67, True),
        ("年假有几天？", 0.6, 0.66, False),  # what answers likely, though all is said in hand
        ("年假有几天？", 0.6, 0.67, True),
        ("病假有几天？", 0.0, 0.09, False),  # what is no answer
    ],
)
def test_a_passage_elsewhere_has_to_answer_better_by_how_much_is_said_in_hand(
    question: str, held: float, elsewhere: float, fits_better: bool
) -> None:
    situation = Situation(question, in_hand=(Material("手册.pdf", (), "年假为十天。索引建在内存中。"),))
    assert fits_better_elsewhere(situation, {1: held, 2: elsewhere}, {1}, threshold=0.1) is fits_better
