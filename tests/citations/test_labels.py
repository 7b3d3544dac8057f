"""Numbers told by a label by which the passage tells another."""

import pytest

from tests.citations.reasons import reason_of_last

LEAVE = "员工假期：年假5天，病假10天，婚假3天。"
LISTED = "年假：5天；病假：10天；婚假：3天。"
LINES = "注册资本：5000万元\n实收资本：3000万元\n员工人数：120人\n研发人员：45人\n"
GROWTH = "收入增5%，其中海外增9%，毛利率为31%。手机3部，单价2000元。"
LONGER = "年休假5天，工龄较长的10天。收入12亿元，上年10亿元。试用期三个月，保密期两年。"


@pytest.mark.parametrize(
    ("answer", "passage", "question"),
    [
        ("年假：10天[1]", LEAVE, ""),
        ("**年假**：10天[1]", LEAVE, "年假几天？"),
        ("年假为10天[1]。", LEAVE, "年假几天？"),
        ("病假：5天[1]", LISTED, ""),
        ("病假10天，婚假5天[1]。", LISTED, ""),
        ("年假：10天，病假：5天[1]", LISTED, "年假和病假各几天？"),
        ("- 年假：5天[1]\n- 病假：3天[1]", LISTED, "假期有哪些？"),
        ("注册资本为3000万元[1]。", LINES, "注册资本是多少？"),
        ("研发人员：120人[1]", LINES, ""),
        ("收入增9%[1]。", GROWTH, "收入增多少？"),
        ("收入增9%，毛利率为31%[1]。", GROWTH, ""),
    ],
)
def test_a_number_of_another_label_is_not_borne_out(answer: str, passage: str, question: str) -> None:
    assert reason_of_last(answer, passage, question) in ("other_matter", "number")


@pytest.mark.parametrize(
    ("answer", "passage", "question"),
    [
        ("年假：5天[1]", LEAVE, ""),
        ("年假是5天，病假是10天[1]。", LISTED, ""),
        ("- 年假：5天[1]\n- 病假：10天[1]", LISTED, "假期有哪些？"),
        ("注册资本为5000万元，实收资本为3000万元[1]。", LINES, ""),
        ("海外增9%[1]。", GROWTH, ""),
        ("在海外，收入增9%[1]。", GROWTH, ""),
        ("收入增9%[1]。", GROWTH, "海外的收入增多少？"),
        ("海外的情况：\n- 收入增：9%[1]", GROWTH, ""),
        ("手机2000元[1]。", GROWTH, "手机多少钱？"),  # not told in the same
        ("年休假10天[1]。", LONGER, "工龄较长的员工年假几天？"),
        ("工龄较长的，年休假10天[1]。", LONGER, ""),
        ("收入10亿元[1]。", LONGER, "2019年的收入是多少？"),  # the period in other words
        ("年假为10天[1]。", "年假5天。满10年的，年假10天。", "满10年的年假是几天？"),
        ("年假10天[1]。", "年假5天，10天为病假，带薪年假10天。", ""),
    ],
)
def test_a_number_of_its_own_label_or_of_what_was_asked_for_is(answer: str, passage: str, question: str) -> None:
    assert reason_of_last(answer, passage, question) is None


CARDS = (
    "第二章 借阅\n持普通读者证可同时借阅图书 8 册，借期 30 天；持家庭读者证可借 20 册，借期 45 天。"
    "每册可续借一次，续借期为 15 天。"
)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("普通读者证能借20册，借期45天", "other_matter"),
        ("普通读者证能借8册，借期45天", "other_matter"),
        ("家庭读者证能借8册", "other_matter"),
        # 家庭读者证可借20册 has more of it right beside the number.
        ("普通读者证能借8册，借期30天", None),
        ("家庭读者证能借20册，借期45天", None),
        ("普通读者证能借8册，家庭读者证能借20册", None),
    ],
)
def test_a_number_is_told_of_what_its_clause_has_most_of(answer: str, reason: str | None) -> None:
    assert reason_of_last(f"{answer}[1]。", CARDS, "普通读者证能借几本书，借多久？") == reason
