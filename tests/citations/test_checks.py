"""What is found wrong with a sentence that cites a passage, and what is not."""

from dataclasses import replace

import pytest

from rag.citations import best_part, check, verify
from rag.types import CheckedSentence, Decision, Evidence, Message, Support
from tests.samples import evidence, turn

HANDBOOK = evidence(
    1,
    "单个方法的总行数不超过 80 行，新成员 Zhang_Wei 除外。使用乐观锁时重试次数不得小于3次。代码缩进禁止使用 Tab 字符。"
    "员工入职满一年后，每年享有十五天年假。",
)
REPORT = evidence(
    2,
    "公司法定代表人是张翀宇，2023年5月1日由上海迁至呼和浩特。全年营业收入为1,581,905,632.48元，比上年增长百分之三十五点二，"
    "其中研发投入2.07亿元。产品有十二种，覆盖国内各省，也销往海外，售后服务由各地的经销商提供。《动物疫苗白皮书》由钱学森编写，于2021年3月出版，董事长李晓明作序。",
)


def only(sentence: str, question: str = "") -> CheckedSentence:
    (checked,) = check(sentence, [HANDBOOK, REPORT], [question])
    return checked


@pytest.mark.parametrize(
    "sentence",
    [
        "单个方法不超过八十行[1]。",
        "使用乐观锁时，重试次数至少3次[1]。",
        "代码缩进不得使用 Tab 字符[1]。",
        "公司在2023-05-01由上海迁至呼和浩特[2]。",
        "公司于二〇二三年五月一日迁至呼和浩特[2]。",
        "营业收入约15.82亿元，比上年增长35.2%[2]。",
        "１５８１９０５６３２．４８元是全年营业收入[2]。",
        "研发投入20700万元[2]。",
        "员工每年享有15天年假[1]。",
        "《动物疫苗白皮书》由钱学森编写[2]。",
    ],
)
def test_the_same_in_other_words_and_numerals_is_supported(sentence: str) -> None:
    checked = only(sentence)
    assert (checked.support, checked.added, checked.doubtful, checked.reason) == (Support.SUPPORTED, (), (), None)


TRADITIONAL = evidence(3, "《動物疫苗白皮書》由錢學森編寫，於二〇二一年三月出版，董事長李曉明作序，全國發行十二萬冊。")


@pytest.mark.parametrize(
    ("sentence", "item"),
    [
        ("《动物疫苗白皮书》由钱学森编写，董事长李晓明作序[3]。", TRADITIONAL),
        ("该书全国发行12万册[3]。", TRADITIONAL),
        ("公司法定代表人是張翀宇，營業收入約15.82億元[2]。", REPORT),
    ],
)
def test_a_passage_bears_out_a_sentence_in_the_other_script(sentence: str, item: Evidence) -> None:
    (checked,) = check(sentence, [item])
    assert (checked.support, checked.reason) == (Support.SUPPORTED, None)


@pytest.mark.parametrize(
    ("sentence", "reason"), [("《动物疫苗白皮书》由张翀宇编写[3]。", "name"), ("全国发行13万册[3]。", "number")]
)
def test_a_mistake_is_found_across_scripts(sentence: str, reason: str) -> None:
    (checked,) = check(sentence, [TRADITIONAL])
    assert (checked.reason.key if checked.reason else "") == f"citation.{reason}"


def test_an_answer_in_traditional_characters_that_nothing_is_known_cites_nothing() -> None:
    (checked,) = check("資料中沒有提到該書的定價[3]。", [TRADITIONAL])
    assert checked.support is Support.UNMARKED


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("单个方法不超过九十行[1]。", "number"),
        ("单个方法不超过 90 行[1]。", "number"),
        ("公司在2023年6月1日由上海迁至呼和浩特[2]。", "number"),
        ("公司在2022-05-01由上海迁至呼和浩特[2]。", "number"),
        ("营业收入约15.92亿元[2]。", "number"),
        ("比上年增长百分之五十三[2]。", "number"),
        ("公司法定代表人是刘备[2]。", "name"),
        ("公司由北京迁至呼和浩特[2]。", "name"),
        ("新成员 Li_Lei 除外[1]。", "name"),
        ("《植物疫苗手册》由钱学森编写[2]。", "name"),
        ("《动物疫苗白皮书》由张翀宇编写，于2021年3月出版[2]。", "exchanged"),
        ("代码缩进可以使用 Tab 字符[1]。", "denial"),
        ("公司没有由上海迁至呼和浩特[2]。", "denial"),
        ("营业收入比上年下降[2]。", "comparison"),
        ("重试次数不得大于3次[1]。", "comparison"),
    ],
)
def test_what_the_passage_does_not_say_is_unverified_with_its_reason(sentence: str, reason: str) -> None:
    checked = only(sentence)
    assert checked.support is Support.UNVERIFIED
    assert checked.reason is not None
    assert checked.reason.key == f"citation.{reason}"


