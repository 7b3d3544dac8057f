"""Presentations: slides as pages, shapes in the order in which they are read, tables, charts, diagrams and notes."""

import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import pptx
import pytest
from lxml import etree
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.util import Inches

from loaders import archives, load
from rag.errors import DamagedFile, FileTooLarge, MismatchedFile, NoWords, TooManyPages
from rag.types import Heading, LoadedDocument, PageHealth

TITLED, BLANK = 1, 6  # of the layouts of python-pptx's own template
COMPATIBILITY = "http://schemas.openxmlformats.org/markup-compatibility/2006"
DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
MAIN = "http://schemas.openxmlformats.org/drawingml/2006/main"


class Deck:
    """A presentation that is being made."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "汇报.pptx"
        self._deck = pptx.Presentation()

    def slide(self, layout: int = BLANK) -> Any:
        return self._deck.slides.add_slide(self._deck.slide_layouts[layout])

    def read(self, max_pages: int = 10) -> LoadedDocument:
        self._deck.save(str(self.path))
        return load(self.path, max_pages=max_pages)


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    return Deck(tmp_path)


def box(shapes: Any, left: float, top: float, text: str) -> None:
    shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(0.4)).text_frame.text = text


def table(slide: Any, *rows: tuple[str, ...]) -> Any:
    sides = Inches(1), Inches(1), Inches(6), Inches(2)
    made = slide.shapes.add_table(len(rows), len(rows[0]), *sides).table
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            made.cell(row, column).text = text
    return made


def test_each_slide_is_a_page_with_its_title_its_text_and_its_notes(deck: Deck) -> None:
    slide = deck.slide(TITLED)
    box(slide.shapes, 1, 0, "页眉")
    slide.shapes.title.text = "项目\v进展"
    slide.placeholders[1].text = "完成需求评审\n接口联调延期一周"
    slide.notes_slide.notes_text_frame.text = "先讲进度\n再讲风险"
    document = deck.read()
    assert [page.text for page in document.pages] == [
        "项目 进展\n页眉\n完成需求评审\n接口联调延期一周\n备注：先讲进度\n再讲风险"
    ]
    assert document.outline == (Heading(1, "项目 进展", 1),)


def test_a_slide_without_text_is_an_empty_page_and_one_without_a_title_begins_its_own_section(deck: Deck) -> None:
    deck.slide(TITLED).shapes.title.text = "概述"
    deck.slide()
    box(deck.slide().shapes, 1, 1, "谢谢大家")
    document = deck.read()
    assert [(page.label, page.health) for page in document.pages] == [
        ("1", PageHealth.TEXT),
        ("2", PageHealth.EMPTY),
        ("3", PageHealth.TEXT),
    ]
    assert document.outline == (Heading(1, "概述", 1), Heading(1, "谢谢大家", 3))


def test_shapes_are_read_from_top_to_bottom_and_from_left_to_right_also_in_groups(deck: Deck) -> None:
    slide = deck.slide()
    for left, top, text in ((5, 3, "右下"), (1, 3.1, "左下"), (5, 1, "右上"), (1, 1.1, "左上")):
        box(slide.shapes, left, top, text)
    group = slide.shapes.add_group_shape()
    box(group.shapes, 2, 2.1, "组内二")
    box(group.shapes, 1, 2, "组内一")
    assert deck.read().text.split("\n") == ["左上", "右上", "组内一", "组内二", "左下", "右下"]


def test_a_table_has_a_line_for_each_row_and_what_is_merged_over_rows_in_each(deck: Deck) -> None:
    slide = deck.slide()
    made = table(
        slide, ("部门", "姓\n名", "预算"), ("研发", "张三", "100\n万"), ("", "李四", "80万"), ("共 180 万", "", "")
    )
    made.cell(1, 0).merge(made.cell(2, 0))
    made.cell(3, 0).merge(made.cell(3, 2))
    assert deck.read().text.split("\n") == [
        "部门 | 姓名 | 预算",
        "研发 | 张三 | 100 万",
        "研发 | 李四 | 80万",
        "共 180 万 |",
    ]


def test_a_chart_is_told_as_a_table(deck: Deck) -> None:
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = ["一月", "二月"]
    data.add_series("收入", (12.5, 13))
    data.add_series("成本", (8, None))
    sides = Inches(1), Inches(1), Inches(5), Inches(3)
    chart = deck.slide().shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *sides, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "月度收支"
    assert deck.read().text.split("\n") == ["月度收支", " | 收入 | 成本", "一月 | 12.5 | 8", "二月 | 13"]


@pytest.mark.parametrize("kind", ["area3DChart", "surfaceChart", "stockChart"])
def test_a_chart_of_any_kind_is_read_with_its_numbers_as_they_are_shown(deck: Deck, tmp_path: Path, kind: str) -> None:
    data: Any = CategoryChartData(number_format="0%")  # type: ignore[no-untyped-call]
    data.categories = [date(2025, 3, 1), date(2025, 4, 1)]
    data.add_series("占比", (0.125, 0.5))
    deck.slide().shapes.add_chart(XL_CHART_TYPE.LINE, *(Inches(side) for side in (1, 1, 5, 3)), data)
    deck.read()
    other = tmp_path / "图.pptx"
    with zipfile.ZipFile(deck.path) as whole, zipfile.ZipFile(other, "w") as archive:
        for name in whole.namelist():
            archive.writestr(name, whole.read(name).replace(b"c:lineChart>", f"c:{kind}>".encode()))
    assert load(other).text.split("\n") == [" | 占比", "2025-03-01 | 13%", "2025-04-01 | 50%"]


def test_the_texts_of_a_diagram_are_read_from_the_part_that_holds_them(deck: Deck) -> None:
    slide = deck.slide()
    frame = table(slide, ("甲",))._graphic_frame
    points = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in ("立项", "验收"))
    data = f'<d:dataModel xmlns:d="{DIAGRAM}" xmlns:a="{MAIN}">{points}</d:dataModel>'.encode()
    part = Part(PackURI("/ppt/diagrams/data1.xml"), "application/xml", slide.part.package, data)
    number = slide.part.relate_to(part, f"{DIAGRAM}Data")
    graphic = frame._element.graphic.graphicData
    graphic.set("uri", DIAGRAM)
    graphic.remove(graphic.tbl)
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    reference = graphic.makeelement(f"{{{DIAGRAM}}}relIds", {f"{{{relations}}}dm": number})
    graphic.append(reference)
    assert deck.read().text.split("\n") == ["立项", "验收"]


def test_a_shape_that_only_newer_programs_know_is_read_in_its_place_and_not_twice(deck: Deck) -> None:
    slide = deck.slide()
    for top, text in enumerate(("之前", "新的", "旧的", "之后")):
        box(slide.shapes, 1, top, text)
    before, newer, older, _ = (shape.element for shape in slide.shapes)
    kinds = [etree.Element(f"{{{COMPATIBILITY}}}{kind}") for kind in ("AlternateContent", "Choice", "Fallback")]
    before.addnext(kinds[0])
    kinds[0].extend(kinds[1:])
    kinds[1].append(newer)
    kinds[2].append(older)
    assert deck.read().text.split("\n") == ["之前", "新的", "之后"]


def test_a_formula_is_read_where_it_stands_in_a_sentence_and_in_a_cell(deck: Deck) -> None:
    drawn = "http://schemas.microsoft.com/office/drawing/2010/main"
    maths = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    power = "<m:r><m:t>x</m:t></m:r><m:sSup><m:e/><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    formula = (
        f'<a14:m xmlns:a14="{drawn}" xmlns:m="{maths}"><m:oMathPara><m:oMath>{power}</m:oMath></m:oMathPara></a14:m>'
    )
    slide = deck.slide()
    box(slide.shapes, 1, 1, "记正面为")
    table = slide.shapes.add_table(1, 2, *(Inches(side) for side in (1, 3, 5, 1))).table
    table.cell(0, 0).text, table.cell(0, 1).text = "误差", "至多"
    for frame in (slide.shapes[0].text_frame, table.cell(0, 1).text_frame):
        frame.paragraphs[0]._p.append(etree.fromstring(formula))
    slide.shapes[0].text_frame.paragraphs[0].add_run().text = "，反面为零"
    assert deck.read().text.split("\n") == ["记正面为x^2，反面为零", "误差 | 至多x^2"]


def test_the_series_of_a_scatter_chart_have_their_own_places(deck: Deck) -> None:
    data: Any = XyChartData()  # type: ignore[no-untyped-call]
    for name, x in (("甲", 1), ("乙", 7)):
        data.add_series(name).add_data_point(x, 5)
    deck.slide().shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, *(Inches(side) for side in (1, 1, 5, 3)), data)
    document = deck.read()
    assert document.text.split("\n") == [" | 甲", "1 | 5", "", " | 乙", "7 | 5"]
    assert document.outline == (Heading(1, "甲", 1),)


def test_what_every_slide_repeats_is_left_out(deck: Deck) -> None:
    slide = deck.slide()
    for kind in ("ftr", "dt", "sldNum"):
        box(slide.shapes, 1, 7, "内部资料")
        properties = slide.shapes[-1].element.find(".//{*}nvPr")
        properties.append(properties.makeelement(properties.tag.replace("nvPr", "ph"), {"type": kind, "idx": "10"}))
    box(slide.shapes, 1, 1, "正文")
    assert deck.read().text == "正文"


def test_a_text_box_that_most_slides_have_is_read_where_it_stands_first(deck: Deck) -> None:
    for number, told in enumerate(["仅供内部使用", "仅供内部使用", "", "仅供内部使用"], 1):
        slide = deck.slide()
        box(slide.shapes, 1, 1, f"第{number}页正文")
        box(slide.shapes, 1, 2, "两页才有的话" if number < 3 else f"第{number}页另有的话")
        if told:
            box(slide.shapes, 1, 7, told)
    pages = deck.read().pages
    assert [page.text.count("仅供内部使用") for page in pages] == [1, 0, 0, 0]
    assert [page.text.count("两页才有的话") for page in pages] == [1, 1, 0, 0]


def test_slides_without_any_text_say_so_and_too_many_are_refused(deck: Deck) -> None:
    deck.slide()
    with pytest.raises(NoWords):
        deck.read()
    deck.slide()
    with pytest.raises(TooManyPages):
        deck.read(max_pages=1)


def test_a_file_with_its_parts_missing_or_cut_off_is_damaged(deck: Deck) -> None:
    box(deck.slide().shapes, 1, 1, "正文")
    deck.read()
    with zipfile.ZipFile(deck.path) as whole, zipfile.ZipFile(deck.path.with_name("缺.pptx"), "w") as lacking:
        for name in whole.namelist():
            if "slides/slide" not in name:
                lacking.writestr(name, whole.read(name))
    deck.path.write_bytes(deck.path.read_bytes()[:-200])
    for path in (deck.path, deck.path.with_name("缺.pptx")):
        with pytest.raises(DamagedFile):
            load(path)


def test_an_entity_brings_nothing_from_outside(deck: Deck, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("机密", encoding="utf-8")
    box(deck.slide().shapes, 1, 1, "正文")
    deck.read()
    hostile = tmp_path / "恶意.pptx"
    with zipfile.ZipFile(deck.path) as whole, zipfile.ZipFile(hostile, "w") as archive:
        for name in whole.namelist():
            content = whole.read(name).decode("utf-8") if name.endswith("slide1.xml") else ""
            head, _, rest = content.partition("?>")
            entity = f"{head}?><!DOCTYPE x [<!ENTITY x SYSTEM 'file://{tmp_path}/secret'>]>"
            archive.writestr(name, entity + rest.replace("正文", "正文&x;") if content else whole.read(name))
    assert load(hostile).text == "正文"


def test_a_presentation_that_unpacks_to_too_much_or_is_named_another_is_refused(
    deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    box(deck.slide().shapes, 1, 1, "正文")
    deck.read()
    with pytest.raises(MismatchedFile) as caught:
        load(deck.path, name="汇报.xlsx")
    assert caught.value.values["kind"] == "PPTX"
    monkeypatch.setattr(archives, "_MAX_UNPACKED_MB", -1)
    with pytest.raises(FileTooLarge):
        load(deck.path)
