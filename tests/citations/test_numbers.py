"""Which numbers of a sentence its passage bears out: shares, rounded ones, signs, and those of tables with a unit."""

import pytest

from rag.citations import check
from rag.citations.plain import plain
from rag.types import Support
from tests.samples import evidence


def is_supported(sentence: str, passage: str, question: str = "") -> bool:
    (checked,) = check(sentence, [evidence(1, passage)], [question])
    return checked.support is Support.SUPPORTED


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("违约金为3%[1]。", "违约金为千分之三。", False),
        ("违约金为百分之三[1]。", "违约金为千分之三。", False),
        ("违约金为3‰[1]。", "违约金为3%。", False),
        ("违约金为万分之三[1]。", "违约金为万分之五。", False),
        ("违约金为0.3%[1]。", "违约金为千分之三。", True),
        ("违约金每日按0.05%支付[1]。", "每日按万分之五支付违约金。", True),
        ("每日按万分之五支付违约金，以欠款为限[1]。", "以欠款为限，每日按万分之五支付违约金。", True),
    ],
)
def test_shares_of_a_hundred_a_thousand_and_ten_thousand_are_told_apart(
    sentence: str, passage: str, is_right: bool
) -> None:
    assert is_supported(sentence, passage) == is_right


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("奖金为2万元[1]。", "奖金为1.5万元。", False),
        ("奖金约2万元[1]。", "奖金为1.5万元。", False),
        ("份额增长约0.1%[1]。", "份额增长0.14%。", True),
        ("份额增长约0.1%[1]。", "份额增长0.24%。", False),
        ("奖金为1万元[1]。", "奖金为1.4万元。", False),
        ("奖金为3千元[1]。", "奖金为2600元。", False),
        ("每股收益为0.4元[1]。", "每股收益为0.36元。", False),
        ("奖金约2万元[1]。", "奖金为1.95万元。", True),
        ("奖金在2万元左右[1]。", "奖金为18,500元。", True),
        ("奖金超过1万元[1]。", "奖金为1.4万元。", True),
        ("奖金有2万多元[1]。", "奖金为2.3万元。", True),
        ("奖金接近2万元[1]。", "奖金为1.8万元。", True),
        ("奖金为2亿元[1]。", "奖金为19,919.05万元。", True),
        ("奖金为1.1亿元[1]。", "奖金为1.04亿元。", False),
        ("奖金为1.1亿元[1]。", "奖金为10,640万元。", True),
        ("每股收益约为0.4元[1]。", "每股收益为0.36元。", True),
    ],
)
def test_a_number_of_one_digit_is_rounded_by_a_little_only(sentence: str, passage: str, is_right: bool) -> None:
    assert is_supported(sentence, passage) == is_right


LOSS = "项目 | 本期 | 增减(%)\n净利润 | -1,234.56 | −50.71\n其他 | (77.5) | 3.3\n最低气温为−20℃。股份数变动 | -500,000"


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("净利润为1,234.56元[1]。", "净利润是多少？"),
        ("净利润本期增长50.71%[1]。", "净利润变动多少？"),
        ("最低气温为20℃[1]。", "最低气温是多少？"),
        ("其他增减为-3.3%[1]。", "其他增减多少？"),
        ("净利润为1,234.56元，下年预计好转[1]。", "净利润是多少？"),
    ],
)
def test_a_number_without_its_minus_is_another(sentence: str, question: str) -> None:
    assert not is_supported(sentence, LOSS, question)


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("净利润为-1,234.56元[1]。", "净利润是多少？"),
        ("净亏损1,234.56元[1]。", "净利润是多少？"),
        ("净利润下降50.71%[1]。", "净利润变动多少？"),
        ("1,234.56元[1]。", "净利润亏损多少？"),
        ("净利润为负1,234.56元[1]。", "净利润是多少？"),
        ("净利润-1,234.56元[1]。", "净利润是多少？"),
        ("最低气温为零下20℃[1]。", "最低气温是多少？"),
        ("最低气温为零下二十℃[1]。", "最低气温是多少？"),
        ("其他为-77.5元[1]。", "其他是多少？"),
        ("其他为77.5元[1]。", "其他是多少？"),
        ("减持了500,000股[1]。", "股份数变动多少？"),
    ],
)
def test_what_is_below_zero_is_told_with_a_minus_or_in_words(sentence: str, question: str) -> None:
    assert is_supported(sentence, LOSS, question)


