"""A conversation taken along: nothing in the file acts, every marker leads to its source, and no secret goes along."""

import json
import re
from dataclasses import replace
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pypdf import PdfReader

from rag.export import footnotes, to_json, to_markdown
from rag.i18n import Language
from rag.types import Message, Rating, Turn, TurnStatus
from rag.web.chat.render_marks import unchecked
from rag.web.export.page import to_html
from rag.web.export.paper import to_pdf
from rag.web.export.tree import Block, blocks
from rag.web.markdown import markdown
from tests.samples_web import HOSTILE, evidence, turn

ZH = Language.ZH
FORMATTED = (
    "# 小结\n\n1. 甲 [1]\n   - 乙\n\n> 引\n\n```\nx < y\n```\n\n| 名 | 值 |\n|---|---|\n| 丙 | 4 |\n\n$\\frac{a}{2}$"
)

IMAGE, PICTURE = "<img src=x onerror=alert(1)>", "![x](http://198.51.100.7/p.png)"
NOT_CODE = (
    f"\\`{IMAGE}\\`",
    f"\\{IMAGE} \\{PICTURE}",
    f"看 ```{IMAGE}",
    f"`{IMAGE}``",
    f"`{PICTURE}``",
    "!【1】(http://198.51.100.7/p.png)【1】(javascript:alert(1))",
    f"`甲\n乙` {IMAGE} `丙`",
    f"[甲](http://198.51.100.7/a`b) {IMAGE} `丙`",
    f'[甲](http://198.51.100.7/ "`") {IMAGE} `丙`',
    f"| 甲 | 乙 |\n|---|---|\n| `甲 | {IMAGE}` |",
    f"~~~\n```\n~~~\n{IMAGE}\n```",
    f"````\n```\n````\n{IMAGE}\n```",
    f"- 甲\n\n  ```\n{IMAGE}\n  ```",
    f"- ```\n  甲\n  ```\n  {IMAGE}\n  ```",
    f"- 甲\n\n    ```\n   ```\n   {IMAGE}\n   ```",
    f"甲\n    ~~~\n    {IMAGE}\n    ~~~",
    f"``` 甲 | 乙 |\n|---|---|\n{IMAGE}\n```",
    f"甲\r    ```\r\r{IMAGE}\r\r    ```",
)


def test_markers_are_footnotes_that_name_file_page_and_passage() -> None:
    text = to_markdown("错误码", (turn(),), ZH)
    assert text.startswith("# 错误码\n\n导出于 ") and "\n\n## 错误码的格式是怎样的？\n\n错误码是**字符串类型**" in text
    assert "四位数字编号 [^1]" in text
    assert re.search(
        r"^\[\^1\]: Java开发手册（黄山版）.pdf · 第 27 页（页面标注 25） · .* — 错误码为字符串类型", text, re.M
    )
    assert "\\[9\\]" in text and "[^9]" not in text


def test_a_footnote_names_all_pages_that_its_passage_goes_over_in_every_format() -> None:
    talk = (turn(sources=(evidence(1, page=3, last_page=4, page_label="3"),)),)
    for text in (to_markdown("题", talk, ZH), to_html("题", talk, ZH), text_of(to_pdf("题", talk, ZH))):
        assert "第3–4页" in text.replace(" ", "")
    (source,) = json.loads(to_json("题", talk))["turns"][0]["sources"]
    assert (source["page"], source["last_page"]) == (3, 4)


def test_the_day_and_the_models_that_answered_stand_in_every_format() -> None:
    talk = (turn(), turn(model="extractive"), turn(model=""))
    about = f"导出于 {datetime.now().astimezone():%Y-%m-%d} · 回答的模型：qwen2.5-1.5b-instruct、原文摘录"
    assert about in to_markdown("题", talk, ZH) and about in to_html("题", talk, ZH)
    assert about.replace(" ", "") in text_of(to_pdf("题", talk, ZH)).replace(" ", "")
    assert "回答的模型" not in to_markdown("题", talk[2:], ZH)


