from dataclasses import replace

from loaders.lines import TextLine
from loaders.titles import title_sizes


def line(text: str, index: int, size: float) -> TextLine:
    return TextLine(text, 70, 530, 700 - 20 * index, 700 - 20 * index + size, size)


TEXT = [line("这是正文的一行，写得很长很长，一直写到一行的末尾也没有写完。", index, 9.0) for index in range(2, 8)]


def test_lines_of_almost_one_size_are_one_sentence_and_no_titles() -> None:
    # Whether a line has Latin letters changes how high its font is.
    assert (
        title_sizes([[line("避免在 Java 代码块中采用相同的命名，使可理", 0, 11.5), line("解性降低", 1, 11.2), *TEXT]])
        == {}
    )


def test_a_line_that_is_clearly_larger_than_its_neighbours_is_a_title() -> None:
    assert title_sizes([[line("命名规约", 0, 12.5), line("避免采用相同的命名", 1, 11.2), *TEXT]]) == {
        "命名规约": 12.5,
        "避免采用相同的命名": 11.0,
    }


def test_titles_of_14_points_above_a_text_of_12_are_some_and_of_13_none() -> None:
    for size, found in ((14.0, {"采购管理": 14.0}), (13.0, {})):
        text = [line(row.text, index, 12.0) for index, row in enumerate(TEXT, 2)]
        assert title_sizes([[line("采购管理", 0, size), *text]]) == found


def test_titles_of_almost_one_size_are_of_one() -> None:
    page = [row for index in range(0, 9, 3) for row in (line(f"标题{index}章", index, 17.65 + index / 45), *TEXT[:2])]
    assert title_sizes([page]) == {"标题0章": 18.0, "标题3章": 18.0, "标题6章": 18.0}


def test_a_title_below_each_chapter_is_one_however_many_there_are_and_one_that_recurs_is_none() -> None:
    chapters = [
        (line(f"{name}管理", 0, 18.0), TEXT[0], line("适用范围", 2, 14.0), TEXT[1], line("□ 适用 √ 不适用", 4, 14.0))
        for name in ("采购", "销售", "库存")
    ]
    pages = [[*chapter, *TEXT] for chapter in chapters]
    assert title_sizes(pages) == {"采购管理": 18.0, "销售管理": 18.0, "库存管理": 18.0, "适用范围": 14.0}
    again = [line("适用范围", 9, 14.0), TEXT[0]]
    assert "适用范围" not in title_sizes([*pages, again])


def test_a_title_of_two_lines_is_one() -> None:
    page = [line("关于进一步加强和规范采购管理工作", 0, 18.0), line("的若干意见", 1, 18.0), *TEXT]
    assert title_sizes([page]) == {"关于进一步加强和规范采购管理工作的若干意见": 18.0}
    assert title_sizes([[page[0], page[1], line("（试行）", 2, 18.0), *TEXT]]) == {}


def test_a_title_that_is_spaced_out_is_one_and_cells_are_none() -> None:
    page = [line("前\t言", 0, 16.0), TEXT[0], line("姓名\t部门", 4, 16.0), *TEXT[1:]]
    assert title_sizes([page]) == {"前言": 16.0}


def test_a_title_beside_a_table_of_its_size_is_one() -> None:
    rows = [replace(line(f"优秀 | {index}0%", index, 14.0), verbatim=True) for index in range(2)]
    title = line("结论与建议", 2, 14.0)
    text = [line(row.text, index, 10.0) for index, row in enumerate(TEXT, 3)]
    assert title_sizes([[*rows, title, *text]]) == title_sizes([[title, *rows, *text]]) == {"结论与建议": 14.0}


def test_the_rest_of_a_sentence_is_no_title_nor_is_what_a_long_table_is_set_smaller_than() -> None:
    rows = [line(f"{month} 月 18 日 | 10,892.37", month + 4, 9.0) for month in range(60)]
    broken = [
        line("以其名下的商铺提供抵押，评估价值为96", 0, 12.7),
        line("万元，抵押率为50%。登记费用由甲方承担。", 1, 12.0),
    ]
    assert title_sizes([[*broken, *rows]]) == {}
    assert title_sizes([[line("其余课程为闭卷", 0, 11.0), *TEXT, *rows]]) == {"其余课程为闭卷": 11.0}
    text = [line(row.text, index, 11.0) for index, row in enumerate(TEXT, 2)]
    assert title_sizes([[line("其余课程为闭卷", 0, 11.7), *text, *rows]]) == {}


def test_a_tick_before_a_title_is_its_bullet_and_one_within_a_line_is_an_answer() -> None:
    assert title_sizes([[line("√ 数据探查", 0, 16.0), *TEXT]]) == {"√数据探查": 16.0}
    for answer in ("适用 √ 不适用", "☑ 适用"):
        assert title_sizes([[line(answer, 0, 16.0), *TEXT]]) == {}
