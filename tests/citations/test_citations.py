"""[n] markers in answers."""

from rag.citations import cited_numbers


def test_markers_of_every_form_are_found_once_and_in_order() -> None:
    assert cited_numbers("甲[2]，乙【1】，丙［3］，丁[1,4]，戊[2、5]。") == (2, 1, 3, 4, 5)


def test_brackets_that_hold_no_number_are_no_markers() -> None:
    assert cited_numbers("数组 a[i]、[强制]、[2020-01]、[1234]、[0] 与 [0, 1]") == ()


def test_an_interval_is_no_marker() -> None:
    assert cited_numbers("取值范围是[1,5][2]。闭区间[3, 9]上连续[4]，x∈[6,7]、x∈ [8,9][5]。") == (2, 4, 5)
    assert cited_numbers("值域为[1,5]，取值在[6,7]，区间：[8,9]，所在区间为[2,3]。") == ()
    assert cited_numbers("适用范围[1,2]，该区间[3]，结果是[4,5]。适用范围：[6,7]，范围是[8,9]。") == tuple(range(1, 10))
