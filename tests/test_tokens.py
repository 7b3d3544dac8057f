"""Token estimates and what of the evidence fits."""

import pytest

from rag.tokens import average_estimate, estimator, fit_evidence, register_estimator
from tests.samples import evidence


def test_the_average_counts_digits_most_and_chinese_more_than_latin() -> None:
    assert average_estimate("7" * 100) == 101
    assert average_estimate("") == 1
    assert average_estimate("汉" * 100) == 71
    assert average_estimate("a" * 100) == 36


def test_an_estimator_of_ones_own_is_found_by_its_name() -> None:
    register_estimator("half")(lambda text: len(text) // 2)
    assert estimator("half")("abcd") == 2


def test_an_unknown_estimator_is_refused_with_the_known_names() -> None:
    with pytest.raises(KeyError, match=r"nothing.*avg"):
        estimator("nothing")


def test_evidence_is_taken_in_order_until_the_budget_is_full_and_the_last_is_cut_at_a_sentence() -> None:
    items = [
        evidence(1, "第一段。" * 5),
        evidence(2, "甲句子。乙句子。丙句子。丁句子。"),
        evidence(3, "短。"),
    ]
    fitting = fit_evidence(items, 29, len)
    assert [(item.number, item.text) for item in fitting] == [(1, "第一段。" * 5), (2, "甲句子。乙句子。")]


def test_a_passage_without_a_sentence_end_within_the_budget_is_left_out() -> None:
    assert fit_evidence([evidence(1, "没有句号的一段话" * 10)], 5, len) == ()