def test_the_day_is_the_readers_in_every_format() -> None:
    days = []
    for name in ("Pacific/Pago_Pago", "Pacific/Kiritimati"):  # 25 hours lie between them
        zone = ZoneInfo(name)
        day = f"{datetime.now(zone):%Y-%m-%d}"
        assert day in to_markdown("题", (turn(),), ZH, zone) and day in to_html("题", (turn(),), ZH, zone)
        assert day in text_of(to_pdf("题", (turn(),), ZH, zone)).replace(" ", "")
        days.append(day)
    assert days[0] < days[1]


def test_what_nothing_bears_out_says_so_in_every_format() -> None:
    talk = (turn(),)
    assert "（待核对）" in to_markdown("题", talk, ZH)
    assert "（待核对）" in to_html("题", talk, ZH)
    assert "（待核对）" in text_of(to_pdf("题", talk, ZH))


@pytest.mark.parametrize(
    ("halted", "remark"),
    [
        (turn(answer="", status=TurnStatus.STOPPED), "已停止，还没有开始回答"),
        (turn(answer="半句", status=TurnStatus.STOPPED), "已停止，以上是停止前的内容"),
        (turn(status=TurnStatus.STOPPED, message=Message("web.chat.repeats")), "反复说同样的话"),
    ],
)
def test_why_an_answer_is_not_whole_is_said_in_every_format(halted: Turn, remark: str) -> None:
    for text in (to_markdown("题", (halted,), ZH), to_html("题", (halted,), ZH), text_of(to_pdf("题", (halted,), ZH))):
        assert remark in text


def test_a_line_of_an_answer_begins_without_a_blank_in_the_pdf() -> None:
    (paragraph,) = blocks(markdown("甲。\n乙。", unchecked({}, ZH)))
    assert paragraph.markup == "甲。<br/>乙。"


def test_what_is_doubted_is_amber_in_the_pdf_as_on_the_page() -> None:
    (paragraph,) = blocks('<p>甲<sup class="doubt"><a href="#9">[9]</a></sup></p>')
    assert "#b45309" in paragraph.markup and "#0f766e" not in paragraph.markup


def test_code_keeps_its_indentation_in_the_pdf() -> None:
    (code,) = blocks(markdown("```\ndef f(x):\n    return x  # 甲\n```", unchecked({}, ZH)))
    assert code.markup == "def f(x):<br/>\xa0\xa0\xa0\xa0return x\xa0\xa0# 甲"


def test_a_passage_keeps_its_lines_in_the_pdf() -> None:
    table = "项目 | 金额\n收入 | 4,755\n\n支出 | 3"
    talk = (turn("问", "收入四千 [1]。", sources=(evidence(1, text=table),)),)
    printed = PdfReader(BytesIO(to_pdf("题", talk, ZH))).pages[0].extract_text()
    lines = [line.strip() for line in printed.splitlines()]
    assert {"项目", "金额", "收入", "4,755", "支出 | 3"} <= set(lines)


def test_a_marker_that_leads_nowhere_says_so_on_the_exported_page() -> None:
    html = to_html("题", (turn("问", "年假为十天 [9]。"),), ZH)
    assert re.search(r'<sup class="doubt">\[9\]', html)


def test_of_a_marker_that_was_put_right_the_exported_page_has_the_right_one_alone() -> None:
    held = (evidence(1, text="食堂每天七点开门。"), evidence(2, text="员工入职满一年后，每年享有十五天年假。"))
    html = to_html("题", (turn("年假有几天？", "员工入职满一年后，每年享有15天年假[1]。", sources=held),), ZH)
    assert re.findall(r"<sup.*?</sup>", html) == ['<sup><a href="#source-2">[2]</a></sup>']


def test_of_a_marker_that_was_put_right_a_markdown_has_the_right_one_alone_and_code_is_as_it_was() -> None:
    held = (evidence(1, text="食堂每天七点开门。"), evidence(2, text="员工入职满一年后，每年享有十五天年假。"))
    answer = "见 `a[1]`：员工入职满一年后，每年享有15天年假【1】。\ue0001\ue001"
    text = to_markdown("题", (turn("年假有几天？", answer, sources=held),), ZH).partition("\n\n[^")[0]
    assert "`a[1]`" in text and re.findall(r"\[\^?\d\]", text) == ["[1]", "[^2]"]
    assert "\ue000" not in text


