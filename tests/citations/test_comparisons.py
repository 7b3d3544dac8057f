"""Words by which a sentence compares, bounds, and their opposites."""

import pytest

from rag.citations import check
from rag.citations.opposites import opposites
from rag.types import Message
from tests.citations.reasons import reason_of
from tests.samples import evidence
from tests.waiting import within_cpu_seconds


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("每次最多可以上传10个文件", "每次上传文件数不得超过十个。", True),
        ("每次可以上传10个文件", "每次上传的文件数不得超过十个。", True),
        ("用户可以下载3次", "用户下载次数不得少于3次。", True),
        ("申请人需提供以下3种材料", "申请人应提供以上3种材料，材料不得超过一年。", True),
        ("可以内部转让的份额不低于10%", "可内部转让的份额至少10%。", True),
        ("每次最多可以上传10个文件", "每次上传文件数不得少于十个。", False),
        ("学历要求本科以下", "学历要求本科以上。", False),
        ("金额在500元以上的需审批", "金额在500元以下的，无需审批。", False),
        ("500元以上均须主管审批", "500元以下均须主管审批。", False),
        ("100元以上材料须招标", "100元以下材料须招标。", False),
    ],
)
def test_a_bound_is_told_from_characters_that_only_look_like_one(sentence: str, passage: str, is_right: bool) -> None:
    assert reason_of(sentence, passage) == (None if is_right else "comparison")


@pytest.mark.parametrize(
    ("sentence", "passage", "reason"),
    [
        ("公司不允许员工兼职", "公司禁止员工兼职。", ""),
        ("公司不同意退款申请", "对退款申请，公司一律拒绝。", ""),
        ("公司不拒绝退款申请", "对退款申请，公司一律同意。", ""),
        ("营业收入没有增长", "营业收入同比下降5%。", ""),
        ("宿舍内禁止使用大功率电器", "宿舍内不允许使用大功率电器。", ""),
        ("公司反对加班", "公司不支持加班。", ""),
        ("公司拒绝退款申请", "公司不予同意退款申请。", ""),
        ("公司允许员工兼职", "公司不禁止员工兼职。", ""),
        ("营业收入下降", "营业收入没有增长。", "comparison"),
        ("公司反对加班", "公司支持加班。", "comparison"),
        ("公司禁止员工兼职", "公司不允许实习生出差，允许员工兼职。", "comparison"),
        ("公司允许员工兼职", "公司禁止员工兼职。", "comparison"),
        ("公司同意退款申请", "对退款申请，公司一律拒绝。", "comparison"),
        ("公司不允许员工兼职", "公司不禁止员工兼职。", "comparison"),
        ("公司不禁止员工兼职", "公司不允许员工兼职。", "comparison"),
        ("营业收入增长", "营业收入同比下降5%。", "comparison"),
        ("公司允许员工兼职", "公司不允许员工兼职。", "denial"),
        ("解除合同可以口头通知对方", "解除合同应当书面通知对方。", "comparison"),
        ("解除合同不得口头通知对方", "解除合同应当书面通知对方。", ""),
        ("解除合同可以口头通知对方", "解除合同应当书面通知，紧急时可以口头通知对方。", ""),
        ("该讲座免费向市民开放", "该讲座不收费，向市民开放。", ""),
        ("该讲座收费，向市民开放", "该讲座免费向市民开放。", "comparison"),
        ("营业收入环比增长5%", "营业收入同比增长5%。", "comparison"),
        ("阀门顺时针旋转为关闭", "阀门逆时针旋转为关闭。", "comparison"),
        ("每月组织一次全员体检", "每年组织一次全员体检。", "comparison"),
        ("院校将每月的6月5日定为校庆日", "院校将每年的6月5日定为校庆日。", "comparison"),
        ("每星期组织一次全员培训", "每周组织一次全员培训。", ""),
        ("未按期支付租金的，每日加收0.05%", "逾期支付租金的，每日加收0.05%。", ""),
        ("逾期归还图书的，每天罚款0.1元", "未能按时归还图书的，每天罚款0.1元。", ""),
        ("未及时归还图书的，每天罚款0.1元", "逾期归还图书的，每天罚款0.1元。", ""),
        ("按时归还图书的，每天罚款0.1元", "逾期归还图书的，每天罚款0.1元。", "comparison"),
        ("2023版还有效", "本制度生效后，2023版同时废止。", "comparison"),
        ("本制度生效后，2023版不再有效", "本制度生效后，2023版同时废止。", ""),
        ("签名的有效期为300秒", "签名过期即失效，有效期为300秒。", ""),
        ("公司逾期披露了年度报告", "公司按期披露了年度报告。", "comparison"),
        ("乙方应按时支付租金", "乙方应于每月5日前支付租金，逾期支付的，每日支付0.5%的滞纳金。", ""),
    ],
)
def test_what_is_denied_is_told_by_its_opposite(sentence: str, passage: str, reason: str) -> None:
    assert reason_of(sentence, passage) == (reason or None)


