"""What an answer may repeat of its question, and what of it a passage has to bear out."""

import pytest

from tests.citations.reasons import reason_of_last

RULES = (
    "年休假不得跨年度累计。工作时间为9:00至18:00。产假158天，陪产假15天。"
    "租期三年，其中2025年3月1日至2025年3月31日为免租期。"
)


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("可以养宠物吗？", "可以养宠物。", "overlap"),
        ("公司是否提供班车和午餐？", "公司提供班车和午餐。", "overlap"),
        ("年假能不能留到明年用？", "年假可以留到明年用。", "overlap"),
        ("产假是98天吗？", "是的，产假98天。", "number"),
        ("产假是98天，对吗", "产假是98天。", "number"),
        ("不对吧，我记得产假是98天", "产假是98天。", "number"),
        ("Is the maternity leave 98 days?", "产假是98天。", "number"),
        ("可以养宠物吗？", "不可以养宠物。", "overlap"),
        ("周末呢？", "周末不上班。", "overlap"),
    ],
)
def test_what_was_asked_whether_it_is_so_is_borne_out_by_a_passage_or_unverified(
    question: str, answer: str, reason: str
) -> None:
    assert reason_of_last(f"{answer}[1]", RULES, question) == reason


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("产假是158天吗？", "产假是158天。"),
        ("产假是98天吗？", "产假不是98天，产假158天。"),
        ("产假是98天吗？", "不是，产假158天。"),
        ("我工作三年了，产假有几天？", "工作三年，产假158天。"),
        ("王女士休产假，有多少天？", "王女士产假有158天。"),
        ("你知道产假有几天吗？", "产假158天。"),
    ],
)
def test_what_a_question_tells_or_its_answer_denies_need_not_stand_in_a_passage(question: str, answer: str) -> None:
    assert reason_of_last(f"{answer}[1]", RULES, question) is None


def test_three_months_are_no_march() -> None:
    assert reason_of_last("免租期为3个月。[1]", RULES, "免租期多长？") == "number"
    assert reason_of_last("免租期自2025年3月起。[1]", RULES, "免租期从何时起？") is None


ADMISSION = "临床医学、口腔医学不招收色盲、色弱考生；口腔医学不建议惯用左手的考生报考。古镇内禁止无人机飞行。"


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("色弱可以报吗？", "色弱考生不能报临床医学、口腔医学[1]。", None),
        ("色弱可以报吗？", "色弱考生可以报临床医学[1]。", "denial"),
        ("色弱可以报吗？", "不可以[1]。", None),
        ("可以飞无人机吗？", "不可以飞无人机[1]。", None),
        ("可以飞无人机吗？", "可以飞无人机[1]。", "denial"),
        ("可以飞无人机吗？", "不可以[1]。", None),
    ],
)
def test_what_a_passage_denies_in_another_verb_is_not_allowed(question: str, answer: str, reason: str | None) -> None:
    assert reason_of_last(answer, ADMISSION, question) == reason
