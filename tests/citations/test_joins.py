"""The beginning of one clause of a passage that an answer joins with the end of another."""

import pytest

from tests.citations.reasons import reason_of
from tests.waiting import within_cpu_seconds

TRADE = "货物进出口总额98877亿元，同比增长4.8%，其中出口56484亿元，增长8.4%；进口42393亿元，增长0.2%。"
ALARMS = "E01报警表示缺水，E02报警表示过载，E03报警表示电机过热。"
DEDUCTIONS = "子女教育每个子女每月2000元；赡养老人独生子女每月3000元；住房租金直辖市每月1500元。"
YEARS = "每满一年支付一个月工资。六个月以上不满一年的，按一年计算；不满六个月的，支付半个月工资。"
REPORTS = "现场人员应当立即向本单位负责人报告，单位负责人应当于1小时内向应急管理部门报告。"


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("进口56484亿元", TRADE),
        ("其中出口42393亿元", TRADE),
        ("E02报警表示缺水", ALARMS),
        ("住房租金每月2000元", DEDUCTIONS),
        ("不满六个月的，按一年计算", YEARS),
        ("六个月以上不满一年的，支付半个月工资", YEARS),
        ("现场人员应当于1小时内向应急管理部门报告", REPORTS),
    ],
)
def test_what_a_passage_tells_only_of_another_is_not_borne_out(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) is not None


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("进口42393亿元", TRADE),
        ("住房租金每月1500元", DEDUCTIONS),  # without what stands between
        ("不满六个月的，支付半个月工资", YEARS),
        ("公司主营软件开发", "公司成立于2010年，总部位于北京，主营软件开发。"),  # its clause leaves out of what
        ("第一批须体检", "第一批招收120人，第二批招收80人，两批均须体检。"),
        ("手机2000元", "手机3部，单价2000元。"),  # no other thing
        ("收入10亿元", "收入12亿元，上年10亿元。"),
        ("合同可以口头解除", "合同应当书面解除，紧急时可以口头解除。"),
        ("网络设备应每季度巡检", "服务器应每季度巡检，网络设备参照执行。"),
        ("小明的父亲是教师", "小明的父亲叫张三，张三是教师。"),
        ("物业费由甲方承担", "水费、宽带费由乙方承担；物业费每月268元、取暖设备年检费由甲方承担。"),
    ],
)
def test_what_it_tells_of_all_or_of_the_same_in_other_words_is(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) is None


def test_a_clause_that_a_long_passage_repeats_takes_no_time() -> None:
    with within_cpu_seconds(4):
        reason_of("甲方付款乙方收款" * 7, "甲方付款乙方收款，" * 4000 + "乙方付款。")