def test_a_fall_that_a_list_is_of_needs_no_minus_in_its_items() -> None:
    *_, item = check("下降的项目：\n- 净利润：50.71%[1]", [evidence(1, LOSS)])
    assert item.support is Support.SUPPORTED


@pytest.mark.parametrize(
    "text",
    [
        "年假5-8天",
        "试用期3月-6月",
        "电话:400-800-1234",
        "日期:2020-05-01",
        "型号A-20",
        "见附录-3",
        "温度20℃-30℃",
        "占比3%-5%",
        "第 -5- 页",
        "-15天年假",
        "5 -8岁",
    ],
)
def test_a_dash_is_no_minus(text: str) -> None:
    assert not any(number.is_below_zero for number in plain(text).numbers)


@pytest.mark.parametrize(
    "text", ["净利润 | -5.5", "利润为-5.5万元", "温度：-5.5℃～3℃", "(−5.5)", "零下5.5度", "增长率-5.5%"]
)
def test_a_minus_is_read(text: str) -> None:
    assert plain(text).numbers[0].is_below_zero


ROWS = (
    "项目 | 2020年 | 2019年 | 占比(%)\n营业收入 | 1,234.56 | 1,000.55 | 35.2\n设备台数 | 1,870 | 1,650 | 2.5\n"
    "每股收益 | 0.36 | 0.25 | 7.7"
)
OF_MILLIONS = (
    "项目 | 金额（百万元） | 产量（万吨） | 股价（元/股）\n甲产品 | 512.5 | 33.5 | 7.25\n备用金（元） | 640.5 | | "
)


@pytest.mark.parametrize(
    "above", ["单位：万元", "（单位：万元）", "金额单位:人民币万元", "单位:万元 币种:人民币", "金额单位均为万元。"]
)
def test_figures_of_a_table_are_of_the_unit_above_it(above: str) -> None:
    table = f"{above}\n{ROWS}"
    for right in ("1,234.56万元", "1,234.56", "12,345,600元", "0.12亿元"):
        assert is_supported(f"2020年的营业收入为{right}[1]。", table)
    for wrong in ("1,234.56元", "1,234.56亿元", "1,235.56万元", "123,456元"):
        assert not is_supported(f"2020年的营业收入为{wrong}[1]。", table)


@pytest.mark.parametrize(
    "below", ["注：金额单位为万元，不含税。", "（注：单位：万元）", "以上金额单位均为人民币万元。"]
)
def test_figures_of_a_table_are_of_the_unit_in_the_note_below_it(below: str) -> None:
    table = f"{ROWS}\n{below}\n名称 | 余额\n押金 | 320.75"
    assert is_supported("2020年的营业收入为1,234.56万元[1]。", table)
    assert not is_supported("2020年的营业收入为1,234.56元[1]。", table)
    assert is_supported("押金的余额为320.75元[1]。", table)


def test_a_unit_told_below_for_something_else_is_none_of_the_table_above() -> None:
    table = f"{ROWS}\n下表金额单位为万元。\n名称 | 余额\n押金 | 320.75"
    assert is_supported("2020年的营业收入为1,234.56元[1]。", table)
    assert is_supported("押金的余额为320.75万元[1]。", table)


@pytest.mark.parametrize(("scale", "other"), [("千", "万"), ("亿", "万"), ("百万", "")])
def test_a_unit_of_any_size_is_read(scale: str, other: str) -> None:
    table = f"单位：{scale}元\n{ROWS}"
    assert is_supported(f"2020年的营业收入为1,234.56{scale}元[1]。", table)
    assert not is_supported(f"2020年的营业收入为1,234.56{other}元[1]。", table)


@pytest.mark.parametrize(
    ("sentence", "is_right"),
    [
        ("营业收入占比为35.2%[1]。", True),
        ("2020年的设备台数为1,870台[1]。", True),
        ("2020年的每股收益为0.36元[1]。", True),
        ("2020年的每股收益为0.36万元[1]。", False),
        ("营业收入 | 1,234.56 | 1,000.55 | 35.2[1]", True),
        ("营业收入为1,000.55万元[1]。", True),
    ],
)
def test_what_a_table_tells_in_another_unit_is_not_of_the_one_above_it(sentence: str, is_right: bool) -> None:
    assert is_supported(sentence, f"单位：万元\n{ROWS}") == is_right


