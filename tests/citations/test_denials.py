"""Denials: of what stands behind a label, and by words that forbid."""

import pytest

from rag.citations import check
from tests.samples import evidence


def reason_of(sentence: str, passage: str) -> str:
    (checked,) = check(f"{sentence}[1]。", [evidence(1, passage)])
    return checked.reason.key if checked.reason else ""


PHONE = "型号：X100\n无线充电：不支持\n快速充电：支持"
SHEET = "型号 | X100\n无线充电 | 不支持\n快速充电 | 支持\n屏幕 | 6.1英寸"
FORM = "姓名：张三\n过敏史：无\n手术史：有\n是否独生子女：否"
CARD = "功能 | 是否具备\n无线充电 | 否\n蓝牙 | 是"
EDITIONS = "功能 | 标准版 | 专业版\n导出 | 不支持 | 支持\n打印 | 支持 | 支持"


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("该手机支持无线充电", PHONE, False),
        ("该手机支持无线充电", SHEET, False),
        ("该手机具备无线充电功能", CARD, False),
        ("该手机不支持快速充电", PHONE, False),
        ("患者有过敏史", FORM, False),
        ("患者没有手术史", FORM, False),
        ("患者是独生子女", FORM, False),
        ("开封商品可以退换", "开封商品：不退不换\n未拆封商品：可退换", False),
        ("该手机不支持无线充电", PHONE, True),
        ("该手机不支持无线充电", SHEET, True),
        ("该手机没有无线充电功能", CARD, True),
        ("该手机支持快速充电", PHONE, True),
        ("该手机支持快速充电", SHEET, True),
        ("患者没有过敏史", FORM, True),
        ("患者无过敏史", FORM, True),
        ("患者有手术史", FORM, True),
        ("患者不是独生子女", FORM, True),
        ("开封商品不能退换", "开封商品：不退不换\n未拆封商品：可退换", True),
        # What is denied is more than the label, or another's.
        ("手机支持无线充电", "反向无线充电：不支持\n无线充电：支持", True),
        ("专业版支持导出", EDITIONS, True),
    ],
)
def test_what_a_label_is_denied_by_is_denied_in_a_sentence_too(sentence: str, passage: str, is_right: bool) -> None:
    assert reason_of(sentence, passage) == ("" if is_right else "citation.denial")


def test_a_line_told_by_a_label_does_not_go_on_in_the_next() -> None:
    assert reason_of("支持无线充电", PHONE.replace("型号：X100", "蓝牙：支持")) == "citation.denial"
