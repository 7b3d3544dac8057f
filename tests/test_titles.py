"""How reports are called in full."""

import pytest

from rag.language.titles import reports_in_full


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("2023年年报", "2023年年度报告"),
        ("2023年报", "2023年度报告"),
        ("三季报的净利润", "三季度报告的净利润"),
        ("2023年度 报告", "2023年度报告"),
    ],
)
def test_a_report_is_called_in_full(text: str, full: str) -> None:
    assert reports_in_full(text) == full


@pytest.mark.parametrize(
    "text", ["2023年报告", "明年报价", "去年报表", "今年报酬", "每年报废", "今年报名", "每年报送", "2020年报道"]
)
def test_a_word_that_only_begins_like_a_report_stays(text: str) -> None:
    assert reports_in_full(text) == text