@pytest.mark.parametrize(
    ("sentence", "is_right"),
    [
        ("甲产品的金额为512.5百万元[1]。", True),
        ("甲产品的金额为5.125亿元[1]。", True),
        ("甲产品的金额为512.5元[1]。", False),
        ("甲产品的产量为33.5万吨[1]。", True),
        ("甲产品的产量为33.5吨[1]。", False),
        ("甲产品的股价为7.25元[1]。", True),
        ("备用金为640.5元[1]。", True),
        ("备用金为640.5百万元[1]。", False),
    ],
)
def test_the_unit_of_a_column_or_row_is_that_of_its_figures(sentence: str, is_right: bool) -> None:
    assert is_supported(sentence, OF_MILLIONS) == is_right


@pytest.mark.parametrize("first", ["单位：万元", "项目（单位：万元）"])
def test_years_beside_the_unit_of_a_table_are_its_header_and_no_figures(first: str) -> None:
    table = f"{first} | 2019 | 2020\n营业收入 | 1,200 | 1,500"
    assert is_supported("2020年营业收入为1,500万元[1]。", table)
    assert not is_supported("2020年营业收入为1,200万元[1]。", table)


def test_a_unit_is_that_of_the_next_table_only() -> None:
    passage = f"单位：万元\n{ROWS}\n另有如下备查：\n名称 | 余额\n押金 | 320.75"
    assert is_supported("押金的余额为320.75元[1]。", passage)
    assert is_supported("其中的押金为320.75元[1]。", passage.replace("备查：", "备查（单位：元）："))


def test_a_row_does_not_go_on_in_the_next() -> None:
    table = "名称 | 2020年 | 2019年\n营业收入 | 88.5 | 77.5"
    assert is_supported("2020年营业收入为88.5元[1]。", table)


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("营业收入增长约16%[1]。", "营业收入同比增长15.8%。", True),
        ("营业收入增长16%左右[1]。", "营业收入同比增长15.8%。", True),
        ("营业收入增长超过15%[1]。", "营业收入同比增长15.8%。", True),
        ("公司约有3000人[1]。", "公司共有员工2,987人。", True),
        ("重量约15吨[1]。", "重量为14.8吨。", True),
        ("人口约30万[1]。", "人口29.4万人。", True),
        ("参会者有30多人[1]。", "参会者有36人。", True),
        ("利润近3000万元[1]。", "利润为2,987.5万元。", True),
        ("营业收入增长约18%[1]。", "营业收入同比增长15.8%。", False),
        ("营业收入增长超过16%[1]。", "营业收入同比增长15.8%。", False),
        ("公司约有3000人[1]。", "公司共有员工2,487人。", False),
        ("公司约有2900人[1]。", "公司共有员工2,987人。", False),
        ("参会者有30多人[1]。", "参会者有46人。", False),
        ("利润近3000万元[1]。", "利润为3,187.5万元。", False),
        ("重量为15吨[1]。", "重量为14.8吨。", False),
        ("违约3000次[1]。", "违约2987次。", False),
        ("约2000年建成[1]。", "1990年建成。", False),
        ("单笔不超过500元[1]。", "单笔上限为480元。", False),
        ("单笔超过500元的需经理审批[1]。", "单笔超过520元的须经理审批。", False),
        ("不足500元的按500元计算[1]。", "不足480元的按480元计算。", False),
    ],
)
def test_a_whole_number_may_be_told_loosely_and_to_one_side(sentence: str, passage: str, is_right: bool) -> None:
    assert is_supported(sentence, passage) == is_right


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("上班时间为9:00至11:30[1]。", "上午9时至11时30分上班。", True),
        ("会议于上午10:30开始[1]。", "会议于上午十时三十分开始。", True),
        ("上班时间为9点半[1]。", "上班时间为9:30。", True),
        ("上班时间为九点[1]。", "上班时间为9:00-18:00。", True),
        ("会议于下午1:50开始[1]。", "会议于下午1点50分开始。", True),
        ("培训为3小时30分钟[1]。", "培训时长3小时30分钟。", True),
        ("记录时间为10:30:15[1]。", "记录时间为10:30:15。", True),
        ("按1比50稀释[1]。", "按1:50的比例稀释。", True),
        ("比分为78:65[1]。", "比分为78比65。", True),
        ("会议于上午10:40开始[1]。", "会议于上午十时三十分开始。", False),
        ("上班时间为9:00[1]。", "上班时间为9时30分。", False),
        ("上班时间为9:00[1]。", "上班时间为9:30。", False),
        ("按1:40的比例稀释[1]。", "按1:50的比例稀释。", False),
    ],
)
def test_a_time_of_day_is_one_number_in_every_form(sentence: str, passage: str, is_right: bool) -> None:
    assert is_supported(sentence, passage) == is_right


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("价格在10万到20万元之间[1]。", "价格为10-20万元。", True),
        ("预算为3到5千元[1]。", "预算为3000至5000元。", True),
        ("罚款500元到1万元[1]。", "罚款500-1万元。", True),
        ("承重为3到5千克[1]。", "承重3-5千克。", True),
        ("处3至7年有期徒刑[1]。", "处三至七年有期徒刑。", True),
        ("处三年至七年有期徒刑[1]。", "处三至七年有期徒刑。", True),
        ("处四至七年有期徒刑[1]。", "处三至七年有期徒刑。", False),
        ("价格在10万到30万元之间[1]。", "价格为10-20万元。", False),
        ("承重为3000克到5千克[1]。", "承重3-5千克。", False),
        ("价格在10万到20万元之间[1]。", "价格为10元至20万元。", False),
    ],
)
def test_the_first_number_of_a_range_is_told_in_what_the_second_is(sentence: str, passage: str, is_right: bool) -> None:
    assert is_supported(sentence, passage) == is_right


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("合同一式两份[1]。", "本合同一式贰份，双方各执壹份。", True),
        ("合同价款为35,200元[1]。", "合同价款为人民币叁万伍仟贰佰元整。", True),
        ("合同一式三份[1]。", "本合同一式贰份，双方各执壹份。", False),
        ("合同价款为36,000元[1]。", "合同价款为人民币叁万陆仟元整。", True),
        ("合同价款为60,000元[1]。", "合同价款为人民币陆万元整。", True),
        ("合同价款为100,000元[1]。", "合同价款为人民币拾万元整。", True),
        ("合同价款为16元[1]。", "合同价款为人民币拾陆元整。", True),
        ("合同期为365天[1]。", "合同期为叁佰陆拾伍天。", True),
        ("合同价款为35,300元[1]。", "合同价款为人民币叁万伍仟贰佰元整。", False),
        ("合同价款为30,000元[1]。", "合同价款为人民币叁万陆仟元整。", False),
        ("合同价款为50,000元[1]。", "合同价款为人民币陆万元整。", False),
    ],
)
def test_amounts_are_read_as_contracts_write_them(sentence: str, passage: str, is_right: bool) -> None:
    assert is_supported(sentence, passage) == is_right


