"""Words of a table that an answer puts in another row or column than they stand in."""

import pytest

from tests.citations.reasons import reason_of_last

TIMETABLE = (
    "课程表\n节次 | 时间 | 周一 | 周二 | 周三 | 周四 | 周五\n第1节 | 8:00—8:45 | 语文 | 数学 | 英语 | 物理 | 数学\n"
    "第5节 | 14:00—14:45 | 化学 | 生物 | 体育 | 英语 | 物理\n第6节 | 14:55—15:40 | 生物 | 班会 | 物理 | 自习 | 化学\n"
    "第7节 | 16:00—16:45 | 自习 | 化学 | 自习 | 体育 | 自习\n任课教师\n科目 | 教师 | 办公室\n"
    "语文 | 罗晓琴 | 至善楼301\n数学 | 邓文涛 | 至善楼303\n物理 | 高志强 | 实验楼202\n化学 | 谢丽娟 | 实验楼204\n"
    "体育 | 马超 | 体育馆\n晚自习值班\n星期 | 值班教师 | 时间\n周一 | 邓文涛 | 18:30—21:00\n周二 | 方媛 | 18:30—21:00\n"
    "周四 | 高志强 | 18:30—21:00\n周五 | 不安排 | —\n注：运动会期间周五上体育课。每周一班会改到周四。"
)
LESSONS = TIMETABLE.partition("注：")[0]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("体育课在周几？", "体育课在周五[1]"),
        ("体育课在周几？", "周五[1]"),
        ("体育课在周几？", "体育课在星期三和星期五[1]"),
        ("体育课在周几？", "周二有体育课，周四也有[1]"),
        ("周五第五节是什么课？", "体育[1]"),
        ("周三有什么课？", "周三第6节是自习[1]"),  # of that day, and of another lesson
        ("第5节有什么课？", "第5节有数学[1]"),
        ("周五晚自习谁值班？", "周五晚自习由邓文涛值班[1]"),
        ("周五晚自习谁值班？", "邓文涛[1]"),
        ("化学老师是谁？", "化学老师是马超[1]"),
    ],
)
def test_a_word_of_another_row_or_column_than_is_named_is_not_borne_out(question: str, answer: str) -> None:
    assert reason_of_last(answer, LESSONS, question) == "cell"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("体育课在周几？", "体育课在周三和周四[1]"),
        ("体育课在周几？", "周三、周四有体育[1]"),
        ("体育课在周几？", "体育课在周三第5节和周四第7节[1]"),
        ("体育课在周几？", "周一至周五里体育课在周三和周四[1]"),
        ("体育课在周几？", "周四[1]"),
        ("周五第五节是什么课？", "物理[1]"),
        ("周二有哪些课？", "周二有数学、生物、班会和化学[1]"),
        ("周一晚自习谁值班？", "周一晚自习由邓文涛值班[1]"),
        ("周一晚自习谁值班？", "邓文涛[1]"),
        ("高志强哪天值班？", "物理老师高志强周四值晚自习[1]"),  # of what two tables have, one has it so
        ("化学老师是谁？", "化学老师是谢丽娟[1]"),
        ("周五谁值班？", "周四是高志强。高志强也教物理[1]"),  # the question's day is left behind
    ],
)
def test_a_word_of_the_rows_and_columns_that_are_named_is(question: str, answer: str) -> None:
    assert reason_of_last(answer, LESSONS, question) is None


