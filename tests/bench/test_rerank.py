"""What a reranker is judged by, with numbers computed by hand."""

from dataclasses import replace

import pytest

from bench.rerank_data import Sample
from bench.rerank_scores import order, refusals, reliability
from tests.samples import hit


def sample(group: str, *labels: bool | None) -> Sample:
    hits = tuple(hit(number, page=number) for number, _ in enumerate(labels, start=1))
    return Sample(group, group.rsplit(">", maxsplit=1)[-1], "q", "问", hits, labels)


def test_order_is_told_as_searched_and_as_reranked() -> None:
    figures = order([(sample("set", False, True), [0.1, 0.9])])
    assert (figures["set.searched.r1"], figures["set.reranked.r1"]) == (0, 1)
    assert figures["set.searched.mrr10"] == 0.5


def test_questions_without_an_answer_have_no_order() -> None:
    assert order([(sample("other>set", False), [0.1])]) == {}


def test_a_refusal_is_where_no_hit_reaches_the_threshold() -> None:
    judged = [(sample("set", True), [0.4]), (sample("set", True), [0.05]), (sample("other>set", False), [0.02])]
    figures = refusals(judged, 0.1)
    assert (figures["set.refused"], figures["other>set.refused"]) == (0.5, 1)


def test_without_a_threshold_it_is_the_one_that_refuses_three_of_a_hundred() -> None:
    judged = [(replace(sample("set", True), question_id=str(n)), [n / 100]) for n in range(101)]
    assert refusals(judged)["threshold"] == pytest.approx(0.03)


def test_reliability_compares_what_was_said_with_what_is_true() -> None:
    (found,) = reliability([(sample("set", True, False, None), [0.92, 0.94, 0.95])])
    assert found == pytest.approx((2, 0.93, 0.5))
