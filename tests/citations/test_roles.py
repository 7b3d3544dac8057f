"""Who bears what in a contract, what counts as what, and what is forbidden unless leave is given."""

import pytest

from tests.citations.reasons import reason_of_last

LEASE = (
    "房屋主体结构及空调主机的维修由甲方负责，其余设施的日常维修由乙方负责。物业管理费由乙方承担；房产税由甲方承担。"
    "未经甲方书面同意，乙方不得将房屋全部或部分转租给第三方。乙方的全资子公司使用的，不视为转租，但应提前10日书面通知甲方。"
    "第五条 押金为两万元。第六条 租金每季度支付一次。"
)


@pytest.mark.parametrize(
    ("question", "answer", "why"),
    [
        ("空调主机谁修？", "空调主机由乙方维修。", "exchanged"),
        ("房产税谁出？", "房产税由乙方承担。", "exchanged"),
        ("物业费谁出？", "物业管理费由甲方支付。", "exchanged"),
        ("子公司使用算转租吗？", "子公司使用算转租。", "denial"),
        ("子公司使用算转租吗？", "子公司使用属于转租。", "denial"),
        ("可以转租吗？", "可以转租给第三方。", "denial"),
        ("未经同意能转租吗？", "未经甲方同意可以转租给第三方。", "denial"),
        ("第五条说了什么？", "第五条 租金每季度支付一次。", "number"),
    ],
)
def test_what_the_contract_says_otherwise_is_unverified(question: str, answer: str, why: str) -> None:
    assert reason_of_last(f"{answer}[1]", LEASE, question) == why


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("空调主机谁修？", "空调主机由甲方维修。"),
        ("房产税谁出？", "由甲方承担房产税。"),
        ("物业费谁出？", "物业管理费由乙方承担。"),
        ("子公司使用算转租吗？", "子公司使用的不可以视为转租。"),
        ("子公司使用算转租吗？", "不算转租。"),
        ("子公司使用算转租吗？", "子公司使用不视为转租。"),
        ("可以转租吗？", "经甲方书面同意，可以转租给第三方。"),
        ("可以转租吗？", "未经甲方书面同意，不得转租给第三方。"),
        ("第六条说了什么？", "第六条 租金每季度支付一次。"),
    ],
)
def test_what_it_says_in_other_words_is_borne_out(question: str, answer: str) -> None:
    assert reason_of_last(f"{answer}[1]", LEASE, question) is None