def test_an_exported_markdown_has_no_html_image_or_foreign_definition() -> None:
    answer = f"{HOSTILE}\n\n[1]: http://198.51.100.7/ 'x'\n\n`<b>`"
    text = to_markdown(HOSTILE, (turn(HOSTILE, answer, sources=(evidence(1, text=HOSTILE),)),), ZH)
    assert not re.search(r"(?<!\\)<[a-z/!]", text.replace("`<b>`", ""))
    assert not re.search(r"(?<!\\)!\[", text)
    assert not re.search(r"(?<!\\)\]\(javascript", text)
    assert len(re.findall(r"^\[\^1\]:", text, re.M)) == 1


@pytest.mark.parametrize("answer", [*NOT_CODE, "".join(NOT_CODE), "\n\n".join(NOT_CODE), HOSTILE])
def test_what_only_looks_like_code_brings_no_html_and_no_image_into_a_markdown(answer: str) -> None:
    talk = (turn("甲", f"  ```\n{answer}"), turn("乙", answer), turn("丙", f"```\n{answer}"), turn("丁", answer))
    for rules in ([], ["table"]):
        read = MarkdownIt("commonmark").enable(rules).parse(to_markdown("题", talk, ZH))
        tokens = [token for block in read for token in (block, *(block.children or ()))]
        assert not [token.content for token in tokens if token.type in ("html_block", "html_inline", "image")]
        assert all(str(token.attrs.get("href", "http")).startswith("http") for token in tokens)


@pytest.mark.parametrize(
    "formula",
    [r"\href{javascript:alert(1)}{x}", r"\url{javascript:x}", r"\htmlStyle{x}{y}", r"\\\href{x}{y}"],
)
def test_a_formula_in_a_markdown_has_no_command_that_acts(formula: str) -> None:
    text = to_markdown("题", (turn("问", f"即 ${formula}$，以及\n\n$$\n{formula}\n$$"),), ZH)
    assert not re.search(r"(?<!\\)(?:\\\\)*\\(?:href|url|html)", text)


def test_no_exported_answer_turns_the_direction_in_which_it_is_read() -> None:
    talk = (turn(answer="可借\u202e10册，`甲\u2066`，&#8238;01册"),)
    assert "可借10册，`甲`，\\&#8238;01册" in to_markdown("题", talk, ZH)
    for text in (to_html("题", talk, ZH), text_of(to_pdf("题", talk, ZH))):
        assert "01册" in text and not {"\u202e", "\u2066"} & set(text)


def test_a_formula_in_a_markdown_is_otherwise_as_it_was() -> None:
    formula = r"$$\frac{a}{b} \le \alpha \\ \text{甲}$$"
    assert formula in to_markdown("题", (turn("问", formula),), ZH)


def test_code_is_exported_as_it_is() -> None:
    line, block = "`Map<String, List<T>>` 与 ``a`<b>``", "List<String> a;\n\n![0]<b>\n"
    fenced = "".join(f"   {row}".rstrip() + "\n" for row in f"```java\n{block}```".splitlines())
    answer = f"用 {line}：\n\n```java\n{block}```\n\n1. 再：\n{fenced}\n~~~\n{block}~~~"
    text = to_markdown("题", (turn("问", answer),), ZH)
    assert text.count(line) == 1 and fenced in text
    assert code_of(text) == ["Map<String, List<T>>", "a`<b>", block, block, block]


def test_a_block_of_code_without_its_end_ends_with_its_answer() -> None:
    text = to_markdown("题", (turn("甲", "```\nx < y"), turn("乙", "答")), ZH)
    assert "x < y\n```\n\n## 乙" in text
    assert code_of(text) == ["x < y\n"]


