"""Which passages an answer without markers was clearly taken from, and when nobody can tell."""

from dataclasses import replace

import pytest

from rag.citations import sources_of, verify
from rag.types import Support
from tests.samples import evidence, turn

HANDBOOK = evidence(
    1, "员工入职满一年后，每年享有十五天年假，可以分两次休完。单个方法的总行数不超过 80 行，缩进禁止使用 Tab 字符。"
)
REPORT = evidence(2, "2020 年公司营业收入为1,581,905,632.48元，同比增长40.39%；生物制药业务的毛利率为62.95%。")
CONTRACT = evidence(5, "合同期限为三年，自签订之日起生效。单张表的容量超过 2GB 时推荐分库，比较大小用 compareTo 方法。")
KNOWN = (HANDBOOK, REPORT, CONTRACT)


@pytest.mark.parametrize(
    ("question", "answer", "numbers"),
    [
        ("年假有几天？", "入职满一年的员工，每年享有 15 天年假。", (1,)),
        ("营业收入同比增长了多少？", "同比增长了40.39%。", (2,)),
        ("怎样比较两个数的大小？", "比较大小用 `compareTo` 方法", (5,)),
        ("合同什么时候生效？", "好的，我来回答。\n\n合同自签订之日起生效。", (5,)),
        ("年假与合同", "- 合同期限为三年，自签订之日起生效。\n- 每年享有十五天年假，可以分两次休完。", (5, 1)),
    ],
)
def test_an_answer_is_from_the_passages_that_have_its_sentences(
    question: str, answer: str, numbers: tuple[int, ...]
) -> None:
    assert sources_of(answer, KNOWN, (question,)) == numbers


def test_a_mere_number_is_told_by_the_question_that_it_answers() -> None:
    assert sources_of("62.95%", KNOWN, ("生物制药业务的毛利率是多少？",)) == (2,)
    assert sources_of("62.95%", KNOWN, ("食堂的满意率是多少？",)) == ()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("年假有几天？", "入职满一年的员工，每年享有 20 天年假。"),
        ("可以用 Tab 缩进吗？", "代码缩进可以使用 Tab 字符。"),
        ("年假有几天？", "每年享有十五天年假，可以分两次休完。病假每年二十天。"),
        ("为什么有年假？", "市场需求旺盛带动产品价格持续走高。"),
        ("年假有几天？", "总之，病假每年二十天。每年享有十五天年假，可以分两次休完。"),
    ],
    ids=["number", "denial", "one of two", "other", "said to the reader"],
)
def test_an_answer_that_no_passage_bears_out_in_full_is_from_none(question: str, answer: str) -> None:
    assert sources_of(answer, KNOWN, (question,)) == ()


def test_a_name_that_only_one_passage_has_tells_which_it_is_from() -> None:
    head = "部门 | 姓名 | 职务 | 分机\n"
    parts = (evidence(1, f"{head}测试部 | 蒋欣 | 经理 | 8341"), evidence(2, f"{head}软件二部 | 罗敏 | 经理 | 8321"))
    asked = turn(question="分机8321是谁", answer="分机8321是罗敏。[1]", sources=parts)
    assert [(one.support, one.added) for one in verify(asked).sentences] == [(Support.SUPPORTED, (2,))]
    everywhere = replace(asked, sources=(parts[0], parts[1], replace(parts[1], number=3)))
    assert [one.support for one in verify(everywhere).sentences] == [Support.UNVERIFIED]


def test_the_words_of_the_question_prove_nothing() -> None:
    assert sources_of("合同自签订之日起生效。", KNOWN, ("合同自签订之日起何时生效？",)) == ()


def test_who_is_asked_whether_it_is_so_and_says_so_needs_a_passage() -> None:
    question = "合同自签订之日起生效吗？"
    assert sources_of("合同自签订之日起生效。", KNOWN, (question,)) == (5,)
    assert sources_of("合同自签订之日起生效。", (HANDBOOK, REPORT), (question,)) == ()


@pytest.mark.parametrize(
    "answer",
    [
        "每年享有十五天年假，但资料中没有提到病假。",
        "每年享有十五天年假，可以分两次休完[1]。",
        "不能。",
        "",
        "| 年假 | 次数 |\n|---|---|\n| 每年享有十五天年假 | 可以分两次休完 |",
        "每年享有十五天年假，可以分两次休完。\n```\nint days;\n```",
        "每年享有十五天年假，可以分两次休完。希望对你有帮助！",
    ],
    ids=["silent", "marked", "short", "empty", "table", "code", "courtesy"],
)
def test_what_needs_no_marker_or_has_no_place_for_one_gets_none(answer: str) -> None:
    assert sources_of(answer, KNOWN, ("年假有几天？",)) == ()


def test_of_passages_that_say_the_same_the_first_is_named_and_of_irrelevant_ones_none() -> None:
    answer, twin = "每年享有十五天年假，可以分两次休完。", replace(HANDBOOK, number=7)
    assert sources_of(answer, (twin, HANDBOOK)) == (7,)
    assert sources_of(answer, (replace(twin, relevant=False), HANDBOOK)) == (1,)


def test_an_answer_from_more_than_three_passages_names_none() -> None:
    facts = ["员工每年享有十五天年假。", "病假工资按八成发放。", "婚假应当一次休完。", "产假期间照发奖金。"]
    known = [evidence(number, text) for number, text in enumerate(facts, 1)]
    assert sources_of("".join(facts[:3]), known) == (1, 2, 3)
    assert sources_of("".join(facts), known) == ()


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("合同期限为三年，自签订之日起生效。单个方法不超过 80 行，禁止使用 Tab 字符。", (5, 1)),
        ("公司毛利率为62.95%。营业收入为15.82亿元，同比增长40.39%。", (2,)),
    ],
)
def test_with_the_markers_behind_it_nothing_of_the_answer_is_bare_or_doubtful(
    answer: str, numbers: tuple[int, ...]
) -> None:
    assert sources_of(answer, KNOWN) == numbers
    marked = verify(turn("", answer + "".join(f"[{number}]" for number in numbers), KNOWN))
    assert [(item.is_bare, item.unverified) for item in marked.sentences] == [(False, ())] * 2
    assert marked.sentences[-1].support is Support.SUPPORTED
    assert not marked.unsourced


TABLE = evidence(
    3,
    "项目 | 2018 年 1-3 月 | 2017 年 1-3 月 | 增减%\n"
    "管理费用 | 7,764,789.98 | 15,753,158.14 | -50.71%\n财务费用 | 7,667.69 | 40,112.05 | -80.88%",
)
COVER = evidence(4, "东北电气发展股份有限公司\n2018 年第一季度报告")


@pytest.mark.parametrize(
    ("answer", "support"),
    [
        ("东北电气2018年第一季度的管理费用是7,764,789.98元。[4]", Support.SUPPORTED),
        ("东北电气2018年第一季度的管理费用是7,667.69元。[4]", Support.UNVERIFIED),
        ("东北电气2018年第一季度的管理费用是7,764,789.99元。[4]", Support.UNVERIFIED),
    ],
    ids=["its row", "another row", "no row"],
)
def test_a_figure_is_from_the_table_that_has_it_in_the_row_that_is_named(answer: str, support: Support) -> None:
    asked = turn("东北电气2018年第一季度的管理费用是多少？", answer, (COVER, TABLE))
    (sentence,) = verify(asked).sentences
    assert (sentence.support, sentence.added) == (support, (3,) if support is Support.SUPPORTED else ())
