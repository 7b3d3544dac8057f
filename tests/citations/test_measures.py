"""Measures told in thousands: 千瓦 and kW, 千克, 公斤 and kg, and W and 克 themselves."""

import pytest

from tests.citations.reasons import reason_of


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("额定功率为2.2千瓦", "额定功率 2.2kW，额定电压 380V。"),
        ("额定功率为2.2kW", "额定功率2.2千瓦，额定电压380伏。"),
        ("额定功率为2.2千瓦", "额定功率2200W。"),
        ("额定功率为2200瓦", "额定功率2.2kW。"),
        ("额定功率为2.2 KW", "额定功率2200瓦。"),
        ("额定电压为10千伏", "额定电压 10 kV。"),
        ("产品净重为3千克", "产品净重3kg，毛重4kg。"),
        ("产品净重为三千克", "产品净重3公斤，毛重4公斤。"),
        ("产品净重为3公斤", "产品净重3000克。"),
        ("全程为15千米", "全程15公里。"),
        ("全程为15公里", "全程15km。"),
        ("全程为15公里", "路段 | 里程\n全程 | 15"),
        ("月薪为8k", "月薪8k。"),
        ("内存为8G", "内存8GB。"),
    ],
)
def test_thousands_of_a_unit_are_the_same_in_every_form(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) is None


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("额定功率为2.3千瓦", "额定功率 2.2kW，额定电压 380V。"),
        ("额定功率为2.2瓦", "额定功率 2.2kW，额定电压 380V。"),
        ("额定功率为2.2W", "额定功率 2.2kW，额定电压 380V。"),
        ("额定功率为22千瓦", "额定功率2200W。"),
        ("产品净重为3克", "产品净重3kg。"),
        ("产品净重为3公斤", "产品净重3克。"),
        ("全程为15公里", "全程15米。"),
        ("全程为15千米", "全程15米。"),
    ],
)
def test_a_measure_of_another_size_is_not(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) == "citation.number"
