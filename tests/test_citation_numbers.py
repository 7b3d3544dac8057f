"""Which numbers of a sentence its passage bears out: shares, rounded ones, signs, and those of tables with a unit."""

import pytest

from rag.citations import check
from rag.types import Support
from tests.samples import evidence


def is_supported(sentence: str, passage: str, question: str = "") -> bool:
    (checked,) = check(sentence, [evidence(1, passage)], [question])
    return checked.support is Support.SUPPORTED


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("违约金为3%[1]。", "违约金为千分之三。", False),
        ("违约金为百分之三[1]。", "违约金为千分之三。", False),
        ("违约金为3‰[1]。", "违约金为3%。", False),
        ("违约金为万分之三[1]。", "违约金为万分之五。", False),
        ("违约金为0.3%[1]。", "违约金为千分之三。", True),
        ("违约金每日按0.05%支付[1]。", "每日按万分之五支付违约金。", True),
        ("每日按万分之五支付违约金，以欠款为限[1]。", "以欠款为限，每日按万分之五支付违约金。", True),
    ],
)
def test_shares_of_a_hundred_a_thousand_and_ten_thousand_are_told_apart(
    sentence: str, passage: str, is_right: bool
) -> None:
    assert is_supported(sentence, passage) == is_right


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("奖金为2万元[1]。", "奖金为1.5万元。", False),
        ("奖金约2万元[1]。", "奖金为1.5万元。", False),
        ("奖金为1万元[1]。", "奖金为1.4万元。", False),
        ("奖金为3千元[1]。", "奖金为2600元。", False),
        ("每股收益为0.4元[1]。", "每股收益为0.36元。", False),
        ("奖金约2万元[1]。", "奖金为1.95万元。", True),
        ("奖金在2万元左右[1]。", "奖金为18,500元。", True),
        ("奖金超过1万元[1]。", "奖金为1.4万元。", True),
        ("奖金有2万多元[1]。", "奖金为2.3万元。", True),
        ("奖金接近2万元[1]。", "奖金为1.8万元。", True),
        ("奖金为2亿元[1]。", "奖金为19,919.05万元。", True),
        ("奖金为1.1亿元[1]。", "奖金为1.04亿元。", False),
        ("奖金为1.1亿元[1]。", "奖金为10,640万元。", True),
        ("每股收益约为0.4元[1]。", "每股收益为0.36元。", True),
    ],
)
def test_a_number_of_one_digit_is_rounded_by_a_little_only(sentence: str, passage: str, is_right: bool) -> None:
    assert is_supported(sentence, passage) == is_right