def code_of(text: str) -> list[str]:
    tokens: list[Token] = MarkdownIt("commonmark").parse(text)
    inside = (token for block in tokens for token in (block, *(block.children or ())))
    return [token.content for token in inside if token.type in ("fence", "code_inline")]


def test_an_exported_page_runs_and_loads_nothing() -> None:
    html = to_html(HOSTILE, (turn(HOSTILE, HOSTILE, sources=(evidence(1, text=HOSTILE, document_name=HOSTILE),)),), ZH)
    assert "default-src 'none'" in html
    assert not re.search(r"<(script|img|iframe|form|button|link)\b", html)
    assert not re.search(r'(?:href|src)="(?!https?://|#source-)', html)


def test_every_link_of_an_exported_page_leads_to_a_footnote() -> None:
    html = to_html("题", (turn(), turn("再问", "同一段 [2]。")), ZH)
    links, notes = re.findall(r'href="#(source-\d+)"', html), re.findall(r'id="(source-\d+)"', html)
    assert set(links) == set(notes) == {"source-1", "source-2"}
    assert len(notes) == 2


def test_records_have_the_fields_of_other_programs_and_no_secret() -> None:
    item = turn(session_id="a secret of the browser")
    text = to_json("题", (item,))
    record = json.loads(text)["turns"][0]
    expected = {"session_id": "conversation", "user_query": item.question, "turn_id": item.turn_id}
    assert expected.items() <= record.items()
    assert {"assistant_response", "timestamp", "context_docs", "token_count", "parent_turn_id"} <= record.keys()
    assert record["sources"][0]["passage"] == item.sources[0].text
    assert "a secret of the browser" not in text


def test_records_tell_what_the_reader_thought_of_an_answer_and_why() -> None:
    rated = replace(turn(), feedback=Rating.BAD, feedback_reason="答非所问")
    record = json.loads(to_json("题", (rated,)))["turns"][0]
    assert (record["feedback"], record["feedback_reason"]) == (-1, "答非所问")


def test_evidence_that_no_answer_cites_is_no_footnote() -> None:
    assert [item.number for item in footnotes((turn(answer="只引一处 [2]。"),))] == [2]


@pytest.mark.parametrize("answer", [FORMATTED, HOSTILE, "", "\x0b\x00控制字符"])
def test_a_pdf_has_the_whole_conversation_as_text(answer: str) -> None:
    text = text_of(to_pdf("题目", (turn("怎样的？", answer),), ZH))
    assert "题目" in text and "怎样的" in text
    if answer == FORMATTED:
        assert all(piece in text for piece in ("小结", "甲", "乙", "x < y", "丙", "a/2", "第 27 页"))


def test_a_pdf_brings_its_fonts_along() -> None:
    pages: Any = PdfReader(BytesIO(to_pdf("题目", (turn("怎样的？", FORMATTED),), ZH))).pages
    fonts = [font.get_object() for page in pages for font in page["/Resources"]["/Font"].values()]
    assert fonts and all("/FontFile2" in font["/FontDescriptor"] for font in fonts)


def test_a_character_that_the_font_lacks_leaves_no_gap_in_a_pdf() -> None:
    text = text_of(to_pdf("题", (turn("吉野家的𠮷\ufe00？", "笑😀\ufe0f，𝑥，⽠，三\u2009格\x01。"),), ZH))
    assert "吉野家的[U+20BB7]？" in text and "笑[U+1F600]，x，瓜，三 格。" in text


@pytest.mark.parametrize(
    ("columns", "head", "cell"),
    [(4, "列", "长" * 520), (3, "头" * 6000, "短"), (5, "列", "x" * 3000), (60, "列", "短")],
)
def test_a_pdf_takes_tables_that_fit_no_page(columns: int, head: str, cell: str) -> None:
    rows = ("|".join([text] * columns) for text in (head, "-", cell, cell))
    text = text_of(to_pdf("题目", (turn("怎样的？", "\n".join(f"|{row}|" for row in rows)),), ZH))
    letter = cell[0]
    assert text.count(letter) >= 2 * columns * len(cell)