@pytest.mark.parametrize(
    "text", ["由伍家岗区管理", "收拾房间", "大陆百姓", "仟村百货", "收拾百货", "大陆万科", "登陆仟村", "陆家嘴", "陆续"]
)
def test_a_character_of_a_name_or_word_is_no_number(text: str) -> None:
    assert plain(text).numbers == ()


@pytest.mark.parametrize(
    ("text", "value"), [("十万陆续到账", 100_000), ("大陆一千人", 1000), ("收拾三个房间", 3), ("三百廿天", None)]
)
def test_a_number_beside_such_a_character_is_read_in_full_or_not_at_all(text: str, value: int | None) -> None:
    assert [number.value for number in plain(text).numbers] == ([] if value is None else [value])


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("迟到超过30分钟算旷工[1]。", "迟到35分钟以上算旷工。", False),
        ("迟到超过30分钟算旷工[1]。", "迟到35分钟算旷工。", False),
        ("报销超过500元须审批[1]。", "报销550元以上须审批。", False),
        ("报销超过500元[1]。", "报销至少550元。", False),
        ("试用不到6个工作日的[1]。", "试用5个工作日以内的。", False),
        ("The refund is over 30 days[1].", "The refund is at least 35 days.", False),
        ("报销超过500元须审批[1]。", "报销500元以上须审批。", True),
        ("到会者超过3000人[1]。", "到会者共3,870人。", True),
        ("到会者超3000人[1]。", "到会者共3,870人。", True),
        ("The refund took more than 30 days[1].", "The refund took 35 days.", True),
    ],
)
def test_the_limit_of_a_rule_is_told_exactly(sentence: str, passage: str, is_right: bool) -> None:
    assert is_supported(sentence, passage) == is_right


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("The warranty covers 30 days[1].", "The warranty is for 35 days."),
        ("The turnover: 30 million yuan[1].", "Sales: 35 million yuan, or turnover."),
        ("该商品超市售价30元[1]。", "该商品售价35元，超市有售。"),
        ("每次超时30元[1]。", "每次35元，限超时者。"),
        ("项目组近期开会30次[1]。", "项目组开会26次，都在近期。"),
        ("到会30人来自上海[1]。", "到会35人，来自上海。"),
        ("账上30元余额[1]。", "账上35元，为余额。"),
    ],
)
def test_a_word_that_only_has_a_character_of_more_or_less_tells_nothing_of_its_number(
    sentence: str, passage: str
) -> None:
    assert not is_supported(sentence, passage)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("会议1:30开始", 1),
        ("下午1:00-3:00", 2),
        ("9点半会议开始", 1),
        ("下午三点十分开会", 1),
        ("三点十分开始", 1),
        ("会议九点二十五分开始", 1),
        ("10:00项目会议", 1),
        ("有一点十分重要：出差前必须先申请", 0),
        ("这一点十分关键", 0),
        ("以下三点十分重要", 0),
        ("一时半会办不完", 0),
        ("第三点10月底前提交", 0),
        ("第2点20元", 0),
        ("男女比例为3:20", 0),
        ("男女比3:20", 0),
        ("按1:50的比例稀释", 0),
        ("按1:50稀释", 0),
        ("比例尺为1:50", 0),
        ("下午3点", 1),
        ("9点到5点", 2),
        ("上午9-11时", 2),
        ("于6点前离开", 1),
        ("基于3点考虑", 0),
        ("以上3点", 0),
        ("要做到3点", 0),
        ("注意事项有3点", 0),
        ("比赛9:30开始", 1),
        ("签到：13:00—13:45；大会：14:00—17:30", 4),
        ("以3:20落败", 0),
    ],
)
def test_a_time_of_day_is_told_from_what_only_looks_like_one(text: str, times: int) -> None:
    assert sum(number.kind == "clock" for number in plain(text).numbers) == times


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("会议1:30开始[1]。", "会议下午1:30开始。", True),
        ("会议1:00开始[1]。", "会议时间为下午1:00-3:00。", True),
        ("会议15:00结束[1]。", "会议时间为下午1:00-3:00。", True),
        ("会议1:30开始[1]。", "会议1点30分开始。", True),
        ("会议下午3:30开始[1]。", "会议15:30开始。", True),
        ("会议下午3:00开始[1]。", "会议下午3点开始。", True),
        ("会议下午3:00开始[1]。", "会议下午3时开始。", True),
        ("会议上午9:00开始[1]。", "会议时间为上午9-11时。", True),
        ("The meeting begins at 3:30 pm[1].", "The meeting begins at 15:30.", True),
        ("男女比例为3:20[1]。", "男女比例为3比20。", True),
        ("会议于13:00开始[1]。", "会议于中午1点开始。", True),
        ("会议于12:00开始[1]。", "会议于中午12点开始。", True),
        ("会议于14:00开始[1]。", "会议于下午2点开始。", True),
        ("会议于20时开始[1]。", "会议于晚上8点钟开始。", True),
        ("会议于15时开始[1]。", "会议于下午3时开始。", True),
        ("会议于15点开始[1]。", "会议于下午3点开始。", True),
        ("会议于3点开始[1]。", "会议于下午3点开始。", True),
        ("会议于24:00结束[1]。", "会议于凌晨0点结束。", True),
        ("会议于24:00结束[1]。", "会议于晚上12点结束。", True),
        ("会议于2:00结束[1]。", "会议于夜里2点结束。", True),
        ("会议于0:00开始[1]。", "会议于凌晨12点开始。", True),
        ("会议于12:00开始[1]。", "会议于凌晨12点开始。", False),
        ("提出2-3条建议[1]。", "提出2-3点建议。", True),
        ("2023年半导体收入为5亿元[1]。", "2023年的半导体收入为5亿元。", True),
        ("会议于14:00至17:00召开[1]。", "会议于下午2点至5点召开。", True),
        ("会议于下午3点开始[1]。", "会议于凌晨3点开始。", False),
        ("会议于凌晨3点开始[1]。", "会议于下午3点开始。", False),
        ("会议于早上8点开始[1]。", "会议于晚上8点开始。", False),
        ("会议于14:00至18:00召开[1]。", "会议于下午2点至5点召开。", False),
        ("会议上午3:30开始[1]。", "会议下午3:30开始。", False),
        ("会议下午3:30开始[1]。", "会议16:30开始。", False),
        ("每天8:30上班[1]。", "每天工作8.5小时。", False),
        ("每天工作8.5小时[1]。", "每天8:30上班。", False),
        ("每份报销9.5元[1]。", "每份9:30报销。", False),
    ],
)
def test_a_time_of_day_is_compared_with_times_of_day(sentence: str, passage: str, is_right: bool) -> None:
    assert is_supported(sentence, passage) == is_right


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("须经2/3以上的业主同意[1]。", "须经三分之二以上的业主同意。", True),
        ("须经三分之二以上的业主同意[1]。", "须经2/3以上的业主同意。", True),
        ("须经66.7%以上的业主同意[1]。", "须经三分之二以上的业主同意。", True),
        ("占比为四分之一[1]。", "占比为25%。", True),
        ("须经二分之一以上的业主同意[1]。", "须经三分之二以上的业主同意。", False),
        ("须经1/2以上的业主同意[1]。", "须经2/3以上的业主同意。", False),
        ("占比为三成[1]。", "占比为30%。", True),
        ("占比为三成[1]。", "占比为40%。", False),
        ("产量为原来的1.5倍[1]。", "产量为原来的150%。", True),
        ("产量为原来的150%[1]。", "产量为原来的2.5倍。", False),
    ],
)
def test_a_fraction_is_a_share_in_every_form(sentence: str, passage: str, is_right: bool) -> None:
    assert is_supported(sentence, passage) == is_right


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("一万二元", [12000]),
        ("一万二千元", [12000]),
        ("一百五", [150]),
        ("一百五十元", [150]),
        ("第一百零五条", [105]),
        ("第一百一十五条", [115]),
        ("统一到三个月", [3]),
        ("三轮车", []),
        ("一成不变", []),
    ],
)
def test_the_last_of_a_spoken_number_is_of_the_next_lower_scale(text: str, values: list[int]) -> None:
    assert [number.value for number in plain(text).numbers] == values


