import pytest

from loaders.cleaning import clean_line, ends_sentence, squeeze


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("高 血 压", "高血压"),
        ("⽠ 书", "瓜书"),
        ("ＡＢＣ１２３％（元／股）", "ABC123%（元／股）"),
        ("第一条　为了 规范", "第一条 为了规范"),
        ("你好，世界！（完）：；？", "你好，世界！（完）：；？"),
        ("用  Java　写", "用 Java 写"),
        ("第①项 x²", "第①项 x²"),
        ("营业收入\t366\t258", "营业收入 366 258"),
        ("姓名\t电话", "姓名 电话"),
        ("坏\x00字\ud800符\ufeff", "坏字符"),
    ],
)
def test_a_line_is_normalised(raw: str, clean: str) -> None:
    assert clean_line(raw) == clean


def test_the_three_rules_keep_one_blank_one_line_break_and_one_mark() -> None:
    assert squeeze("a  \t b\n \n\n c！！！好，，") == "a b\nc！好，"


def test_marks_that_mean_something_when_doubled_stay() -> None:
    assert squeeze("std::vector ../etc [1, 2, ...]") == "std::vector ../etc [1, 2, ...]"


def test_leaders_become_one_dot() -> None:
    assert squeeze("绪论. . . . . . . 12") == "绪论. 12"


@pytest.mark.parametrize("text", ["完了。", "他说：“走。”", "（完。）", "如下：", "The end."])
def test_a_sentence_ends_also_inside_quotes(text: str) -> None:
    assert ends_sentence(text)


@pytest.mark.parametrize("text", ["没有完", "甲、", "甲，", "（未完）", ""])
def test_a_sentence_without_its_mark_goes_on(text: str) -> None:
    assert not ends_sentence(text)
