"""Where an answer's sentences begin and end, and which numbers are the same."""

import pytest

from rag.citations.plain import plain
from rag.citations.sentences import sentences
from rag.language.numbers import replace_numbers
from tests.waiting import within_cpu_seconds


def texts(answer: str) -> list[str]:
    return [answer[sentence.start : sentence.end] for sentence in sentences(answer)]


def test_markers_after_a_full_stop_belong_to_the_sentence_before_it() -> None:
    assert texts("甲是一。[1] 乙是二[2]。") == ["甲是一。[1]", "乙是二[2]。"]


def test_a_marker_at_the_end_is_for_all_clauses_but_those_with_their_own() -> None:
    assert texts("甲是一；乙是二。[1]") == ["甲是一；乙是二。[1]"]
    assert texts("甲是一；[1]乙是二。[2]") == ["甲是一；[1]", "乙是二。[2]"]


def test_a_question_mark_within_an_address_ends_no_sentence() -> None:
    assert texts("见 https://a.cn/b?x=1&y=2[1]。可以吗?可以[2]。") == [
        "见 https://a.cn/b?x=1&y=2[1]。",
        "可以吗?",
        "可以[2]。",
    ]


def test_list_items_and_table_rows_are_sentences_and_code_is_not() -> None:
    answer = "## 结果\n- **甲**是一[1]\n2. 乙是二[2]\n\n| 名 | 值 |\n|---|---|\n| 甲 | 1[1] |\n```\ncode[1]\n```\n"
    assert texts(answer) == ["## 结果", "**甲**是一[1]", "乙是二[2]", "| 名 | 值 |", "| 甲 | 1[1] |"]


def test_how_a_model_counts_what_it_lists_is_no_part_of_a_sentence() -> None:
    assert texts("1. 第六条第1句：甲是一。\n第2点：乙是二。\n第三项：丙是三。") == [
        "甲是一。",
        "乙是二。",
        "第三项：丙是三。",
    ]


def test_a_number_before_an_item_that_cites_later_numbers_a_list() -> None:
    first, second = sentences("[1] 甲是一[3]\n[2] 乙是二")
    assert (first.numbers, second.numbers) == ((3,), (2,))


def test_decimals_do_not_end_sentences() -> None:
    assert texts("It grew by 3.5 points. Then it fell.") == ["It grew by 3.5 points.", "Then it fell."]


@pytest.mark.parametrize("rule", ["---", "  --- ", "|---|:--:|", "| --- | --- ", "***", "-- | --"])
def test_a_rule_and_the_line_under_a_tables_head_are_no_sentences(rule: str) -> None:
    assert texts(f"甲是一\n{rule}\n乙是二") == ["甲是一", "乙是二"]


@pytest.mark.parametrize("repeated", [" ", "\n", "--", "| ", "| --", "> ", "1,", "[1,", "；"])
def test_a_long_answer_is_read_in_no_time(repeated: str) -> None:
    with within_cpu_seconds(10):
        for answer in (f"{repeated * 20_000}x", f"甲\n甲{repeated * 20_000}x"):
            sentences(answer)
            plain(answer)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,200元", "一千二百元"),
        ("0.12万元", "1200元"),
        ("2023-05-01", "2023年5月1日"),
        ("二〇二三年", "2023年"),
        ("百分之三十五", "35%"),
        ("十二月", "12月"),
        ("两个", "2个"),
        ("一亿三千万人", "1.3亿人"),
        ("千分之三", "3‰"),
        ("百分之三", "3%"),
    ],
)
def test_a_number_is_the_same_in_every_form(one: str, other: str) -> None:
    (text, numbers), (other_text, others) = replace_numbers(one), replace_numbers(other)
    assert text == other_text
    assert [number.value for number in numbers] == [number.value for number in others]


@pytest.mark.parametrize(
    "text", ["统一标准", "万一下雨", "十分重要", "一般来说", "一个苹果", "三国演义", "千万小心", "JDK7"]
)
def test_numerals_within_words_are_no_numbers(text: str) -> None:
    assert replace_numbers(text) == (text, ())


@pytest.mark.parametrize(
    ("text", "percents"),
    [("千分之三", 0.3), ("3‰", 0.3), ("万分之五", 0.05), ("0.05%", 0.05), ("百分之五", 5), ("5个百分点", 5)],
)
def test_a_share_is_read_in_percent_whatever_it_is_told_in(text: str, percents: float) -> None:
    (number,) = replace_numbers(text)[1]
    assert (number.kind, float(number.value), number.written) == ("percent", percents, text)


def test_a_share_before_a_verb_is_no_count() -> None:
    assert [number.written for number in replace_numbers("按万分之五支付，由三支付")[1]] == ["万分之五"]


@pytest.mark.parametrize("quote", ["", "> "])
def test_the_row_above_a_rule_names_columns_and_each_row_is_one_sentence(quote: str) -> None:
    answer = f"{quote}| 项目 | 2025年 |\n{quote}| --- | --- |\n{quote}| 收入。含税 | 30[1] |"
    assert [(sentence.is_heading, sentence.numbers) for sentence in sentences(answer)] == [(True, ()), (False, (1,))]
    assert not sentences(f"{quote}| 收入 | 30[1] |\n{quote}费用")[0].is_heading
