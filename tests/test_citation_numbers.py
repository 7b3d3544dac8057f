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