@pytest.mark.parametrize("counter", "户斤吨亩笔枚轮楼片册")
def test_a_lone_numeral_before_a_counter_is_a_number(counter: str) -> None:
    assert is_supported(f"共有3{counter}[1]。", f"共有三{counter}。")
    assert not is_supported(f"共有五{counter}[1]。", f"共有三{counter}。")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("GDP17.36万元", [173600]),
        ("CPI2.1%", [2]),
        ("PM2.5浓度", []),
        ("USB3.0接口", []),
        ("A4纸", []),
        ("MP3播放器", []),
    ],
)
def test_an_amount_right_behind_an_abbreviation_is_a_number(text: str, values: list[int]) -> None:
    assert [int(number.value) for number in plain(text).numbers] == values


@pytest.mark.parametrize("digits", ["24312000000123456789", "9" * 60, "0." + "3" * 50])
def test_a_number_of_more_digits_than_decimals_have_can_be_compared(digits: str) -> None:
    passage = evidence(1, f"发票号码：{digits}，金额：3.5万元。")
    [sentence] = check("金额为3.5万元[1]。", [passage])
    assert sentence.support is Support.SUPPORTED


RESUME = "2011.09—2015.06 南京大学 本科\n2018.07 - 2021.03 云启科技 工程师\n2021.04至今 数澜信息 组长，报价2019.05元"


@pytest.mark.parametrize(
    ("sentence", "is_right"),
    [
        ("2015年6月本科毕业于南京大学", True),
        ("2011年9月进入南京大学", True),
        ("在云启科技工作到2021年3月", True),
        ("2021年4月起任数澜信息的组长", True),
        ("2015年8月本科毕业于南京大学", False),
        ("2019年5月报价", False),
    ],
)
def test_months_from_and_to_are_dates(sentence: str, is_right: bool) -> None:
    assert is_supported(f"{sentence}[1]。", RESUME) is is_right


def test_what_another_clause_goes_on_with_tells_no_rival() -> None:
    passage = "国内生产总值284997亿元，按不变价格计算，同比增长4.5%。第一产业增加值11575亿元，同比增长3.7%。"
    assert is_supported("国内生产总值约28.5万亿元，同比增长4.5%[1]。", passage)