@pytest.mark.parametrize(
    ("sentence", "passage", "reason"),
    [
        ("病假工资可以低于当地最低工资标准[1]。", "病假工资按八成发放，不得低于当地最低工资标准。", "denial"),
        ("病假工资低于当地最低工资标准[1]。", "病假工资按八成发放，不得低于当地最低工资标准。", "denial"),
        ("低于当地最低工资标准[1]。", "病假工资按八成发放，不得低于当地最低工资标准。", "denial"),
        ("病假工资不得低于当地最低工资标准[1]。", "病假工资可以低于当地最低工资标准。", "denial"),
        ("起重机载重可以超过额定载荷[1]。", "起重机载重不得超过额定载荷。", "denial"),
        ("起重机载重不得超过额定载荷[1]。", "起重机载重可以超过额定载荷。", "denial"),
        ("冷却液温度不应高于室温[1]。", "冷却液温度应高于室温。", "denial"),
        ("冷却液温度应高于室温[1]。", "冷却液温度不应高于室温。", "denial"),
        ("应高于室温[1]。", "冷却液温度不应高于室温。", "denial"),
        ("起重机载重严禁超过额定载荷[1]。", "起重机载重不得超过额定载荷。", ""),
        ("起重机载重不超过额定载荷[1]。", "起重机载重严禁超过额定载荷。", ""),
        ("病假工资不应低于当地最低工资标准[1]。", "病假工资不得低于当地最低工资标准。", ""),
        ("病假工资至少为当地最低工资标准[1]。", "病假工资不得低于当地最低工资标准。", ""),
        ("方法不得超过80行[1]。", "方法的总行数不超过 80 行，参数不超过 5 个。", ""),
    ],
)
def test_a_bound_without_a_number_is_told_from_its_opposite(sentence: str, passage: str, reason: str) -> None:
    (checked,) = check(sentence, [evidence(1, passage)])
    assert (checked.reason.key if checked.reason else "") == (f"citation.{reason}" if reason else "")


@pytest.mark.parametrize(
    ("sentence", "written"),
    [
        ("全年营业收入为5,235万元[2]。", "5,235万"),
        ("全年营业收入比上年增长百分之四十[2]。", "百分之四十"),
        ("全年营业收入比上年增长45.20 %[2]。", "45.20%"),
        ("公司于2022-06-03由上海迁至呼和浩特[2]。", "2022-06-03"),
    ],
)
def test_a_number_that_is_not_there_is_told_as_the_answer_writes_it(sentence: str, written: str) -> None:
    assert only(sentence).reason == Message("citation.number", {"text": written})


def test_a_sentence_about_something_else_is_unverified() -> None:
    checked = only("市场需求旺盛带动产品价格持续走高[2]。")
    assert checked.reason is not None
    assert checked.support is Support.UNVERIFIED


def test_what_the_question_names_is_not_made_up() -> None:
    assert only("刘备每年享有十五天年假[1]。").support is Support.UNVERIFIED
    assert only("刘备每年享有十五天年假[1]。", "刘备每年有几天年假？").support is Support.SUPPORTED


def test_a_sentence_without_a_marker_gets_that_of_the_passage_it_is_from() -> None:
    copied, short, wrong = check(
        "公司法定代表人是张翀宇。很好。公司法定代表人是刘备，由上海迁至呼和浩特。", [HANDBOOK, REPORT]
    )
    assert (copied.support, copied.added) == (Support.SUPPORTED, (2,))
    assert (short.support, short.added) == (Support.UNMARKED, ())
    assert (wrong.support, wrong.added) == (Support.UNMARKED, ())


def test_a_marker_of_another_passage_is_doubtful_and_the_right_one_added() -> None:
    checked = only("公司法定代表人是张翀宇[1]。")
    assert (checked.support, checked.added, checked.doubtful) == (Support.SUPPORTED, (2,), (1,))
    assert (checked.corrected, checked.unverified, checked.bears_out(1)) == ((1,), (), False)


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("1,581,905,632.48元[1]", "全年营业收入是多少？"),
        ("张翀宇[1]", "公司法定代表人是谁？"),
        ("1,581,905,632.48元[9]", "全年营业收入是多少？"),
    ],
)
def test_a_short_answer_has_the_passage_with_its_number_or_name_in_place_of_the_wrong_one(
    sentence: str, question: str
) -> None:
    checked = only(sentence, question)
    assert (checked.support, checked.added) == (Support.SUPPORTED, (2,))
    assert only(sentence.replace("1,581", "1,518").replace("张", "章"), question).support is Support.UNVERIFIED


