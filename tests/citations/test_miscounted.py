"""Markers of another passage than the one that a sentence was taken from, as small models set them."""

import pytest

from rag.citations import check
from rag.types import Support
from tests.citations.reasons import reason_of, reason_of_last
from tests.samples import evidence

FEES = (
    "第五条 个人养犬每户限养两只，应当自取得犬只之日起十五日内申请登记。\n"
    "第七条 养犬登记证有效期两年。首次登记费每只三百元，延续登记每只一百元。犬只绝育的，登记费减半。"
)
SCOPE = "第二条 本市城市建成区内犬只的饲养、经营和相关管理活动，适用本条例。\n第三条 公安机关是养犬管理的主管部门。"
FINES = (
    "第十一条 未办理登记的，责令限期改正；逾期不改正的，处五百元以上二千元以下罚款。\n"
    "第十二条 未使用犬绳牵领的，处一百元以上五百元以下罚款；未清除粪便的，处五十元以上二百元以下罚款。"
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("每户养几条狗？", "每户养两只狗。[2]"),
        ("要交多少钱？", "要交三百元。[2]"),
        ("绝育了呢？", "绝育费减半。[2]"),
        ("登记证多久有效？", "两年。[2]"),
    ],
)
def test_a_short_answer_is_found_in_the_passage_that_has_its_number(question: str, answer: str) -> None:
    [checked] = check(answer, [evidence(1, FEES), evidence(2, SCOPE)], [question])
    assert (checked.support, checked.added, checked.corrected) == (Support.SUPPORTED, (1,), (2,))


@pytest.mark.parametrize(("number", "added"), [("202110456789.3", (1,)), ("202110456780.3", ())])
def test_a_number_of_many_digits_is_found_in_its_passage(number: str, added: tuple[int, ...]) -> None:
    patent = "(19)国家知识产权局(21)申请号 202110456789.3 (22)申请日 2021.04.27 (72)发明人 钱卫国"
    [checked] = check(f"申请号是{number}[21]", [evidence(1, patent), evidence(2, SCOPE)], ["申请号多少"])
    assert checked.added == added


def test_what_is_asked_of_something_else_is_not_answered_by_a_number_elsewhere() -> None:
    [checked] = check("三百元。[2]", [evidence(1, FEES), evidence(2, SCOPE)], ["借款本金多少？"])
    assert checked.support is Support.UNVERIFIED


def test_a_number_that_several_passages_have_tells_none_of_them() -> None:
    elsewhere = evidence(3, "临时登记证有效期两年。")
    [checked] = check("两年。[2]", [evidence(1, FEES), evidence(2, SCOPE), elsewhere], ["罚款几年内交？"])
    assert checked.support is Support.UNVERIFIED


@pytest.mark.parametrize(
    "sentence", ["一百元以上五百元以下罚款", "罚款为一百元以上五百元以下", "罚款为五十元以上二百元以下"]
)
def test_a_sentence_is_compared_with_the_clause_that_has_its_numbers(sentence: str) -> None:
    assert reason_of(sentence, FINES) is None


def test_of_equal_stretches_the_shortest_is_compared() -> None:
    passage = "自合同生效之日起90日为等待期。等待期内确诊的，返还已交保险费，合同终止；因意外伤害导致的，无等待期。"
    assert reason_of("意外无等待期", passage) is None


def test_a_character_of_the_question_is_no_name_and_an_age_no_length_of_time() -> None:
    passage = "轻症疾病保险金：初次确诊轻症的，最多给付3次。宽限期为60日，出生满28日至55周岁可以投保。"
    assert reason_of_last("轻症赔3次[1]。", passage, "能赔几次？") is None
    assert reason_of_last("60岁能投保[1]。", passage, "60岁能投保吗？") == "number"


def test_who_is_something_may_be_told_the_other_way_round() -> None:
    passage = "论文第一作者为博士生贺云，我校为第一完成单位。"
    assert reason_of("贺云是第一作者", passage) is None
    assert reason_of("周倩是第一作者", passage) is not None
