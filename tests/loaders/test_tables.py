from pathlib import Path

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from loaders import load
from loaders.lines import TextLine
from loaders.rows import find_rows, row_text, without_repeated_headers
from loaders.ruling import Rule, find_grids
from loaders.tables import Cell, with_table_rows
from tests.pdf_files import FONT
from tests.waiting import within_cpu_seconds


def rules(*positions: float, start: float = 0, end: float = 100) -> list[Rule]:
    return [Rule(position, start, end) for position in positions]


def headers(*lines: str) -> list[str]:
    return [row.header for row in find_rows("\n".join(lines))]


def write_table(path: Path, rows: list[list[str]], *, outline: bool = False, height: int = 40) -> Path:
    """Rows of cells 100 points wide, 40 high; an empty one goes on with the cell above. Text before and after."""
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(path))
    canvas.setFont(FONT, 12)
    canvas.drawString(72, 760, "表前的文字。")
    for index, row in enumerate(rows):
        for column, text in enumerate(row):
            left, top = 72 + 100 * column, 740 - height * index
            if outline:
                canvas.rect(left, top - height, 100, height)
            else:
                canvas.line(left, top, left, top - height)
                if text:
                    canvas.line(left, top, left + 100, top)
            for number, line in enumerate(text.split("\n")):
                canvas.drawString(left + 4, top - 14 - 14 * number, line)
    bottom, right = 740 - height * len(rows), 72 + 100 * len(rows[0])
    canvas.line(72, bottom, right, bottom)
    canvas.line(right, 740, right, bottom)
    canvas.drawString(72, bottom - 20, "表后的文字。")
    canvas.save()
    return path


def test_a_first_row_of_labels_is_a_header() -> None:
    table = ["姓名 | 部门 | 职务 | 办公地点", "张三 | 研发部 | 经理 | 北京", "李四 | 市场部 | 主管 | 上海"]
    assert headers(*table) == ["", table[0], table[0]]
    fields = ["字段名称 | 类型 | 字段编号 | 备注", "姓名 | 文本 | 12 | 必填", "电话 | 数字 | 13 | 必填"]
    assert headers(*fields) == ["", fields[0], fields[0]]
    meanings = ["字段 | 类型 | 说明", "姓名 | 文本 | 客户姓名", "电话 | 文本 | 联系电话"]
    assert headers(*meanings) == ["", meanings[0], meanings[0]]