def test_a_word_that_a_long_clause_repeats_takes_no_time() -> None:
    clause = "公司允许员工兼职" * 8000
    with within_cpu_seconds(2):
        assert len(list(opposites(clause, "公司禁止员工兼职。"))) == 8000


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("费用最高500元", "费用至少500元。"),
        ("费用500元以上", "费用500元封顶。"),
        ("费用至少500元", "费用上限为500元。"),
        ("费用至少500元", "费用以500元为限。"),
        ("票价最多100元", "票价100元起。"),
        ("材料须在3天以上提交", "材料须在3天内提交。"),
        ("材料须在3个工作日以上提交", "材料须在3个工作日内提交。"),
        ("租期最长30天", "租期最短30天。"),
        ("考生须满18周岁", "考生未满18周岁。"),
        ("人数≥20人", "人数≤20人。"),
        ("保证金最高为合同金额的5%", "保证金不得低于合同金额的5%。"),
        ("罚款超过500元", "罚款不准超过500元。"),
        # A little less stands there, too.
        ("奖金累计不足2000万美元", "奖金累计超过2000万美元，打破了1842万美元的纪录。"),
        ("24小时至少20元", "首小时免费，24小时封顶20元。"),
        ("在20℃以上保存", "在阴凉（不超过20℃）干燥处保存。"),
        ("空转不得少于10秒", "严禁在无水状态下空转超过10秒。"),
        (
            "余氯限值不高于0.05",
            "水质检测\n项目 | 单位 | 限值 | 1号厂\n余氯 | mg/L | ≥0.05 | 0.42\n浑浊度 | NTU | ≤1 | 0.12",
        ),
        (
            "日志最少保留30天",
            "建议使用本地模式。日志默认保留7天，30秒内生效，可以通过参数log.retention修改，最大30天。",
        ),
        ("The refund takes at least 30 days", "The refund takes up to 30 days."),
    ],
)
def test_a_number_bounded_from_the_other_side_is_not_borne_out(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) in ("comparison", "denial")


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("费用最高500元", "费用不超过500元。"),
        ("费用不低于500元", "费用最低500元。"),
        ("工龄10年以上", "工龄满10年。"),
        ("不满18周岁的须家长陪同", "未满18周岁的须家长陪同。"),
        ("期限30天以内", "期限最长30天。"),
        ("保证金不超过合同金额的5%", "保证金以合同金额的5%为限。"),
        ("罚款未超过500元", "罚款不超过500元。"),
        ("违约金可超过60元", "违约金为60.5元。"),
        ("公司有3家国内企业", "公司至少有3家国内企业。"),
        ("产品近3年内部审计两次", "产品3年以上内部审计两次。"),
        ("客户满意度超过95%", "客户满意度为95.6%。"),
        ("最大客户占比超过15%", "最大客户占比15.6%。"),
        ("满分为100分", "最高100分。"),
        ("空转不超过10秒", "空转不得持续超过10秒。"),
        ("企业成立满2年", "企业成立满2年，近2年内无逾期记录。"),
    ],
)
def test_a_number_bounded_from_the_same_side_in_other_words_is(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) is None


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("其他城市的标准上浮100元", "一线城市的标准为500元，其他城市的标准下浮100元。", False),
        ("提测时间提前至5月31日", "提测时间推迟至5月31日。", False),
        ("须提交身份证复印件", "须提交身份证原件。", False),
        ("用药前可以做皮试", "用药前必须做皮试，服药后可以饮水。", False),
        ("提测时间推迟到5月31日", "提测时间推迟至5月31日。", True),
        ("用药前须做皮试", "用药前必须做皮试。", True),
        ("须提前30日申请推迟", "推迟的，须提前30日申请。", True),
    ],
)
def test_an_opposite_in_its_very_place_is_not_borne_out(sentence: str, passage: str, is_right: bool) -> None:
    assert reason_of(sentence, passage) == (None if is_right else "comparison")


def test_a_bound_turned_round_is_told_with_its_number() -> None:
    (checked,) = check("费用最高500元[1]。", [evidence(1, "费用至少500元。")])
    assert checked.reason == Message("citation.comparison", {"text": "最高500"})


DEADLINES = (
    "租赁期满后，承租人享有优先续租权。保证金在验收合格后退还，由财务部在5日内支付。房屋左侧的车位归承租人使用。"
)


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("租赁期满前，承租人享有优先续租权", "comparison"),
        ("保证金在验收合格前退还", "comparison"),
        ("房屋右侧的车位归承租人使用", "comparison"),
        ("租赁期满后，承租人享有优先续租权", ""),
        ("在租赁期满后，保证金在验收合格后退还", ""),
    ],
)
def test_what_stands_on_the_other_side_is_not_borne_out(sentence: str, reason: str) -> None:
    assert reason_of(sentence, DEADLINES) == (reason or None)


def test_a_side_that_the_passage_names_elsewhere_in_such_a_place_is() -> None:
    assert reason_of("合格前全额退还的是定金", "合格后全额退还的是保证金，定金在合格前退还。") is None


def test_a_side_is_told_with_its_numbers() -> None:
    (checked,) = check("员工须在离职3天前上报[1]。", [evidence(1, "员工须在离职3天后上报。")])
    assert checked.reason == Message("citation.comparison", {"text": "3天前"})