@pytest.mark.parametrize("sentence", ["运动会期间周五有体育课[1]", "周一的班会改到周四[1]", "周四有班会[1]"])
def test_what_is_told_beside_a_table_is_no_word_of_another_row_or_column(sentence: str) -> None:
    assert reason_of_last(sentence, TIMETABLE) is None


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("40903表示重复下单[1]", "cell"),
        ("40901表示重复下单[1]", None),
        ("40901表示状态不允许[1]", "cell"),  # a denial that the table has as a word
        ("E1须联系快递员[1]", "cell"),
        ("E12须联系快递员[1]", None),
    ],
)
def test_a_row_may_be_named_by_its_code(sentence: str, reason: str | None) -> None:
    faults = "故障码 | 含义 | 处理\nE1 | 限流 | 稍后重试\nE12 | 超重 | 联系快递员"
    errors = "错误码 | 含义\n40901 | 重复下单\n40903 | 状态不允许"
    assert reason_of_last(sentence, f"{faults}\n接口返回的错误如下。\n{errors}") == reason


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("周一有体育课吗？", "周一没有体育课[1]", None),
        ("周一有体育课吗？", "没有[1]", None),
        ("周三有体育课吗？", "周三没有体育课[1]", "denial"),
        ("体育课在哪天？", "周一和周四没有体育课[1]", "denial"),
    ],
)
def test_what_a_row_or_column_lacks_may_be_denied_of_it(question: str, answer: str, reason: str | None) -> None:
    assert reason_of_last(answer, LESSONS, question) == reason


def test_a_row_is_not_read_as_an_answer_about_what_was_asked() -> None:
    shops = "区域 | 门店 | 服务分 | 负责人\n华东 | 静安店 | 79 | 何敏\n华北 | 朝阳店 | 91 | 郭靖"
    assert reason_of_last("| 华北[1] | 朝阳店 | 91 | 郭靖 |", shops, "静安店的服务分是多少？") is None
    assert reason_of_last("华北[1]", shops, "静安店在哪个区域？") == "cell"


CARDS = (
    "卡种 | 价格 | 可用项目 | 可暂停\n单次票 | 58元 | 游泳或健身 | 不可\n月卡 | 399元 | 游泳和健身 | 不可\n"
    "季卡 | 999元 | 游泳和健身 | 1次，最多15天"
)


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("健身呢？", "| 季卡[1] | 999元 | 游泳和健身 | 1次，最多15天 |", None),
        ("健身呢？", "| 月卡[1] | 399元 | 游泳和健身 | 不可 |", None),
        ("喝了酒能游吗？", "| 单次票[1] | 58元 | 游泳或健身 | 不可 |", None),
        ("健身呢？", "| 月卡[1] | 399元 | 游泳和健身 | 1次，最多15天 |", "denial"),  # cells of two rows
        ("健身呢？", "| 季卡[1] | 399元 | 游泳和健身 | 1次，最多15天 |", "denial"),
    ],
)
def test_a_row_that_is_quoted_as_it_stands_is_borne_out(question: str, answer: str, reason: str | None) -> None:
    assert reason_of_last(answer, CARDS, question) == reason


def test_a_unit_of_figures_is_no_word_of_the_column_that_it_stands_in() -> None:
    plans = "套餐 | 超出后流量 | 超出后通话\n畅享59 | 5元/GB | 0.15元/分钟\n尊享199 | 3元/GB | 0.10元/分钟"
    answer = "超出后流量和超出后通话的费用是5元/GB和0.15元/分钟[1]"
    assert reason_of_last(answer, plans, "畅享59流量超了怎么算？") is None


TAXES = (
    "税种 | 计税依据 | 税率（%）\n增值税 | 应税收入 | 3、6、13\n房产税 | 租金收入 | 12、1.2\n"
    "企业所得税 | 应纳税所得额 | 25"
)
REASONS = "项目 | 期末余额 | 情况说明\n预付款项 | 6,541 | 预付款结算\n其他非流动资产 | 160,764 | 购入定期存款"


@pytest.mark.parametrize(
    ("passage", "answer", "reason"),
    [
        (TAXES, "增值税的计税依据是应纳税所得额", "cell"),  # several rates make no header of a row
        (TAXES, "增值税的计税依据是应税收入", None),
        (REASONS, "其他非流动资产的情况说明是预付款结算", "cell"),  # what a row is called denies nothing
        (REASONS, "其他非流动资产的情况说明是购入定期存款", None),
    ],
)
def test_a_word_of_a_row_of_accounts_is_not_told_of_another(passage: str, answer: str, reason: str | None) -> None:
    assert reason_of_last(f"{answer}[1]。", passage) == reason
