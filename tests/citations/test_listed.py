"""What a passage lists by labels, given to another of them."""

import pytest

from tests.citations.reasons import reason_of

PARTIES = "采购合同。\n甲方：上海明德贸易公司\n乙方：北京华信公司\n签订地点：上海"
TEAM = "项目负责人：张三；技术负责人：李四；联系人：王小五（行政部）；审核人：赵六；批准人：赵六"
CHANGED = "项目负责人：张三，后变更为李四；技术负责人：李四；安全负责人：钱七。钱七兼任质量负责人。"


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("甲方是北京华信公司", PARTIES),
        ("合同的乙方为上海明德贸易公司", PARTIES),
        ("甲方：北京华信公司", PARTIES),
        ("甲方是北京华信", PARTIES),
        ("项目负责人是李四", TEAM),
        ("项目负责人是张三，技术负责人是王小五", TEAM),
        ("公司的联系人为张三", TEAM),
    ],
)
def test_what_is_listed_for_another_is_not_borne_out(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) == "citation.exchanged"


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("甲方是上海明德贸易公司", PARTIES),
        ("乙方是北京华信", PARTIES),
        ("甲方和乙方是上海明德贸易公司和北京华信公司", PARTIES),
        ("签订地点为上海", PARTIES),
        ("项目负责人是张三，技术负责人是李四", TEAM),
        ("审核人是赵六，批准人也是赵六", TEAM),
        ("负责技术的是李四", TEAM),
        ("项目负责人是李四", CHANGED),  # said elsewhere, too
        ("质量负责人是钱七", CHANGED),
        ("分公司的项目负责人是李四", "项目负责人：张三；分公司负责人：李四"),
    ],
)
def test_what_is_listed_for_it_or_also_told_in_a_sentence_is(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) is None
