"""A document's text as HTML."""

from rag.web.passage import Mark, in_context, passage

RATES = "城市 | 每晚\n一线 | 800元\n其他 | 500元"
BODY = '<tr><td class="short">一线</td><td class="short">800元</td></tr>'


def test_rows_are_a_table_with_heads_and_the_lines_beside_it_stay_lines() -> None:
    html = passage(f"住宿标准\n{RATES}\n凭发票\n报销")
    assert html.startswith('住宿标准<table><tr><th class="short">城市</th><th class="short">每晚</th></tr>')
    assert BODY in html
    assert html.endswith("</table>凭发票\n报销")


def test_a_text_without_rows_is_only_escaped() -> None:
    assert passage("a < b\n\n<img src=x>") == "a &lt; b\n\n&lt;img src=x&gt;"
    assert passage("") == ""


def test_cells_are_escaped_as_lines_are() -> None:
    assert "&lt;script&gt;x&lt;/script&gt;</td>" in passage("<script>x</script> | 1\ny | 2")


def test_a_row_alone_stays_a_line_with_bars() -> None:
    assert passage("日志：\ncat log | sort\n完") == "日志：\ncat log | sort\n完"


def test_two_tables_that_an_empty_line_parts_are_two() -> None:
    html = passage(f"{RATES}\n\n{RATES}")
    assert html.count("<table") == 2
    assert html.count("</table>") == 2


def test_a_short_row_has_all_cells_and_what_stands_alone_reaches_over_all() -> None:
    html = passage("云南 |\n城市 | 每晚 | 备注\n昆明 | 300元\n大理 | 200元 | 淡季")
    assert '<th colspan="3">云南</th>' in html
    assert '<td class="short">300元</td><td class="short"></td>' in html


def test_the_rule_of_a_markdown_table_is_not_shown() -> None:
    html = passage("| 城市 | 每晚 |\n| --- | --- |\n| 一线 | 800元 |")
    assert "---" not in html
    assert BODY in html


def test_what_is_marked_is_marked_in_lines_and_in_each_cell() -> None:
    text = f"标准\n{RATES}\n凭发票"
    start, end = text.index("一线"), text.index("发票")
    key = Mark(text.index("800"), text.index("800") + 4, "<u>", "</u>")
    html = passage(text, [Mark(start, end), key])
    assert '<td class="short"><mark>一线</mark></td><td class="short"><mark><u>800元</u></mark></td>' in html
    assert html.endswith("</table><mark>凭</mark>发票")
    assert "<mark>每晚" not in html


def test_a_cell_is_marked_in_part_where_the_mark_ends_in_it() -> None:
    text = "一线 | 八百元整\n其他 | 五百元整"
    assert "<mark>八百</mark>元整" in passage(text, [Mark(0, text.index("元整"))])


def test_a_long_cell_is_given_room_and_a_short_one_is_kept_in_a_line() -> None:
    html = passage(f"一线 | {'很' * 17}\n其他的城市和县 | 无")
    assert f'<td class="long">{"很" * 17}</td>' in html
    assert '<td class="middling">其他的城市和县</td>' in html


def test_a_passage_is_one_table_with_the_header_that_stands_above_it() -> None:
    html = in_context("二、住宿\n城市 | 每晚", "一线 | 800元\n其他 | 500元")
    assert html.count("<table") == 1
    assert html.startswith('<span class="context">二、住宿</span><table')
    assert '<th class="short"><span class="context">城市</span></th>' in html
    assert in_context(" \n", "只有正文。\n") == "只有正文。"
