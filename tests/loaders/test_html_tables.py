from pathlib import Path

import pytest

from loaders import load
from loaders.html_tables import with_rows_of_html
from tests.waiting import within_cpu_seconds


def rows(html: str) -> list[str]:
    return with_rows_of_html(html).strip("\n").split("\n")


def table(*lines: str) -> str:
    made = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in line.split("|")) + "</tr>" for line in lines)
    return f"<table border='1'>{made}</table>"


def test_each_row_is_a_line() -> None:
    assert rows(table("产品|单价", "甲|10", "乙||备用")) == ["产品 | 单价", "甲 | 10", "乙 |  | 备用"]


def test_a_table_over_several_lines_stands_between_the_text_around_it(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    head = "<thead>\n  <tr>\n   <th>产品</th>\n   <th>单价</th>\n  </tr>\n </thead>"
    html = f"<TABLE>\n {head}\n <tr><td>甲<td>10</tr></TABLE>"
    path.write_text(f"# 报价\n\n见下表：{html}含税。\n\n## 说明\n\n完。", encoding="utf-8")
    text = "报价\n见下表：\n产品 | 单价\n--- | ---\n甲 | 10\n含税。\n说明\n完。"
    assert load(path).text == text


def test_a_first_row_of_titles_has_a_rule_below_it_and_two_have_none() -> None:
    titled = "<tr><th>甲</th><th>乙</th></tr>"
    assert rows(f"<table>{titled}<tr><td>1</td><td>2</td></tr></table>") == ["甲 | 乙", "--- | ---", "1 | 2"]
    assert rows(f"<table>{titled}{titled}<tr><td>1</td><td>2</td></tr></table>") == ["甲 | 乙", "甲 | 乙", "1 | 2"]
    assert rows("<table><tr><th>型号</th><td>KJ</td></tr></table>") == ["型号 | KJ"]


def test_cells_over_rows_and_columns_keep_the_others_in_their_column() -> None:
    long = "很长的说明" * 10
    html = (
        f'<table><tr><td rowspan="3">类别</td><td colspan="2">成绩</td><td rowspan="2">{long}</td></tr>'
        '<tr><td>语文</td><td>数学</td></tr><tr><td>90</td><td>95</td><td rowspan="x">优</td></tr>'
        '<tr><td colspan="0">合计</td></tr></table>'
    )
    assert rows(html) == [f"类别 | 成绩 |  | {long}", "类别 | 语文 | 数学", "类别 | 90 | 95 | 优", "合计"]


def test_what_stands_in_a_cell_is_one_text() -> None:
    html = "<b>支持</b>中文&nbsp;&lt;2<br>支持<p>英文|日文</p><table><tr><td>内</td><td>层</td></tr></table>"
    assert rows(f"<table><caption>表1</caption><tr><td>{html}</td><td><!-- 注 -->乙</td></tr></table>") == [
        "表1",
        "支持中文 <2 支持 英文/日文 内 层 | 乙",
    ]


@pytest.mark.parametrize(
    "text", ["用 `<table>` 画表。", "<table></table>", "<table><tr><td>甲</td>", "</table> <b>甲</b>"]
)
def test_what_is_no_table_stays(text: str) -> None:
    assert with_rows_of_html(text) == text


@pytest.mark.parametrize("mention", ["用 `<table>` 画表。", "用<table>画表。", "以 `</table>` 结束。"])
def test_a_table_is_read_behind_one_that_is_only_spoken_of(mention: str) -> None:
    assert rows(f"{mention}\n{table('甲|乙')}\n{table('丙|丁')}") == [mention, "", "甲 | 乙", "", "", "丙 | 丁"]


def test_a_table_is_read_between_tags_that_are_only_spoken_of() -> None:
    text = "由 `<table>` 起，\n{}\n至 `</table>` 止。"
    assert with_rows_of_html(text.format(table("甲|乙"))) == text.format("\n甲 | 乙\n")


def test_a_table_within_code_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"```html\n{table('甲|乙')}\n```\n\n{table('丙|丁')}", encoding="utf-8")
    assert load(path).text == f"```html\n{table('甲|乙')}\n```\n丙 | 丁"


def test_a_large_table_and_many_open_ones_take_no_time() -> None:
    html = "<table>" + '<tr><td rowspan="99" colspan="99">甲</td><td>乙</td></tr>' * 300 + "</table>"
    with within_cpu_seconds(8):
        assert len(with_rows_of_html(html)) < 10 * len(html)
        with_rows_of_html("<table><tr><td>" * 20_000)
        with_rows_of_html("<table><tr><td>" * 20_000 + "</table>" * 20_000)
        with_rows_of_html("<table " * 50_000)
        with_rows_of_html(table("|".join("甲" * 5000)))
