"""Denials: of what stands behind a label, and by words that forbid."""

import pytest

from rag.citations import check
from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.source import Source
from rag.citations.wrong_rulings import items, ruled_otherwise
from rag.language.denials import denials
from rag.types import Support
from tests.citations.reasons import reason_of, reason_of_last
from tests.samples import evidence

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
        ("该路由器支持5G频段", "5G频段 | 不支持\n2.4G频段 | 支持", False),
        ("该路由器支持2.4G频段", "5G频段 | 不支持\n2.4G频段 | 支持", True),
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
    assert reason_of(sentence, passage) == (None if is_right else "denial")


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("这批设备可能不能按期交付", "这批设备可能无法按期交付。"),
        ("合同应避免有不能履行的条款", "合同应避免有无法履行的条款。"),
    ],
)
def test_a_denial_that_looks_like_a_question_is_one_all_the_same(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) is None
    assert reason_of(passage.strip("。"), f"{sentence}。") is None


@pytest.mark.parametrize("sentence", ["概不退还，考务费缴纳后", "无连任限制，理事任期三年"])
def test_clauses_with_a_denial_may_be_turned_round(sentence: str) -> None:
    assert reason_of(sentence, "考务费缴纳后，概不退还。理事会共九人。理事任期三年，无连任限制。") is None
    assert reason_of(sentence, "考务费缴纳后，可以退还。理事会共九人。理事任期三年，有连任限制。") == "denial"


def test_a_heading_that_ends_in_a_word_with_a_denial_denies_nothing_of_what_stands_below() -> None:
    told = "推荐免试研究生的名额为应届人数的15%，要求四级不低于500分"
    assert reason_of(told, f"推免\n{told}。") is None


def test_a_denial_in_what_heads_a_row_or_column_denies_nothing_of_a_cell() -> None:
    funds = "项目 | 发生额 | 未到期余额\n银行理财产品 | 352,000.00 | 120,000.00\n信托产品 | 50,000.00 | 0.00"
    assert reason_of("银行理财产品的未到期余额是120,000.00", funds) is None
    shares = "姓名 | 已解锁股份 | 未解锁股份\n李荣 | 0 | 500\n张三 | 20 | 30"
    assert reason_of("李荣的已解锁股份是0", shares) is None
    assert reason_of("银行理财产品没有到期", "银行理财产品已经到期。") == "denial"


def test_a_line_told_by_a_label_does_not_go_on_in_the_next() -> None:
    assert reason_of("支持无线充电", PHONE.replace("型号：X100", "蓝牙：支持")) == "denial"


@pytest.mark.parametrize("text", ["是否认定为工伤", "可否认定为工伤", "能否认定为工伤", "有无认定", "有没有认定"])
def test_what_leaves_open_whether_it_is_so_denies_nothing(text: str) -> None:
    assert denials(text) == []


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("孕妇可以使用本品", "孕妇禁用本品。", False),
        ("室内可以吸烟", "室内禁烟，违者罚款。", False),
        ("术前8小时可以进食", "术前8小时禁食。", False),
        ("库房内可以带入火种", "库房内禁带火种。", False),
        ("高血压患者可使用", "高血压患者忌用。", False),
        ("押金可以退", "押金不退。", False),
        ("试用期员工可以享受年终奖", "试用期员工无年终奖。", False),
        ("会议同意增购服务器", "同意增加人员；不同意增购服务器，改为优化。", False),
        ("近期免冠照片2张", "近期照片2张。", True),
        ("扣非净利润为8万元", "净利润（扣除非经常性损益后）为8万元。", True),
        ("转租无需甲方同意", "未经甲方书面同意，乙方不得转租。", False),
        ("转租不需要甲方的同意", "未经甲方书面同意，乙方不得转租。", False),
        ("经甲方同意可以转租", "未经甲方书面同意，乙方不得转租。", True),
        ("孕妇不能使用本品", "孕妇禁用本品。", True),
        ("室内不能吸烟", "室内一律禁烟，吸烟请到室外。", True),
        ("术前8小时应禁食", "术前8小时禁食，4小时禁水。", True),
        ("库房内不得带入火种", "库房内禁带火种。", True),
        ("高血压患者禁用", "高血压患者不宜使用。", True),
        # Where something is switched off, nothing is forbidden.
        ("管理员可以停用该账号", "管理员可以禁用该账号。", True),
        ("违规账号会被停用", "违规账号将被禁用。", True),
        ("孕妇可以在医生指导下使用", "儿童禁用，孕妇应在医生指导下使用。", True),
    ],
)
def test_what_is_forbidden_in_one_word_may_not_be_allowed(sentence: str, passage: str, is_right: bool) -> None:
    assert reason_of(sentence, passage) == (None if is_right else "denial")


