from pathlib import Path

import pytest

from loaders import load
from loaders.delimited import rows_of_csv, with_cell_borders


@pytest.mark.parametrize("delimiter", ["|", "\t", ","])
def test_exported_rows_are_those_of_a_table(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "a.txt"
    rows = [["姓名", "部门", "入职日期"], ["张三", "研发部", "2020-01-15"], ["李四", "市场部", "2021-03-02"]]
    path.write_text("\n".join(["员工名单", *map(delimiter.join, rows), "以上共两人。"]), encoding="utf-8")
    assert load(path).text.split("\n") == ["员工名单", *map(" | ".join, rows), "以上共两人。"]


def test_a_comma_within_quotes_parts_no_cells() -> None:
    assert with_cell_borders(['品名,"说明,备注",单价', '键盘,"有线,黑色",99', "鼠标,,59"]) == [
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
    assert with_cell_borders(rows) == rows


def test_commas_within_the_cells_of_a_table_with_tabs_part_none() -> None:
    typed = ["姓名\t地址,区,门牌\t备注", "张三\t北京,朝阳1,1号\t无", "李四\t北京,海淀2,2号\t无"]
    assert with_cell_borders(typed) == [row.replace("\t", " | ") for row in typed]


def test_a_table_with_commas_may_have_bars_in_its_cells_and_stand_below_one_with_tabs() -> None:
    tabs = ["姓名\t部门\t工资", "张三\t研发部\t9000", "李四\t市场部\t8000"]
    commas = ["品名,颜色,单价", "键盘,黑 | 白,99", "鼠标,黑,59"]
    expected = [row.replace("\t", " | ") for row in tabs] + [
        "品名 | 颜色 | 单价",
        "键盘 | 黑 / 白 | 99",
        "鼠标 | 黑 | 59",
    ]
    assert with_cell_borders([*tabs, *commas]) == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_csv_file_is_a_table_however_few_rows_and_figures_it_has(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("姓名,部门\r\n张三,研发部\r\n\r\n,\r\n李四,\r\n".encode(encoding))
    assert load(path).text.split("\n") == ["姓名 | 部门", "张三 | 研发部", "李四 |"]


def test_a_cell_of_a_csv_file_may_have_commas_and_quotes_and_line_breaks() -> None:
    text = '品名,"说明,\n备注",单价\n键盘,"有线,\n""黑""色","1,099"\n5"屏,|,59'
    assert rows_of_csv(text) == ["品名 | 说明, 备注 | 单价", '键盘 | 有线, "黑"色 | 1,099', '5"屏 | / | 59']


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_the_cells_of_a_csv_file_may_be_parted_by_other_marks(delimiter: str) -> None:
    rows = [["姓名", "住址"], ["张三", "北京,朝阳"]]
    assert rows_of_csv("\n".join(["员工名单", *map(delimiter.join, rows)])) == ["员工名单", *map(" | ".join, rows)]


def test_the_rows_of_a_csv_file_of_one_column_stay_lines(tmp_path: Path) -> None:
    lines = [
        "事项",
        "各部门应当在每月的最后一个工作日之前提交本月的考勤记录",
        "人事部应当在次月的第三个工作日之前完成上月的考勤核对",
    ]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert load(path).text.split("\n") == lines


def test_a_quote_that_nothing_closes_does_not_swallow_the_rows_below() -> None:
    text = '品名,产地,单价\n键盘,杭州,99\n鼠标,"苏州,59\n屏幕,宁波,899'
    assert rows_of_csv(text) == text.split("\n")
    assert rows_of_csv(text.replace('"', "")) == text.replace('"', "").replace(",", " | ").split("\n")


def test_what_a_csv_file_says_to_excel_alone_is_no_part_of_its_cells() -> None:
    rows = ["sep=;", "姓名;证件;说明", '="张三";="110101199001011234";\'甲\'', "李四;'11010119900101123X;a,b,c,d"]
    assert rows_of_csv("\n".join(rows)) == [
        "姓名 | 证件 | 说明",
        "张三 | 110101199001011234 | '甲'",
        "李四 | 11010119900101123X | a,b,c,d",
    ]


def test_of_a_wide_csv_file_each_row_names_its_columns() -> None:
    months = [f"二〇二四年第{month}月应发工资总额" for month in range(1, 13)]
    header, row = ["工号", "姓名", "部门", *months], ["E1", "张三", "研发部", *map(str, range(8000, 8012))]
    first, named, *told = rows_of_csv("\n".join(["工资表", *map(",".join, [header, row])]))
    assert (first, named) == ("工资表", " | ".join(header))
    assert all(line.startswith("工号：E1，姓名：张三，部门：研发部，") for line in told)
    assert "，二〇二四年第12月应发工资总额：8011" in told[-1]


def test_the_first_of_rows_that_are_texts_names_no_columns() -> None:
    rows = [["怎么办理停车证", "请到行政部填写申请表" * 20], ["怎么报销差旅费", "请在系统里提交申请" * 20]]
    assert rows_of_csv("\n".join(map(",".join, rows))) == [" | ".join(row) for row in rows]


@pytest.mark.parametrize(
    "told", [["户名：陈晓雯,账号：6225,币种：人民币", ""], ["微信账单,,,", "起始时间：二月,,,", ",,,"], ["账单,,,"]]
)
def test_what_stands_above_the_table_of_a_csv_file_is_no_header_of_it(told: list[str]) -> None:
    table = ["交易日期,类型,金额,余额", "2025-01-02,消费,-21.40,35189.15", "2025-01-05,转账,,28689.15"]
    above = [told_row.rstrip(",").replace(",", " ") for told_row in told if told_row.strip(",")]
    assert rows_of_csv("\n".join(["招商银行交易记录", *told, *table])) == [
        "招商银行交易记录",
        *above,
        "交易日期 | 类型 | 金额 | 余额",
        "2025-01-02 | 消费 | -21.40 | 35189.15",
        "2025-01-05 | 转账 |  | 28689.15",
    ]
