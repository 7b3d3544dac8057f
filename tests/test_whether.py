"""Which questions ask only whether something is so, and which of their amounts may be wrong."""

import pytest

from rag.language.denials import denials
from rag.language.whether import as_statement, asks_whether, without_supposed_amounts


@pytest.mark.parametrize(
    "question",
    [
        "可以养宠物吗？",
        "是否适用于实习生",
        "年假能不能跨年？",
        "产假是98天，对吗",
        "我记得是每10股派2元",
        "有食堂没有？",
        "打完针能洗澡不",
        "月卡可以转让不？",
        # Neither asks how many.
        "几乎所有岗位都可以远程办公吗？",
        "抽检的几率大吗？",
        "Is it 98 days?",
    ],
)
def test_it_is_asked_whether_it_is_so(question: str) -> None:
    assert asks_whether(question)


@pytest.mark.parametrize(("asked", "said"), [("能洗澡不", "能洗澡"), ("有发票没？", "有发票"), ("当然不", "当然不")])
def test_a_denial_at_the_end_that_asks_denies_nothing(asked: str, said: str) -> None:
    assert as_statement(asked) == said
    assert bool(denials(asked)) is (said == asked)


@pytest.mark.parametrize(
    "question",
    ["年假有几天？", "你知道年假有几天吗？", "有什么限制吗？", "谁批准？", "How many days are there?", "营业收入"],
)
def test_it_is_asked_for_what_the_question_does_not_say(question: str) -> None:
    assert not asks_whether(question)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("2020年营业收入是85亿元，对吗？", "2020年营业收入是 ，对吗？"),
        ("净利润增长83.76%了吗", "净利润增长 了吗"),
        ("产假是98天吗？婚假有几天？", "产假是 吗？婚假有几天？"),
        ("2020年5月的销量是300台吗", "2020年5月的销量是 吗"),
        ("第3条和 MFA-2024 适用吗", "第3条和 MFA-2024 适用吗"),
        ("哪种产品卖了300台？", "哪种产品卖了300台？"),
    ],
)
def test_an_amount_that_is_asked_about_may_be_another(question: str, said: str) -> None:
    assert without_supposed_amounts(question) == said