def test_a_marker_without_evidence_is_told_by_its_number() -> None:
    checked = only("一切顺利[9]。")
    assert (checked.support, checked.doubtful) == (Support.UNVERIFIED, (9,))
    assert checked.reason is not None
    assert (checked.reason.key, checked.reason.values["number"]) == ("citation.unknown", 9)


@pytest.mark.parametrize(
    "sentence", ["我不知道，资料中没有相关内容。", "The documents do not mention it.", "# 年假天数"]
)
def test_a_sentence_that_claims_nothing_needs_no_marker(sentence: str) -> None:
    assert only(sentence).support is Support.UNMARKED


@pytest.mark.parametrize(
    ("sentence", "passage", "support"),
    [
        ("责任无法确定的，双方各承担80%[1]。", "责任无法确定的，双方各承担50%。", Support.UNVERIFIED),
        ("责任无法确定的，双方各承担50%[1]。", "责任无法确定的，双方各承担50%。", Support.SUPPORTED),
        ("申请材料未提供齐全的，应在30日内补正[1]。", "申请材料未提供齐全的，应在5日内补正。", Support.UNVERIFIED),
        ("不知道密码的，可拨打400-123-0000[1]。", "不知道密码的，可拨打400-800-1234。", Support.UNVERIFIED),
        ("资料中没有说明原因，只说研发投入为2.07亿元[1]。", "全年研发投入2.07亿元。", Support.SUPPORTED),
        ("资料中没有提到病假的天数[1]。", "每年享有十五天年假。", Support.UNMARKED),
        ("资料中没有提到刘备的假期[1]。", "每年享有十五天年假。", Support.UNMARKED),
        ("无法确定2024年的天数，原文未提及[1]。", "每年享有十五天年假。", Support.UNMARKED),
        ("责任无法确定的由双方各承担80%[1]。", "责任无法确定的由双方各承担50%。", Support.UNVERIFIED),
        ("我不知道2021年的天数[1]。", "每年享有十五天年假。", Support.UNMARKED),
    ],
)
def test_of_a_sentence_that_says_nothing_is_known_the_rest_is_checked_where_it_cites_and_has_numbers_or_names(
    sentence: str, passage: str, support: Support
) -> None:
    (checked,) = check(sentence, [evidence(1, passage)], ["2021年有几天？"])
    assert checked.support is support


def test_what_is_counted_is_no_name() -> None:
    (checked,) = check("员工总数为1,870人[1]。", [evidence(1, "项目 | 数量\n员工总数 | 1,870")])
    assert checked.support is Support.SUPPORTED


def test_english_sentences_are_checked_too() -> None:
    source = evidence(
        3, "The retry limit is 3 times. Methods should not exceed 80 lines. Written by John Smith in 2019."
    )
    right, number, name, denial = check(
        "The retry limit is 3 times.[3] The retry limit is 5 times.[3] Written by Peter Brown in 2019.[3] "
        "Methods should exceed 80 lines.[3]",
        [source],
    )
    assert right.support is Support.SUPPORTED
    assert [item.support for item in (number, name, denial)] == [Support.UNVERIFIED] * 3


def test_a_stored_turn_is_verified_from_what_it_holds() -> None:
    stored = turn("年假几天？", "每年享有十五天年假[1]。\n每年享有二十天年假[1]。", (HANDBOOK, REPORT))
    verification = verify(stored)
    assert [item.support for item in verification.sentences] == [Support.SUPPORTED, Support.UNVERIFIED]
    assert [stored.answer[item.start : item.end] for item in verification.sentences] == stored.answer.splitlines()


@pytest.mark.parametrize(
    ("answer", "unsourced"),
    [
        ("线性回归是一种统计方法。", True),
        ("线性回归是一种统计方法[1]。", False),
        ("每年享有十五天年假。", False),
        ("我不知道，资料中没有相关内容。", False),
        ("", False),
        ("資料中**沒有**提到年假的規定。", False),
    ],
)
def test_an_answer_that_names_none_of_its_evidence_is_unsourced(answer: str, unsourced: bool) -> None:
    assert verify(turn("", answer, (HANDBOOK, REPORT))).unsourced is unsourced
    assert not verify(turn("", answer)).unsourced


