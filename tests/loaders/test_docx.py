import zipfile
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_BREAK
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt

from loaders import load
from rag.errors import DamagedFile, FileTooLarge, NoWords
from rag.types import Heading, LoadedDocument
from tests.waiting import within_cpu_seconds


def element(name: str, value: str | None = None, *content: Any) -> Any:
    made = OxmlElement(name)
    if value is not None:
        made.set(qn("w:val"), value)
    made.extend(content)
    return made


def wrap(inner: Any, *names: str) -> None:
    """Put an element of a document into new ones with these names, the outermost first."""
    for name in names:
        wrapper = element(name)
        inner.getparent().replace(inner, wrapper)
        wrapper.append(inner)


def merge(cell: Any, value: str | None = None) -> None:
    cell._tc.get_or_add_tcPr().append(element("w:vMerge", value))


def table(document: Any, *rows: Sequence[str]) -> Any:
    made = document.add_table(len(rows), len(rows[0]))
    for row, texts in zip(made.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    return made


def read(document: Any, path: Path) -> LoadedDocument:
    document.save(str(path / "a.docx"))
    return load(path / "a.docx")


def test_headings_tables_and_pages_are_read_in_order(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("总则", level=1)
    document.add_paragraph("为了规范合同，制定本法。")
    table(document, ("项目", "金额", "说明"), ("租金", "100", "每月"))
    document.add_page_break()  # type: ignore[no-untyped-call]
    document.add_heading("分则", level=2)
    loaded = read(document, tmp_path)
    first = "总则\n为了规范合同，制定本法。\n项目 | 金额 | 说明\n租金 | 100 | 每月"
    assert [page.text for page in loaded.pages] == [first, "分则"]
    assert loaded.outline == (Heading(1, "总则", 1), Heading(2, "分则", 2))


def test_an_empty_line_stands_between_two_tables_only(tmp_path: Path) -> None:
    document = docx.Document()
    table(document, ("甲", "乙"))
    document.add_paragraph()
    table(document, ("丙", "丁"))
    table(document, ("戊", "己"))
    document.add_paragraph()
    document.add_paragraph("表后的文字。")
    document.add_paragraph()
    table(document, ("庚", "辛"))
    assert read(document, tmp_path).text == "甲 | 乙\n\n丙 | 丁\n\n戊 | 己\n表后的文字。\n庚 | 辛"


def test_a_merged_cell_stands_in_its_row_once(tmp_path: Path) -> None:
    document = docx.Document()
    made = table(document, ("", "", "单独"))
    made.cell(0, 0).merge(made.cell(0, 1)).text = "合并"
    assert read(document, tmp_path).text == "合并 |  | 单独"


def test_a_word_of_a_cell_that_is_set_upright_is_a_word(tmp_path: Path) -> None:
    document = docx.Document()
    made = table(document, ("家\n庭\n成\n员", "姓　名", "电话\n手机"))
    made.cell(0, 0).add_paragraph("情")
    made.cell(0, 0).add_paragraph("况")
    assert read(document, tmp_path).text == "家庭成员情况 | 姓名 | 电话 手机"


def test_cells_stand_in_their_column_behind_a_wide_cell_and_behind_none(tmp_path: Path) -> None:
    document = docx.Document()
    made = table(document, ("项目", "预算", "实际", "备注"), ("", "", "9", "超支"), ("", "甲", "乙", "丙"))
    made.cell(1, 0).merge(made.cell(1, 1)).text = "租金"
    row = made.rows[2]._tr
    row.remove(row.tc_lst[0])
    row.get_or_add_trPr().append(element("w:gridBefore", "1"))
    made.cell(0, 2).merge(made.cell(0, 3)).text = "实际"
    assert read(document, tmp_path).text == "项目 | 预算 | 实际\n租金 |  | 9 | 超支\n | 甲 | 乙 | 丙"


def test_a_cell_reaches_over_no_more_columns_than_a_table_of_word_has(tmp_path: Path) -> None:
    made = table(document := docx.Document(), ("甲", "乙"))
    made.cell(0, 0)._tc.get_or_add_tcPr().append(element("w:gridSpan", "9999"))
    assert read(document, tmp_path).text.split(" | ")[::63] == ["甲", "乙"]


@pytest.mark.parametrize("wrapper", ["w:ins", "w:moveTo", "w:fldSimple", "w:hyperlink"])
def test_a_run_is_read_whatever_it_stands_in(tmp_path: Path, wrapper: str) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("原文")
    wrap(paragraph.add_run("新增的责任条款")._r, wrapper)
    paragraph.add_run("。")
    assert read(document, tmp_path).text == "原文新增的责任条款。"


def test_what_was_deleted_or_moved_away_is_not_read(tmp_path: Path) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("原文")
    wrap(paragraph.add_run("移走的")._r, "w:moveFrom")
    wrap(paragraph.add_run("删去的")._r, "w:del")
    assert read(document, tmp_path).text == "原文"


def test_content_controls_are_read_around_paragraphs_rows_cells_and_runs(tmp_path: Path) -> None:
    document = docx.Document()
    control = ("w:sdt", "w:sdtContent")
    paragraph = document.add_paragraph("内容控件")
    wrap(paragraph.add_run("里的段落")._r, *control)
    wrap(paragraph._p, *control)
    made = table(document, ("甲", "乙"), ("丙", "丁"))
    wrap(made.cell(0, 1)._tc, *control)
    wrap(made.rows[1]._tr, *control)
    assert read(document, tmp_path).text == "内容控件里的段落\n甲 | 乙\n丙 | 丁"


def test_a_cell_merged_over_rows_belongs_to_each_and_a_long_text_is_said_once(tmp_path: Path) -> None:
    document = docx.Document()
    long = "很长的说明" * 10
    made = table(document, ("类别", long, "一"), ("", "", "二"), ("", "", "三"))
    for column in (0, 1):
        merge(made.cell(0, column), "restart")
        for row in made.rows[1:]:
            merge(row.cells[column])
    assert read(document, tmp_path).text == f"类别 | {long} | 一\n类别 |  | 二\n类别 |  | 三"


def test_a_merged_cell_without_one_above_stands_for_itself(tmp_path: Path) -> None:
    document = docx.Document()
    made = table(document, ("格00", "格01"), ("格10", "格11"), ("格20", "格21"))
    first, wide, hidden, below = made.cell(0, 0), made.cell(1, 0), made.cell(1, 1), made.cell(2, 1)
    merge(first)
    wide._tc.getparent().remove(hidden._tc)
    wide._tc.get_or_add_tcPr().append(element("w:gridSpan", "2"))
    merge(below)
    assert read(document, tmp_path).text == "格00 | 格01\n格10\n格20 | 格21"


def test_a_cell_merged_over_very_many_rows_takes_no_time(tmp_path: Path) -> None:
    document = docx.Document()
    made = document.add_table(1, 2)
    made.cell(0, 0).text = "类别"
    row = made.rows[0]._tr
    merge(made.cell(0, 0), "restart")
    following = deepcopy(row)
    following.tc_lst[0].tcPr.remove(following.tc_lst[0].tcPr[-1])
    following.tc_lst[0].tcPr.append(element("w:vMerge"))
    for _ in range(2000):
        row.addnext(deepcopy(following))
    document.save(str(tmp_path / "a.docx"))
    with within_cpu_seconds(12):
        assert load(tmp_path / "a.docx").text.count("类别") == 2001


def test_a_page_ends_where_the_break_stands_in_its_paragraph(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("第一页的末段。").add_run().add_break(WD_BREAK.PAGE)
    document.add_paragraph("第二页。")
    paragraph = document.add_paragraph("仍在第二页，")
    paragraph.add_run().add_break(WD_BREAK.PAGE)
    paragraph.add_run("到第三页。")
    paragraph = document.add_paragraph()
    paragraph.add_run().add_break(WD_BREAK.PAGE)
    paragraph.add_run("第四页。")
    pages = ["第一页的末段。", "第二页。\n仍在第二页，", "到第三页。", "第四页。"]
    assert [page.text for page in read(document, tmp_path).pages] == pages


def test_a_paragraph_begins_a_page_only_where_it_is_told_to(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("第一页。")
    document.add_paragraph("仍在第一页。").paragraph_format.page_break_before = False
    document.add_paragraph("第二页。").paragraph_format.page_break_before = True
    assert [page.text for page in read(document, tmp_path).pages] == ["第一页。\n仍在第一页。", "第二页。"]


def test_lines_of_a_paragraph_stay_lines_and_those_of_a_heading_are_one(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("第一章\n总则", level=1)
    document.add_paragraph("地址：甲路1号\n电话：123")
    loaded = read(document, tmp_path)
    assert loaded.text == "第一章 总则\n地址：甲路1号\n电话：123"
    assert loaded.outline == (Heading(1, "第一章 总则", 1),)


def test_headings_are_known_by_the_style_they_are_based_on_and_by_their_outline_level(tmp_path: Path) -> None:
    document = docx.Document()
    based = document.styles.add_style("公司一级", WD_STYLE_TYPE.PARAGRAPH)
    based.base_style = document.styles["Heading 1"]
    levelled = document.styles.add_style("章标题", WD_STYLE_TYPE.PARAGRAPH)
    levelled.element.get_or_add_pPr().append(element("w:outlineLvl", "1"))
    document.add_paragraph("甲", style="公司一级")
    document.add_paragraph("乙", style="章标题")
    document.add_paragraph("丙")._p.get_or_add_pPr().append(element("w:outlineLvl", "2"))
    document.add_paragraph("正文", style="公司一级")._p.get_or_add_pPr().append(element("w:outlineLvl", "9"))
    assert read(document, tmp_path).outline == (Heading(1, "甲", 1), Heading(2, "乙", 1), Heading(3, "丙", 1))


def test_one_styled_heading_stands_above_the_typed_ones(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("员工手册", level=1)
    for text in ("第一章 总则", "甲。", "第二章 休假", "乙。"):
        document.add_paragraph(text)
    assert [(heading.level, heading.title) for heading in read(document, tmp_path).outline] == [
        (1, "员工手册"),
        (2, "第一章 总则"),
        (2, "第二章 休假"),
    ]


def test_a_text_box_is_read_once_behind_its_paragraph(tmp_path: Path) -> None:
    document = docx.Document()
    run = document.add_paragraph("正文。").add_run()
    namespaces = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    box = f"<w:txbxContent {nsdecls('w')}><w:p><w:r><w:t>框里的字</w:t></w:r></w:p></w:txbxContent>"
    run._r.append(parse_xml(f"<mc:a {namespaces}><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:a>"))
    document.add_paragraph("后文。").add_run()._r.append(parse_xml(f"<w:pict {nsdecls('w')}>{box}</w:pict>"))
    assert read(document, tmp_path).text == "正文。\n框里的字\n后文。\n框里的字"


def test_a_formula_is_read_as_one_line(tmp_path: Path) -> None:
    document = docx.Document()
    math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    power = "<m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    paragraph = document.add_paragraph()
    paragraph._p.append(parse_xml(f"<m:oMath {math}><m:r><m:t>E=m</m:t></m:r>{power}</m:oMath>"))
    paragraph.add_run("是质能方程。")
    assert read(document, tmp_path).text == "E=mc^2是质能方程。"


def test_what_a_formula_divides_brackets_and_takes_the_root_of_stays_together(tmp_path: Path) -> None:
    def formula(name: str, *parts: str | tuple[str, str]) -> str:
        inner = (part if isinstance(part, str) else f"<m:{part[0]}>{part[1]}</m:{part[0]}>" for part in parts)
        return f"<m:{name}>{''.join(inner)}</m:{name}>"

    def said(text: str) -> str:
        return f"<m:r><m:t>{text}</m:t></m:r>"

    margin = said("毛利率=") + formula("f", ("num", said("营业收入-营业成本")), ("den", said("营业收入")))
    root = said("x=") + formula("rad", ("deg", ""), ("e", said("b-4ac")))
    half = formula("d", ("e", said("a+b"))) + formula("sSup", ("e", said("c")), ("sup", said("n+1")))
    limits = ("sub", said("0")), ("sup", said("T")), ("e", said("f(t)dt"))
    total = formula("nary", *limits) + formula("nary", ("naryPr", '<m:chr m:val="∑"/>'), *limits)
    document = docx.Document()
    math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    for text in (margin, root, half, total):
        document.add_paragraph()._p.append(parse_xml(f"<m:oMath {math}>{text}</m:oMath>"))
    assert read(document, tmp_path).text.split("\n") == [
        "毛利率=(营业收入-营业成本)/营业收入",
        "x=√(b-4ac)",
        "(a+b)c^(n+1)",
        "∫_0^Tf(t)dt∑_0^Tf(t)dt",
    ]


def test_the_boxes_of_an_older_form_say_what_is_checked(tmp_path: Path) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph()
    for text, states in (
        ("年假", {"default": "0"}),
        ("病假", {"default": "0", "checked": None}),
        ("事假", {"default": "1"}),
    ):
        box = element("w:checkBox", None, *(element(f"w:{name}", state) for name, state in states.items()))
        field = element("w:fldChar", None, element("w:ffData", None, box))
        paragraph._p.append(element("w:r", None, field))
        paragraph.add_run(text)
    assert read(document, tmp_path).text == "☐年假☑病假☑事假"


def test_ticks_and_boxes_are_read_whose_font_says_what_they_are(tmp_path: Path) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph()
    for font, code, words in (
        ("Wingdings", "F0FE", "同意"),
        ("Wingdings", "F0A8", "不同意"),
        ("Wingdings 2", "F052", "弃权"),
        ("Wingdings", "F04A", "其他"),
        ("某种字体", "F0FE", "未知"),
        ("Segoe UI Symbol", "2713", "完成"),
        ("Symbol", "F0B1", "5"),
        ("Symbol", "坏", "。"),
        ("Symbol", "F061", "角"),
        ("MT Extra", "F04C", "省略"),
    ):
        run = paragraph.add_run()
        run._r.append(parse_xml(f'<w:sym {nsdecls("w")} w:font="{font}" w:char="{code}"/>'))
        paragraph.add_run(words)
    assert read(document, tmp_path).text == "☑同意□不同意☑弃权其他未知✓完成±5。α角⋯省略"


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (("10", "^5", " 个"), "10^5 个"),
        (("10", "^-3"), "10^-3"),
        (("2", "^1", "^0", "=1024"), "2^10=1024"),
        (("面积 20 m", "^2"), "面积 20 m2"),
        (("据统计有20", "^[1]", "家"), "据统计有20[1]家"),
        (("the 21", "^st"), "the 21st"),
        (("10", "5"), "105"),
    ],
)
def test_a_number_raised_behind_a_digit_is_its_power(tmp_path: Path, parts: Sequence[str], text: str) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph()
    for part in parts:
        paragraph.add_run(part.removeprefix("^")).font.superscript = part.startswith("^") or None
    assert read(document, tmp_path).text == text


def test_notes_stand_behind_the_paragraph_that_refers_to_them_in_what_is_shown(tmp_path: Path) -> None:
    document = docx.Document()
    run = document.add_paragraph("正文").add_run()
    hidden = document.paragraphs[0].add_run("（隐）")
    hidden.font.hidden = True
    for kind in ("footnote", "endnote"):
        notes = ""
        for number, where in enumerate((run, hidden), start=2):
            where._r.append(parse_xml(f'<w:{kind}Reference {nsdecls("w")} w:id="{number}"/>'))
            text = f"出自{kind}。" if where is run else "不给人看。"
            notes += f'<w:{kind} w:id="{number}"><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:{kind}>'
        blob = f"<w:{kind}s {nsdecls('w')}>{notes}</w:{kind}s>".encode()
        part = Part(PackURI(f"/word/{kind}s.xml"), "application/xml", blob, document.part.package)
        document.part.relate_to(part, f"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}s")
    document.add_paragraph("后文。")
    assert read(document, tmp_path).text == "正文\n脚注：出自footnote。\n尾注：出自endnote。\n后文。"


def test_a_table_in_a_cell_draws_no_borders_in_its_row(tmp_path: Path) -> None:
    made = table(document := docx.Document(), ("研发部", ""))
    for cell, text in zip(made.cell(0, 1).add_table(1, 2).rows[0].cells, ("姓名", "工号"), strict=True):
        cell.text = text
    assert read(document, tmp_path).text == "研发部 | 姓名 工号"


def test_the_rows_of_a_table_in_a_cell_are_told_apart(tmp_path: Path) -> None:
    made = table(document := docx.Document(), ("研发部", "人员如下："))
    inner = made.cell(0, 1).add_table(2, 2)
    for row, texts in zip(inner.rows, (("张三", "经理"), ("李四", "工程师")), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    assert read(document, tmp_path).text == "研发部 | 人员如下：张三 经理；李四 工程师"


def test_what_a_lone_cell_frames_is_read_as_it_would_be_outside(tmp_path: Path) -> None:
    made = table(document := docx.Document(), ("项目名称", "智慧校园"), ("", ""))
    frame = made.cell(1, 0).merge(made.cell(1, 1))
    frame.paragraphs[0].text = "背景"
    frame.paragraphs[0].style = "Heading 1"
    frame.add_paragraph("管理需要数字化。")
    frame.add_paragraph("统一认证", style="List Number")
    inner = frame.add_table(2, 2)
    for row, texts in zip(inner.rows, (("科目", "金额"), ("设备费", "80")), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    frame.add_paragraph("一卡通", style="List Number")
    loaded = read(document, tmp_path)
    lines = [
        "项目名称 | 智慧校园",
        "背景",
        "管理需要数字化。",
        "1. 统一认证",
        "科目 | 金额",
        "设备费 | 80",
        "2. 一卡通",
    ]
    assert loaded.text.split("\n") == lines
    assert loaded.outline == (Heading(1, "背景", 1),)


def test_hidden_text_is_not_read_unless_the_run_itself_shows_it(tmp_path: Path) -> None:
    document = docx.Document()
    for name, kind in (("批注字", WD_STYLE_TYPE.CHARACTER), ("批注段", WD_STYLE_TYPE.PARAGRAPH)):
        document.styles.add_style(name, kind).font.hidden = True
    paragraph = document.add_paragraph("答案：")
    paragraph.add_run("（底价八十万）").font.hidden = True
    paragraph.add_run("（勿外传）", "批注字")
    paragraph.add_run("见附件。").font.hidden = False
    below = document.add_paragraph("内部意见：", "批注段")
    below.add_run("同意签约。").font.hidden = False
    assert read(document, tmp_path).text == "答案：见附件。\n同意签约。"


def test_the_size_of_a_title_is_that_of_what_is_shown(tmp_path: Path) -> None:
    document = docx.Document()
    for title in ("总则", "附则"):
        paragraph = document.add_paragraph()
        paragraph.add_run(title).font.size = Pt(20)
        paragraph.add_run("（隐）").font.hidden = True
        document.add_paragraph("为了规范合同，制定本法，请各部门遵照执行。")
    assert [heading.title for heading in read(document, tmp_path).outline] == ["总则", "附则"]


def test_a_document_without_words_is_refused(tmp_path: Path) -> None:
    docx.Document().save(str(tmp_path / "a.docx"))
    with pytest.raises(NoWords):
        load(tmp_path / "a.docx")


def test_a_damaged_document_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.docx", "w") as archive:
        archive.writestr("word/document.xml", "<broken")
    with pytest.raises(DamagedFile):
        load(tmp_path / "a.docx")


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(tmp_path / "a.docx", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("word/document.xml", "w", force_zip64=True) as member,
    ):
        for _ in range(301):
            member.write(bytes(1024 * 1024))
    with pytest.raises(FileTooLarge):
        load(tmp_path / "a.docx")
