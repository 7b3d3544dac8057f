"""Measures: the same one in other units, as 千瓦 and kW or 90分钟 and 1.5小时, and others of the same number."""

from decimal import Decimal

import pytest

from rag.citations.plain import plain
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
        ("适用电压为10至35kV", "适用电压为10-35千伏，频率50Hz。"),
        ("产品净重为3千克", "产品净重3kg，毛重4kg。"),
        ("产品净重为三千克", "产品净重3公斤，毛重4公斤。"),
        ("产品净重为3公斤", "产品净重3000克。"),
        ("全程为15千米", "全程15公里。"),
        ("全程为15公里", "全程15km。"),
        ("全程为15公里", "路段 | 里程\n全程 | 15"),
        ("重量最大30千克", "属性 weight 的单位为千克，最大 30；超过的须拆分。"),  # apart from its number
        ("每份的热量为30千卡", "每份的热量为30大卡。"),
        ("奖金为3千元", "奖金为3000元。"),
        ("月薪为8k", "月薪8k。"),
        ("内存为8G", "内存8GB。"),
        ("失业率比上月低0.3个百分点", "失业率为5.3%，比上月下降0.3个百分点。"),
        ("毛利率提高2个百分点", "项目 | 增减（百分点） | 占比\n毛利率 | 2 | 30%"),
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
        ("重量最大40千克", "属性 weight 的单位为千克，最大 30；超过的须拆分。"),
        ("重量最大30克", "重量最大30千克，超过的须拆分。"),
        ("研究了15个公园", "面积约15hm²的公园效率最高。"),
        ("每月3次", "每3天一回，每月如此。"),
        ("共有5名员工", "共有员工，费用为5元。"),
        ("租金每年递增5个百分点", "租金自第二年起每年递增5%。"),
        ("失业率比上月下降0.3%", "失业率为5.3%，比上月下降0.3个百分点。"),
    ],
)
def test_a_measure_of_another_size_or_of_what_is_counted_is_not(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) == "number"


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("期限为2年", "期限为24个月。"),
        ("期限为18个月", "期限为一年半。"),
        ("期限为半年", "期限为6个月。"),
        ("期限为15天", "期限为半个月。"),
        ("期限为14天", "期限为两周。"),
        ("商品72小时内送达", "商品3天内送达。"),
        ("商品24小时内送达", "商品一日内送达。"),
        ("材料3天内补齐", "材料三日内补齐。"),
        ("审批3个工作日完成", "审批三个工作日完成。"),
        ("时长为1.5小时", "时长为90分钟。"),
        ("时长为90分钟", "时长为一个半小时。"),
        ("面积为90㎡", "面积为90平方米。"),
        ("面积为2公顷", "面积为30亩。"),
        ("面积为2公顷", "面积为2 hm²。"),
        ("长度为5厘米", "长度为50mm。"),
        ("净重为3斤", "净重为1.5公斤。"),
        ("容量为500ml", "容量为0.5升。"),
        ("主频为2.4GHz", "主频为2400MHz。"),
        ("内存为8GB", "内存为8192MB。"),
        ("价款为500元", "价款为人民币500元。"),
        ("价款为500万元", "价款为500万。"),
    ],
)
def test_a_measure_in_another_unit_is_the_same(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) is None


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("价款为500美元", "价款为500元。"),
        ("价款为500万元", "价款为500万美元。"),
        ("价款为500港元", "价款为500元。"),
        ("内存为5MB", "内存为5GB。"),
        ("长度为5mm", "长度为5cm。"),
        ("面积为90平方公里", "面积为90平方米。"),
        ("电压为220V", "电流为220A。"),
        ("期限为两年", "期限为两年半。"),
        ("期限为5个月", "期限为半年。"),
        ("时长为80分钟", "时长为一个半小时。"),
        ("审批3天完成", "审批3个工作日完成。"),
        ("审批3日内完成", "审批3个工作日内完成。"),
        ("材料5个工作日内补齐", "材料5天内补齐。"),
        ("商品3日内送达", "商品3小时内送达。"),
    ],
)
def test_a_number_of_another_unit_is_another(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) == "number"


def test_a_number_of_thousands_of_a_unit_is_told_without_them() -> None:
    number = plain("重量为 30 千克").numbers[0]
    assert number.written.strip() == "30"
    assert number.value == Decimal(30)
    assert number.unit == "千克"


@pytest.mark.parametrize("text", ["上半年", "半年报", "半年度报告", "半日制", "一半天", "半个月亮"])
def test_half_of_a_word_is_no_number(text: str) -> None:
    assert plain(text).numbers == ()


@pytest.mark.parametrize(
    ("text", "unit"), [("10周年", "周年"), ("3元月票", "元月"), ("三年级", "年级"), ("两周", "周")]
)
def test_the_first_character_of_a_word_is_no_measure(text: str, unit: str) -> None:
    assert plain(text).numbers[0].unit == unit