def test_a_passage_bears_out_what_it_supports_cited_or_not_and_nothing_that_is_doubtful() -> None:
    answer = (
        "单个方法不超过八十行[1]。营业收入约15.82亿元，比上年增长35.2%[1]。"
        "研发投入9.9亿元[2]。员工每年享有15天年假[1]。"
    )
    verification = verify(turn("", answer, (HANDBOOK, REPORT)))
    assert [verification.borne_out_by(number) for number in (1, 2, 3)] == [2, 1, 0]
    assert [len(verification.doubted(number)) for number in (1, 2, 3)] == [1, 1, 0]


def test_a_sentence_that_claims_nothing_casts_no_doubt_on_what_it_points_to() -> None:
    verification = verify(turn("", "我不知道，资料中没有直接说到的句子；最接近的段落见 [1]。", (HANDBOOK,)))
    assert not verification.doubted(1) and verification.borne_out_by(1) == 0


def test_a_fact_without_a_marker_is_bare_and_what_states_none_is_not() -> None:
    bare = verify(turn("年假几天？", "每年享有二十天年假。法定代表人是刘备[2]。", (HANDBOOK, REPORT))).sentences
    assert [sentence.is_bare for sentence in bare] == [True, False]
    quiet = "可以累计 [1\n年假的规定如下：\n好的，我来说明。希望对你有 1 点帮助！还想知道 2021 年的吗？"
    assert not any(item.is_bare for item in verify(turn("年假几天？", quiet, (HANDBOOK, REPORT))).sentences)
    assert not any(item.is_bare for item in verify(turn("年假几天？", "每年二十天。")).sentences)


def test_what_a_list_says_stands_under_the_marker_of_the_sentence_that_announces_it() -> None:
    answer = "员工的休假如下 [1]：\n- 年假 15 天\n- 年假 20 天"
    lead, right, wrong = verify(turn("休假？", answer, (HANDBOOK,))).sentences
    assert (lead.support, right.is_bare, wrong.is_bare) == (Support.UNMARKED, False, True)


def test_a_marker_behind_the_whole_answer_covers_what_precedes_it() -> None:
    right, wrong, last = verify(turn("休假？", "年假 15 天。年假 20 天。重试至少3次。[1]", (HANDBOOK,))).sentences
    assert (right.is_bare, wrong.is_bare, last.support) == (False, True, Support.SUPPORTED)
    inside = verify(turn("休假？", "年假 15 天。年假 15 天[1]。重试至少3次。[1]", (HANDBOOK,))).sentences
    assert [item.is_bare for item in inside] == [True, False, False]


def test_what_is_called_good_is_no_courtesy() -> None:
    (fact,) = verify(turn("", "好的单元测试覆盖率达到 90%。", (HANDBOOK,))).sentences
    assert fact.is_bare


def test_a_sentence_that_only_announces_is_no_verified_citation() -> None:
    (lead,) = check("年假的规定如下[1]：", [HANDBOOK])
    assert (lead.support, lead.unverified) == (Support.UNMARKED, ())
    assert not verify(turn("", "年假的规定如下[1]：", (HANDBOOK,))).unsourced
    (fact,) = check("每年享有 15 天年假[1]，规定如下：", [HANDBOOK])
    assert fact.support is Support.SUPPORTED


def test_the_part_that_says_a_sentence_is_found_by_its_terms_and_numbers() -> None:
    parts = ("员工每年享有十五天年假，按月累计。", "病假工资按八成发放，每年最多三十天。")
    assert best_part("病假最多 30 天 [1]。", parts) == 1
    assert best_part("年假 15 天[1]。", parts) == 0
    assert best_part("与此无关。", parts) is None


def test_a_sentence_that_sums_up_may_say_what_was_asked_when_its_passage_was_found() -> None:
    said = "生物股份2020年的研发投入是2.07亿元[2]。"
    assert only(said).support is Support.UNVERIFIED
    asked_then = replace(REPORT, found_for="生物股份2020年的研发投入是多少？")
    (checked,) = check(said, [asked_then], decision=Decision.NO_RETRIEVE)
    assert checked.support is Support.SUPPORTED
    # An answer to another question, which only cites what was found then, has to have it from there.
    assert check(said, [asked_then])[0].support is Support.UNVERIFIED
    # What was asked when another passage was found is no excuse.
    found = [replace(HANDBOOK, found_for=asked_then.found_for), REPORT]
    assert check(said, found, decision=Decision.NO_RETRIEVE)[0].support is Support.UNVERIFIED
