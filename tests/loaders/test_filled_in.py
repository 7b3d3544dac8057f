"""What somebody has filled in on a page is of its text and its image: in the fields of a form, or typed upon it."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfWriter
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    StreamObject,
    TextStringObject,
)
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from loaders import load
from loaders.viewer import Look, Viewer
from rag.types import PageHealth
from tests.pdf_files import FONT, write_pdf, write_scan

ROW = 40
VALUES = {"姓名：": "Zhang San", "身份证号：": "110101199001011234", "部门：": "R&D Dept"}


def form(path: Path) -> Path:
    """Labels above each other, and a field with a value beside each."""
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(path))
    canvas.setFont(FONT, 12)
    for index, (label, value) in enumerate(VALUES.items()):
        y = 700 - ROW * index
        canvas.drawString(70, y, label)
        canvas.acroForm.textfield(name=label, value=value, x=150, y=y - 5, width=150, height=20, fontSize=11)
    canvas.save()
    return path


def annotate(path: Path, kind: str, boxes: dict[str, tuple[float, float]]) -> Path:
    """A file with annotations that show these texts at these places of its first page."""
    writer = PdfWriter(clone_from=path)
    font = DictionaryObject({NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1")})
    font[NameObject("/BaseFont")] = NameObject("/Helvetica")
    annotations = ArrayObject()
    for text, (x, y) in boxes.items():
        shown = StreamObject()
        shown.set_data(f"BT /F 11 Tf 2 4 Td ({text}) Tj ET".encode())
        resources = DictionaryObject({NameObject("/Font"): DictionaryObject({NameObject("/F"): font})})
        shown |= {NameObject("/Subtype"): NameObject("/Form"), NameObject("/Resources"): resources}
        shown[NameObject("/BBox")] = ArrayObject(map(FloatObject, (0, 0, 100, 16)))
        annotation = DictionaryObject({NameObject("/Subtype"): NameObject(kind), NameObject("/F"): NumberObject(4)})
        annotation[NameObject("/Rect")] = ArrayObject(map(FloatObject, (x, y - 4, x + 100, y + 12)))
        appearance = DictionaryObject({NameObject("/N"): writer._add_object(shown)})
        annotation[NameObject("/AP")] = appearance
        annotations.append(writer._add_object(annotation))
    writer.pages[0][NameObject("/Annots")] = annotations
    writer.write(path)
    return path


@pytest.fixture(scope="module")
def viewer() -> Iterator[Viewer]:
    viewer = Viewer(time_limit_seconds=60, memory_limit_mb=2000)
    yield viewer
    viewer.close()


def test_values_of_fields_stand_beside_their_labels(tmp_path: Path) -> None:
    lines = load(form(tmp_path / "a.pdf")).pages[0].text.split("\n")
    assert lines == ["姓名： Zhang San", "身份证号： 110101199001011234", "部门： R&D Dept"]


def test_a_field_that_has_only_its_value_is_told_with_it(tmp_path: Path) -> None:
    path = form(tmp_path / "a.pdf")
    writer = PdfWriter(clone_from=path)
    for field in writer.pages[0]["/Annots"]:  # type: ignore[attr-defined]
        field.get_object().pop("/AP")
        field.get_object()[NameObject("/V")] = TextStringObject("研发部")
    writer.root_object["/AcroForm"][NameObject("/NeedAppearances")] = BooleanObject(True)  # type: ignore[index]
    writer.write(path)
    assert load(path).pages[0].text.count("研发部") == len(VALUES)


def test_two_fields_in_one_row_are_apart(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["姓名和编号："]])
    annotate(path, "/Widget", {"Zhang": (150, 760), "110": (260, 760)})
    assert load(path).pages[0].text.split() == ["姓名和编号：", "Zhang", "110"]


def test_what_is_typed_upon_a_page_stands_where_it_is_seen(tmp_path: Path) -> None:
    path = annotate(form(tmp_path / "a.pdf"), "/FreeText", {"Shanghai": (160, 700), "Pudong": (160, 660)})
    lines = load(path).pages[0].text.split("\n")
    assert lines == ["姓名： Shanghai", "身份证号： Pudong", "部门："]


def test_an_image_is_recognised_whatever_is_typed_upon_it(tmp_path: Path) -> None:
    path = write_scan(tmp_path / "a.pdf", [["姓名", "住址"]])
    annotate(path, "/FreeText", {"a long answer of the applicant": (160, 700), "and another one": (160, 680)})
    assert load(path).pages[0].health is PageHealth.EMPTY


def test_a_page_shows_what_is_filled_in_and_where_it_stands(tmp_path: Path, viewer: Viewer) -> None:
    path = form(tmp_path / "a.pdf")
    text = load(path).pages[0].text
    start = text.index("1101")
    sight = viewer.see(Look(path, "a.pdf", 1, 595, text, ((start, start + 18),)))
    (box,) = sight.boxes[0]
    assert box.left > 150 / 596 and box.top < 1 - (700 - ROW) / 842 < box.bottom
    assert sight.image is not None
    image = Image.open(io.BytesIO(sight.image.data)).convert("L")
    seen = image.crop(
        (box.left * image.width, box.top * image.height, box.right * image.width, box.bottom * image.height)
    )
    assert min(seen.getdata()) < 80
