from collections.abc import Sequence
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from loaders import load
from loaders.docx_numbering import Numbering
from rag.types import Heading


def level(number: int, text: str, kind: str = "decimal", more: str = "") -> str:
    shown = f'<w:numFmt w:val="{kind}"/>{more}<w:lvlText w:val="{text}"/>'
    return f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/>{shown}</w:lvl>'


def lists(*levels: str, more: str = "") -> str:
    abstract = f'<w:abstractNum w:abstractNumId="50">{"".join(levels)}</w:abstractNum>'
    return f'{abstract}<w:num w:numId="5"><w:abstractNumId w:val="50"/></w:num>{more}'


def labels(content: str, *paragraphs: tuple[str, int]) -> list[str]:
    numbering = Numbering(parse_xml(f"<w:numbering {nsdecls('w')}>{content}</w:numbering>"))
    return [numbering.label(number, level) for number, level in paragraphs]


def numbered(paragraph: Any, number: str, level: int = 0) -> None:
    content = f'<w:ilvl w:val="{level}"/><w:numId w:val="{number}"/>'
    paragraph.get_or_add_pPr().append(parse_xml(f"<w:numPr {nsdecls('w')}>{content}</w:numPr>"))


def add_lists(document: Any, content: str) -> None:
    element = document.part.numbering_part.element
    for node in parse_xml(f"<w:numbering {nsdecls('w')}>{content}</w:numbering>"):
        element.append(node)


@pytest.mark.parametrize(
    ("kind", "count", "shown"),
    [
        ("chineseCounting", 11, "十一"),
        ("chineseCountingThousand", 105, "一百零五"),
        ("chineseCountingThousand", 20, "二十"),
        ("chineseLegalSimplified", 12, "拾贰"),
        ("ideographTraditional", 3, "丙"),
        ("upperLetter", 27, "AA"),
        ("lowerLetter", 2, "b"),
        ("upperRoman", 14, "XIV"),
        ("lowerRoman", 4, "iv"),
        ("decimalZero", 7, "07"),
        ("decimalEnclosedCircle", 3, "③"),
        ("someNewKind", 3, "3"),
        ("bullet", 3, ""),
    ],
)
def test_a_count_is_shown_as_its_kind_says(kind: str, count: int, shown: str) -> None:
    assert labels(lists(level(0, "%1", kind)), *[("5", 0)] * count)[-1] == shown


def test_deeper_levels_count_anew_below_a_higher_one_unless_they_say_otherwise() -> None:
    paragraphs: Sequence[tuple[str, int]] = [("5", 0), ("5", 1), ("5", 1), ("5", 0), ("5", 1)]
    chapters = level(0, "第%1章", "chineseCounting")
    counted = labels(lists(chapters, level(1, "第%2条", "chineseCounting")), *paragraphs)
    assert counted == ["第一章", "第一条", "第二条", "第二章", "第一条"]
    goes_on = level(1, "%1.%2", more='<w:lvlRestart w:val="0"/><w:isLgl/>')
    assert labels(lists(chapters, goes_on), *paragraphs) == ["第一章", "1.1", "1.2", "第二章", "2.3"]


def test_lists_of_one_kind_go_on_with_each_other_unless_one_starts_anew() -> None:
    override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride>'
    more = '<w:num w:numId="6"><w:abstractNumId w:val="50"/></w:num>'
    more += f'<w:num w:numId="7"><w:abstractNumId w:val="50"/>{override}</w:num>'
    paragraphs = [("5", 0), ("6", 0), ("7", 0), ("7", 0), ("5", 0)]
    assert labels(lists(level(0, "%1."), more=more), *paragraphs) == ["1.", "2.", "4.", "5.", "6."]


def test_what_the_file_does_not_define_has_no_number() -> None:
    assert labels(lists(level(0, "%1.")), ("5", 3), ("9", 0), ("0", 0)) == ["", "", ""]
    assert Numbering(None).label("1", 0) == ""


def test_automatic_numbers_stand_before_paragraphs_and_make_headings(tmp_path: Path) -> None:
    document = docx.Document()
    levels = (level(0, "第%1章", "chineseCounting"), level(1, "第%2条", "chineseCounting"), level(2, "（%3）"))
    add_lists(document, lists(*levels).replace('"5"', '"55"'))
    for text, depth in (("总则", 0), ("为了规范。", 1), ("甲；", 2), ("", 2), ("乙。", 2), ("分则", 0)):
        numbered(document.add_paragraph(text)._p, "55", depth)
    document.save(str(tmp_path / "a.docx"))
    loaded = load(tmp_path / "a.docx")
    assert loaded.text == "第一章 总则\n第一条 为了规范。\n（1）甲；\n（3）乙。\n第二章 分则"
    assert [heading.title for heading in loaded.outline] == ["第一章 总则", "第一条", "第二章 分则"]


def test_a_style_numbers_its_paragraphs_and_those_of_styles_based_on_it(tmp_path: Path) -> None:
    document = docx.Document()
    linked = level(1, "%1.%2").replace("<w:numFmt", '<w:pStyle w:val="Heading2"/><w:numFmt')
    add_lists(document, lists(level(0, "%1"), linked).replace('"5"', '"55"'))
    for name in ("Heading 1", "Heading 2"):
        properties = document.styles[name].element.get_or_add_pPr()
        properties.append(parse_xml(f'<w:numPr {nsdecls("w")}><w:numId w:val="55"/></w:numPr>'))
    own = document.styles.add_style("公司标题", WD_STYLE_TYPE.PARAGRAPH)
    own.base_style = document.styles["Heading 2"]
    document.add_paragraph("总则", style="Heading 1")
    document.add_paragraph("范围", style="Heading 2")
    document.add_paragraph("术语", style="公司标题")
    numbered(document.add_paragraph("不编号", style="Heading 2")._p, "0")
    document.save(str(tmp_path / "a.docx"))
    assert load(tmp_path / "a.docx").outline == (
        Heading(1, "1 总则", 1),
        Heading(2, "1.1 范围", 1),
        Heading(2, "1.2 术语", 1),
        Heading(2, "不编号", 1),
    )
