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
    assert reason_of(sentence, passage) == "exchanged"


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


LIGHTS = "红灯亮表示故障，绿灯亮表示正常运行，黄灯闪烁表示正在充电。黄灯灭表示电量充足。"
APPROVAL = "病假三天以内由部门主管批准，超过三天的由人力资源部批准。验收由乙方负责，逾期验收由监理单位负责。"


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("红灯亮表示正常运行", LIGHTS),
        ("红灯亮表示正常运行，绿灯亮表示故障", LIGHTS),
        ("黄灯灭表示正在充电", LIGHTS),
        ("员工病假3天以内由人力资源部批准", APPROVAL),
        ("病假超过三天的由部门主管批准", APPROVAL),
    ],
)
def test_what_is_told_of_another_in_like_words_is_not_borne_out(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) == "exchanged"


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("红灯亮表示故障，绿灯亮表示正常运行", LIGHTS),
        ("绿灯亮表示运行正常", LIGHTS),
        ("病假三天以内由部门主管批准", APPROVAL),
        ("逾期的，验收由监理单位负责", APPROVAL),  # said elsewhere in the sentence
        ("张三是经理", "张三是工程师，李四是经理，张三兼任经理。"),  # told in other words, too
        ("张三是高级工程师", "张三是工程师，李四是高级工程师。"),  # it may be told in short
    ],
)
def test_what_is_told_of_it_in_other_words_or_under_a_condition_that_is_named_is(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) is None
