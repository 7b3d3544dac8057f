"""What a passage tells of another thing of the same kind: 事件管理 for 问题管理."""

import pytest

from tests.citations.reasons import reason_of_last

MANAGED = "问题管理是一个“调查研究”过程。使用信息表格，例如事件管理，来识别错误的模式。"
TICKETS = "年票用于一年内不限次数入园。月票可在售票处办理，日票当日有效。"
CARDS = "月卡、季卡不得转让。"
STAFF = "全体员工享受带薪年假，正式员工另有年终奖。"


@pytest.mark.parametrize(
    ("sentence", "passage", "question"),
    [
        ("事件管理是“调查研究”过程", MANAGED, ""),
        ("变更管理是“调查研究”过程", MANAGED, "变更管理和问题管理有什么区别"),
        ("病假需提前一周申请", "年假需提前一周申请。病假需提供证明。", ""),
        ("产假期间发放基本工资的70%", "病假期间发放基本工资的70%。产假158天。", "产假期间工资怎么发"),
        ("网络管理员负责备份服务器", "系统管理员负责备份服务器。网络管理员归信息处。", ""),
        ("年卡不能转让", CARDS, "年卡能转让吗"),
        ("不能", CARDS, "年卡能转让吗"),
        ("年卡480元", "月卡180元，季卡480元。", "年卡多少钱"),
        ("年票可在售票处办理", TICKETS, "年票在哪里办"),
    ],
)
def test_what_is_told_of_another_of_the_kind_is_exchanged(sentence: str, passage: str, question: str) -> None:
    assert reason_of_last(f"{sentence}[1]。", passage, question) == "exchanged"


@pytest.mark.parametrize(
    ("sentence", "passage", "question"),
    [
        ("问题管理是“调查研究”过程", MANAGED, "事件管理和问题管理有什么区别"),
        ("职工年假是带薪假", "员工年假是一种带薪假。", "年假带薪吗"),  # nothing calls anything else so
        ("正式员工可享受带薪年假", STAFF, "正式员工有年假吗"),  # what is told of all
        ("月票可在售票处办理", TICKETS, "年票和月票在哪里办"),
        ("电子发票可作为报销凭证", "纸质发票可作为报销凭证，电子发票同样可以。", "电子发票可以报销吗"),
        ("网络设备应每季度巡检一次", "服务器设备应每季度巡检一次，网络设备参照执行。", ""),
        ("事假会扣工资", "请假会扣工资。事假须提前申请。", "事假扣工资吗"),
        ("核心代码不可外传", "源代码不可外传，包括核心代码。", ""),
        ("红色按钮用于紧急停机", "左侧按钮用于紧急停机（红色按钮）。", ""),
        ("变更申请需由经理批准", "以下申请需由经理批准：变更申请、采购申请。", "变更申请谁批准"),
        ("医生电话是027-88991203", "主治医师：柳青山 联系电话：027-88991203", "医生电话多少"),
        ("纸质合同应保存十年", "签订后的合同应保存十年。纸质合同存档案室。", "纸质合同保存多久"),
        ("季卡不能转让", CARDS, "季卡能转让吗"),
        ("年卡不能转让", "会员卡不得转让。", "年卡能转让吗"),
        ("年卡不能转让", "月卡、年卡和季卡不得转让。", "年卡能转让吗"),
        ("年卡每张1200元", "月卡180元/张、季卡480元/张、年卡1200元/张。", "年卡多少钱"),
        ("门卡不得转借", "房卡不得转借。", "门卡能借别人吗"),
    ],
)
def test_what_is_told_of_the_same_or_of_all_is_borne_out(sentence: str, passage: str, question: str) -> None:
    assert reason_of_last(f"{sentence}[1]。", passage, question) is None
