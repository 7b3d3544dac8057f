"""[n] markers in whole and in streamed answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.citations import CitationTracker, cited_numbers
from tests.samples import evidence


def test_markers_of_every_form_are_found_once_and_in_order() -> None:
    assert cited_numbers("甲[2]，乙【1】，丙［3］，丁[1,4]，戊[2、5]。") == (2, 1, 3, 4, 5)


def test_brackets_that_hold_no_number_are_no_markers() -> None:
    assert cited_numbers("数组 a[i]、[强制]、[2020-01]、[1234]、[0] 与 [0, 1]") == ()


def test_an_interval_is_no_marker() -> None:
    assert cited_numbers("取值范围是[1,5][2]。闭区间[3, 9]上连续[4]，x∈[6,7][5]。") == (2, 4, 5)
    assert cited_numbers("值域为[1,5]，取值在[6,7]，区间：[8,9]。") == ()
    assert cited_numbers("适用范围[1,2]，该区间[3]，结果是[4,5]。适用范围：[6,7]，范围是[8,9]。") == tuple(range(1, 10))


@pytest.mark.parametrize("answer", ["取值范围是[1,5]", "x∈ [1,5]", "闭区间[1,5]", "所在区间为[1,5]"])
def test_an_interval_that_arrives_in_pieces_is_no_marker(answer: str) -> None:
    for first in range(len(answer)):
        for second in range(first, len(answer)):
            tracker = CitationTracker([evidence(1), evidence(5)])
            pieces = (answer[:first], answer[first:second], answer[second:])
            assert [item for piece in pieces for item in tracker.feed(piece)] == []


@given(st.lists(st.integers(1, 40), max_size=6))
def test_a_streamed_answer_cites_what_the_whole_answer_cites(cuts: list[int]) -> None:
    answer = "营业收入为 15 亿元[2]，同比增长[12]，另见【1】与[2,3]。[99]"
    tracker = CitationTracker([evidence(number) for number in (1, 2, 3, 12)])
    found = []
    start = 0
    for cut in [*sorted(cuts), len(answer)]:
        found += [item.number for item in tracker.feed(answer[start:cut])]
        start = max(start, cut)
    assert found == [2, 12, 1, 3]