def test_an_answer_is_cut_into_the_blocks_that_paper_knows() -> None:
    html = markdown(FORMATTED, lambda number, _: f"<sup>[{number}]</sup>")
    kinds = [(block.kind, block.depth, block.bullet) for block in blocks(html)]
    assert kinds == [
        ("heading", 0, ""),
        ("text", 1, "1."),
        ("text", 2, "•"),
        ("quote", 1, ""),
        ("code", 0, ""),
        ("table", 0, ""),
        ("text", 0, ""),
    ]
    assert blocks(html)[1] == Block("text", "甲<super>[1]</super>", 1, "1.")
    assert blocks(html)[5].rows == (("名", "值"), ("丙", "4"))


@pytest.mark.parametrize(
    ("formula", "line"),
    [
        (r"\frac{a}", "a/()"),
        (r"\binom{a}", "(a/())"),
        (r"\underset{a}", "a_()"),
        (r"\stackrel{a}", "a^()"),
        ("^2", "^2"),
        (r"\sqrt[]{}", "√()"),
        (r"\sum_{}^{}", "∑_()^()"),
    ],
)
def test_a_formula_that_is_not_whole_is_printed_as_far_as_it_goes(formula: str, line: str) -> None:
    (paragraph,) = blocks(markdown(f"甲 ${formula}$ 乙", unchecked({}, ZH)))
    assert paragraph.markup == f"甲 {line} 乙"


def test_a_formula_is_printed_with_no_more_brackets_than_it_needs() -> None:
    formula = r"\frac{1}{2}\sum_{i=1}^{10} (y_i - w^T x_i)^2 + \sqrt{2} + \frac{a+b}{\sqrt{n+1}}"
    (paragraph,) = blocks(markdown(f"${formula}$", unchecked({}, ZH)))
    assert paragraph.markup == "1/2∑_(i=1)^10(y_i−w^Tx_i)^2+√2+(a+b)/(√(n+1))"


@pytest.mark.parametrize("formula", ["{" * 500 + "a" + "}" * 500, r"\sqrt{" * 250 + "a" + "}" * 250])
def test_a_formula_too_deep_to_be_read_is_printed_as_it_was_written(formula: str) -> None:
    (paragraph,) = blocks(markdown(f"甲 ${formula}$ 乙", unchecked({}, ZH)))
    assert paragraph.markup == f"甲 {formula} 乙"


@pytest.mark.parametrize("tag", ["mfrac", "mroot", "msub", "msup", "munder", "mover", "msubsup", "munderover"])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_no_part_of_a_formula_need_be_there(tag: str, count: int) -> None:
    (paragraph,) = blocks(f"<p><math><{tag}>{'<mi>x</mi>' * count}</{tag}></math></p>")
    assert paragraph.markup.count("x") == count


def text_of(pdf: bytes) -> str:
    pages = PdfReader(BytesIO(pdf)).pages
    return re.sub(r"[^\S\n]+", " ", "\n".join(page.extract_text() for page in pages)).replace("\n", "")


def test_a_saved_page_has_the_colours_of_the_page_it_was_saved_from() -> None:
    assets = Path(__file__).parent.parent / "rag" / "web" / "assets"
    colours = [
        dict(re.findall(r"--([\w-]+): (#\w{6});", (assets / name).read_text(encoding="utf-8").split("}")[0]))
        for name in ("frame.css", "export.css")
    ]
    assert colours[1] and colours[1].items() <= colours[0].items()
    assert not re.findall(r"(?<!: )#[0-9a-f]{6}", (assets / "export.css").read_text(encoding="utf-8"))


def test_a_table_that_is_cited_is_a_table_on_an_exported_page() -> None:
    table = "项目 | 金额\n收入 | 4,000\n成本 | 3,000"
    html = to_html("问", (turn("问", "收入四千 [1]。", sources=(evidence(1, text=f"单位：元\n{table}\n"),)),), ZH)
    assert '<blockquote>单位：元<table><tr><th class="short">项目</th>' in html
    assert "</table></blockquote>" in html