QUOTED = "4. 本报价含运费及税费，不含机房土建、消防改造及市电增容。"
SHARED = "甲方承担水费、电费，乙方不承担物业费。保修不覆盖人为损坏、进水；支持Wi-Fi，不支持蓝牙、NFC。"


@pytest.mark.parametrize(
    ("sentence", "passage", "is_borne_out"),
    [
        ("报价包含消防改造", QUOTED, False),
        ("报价包含土建和消防改造", QUOTED, False),
        ("报价包含市电增容的费用", QUOTED, False),
        ("报价不包含运费", QUOTED, False),
        ("乙方承担物业费", SHARED, False),
        ("保修覆盖进水", SHARED, False),
        ("产品支持NFC", SHARED, False),
        ("报价不包括消防改造", QUOTED, True),
        ("报价包含运费及税费，但不含市电增容", QUOTED, True),
        ("保修不覆盖人为损坏", SHARED, True),
        ("套餐不支持退款，不提供发票", "套餐：不支持退款、发票与转让。", True),
        ("产品不支持NFC", SHARED, True),
        ("报价不包含消防改造，运费未付", QUOTED, False),
        ("提供餐食的，也发补助", "提供餐食的，不发补助。", False),
    ],
)
def test_each_thing_in_a_list_is_denied_with_it(sentence: str, passage: str, is_borne_out: bool) -> None:
    assert reason_of(sentence, passage) == (None if is_borne_out else "denial")


@pytest.mark.parametrize(("passage", "denied"), [("甲方不承担水费。", []), ("乙方不承担水费。", ["承担水费"])])
def test_what_another_does_not_do_is_no_denial(passage: str, denied: list[str]) -> None:
    claim = Claim.of("乙方承担水费。", "", "", ())
    assert list(ruled_otherwise(items(claim, Cited(claim, (Source.of(evidence(1, passage)),))))) == denied


APPEAL = (
    "因病不能参加考试的，须提交缓考申请。对成绩有异议的，可在公布后5个工作日内申请复核。有医保的报90%，无医保的报60%。"
)


@pytest.mark.parametrize(
    ("question", "answer", "is_right"),
    [
        ("对分数不满意怎么办？", "对分数不满意可以在公布后5个工作日内申请复核", True),
        ("生病考不了怎么办？", "生病考不了可以提交缓考申请", True),
        ("没有医保报多少？", "没有医保的报90%", False),
        ("没用医保看病报多少？", "没用医保看病报60%", True),
        ("对成绩有异议怎么办？", "对成绩有异议不可以申请复核", False),
    ],
)
def test_what_was_asked_may_deny_what_the_passage_does_not_speak_of(question: str, answer: str, is_right: bool) -> None:
    reason = reason_of_last(f"{answer}[1]。", APPEAL, question)
    assert (reason is None) == is_right


def test_what_is_quoted_word_for_word_is_borne_out_though_something_else_was_asked_for() -> None:
    passage = evidence(1, "1. 视频平台9月29日上线，比计划晚一天。")
    said = "资料里没有找到直接的回答，最接近的原文是：\n\n"
    *_, quoted = check(f"{said}> 1. 视频平台9月29日上线，比计划晚一天。[1]", [passage], ["项目总造价多少？"])
    assert (quoted.support, quoted.reason) == (Support.SUPPORTED, None)
    *_, changed = check(f"{said}> 1. 视频平台9月28日上线，比计划晚一天。[1]", [passage], ["项目总造价多少？"])
    assert changed.support is Support.UNVERIFIED


@pytest.mark.parametrize("verdict", ["不能", "不可以", "不行", "不"])
def test_a_verdict_denies_once_with_what_follows_it(verdict: str) -> None:
    assert reason_of(f"{verdict}，周日不办理结算", "周六8:00—12:00，周日不办理结算。") is None
    assert reason_of(f"{verdict}，周日不办理结算", "周日办理结算，下午五点截止。") == "denial"