def test_the_cells_of_a_row_are_one_line(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a.pdf", [["项目", "2020年"], ["归属于上市公司\n股东的净利润", "1.20"]])
    assert load(path).text.split("\n") == [
        "表前的文字。",
        "项目 | 2020年",
        "归属于上市公司股东的净利润 | 1.20",
        "表后的文字。",
    ]


def test_boxes_make_a_table_too(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a.pdf", [["名字", "值"], ["成功", "0"]], outline=True)
    assert "名字 | 值\n成功 | 0" in load(path).text


def test_a_cell_over_two_rows_belongs_to_both(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a.pdf", [["类型", "值"], ["应答", "0"], ["", "2"]])
    assert "应答 | 0\n应答 | 2" in load(path).text


def test_rows_that_no_rule_parts_are_told_by_the_heights_of_their_lines(tmp_path: Path) -> None:
    rows = [
        ["项目", "数量", "说明"],
        ["办公桌\n办公椅\n\n文件柜", "12\n30\n\n4", "实木\n可升降，带有扶\n手和头枕\n铁皮"],
    ]
    path = write_table(tmp_path / "a.pdf", rows, height=70)
    assert load(path).text.split("\n")[1:-1] == [
        "项目 | 数量 | 说明",
        "办公桌 | 12 | 实木",
        "办公椅 | 30 | 可升降，带有扶手和头枕",
        "文件柜 | 4 | 铁皮",
    ]


def test_lists_and_broken_headers_beside_one_label_are_one_row(tmp_path: Path) -> None:
    rows = [
        ["项目", "2020年\n12月31日\n(经审计)", "2019年\n12月31日\n(经审计)"],
        ["\n工程师", "本科以上\n英语四级\n计算机二级", "三年以上\n能出差\n会驾驶"],
    ]
    path = write_table(tmp_path / "a.pdf", rows, height=60)
    header, row = load(path).text.split("\n")[1:-1]
    assert header == "项目 | 2020年12月31日(经审计) | 2019年12月31日(经审计)"
    assert row.split(" | ")[0] == "工程师"
    assert "计算机二级" in row


def test_cells_that_wrap_to_as_many_lines_are_one_row(tmp_path: Path) -> None:
    left, right = "项目负责人应当\n于每月月底前上\n报进度", "财务部门应当于\n次月五日前完成\n核对"
    path = write_table(tmp_path / "a.pdf", [["职责", "要求"], [left, right]], height=60)
    row = "项目负责人应当于每月月底前上报进度 | 财务部门应当于次月五日前完成核对"
    assert load(path).text.split("\n")[1:-1] == ["职责 | 要求", row]


def test_a_number_broken_at_the_edge_of_its_cell_is_whole(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a.pdf", [["项目", "金额"], ["收入", "1,581,905,632,483,1\n83.25"]])
    assert "收入 | 1,581,905,632,483,183.25" in load(path).text


@pytest.mark.parametrize(
    ("cell", "read"),
    [
        ("412,559,710,\n000.00", "412,559,710,000.00"),
        ("81,112,073,00\n0.00", "81,112,073,000.00"),
        ("1,112,073.00\n12.50", "1,112,073.00 12.50"),
        ("项目1,2,12,3\n4.5", "项目1,2,12,3 4.5"),
    ],
)
def test_a_number_that_cannot_end_where_its_line_does_goes_on_though_there_is_room(
    tmp_path: Path, cell: str, read: str
) -> None:
    path = write_table(tmp_path / "a.pdf", [["项目", "金额"], ["收入", cell]])
    assert f"收入 | {read}" in load(path).text


def test_a_box_around_text_is_no_table(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a.pdf", [["框里的一句话"], ["另一句话"]])
    assert "|" not in load(path).text


def test_lines_that_touch_make_one_grid_and_outer_lines_may_be_left_out() -> None:
    grids = find_grids(rules(0, 20, 40), [Rule(50, 0, 40)])
    assert [(grid.row_count, grid.column_count) for grid in grids] == [(2, 2)]
    assert grids[0].cell_at(10, 30) == (0, 0)
    assert grids[0].cell_at(60, 10) == (1, 1)
    assert grids[0].cell_at(60, 50) is None


def test_lines_apart_make_two_grids() -> None:
    upright = [Rule(50, 0, 40), Rule(50, 100, 140)]
    assert len(find_grids(rules(0, 20, 40, 100, 120, 140), upright)) == 2


def test_lines_drawn_in_pieces_are_whole() -> None:
    pieces = [Rule(20, start, start + 24) for start in (0, 25, 50, 75)]
    grid = find_grids([*rules(0, 40), *pieces], rules(0, 50, 100, end=40))[0]
    assert [grid.cell_at(75, y) for y in (30, 10)] == [(0, 1), (1, 1)]


def test_a_row_without_one_of_its_lines_is_one_cell() -> None:
    grid = find_grids(rules(0, 20, 40), [Rule(0, 0, 40), Rule(50, 20, 40), Rule(100, 0, 40)])[0]
    assert grid.cells == [[(0, 0), (0, 1)], [(1, 0), (1, 0)]]


def test_a_page_full_of_lines_is_a_drawing_and_takes_no_time() -> None:
    lines = rules(*range(0, 2400, 4), end=2400)
    boxes = (
        [Rule(20.0 * index, 0, 100) for index in range(600)],
        [Rule(50, 20.0 * index, 20.0 * index + 9) for index in range(600)],
    )
    with within_cpu_seconds(10):
        assert find_grids(lines, lines) == []
        assert find_grids(*boxes) == []


def test_the_largest_table_takes_no_time() -> None:
    lines = rules(*range(0, 800, 4), end=796)
    with within_cpu_seconds(4):
        (grid,) = find_grids(lines, lines)
        assert grid.cell_at(790, 2) == (198, 197)


def test_a_table_drawn_last_goes_above_the_lines_below_it_in_no_time() -> None:
    (grid,) = find_grids(rules(0, 20, 40), rules(0, 50, 100, end=40))
    below = [TextLine("行", 0, 90, -10.0 * index - 9, -10.0 * index - 1, 8) for index in range(20_000)]
    cell = TextLine("格", 5, 15, 25, 35, 8)
    with within_cpu_seconds(6):
        found = with_table_rows([*((None, line) for line in below), (Cell(0, 0, 0), cell)], [grid])
    assert [line.text for line in found[:2]] == ["格 |", "行"]


def test_empty_cells_keep_the_others_in_their_column() -> None:
    assert row_text(["稀释每股收益", "", "0.66", ""]) == "稀释每股收益 |  | 0.66"
    assert row_text(["流动资产：", ""]) == "流动资产： |"
    assert row_text(["a|b", "c"]) == "a/b | c"


def test_rows_stand_under_the_header_of_their_table() -> None:
    header = "项目 | 2020年 | 2019年"
    assert headers(header, "收入 | 1.5 | 1.2", "成本 | 0.5 | 0.4") == ["", header, header]


def test_a_page_break_does_not_end_a_table_but_text_does() -> None:
    header = "名字 | 值 | 描述"
    assert headers(header, "甲 | 0 | 成功", "", "乙 | 1 | 失败") == ["", header, header]
    assert headers(header, "甲 | 0 | 成功", "乙 | 1 | 失败", "正文。", "丙 | 2 | 其他")[-1] == ""


def test_a_header_of_two_lines_is_taken_whole() -> None:
    lines = ["名称 | 数据格式 | | 描述", "名称 | 类型 | 内容 | 描述", "通知 | 2 | 1 Byte | 绑定成功"]
    assert headers(*lines) == ["", lines[0], "\n".join(lines[:2])]


def test_columns_divided_at_the_end_of_a_header_make_a_second_line_of_it() -> None:
    lines = ["名称 | 性质 | 冻结", "名称 | 性质 | 状态 | 数量", "张三 | 境内自然人 | 质押 | 5", "李四 | 境内自然人"]
    assert headers(*lines)[2:] == ["\n".join(lines[:2])] * 2


def test_a_header_of_two_lines_without_a_title_over_both_is_taken_whole_above_figures() -> None:
    lines = [
        "| 变动前 | | 变动后",
        "| 数量 | 比例 | 数量 | 比例",
        "一、限售股 | 5 | 5% | 6 | 6%",
        "二、流通股 | 7 | 7% | 8 | 8%",
    ]
    assert headers(*lines) == ["", lines[0], *["\n".join(lines[:2])] * 2]


def test_a_header_of_three_lines_is_taken_whole() -> None:
    lines = [
        "类别 | 期末 | | | 期初",
        "类别 | 账面 | | 净值 | 账面 | | 净值",
        "类别 | 金额 | 比例 | 净值 | 金额 | 比例 | 净值",
    ]
    assert headers(*lines, "单项计提 | 5 | 5% | 4 | 6 | 6% | 5")[2:] == ["\n".join(lines[:2]), "\n".join(lines)]


def test_what_stands_below_a_caption_in_a_table_is_its_header_and_has_the_caption_above_it() -> None:
    first, second = "股东名称 | 股东性质 | 比例 | 冻结", "股东名称 | 股东性质 | 比例 | 状态 | 数量"
    top = ["前十名股东 |", first, second, "张三 | 自然人 | 3.20%"]
    below = ["无限售股东 |", "股东名称 | 种类 | 数量", "张三 | 普通股 | 5"]
    assert headers(*top, *below)[:4] == ["", top[0], "\n".join(top[:2]), "\n".join(top[:3])]
    assert headers(*top, *below)[4:] == ["", below[0], "\n".join(below[:2])]


def test_titles_below_the_caption_that_a_table_begins_with_are_its_header_though_no_row_has_numbers() -> None:
    lines = ["服务列表 |", "服务 | 程序 | 域名", "日志 | rsyslog | syslog", "备份 | rsnapshot | backup"]
    assert headers(*lines) == ["", lines[0], *["\n".join(lines[:2])] * 2]


def test_what_a_caption_says_of_names_and_what_they_stand_for_is_no_header() -> None:
    assert headers("常用词语释义 |", "生物股份 | 指 | 金宇生物", "金宇保灵 | 指 | 金宇保灵生物", "其中 |") == [""] * 4


def test_a_second_header_takes_over_from_the_first() -> None:
    lines = ["项目 | 2020年 | 2019年", "收入 | 1.5 | 1.2", "项目 | 年末 | 年初", "资产 | 6.2 | 5.5"]
    assert headers(*lines) == ["", lines[0], "", lines[2]]


def test_two_titles_within_a_table_are_a_header_where_the_first_is_that_of_the_header_before() -> None:
    caption, header, other = "规章 |", "信息内容 | 本年制发件数 | 现行有效件数", "信息内容 | 本年处理决定数量"
    found = headers(caption, header, "规章 | 1 | 11", "处罚 |", other, "行政处罚 | 3985", "行政强制 | 88")
    assert found == ["", caption, f"{caption}\n{header}", "", "处罚 |", f"处罚 |\n{other}", f"处罚 |\n{other}"]
    listed = headers("种类 | 数量 | 备注", "苹果 | 3 | 红", "梨 | 黄的", "桃 | 5")
    assert listed[1:] == ["种类 | 数量 | 备注"] * 3


def test_a_header_that_a_page_break_cuts_is_still_one() -> None:
    lines = ["项目 | 2020年 | 2019年", "收入 | 1.5 | 1.2", "| 年末 | 本期末比", "| | 上年末", "资产 | 6.2 | 5.5"]
    assert headers(*lines)[4] == lines[2]


def test_a_header_that_stands_again_stays_the_one_in_force_with_all_its_lines() -> None:
    header = ["城市 | 住宿费 | | 补助", "城市 | 经理 | 员工 | 补助"]
    lines = [*header, "甲 | 500 | 350 | 100", *header, "乙 | 400 | 300 | 80", "丙 | 300 | 200 | 80"]
    assert headers(*lines)[2:] == ["\n".join(header), "", header[0], *["\n".join(header)] * 2]


def test_a_caption_above_a_header_that_stands_again_is_the_one_in_force() -> None:
    header = "分类 | 收入 | 成本"
    lines = ["分产品情况 |", header, "疫苗 | 5.2 | 3.1", "分地区情况 |", header, "国内 | 4.2 | 2.1"]
    assert headers(*lines)[5] == "\n".join(lines[3:5])


def test_pages_do_not_repeat_the_header_of_a_table_that_goes_on() -> None:
    header = "城市 | 住宿费 | | 补助\n城市 | 经理 | 员工 | 补助"
    pages = ["甲 | 500 | 350 | 100\n乙 | 450 | 350 | 90", "丙 | 400 | 300 | 80", "丁 | 300 | 200 | 80\n以上含税。"]
    assert without_repeated_headers([f"{header}\n{page}" for page in pages]) == [f"{header}\n{pages[0]}", *pages[1:]]
    # Text between two tables, another header, or one without rows below it.
    for texts in (
        [f"{header}\n{pages[0]}", f"下表：\n{header}\n{pages[1]}"],
        [f"{header}\n{pages[0]}\n以上含税。", f"{header}\n{pages[1]}"],
        [f"{header}\n{pages[0]}", f"地区 | 住宿费\n{pages[1]}"],
        [f"{header}\n{pages[0]}", f"{header}\n以上含税。"],
    ):
        assert without_repeated_headers(texts) == texts


def test_names_and_what_they_stand_for_have_no_header() -> None:
    assert headers("公司的中文名称 | 金宇生物", "公司的网址 | www.a.cn", "法定代表人 | 张三") == ["", "", ""]


def test_the_rule_of_a_markdown_table_is_no_row_of_it() -> None:
    header = "| 名字 | 值 | 描述 |"
    assert headers(header, "| --- | --- | --- |", "| 甲 | 0 | 成功 |") == ["", "", header]


@pytest.mark.parametrize(
    "rows",
    [
        ("合同类型 | 固定单价合同", "履约地点 | 浦东", "联合投标 | 不接受"),
        ("基金规模 | 约48亿元", "管理费率 | 0.50%", "跟踪指数 | 恒生科技指数", "风险评级 | 中高"),
    ],
)
def test_the_first_of_names_and_what_they_stand_for_names_no_column(rows: tuple[str, ...]) -> None:
    assert headers(*rows) == [""] * len(rows)


@pytest.mark.parametrize("header", ["符号 | 含义", "序号 | 否决投标情形", "环境 | URL", "项目 | 内容"])
def test_a_word_for_what_a_column_holds_names_two_columns(header: str) -> None:
    assert headers(header, "全称 | 恒生科技基金", "管理费率 | 0.50%") == ["", header, header]


def test_what_stands_above_a_rule_is_the_header_and_nothing_else_is() -> None:
    long = "| 等级 | 达到这一等级所需要的最低分数以及取得这一分数的考核方式的说明 |"
    assert headers(long, "|---|---|", "| 甲 | 张三 |", "| 乙 | 25 |") == ["", "", long, long]
    assert headers("| 版本 1.0 | 2024 |", "|:--|--:|", "| 丙 | 丁 |")[2] == "| 版本 1.0 | 2024 |"
    assert headers("| | |", "|---|---|", "| 型号 | 空气净化器 |", "| 功率 | 六十瓦 |") == [""] * 4


def test_two_tables_with_rules_that_follow_each_other_have_each_its_header() -> None:
    first = ["参数 | 说明 | 默认值", "--- | --- | ---", "timeout | 超时 | 三十"]
    second = ["| 端点 | 方法 |", "| - | :-: |", "| /chat | POST |"]
    assert headers(*first, *second) == ["", "", first[0], "", "", second[0]]


def test_dashes_that_stand_for_nothing_are_no_rule() -> None:
    header = "项目 | 2020年 | 2019年"
    assert headers(header, "- | - | -", "收入 | 1.5 | --", "成本 | 0.5 | 0.4")[-1] == header
    assert headers(header, "收入 | 1.5 | 1.2", " | -- | --", "成本 | 一 | 二")[-1] == header


def test_an_empty_line_parts_tables_where_the_next_row_is_of_titles_or_of_another_width() -> None:
    header, below = "名字 | 值 | 描述", "滤网 | 更换周期 | 价格"
    rows = ["甲 | 0 | 成功", "乙 | 1 | 失败"]
    assert headers(header, *rows, "", below, "初效 | 每季 | 九元", "高效 | 每年 | 十元")[3:] == ["", below, below]
    assert headers(header, *rows, "", "电话 | 010-88886666", "网址 | www.a.cn", "地址 | 甲路1号")[3] == ""


def test_rows_without_a_first_cell_take_no_time() -> None:
    lines = [" | 种类 | 产地", *[" | 苹果 | 香蕉"] * 20_000]
    with within_cpu_seconds(6):
        assert headers(*lines)[:2] == ["", lines[0]]


def test_the_entries_of_a_cell_are_parted_and_a_wrapped_one_is_not(tmp_path: Path) -> None:
    account = "开户行：工行\n账号：62220200"
    cells = [
        ["项目", "说明"],
        [account, "1）换纸\n2）加墨"],
        ["支付给职工\n现金：见附注", "账号：6222020000\n识别号：12"],
    ]
    text = load(write_table(tmp_path / "a.pdf", cells)).text
    assert "开户行：工行 账号：62220200 | 1）换纸 2）加墨" in text
    assert "支付给职工现金：见附注 | 账号：6222020000识别号：12" in text


def test_a_line_of_a_cell_over_two_columns_is_full_where_both_end() -> None:
    grid = find_grids(rules(0, 50, 100), rules(0, 100, start=0, end=100) + rules(50, start=0, end=50))[0]
    lines = ["甲方：一二", "乙方：三"]
    pieces = [TextLine(line, 2, 42, 80 - 12 * index, 90 - 12 * index, 10) for index, line in enumerate(lines)]
    below = [TextLine("丙", 2 + 50 * column, 12 + 50 * column, 20, 30, 10) for column in (0, 1)]
    cells = [Cell(0, *grid.cells[0][0])] * 2 + [Cell(0, *grid.cells[1][column]) for column in (0, 1)]
    rows = with_table_rows(list(zip(cells, [*pieces, *below], strict=True)), [grid])
    assert [row.text for row in rows] == ["甲方：一二 乙方：三 |", "丙 | 丙"]


@pytest.mark.parametrize(
    ("lines", "read"),
    [
        (["古风时期：直立", "生活情趣、内在激情", "性格化"], "古风时期：直立 生活情趣、内在激情 性格化"),
        (["强烈的动感，动作的连续性，", "表现得淋漓尽致"], "强烈的动感，动作的连续性，表现得淋漓尽致"),
        (["归属于", "母公司"], "归属于母公司"),
    ],
)
def test_a_line_of_a_cell_behind_room_for_a_word_begins_something_new(lines: list[str], read: str) -> None:
    (grid,) = find_grids(rules(0, 100, end=280), rules(0, 140, 280))
    pieces = [TextLine(line, 2, 2 + 10 * len(line), 80 - 12 * at, 90 - 12 * at, 10) for at, line in enumerate(lines)]
    cells = [*((Cell(0, 0, 0), piece) for piece in pieces), (Cell(0, 0, 1), TextLine("值", 142, 152, 80, 90, 10))]
    assert [row.text for row in with_table_rows(cells, [grid])] == [f"{read} | 值"]
