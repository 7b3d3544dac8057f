from pathlib import Path

import pytest

from loaders import load
from loaders.delimited import with_table_rows


@pytest.mark.parametrize("delimiter", ["|", "\t", ","])
def test_exported_rows_are_those_of_a_table(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "a.txt"
    rows = [["姓名", "部门", "入职日期"], ["张三", "研发部", "2020-01-15"], ["李四", "市场部", "2021-03-02"]]
    path.write_text("\n".join(["员工名单", *map(delimiter.join, rows), "以上共两人。"]), encoding="utf-8")
    assert load(path).text.split("\n") == ["员工名单", *map(" | ".join, rows), "以上共两人。"]


def test_a_comma_within_quotes_parts_no_cells() -> None:
    assert with_table_rows(['品名,"说明,备注",单价', '键盘,"有线,黑色",99', "鼠标,,59"]) == [
        "品名 | 说明,备注 | 单价",
        "键盘 | 有线,黑色 | 99",
        "鼠标 |  | 59",
    ]


@pytest.mark.parametrize(
    "rows",
    [
        ["春眠不觉晓,处处,闻啼鸟", "夜来风雨声,花落,知多少", "床前明月光,疑是,地上霜"],
        ["今天开会,讨论了预算,很顺利", "明天3点开会,讨论进度,请准时", "后天放假,大家休息,祝愉快"],
        ["move(x, y, z);", "turn(a, b, 90);", "stop(a, b, 10);"],
        ["第一章\t总则\t1", "第二章\t休假\t3", "第三章\t附则\t9"],
        ["姓名\t部门", "张三\t研发部", "李四\t市场部"],
        ["姓名,部门,工资", "张三,研发部,9000"],
        ["\t姓名\t部门", "\t张三\t研发部", "\t李四\t市场部"],
        ["甲,乙," + "丙" * 2000] * 3,
    ],
)
def test_other_lines_stay(rows: list[str]) -> None:
    assert with_table_rows(rows) == rows


def test_commas_within_the_cells_of_a_table_with_tabs_part_none() -> None:
    typed = ["姓名\t地址,区,门牌\t备注", "张三\t北京,朝阳1,1号\t无", "李四\t北京,海淀2,2号\t无"]
    assert with_table_rows(typed) == [row.replace("\t", " | ") for row in typed]


def test_a_table_with_commas_may_have_bars_in_its_cells_and_stand_below_one_with_tabs() -> None:
    tabs = ["姓名\t部门\t工资", "张三\t研发部\t9000", "李四\t市场部\t8000"]
    commas = ["品名,颜色,单价", "键盘,黑 | 白,99", "鼠标,黑,59"]
    expected = [row.replace("\t", " | ") for row in tabs] + [
        "品名 | 颜色 | 单价",
        "键盘 | 黑 / 白 | 99",
        "鼠标 | 黑 | 59",
    ]
    assert with_table_rows([*tabs, *commas]) == expected
