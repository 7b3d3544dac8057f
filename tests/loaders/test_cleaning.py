import pytest

from loaders.cleaning import clean_line, clean_typed, close_gaps, ends_sentence, has_columns, squeeze


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("高 血 压", "高血压"),
        ("⽠ 书", "瓜书"),
        ("⻛险、⻓期与⻔店⾯积", "风险、长期与门店面积"),
        ("ＡＢＣ１２３％（元／股）", "ABC123%（元／股）"),
        ("第一条　为了 规范", "第一条 为了 规范"),
        ("第 一 章 总 则", "第一章 总则"),
        ("你好，世界！（完）：；？", "你好，世界！（完）：；？"),
        ("用  Java　写", "用 Java 写"),
        ("第①项 x²", "第①项 x²"),
        ("营业收入\t366\t258", "营业收入 366 258"),
        ("姓名\t电话", "姓名 电话"),
        ("形 势 与 任 务 … … … １ １", "形势与任务… 11"),
        ("１ ９ ３ ７ 年 ８ 月 增 长 １ ． ５ ％", "1937 年 8 月增长 1.5%"),
        ("１\t２ ３４ 5 6", "1 2 34 5 6"),
        ("使用\u2029B+Tree\u2029将主键", "使用 B+Tree 将主键"),
        ("坏\x00字\ud800符\ufeff", "坏字符"),
    ],
)
def test_a_line_is_normalised(raw: str, clean: str) -> None:
    assert clean_line(raw) == clean


@pytest.mark.parametrize("gap", [" ", "  ", "\u3000", "        "])
def test_blanks_between_words_part_them(gap: str) -> None:
    for clean in (clean_line, clean_typed):
        assert clean(gap.join(["委员：张三", "李四", "欧阳修", "王五"])) == "委员：张三 李四 欧阳修 王五"


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("抄　送：各市人民政府", "抄送：各市人民政府"),
        ("通    知", "通知"),
        ("又 一 段 文 字 ， 宽", "又一段文字，宽"),
        ("李　明　　王　芳", "李明 王芳"),
        ("（ 一 ） 范 围", "（一）范围"),
    ],
)
def test_blanks_between_single_characters_part_no_words(raw: str, clean: str) -> None:
    assert clean_line(raw) == clean_typed(raw) == clean


def test_one_blank_beside_a_single_character_is_stray_in_a_pdf_and_meant_where_it_is_typed() -> None:
    assert clean_line("提取盈余公 积") == "提取盈余公积"
    assert clean_typed("张三 男 汉族") == "张三 男 汉族"
    assert clean_line("性别：男 年龄：67岁") == "性别：男 年龄：67岁"


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("抄\t送：各市", "抄送：各市"),
        ("摘\t要", "摘要"),
        ("正确的是（\t）", "正确的是（）"),
        ("张三\t男\t汉", "张三\t男\t汉"),
        ("甲\t366", "甲\t366"),
    ],
)
def test_a_gap_that_spaces_out_a_word_or_leaves_room_is_no_border_of_cells(raw: str, clean: str) -> None:
    assert close_gaps(raw) == clean


def test_columns_are_words_that_stand_far_apart() -> None:
    assert has_columns("白菜　　　三元五角　　每市斤")
    assert has_columns("白菜   3.5")
    assert not any(map(has_columns, ["第一条　为了规范", "摘　　要：本文", "is   justified   text", "　　段落的首行"]))


def test_the_three_rules_keep_one_blank_one_line_break_and_one_mark() -> None:
    assert squeeze("a  \t b\n \n\n c！！！好，，") == "a b\nc！好，"


def test_marks_that_mean_something_when_doubled_stay() -> None:
    assert squeeze("std::vector ../etc [1, 2, ...]") == "std::vector ../etc [1, 2, ...]"


@pytest.mark.parametrize("code", ["a ?? b", "!!x", "f(a,,b)", 'print("a??b")'])
def test_doubled_operators_stay(code: str) -> None:
    assert clean_line(code) == code


def test_leaders_become_one_dot() -> None:
    assert squeeze("绪论. . . . . . . 12") == "绪论. 12"
    assert squeeze("米饭.......2元，....A") == "米饭. 2元，.A"


@pytest.mark.parametrize("text", ["完了。", "他说：“走。”", "（完。）", "如下：", "The end."])
def test_a_sentence_ends_also_inside_quotes(text: str) -> None:
    assert ends_sentence(text)


@pytest.mark.parametrize("text", ["没有完", "甲、", "甲，", "（未完）", ""])
def test_a_sentence_without_its_mark_goes_on(text: str) -> None:
    assert not ends_sentence(text)


def test_word_s_bullets_and_ticks_are_characters_that_everybody_has() -> None:
    assert clean_line("\uf06c 制度") == "● 制度"
    assert clean_typed("\uf0fe 同意 \uf0a8 不同意") == "☑ 同意 □ 不同意"
    assert clean_line("\uf8ff x") == "\uf8ff x"


def test_pieces_of_tall_brackets_are_characters_that_everybody_has() -> None:
    assert clean_line("\uf8eb n \uf8f6 \uf8fe") == "⎛ n ⎞ ⎭"
