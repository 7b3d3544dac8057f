"""Pages drawn by another process, and where their text stands."""

import io
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DictionaryObject, NameObject, NumberObject, RectangleObject
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from loaders.viewer import Look, Viewer
from rag.errors import DamagedFile, DocumentError, PasswordNeeded, ReaderCrashed, ReadingTimedOut
from rag.types import Box
from tests.pdf_files import FONT, write_pdf
from tests.waiting import within_seconds

LINES = ["注册资本为人民币一千万元", "董事会由五名董事组成"]
TEXT = "\n".join(LINES)
MEMORY_MB = 2000


@pytest.fixture(scope="module")
def viewer() -> Iterator[Viewer]:
    viewer = Viewer(30, MEMORY_MB)
    yield viewer
    viewer.close()


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    return write_pdf(tmp_path / "a.pdf", [LINES])


def look(path: Path, **changes: object) -> Look:
    values: dict[str, object] = {"page": 1, "width": 600, "text": TEXT, "spans": ((13, 23),)}
    return Look(path, path.name, **{**values, **changes})  # type: ignore[arg-type]


def ink(image: bytes, box: Box) -> tuple[int, int]:
    """Dark pixels of the image within a box, and in all."""
    picture = Image.open(io.BytesIO(image)).convert("L").point(lambda value: 255 if value < 128 else 0)
    across, down = picture.size
    inside = picture.crop(
        (int(box.left * across), int(box.top * down), int(box.right * across) + 1, int(box.bottom * down) + 1)
    )
    return inside.histogram()[255], picture.histogram()[255]


def turned(path: Path, degrees: int) -> Path:
    writer = PdfWriter(clone_from=PdfReader(path))
    writer.pages[0].rotate(degrees)
    writer.write(path)
    return path


def test_a_page_is_drawn_as_wide_as_asked_for_and_its_passage_boxed(viewer: Viewer, pdf: Path) -> None:
    sight = viewer.see(look(pdf))
    assert sight.image is not None and sight.image.media_type == "image/jpeg"
    assert Image.open(io.BytesIO(sight.image.data)).size == (sight.image.width, sight.image.height) == (600, 849)
    assert len(sight.boxes[0]) == 1
    second, _ = ink(sight.image.data, sight.boxes[0][0])
    first_line = viewer.see(look(pdf, spans=((0, 12),))).boxes[0]
    first, whole = ink(sight.image.data, first_line[0])
    assert first > 100 < second
    assert first + second == pytest.approx(whole, rel=0.02)


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_boxes_lie_where_a_turned_page_shows_its_text(viewer: Viewer, pdf: Path, degrees: int) -> None:
    upright = viewer.see(look(pdf))
    sight = viewer.see(look(turned(pdf, degrees)))
    assert sight.image is not None and upright.image is not None and len(sight.boxes[0]) == 1
    assert (sight.image.width > sight.image.height) == (degrees != 180)
    inside, whole = ink(sight.image.data, sight.boxes[0][0])
    expected, everything = ink(upright.image.data, upright.boxes[0][0])
    assert inside / whole == pytest.approx(expected / everything, abs=0.1)


def test_boxes_are_shares_of_what_the_crop_box_leaves(viewer: Viewer, pdf: Path) -> None:
    writer = PdfWriter(clone_from=PdfReader(pdf))
    writer.pages[0].cropbox = RectangleObject((60, 700, 360, 800))
    writer.write(pdf)
    sight = viewer.see(look(pdf))
    assert sight.image is not None and sight.image.height == 200
    box = sight.boxes[0][0]
    assert box.left == pytest.approx(12 / 300, abs=0.01) and box.right == pytest.approx(132 / 300, abs=0.01)
    inside, whole = ink(sight.image.data, box)
    assert 0.35 < inside / whole < 0.65


def test_a_sum_of_a_font_that_claims_three_lines_does_not_have_the_next_line_marked(
    viewer: Viewer, tmp_path: Path
) -> None:
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path))
    drawn = (FONT, 72, 700, "所有的比例满足约束"), ("Helvetica", 180, 700, "P"), (FONT, 72, 684, "如果不考虑这一个约束")
    for font_name, left, height, line in drawn:
        canvas.setFont(font_name, 12)
        canvas.drawString(left, height, line)
    canvas.save()
    writer = PdfWriter(clone_from=PdfReader(path))
    fonts = [font.get_object() for font in writer.pages[0]["/Resources"]["/Font"].values()]  # type: ignore[index]
    (font,) = (font for font in fonts if font["/BaseFont"] == "/Helvetica")
    descriptor = {
        "/Type": NameObject("/FontDescriptor"),
        "/FontName": NameObject("/Helvetica"),
        "/Flags": NumberObject(4),
        "/FontBBox": RectangleObject((-24, -2960, 1454, 772)),
        "/Ascent": NumberObject(40),
        "/Descent": NumberObject(-2960),
    }
    font[NameObject("/FontDescriptor")] = DictionaryObject(
        {NameObject(key): value for key, value in descriptor.items()}
    )
    writer.write(path)
    text = "所有的比例满足约束 P\n如果不考虑这一个约束"
    (first,), (second,) = viewer.see(look(path, text=text, spans=((0, 11), (12, 22)))).boxes
    assert first.right > 180 / 595 and first.bottom <= second.top


def test_a_passage_goes_on_in_the_next_column(viewer: Viewer, tmp_path: Path) -> None:
    left = ["左栏第一行讲公司的名称", "左栏第二行讲公司的住所", "左栏第三行讲经营的范围"]
    right = ["右栏第一行讲注册的资本", "右栏第二行讲股东的出资", "右栏第三行讲董事的任期"]
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(tmp_path / "a.pdf"))
    canvas.setFont(FONT, 12)
    for row, (one, other) in enumerate(zip(left, right, strict=True)):  # the file goes row by row over both columns
        canvas.drawString(72, 700 - 20 * row, one)
        canvas.drawString(320, 700 - 20 * row, other)
    canvas.save()
    text = "".join(left + right)
    sight = viewer.see(look(tmp_path / "a.pdf", text=text, spans=((22, 44),)))
    assert [(box.left < 0.5, box.right < 0.5) for box in sight.boxes[0]] == [(True, True), (False, False)]
    assert sight.boxes[0][0].top > sight.boxes[0][1].bottom


def test_only_what_is_asked_for_is_done(viewer: Viewer, pdf: Path) -> None:
    assert viewer.see(look(pdf, width=None)).image is None
    assert viewer.see(look(pdf, spans=())).boxes == ()


def test_each_span_has_its_own_boxes(viewer: Viewer, pdf: Path) -> None:
    spans = (0, 12), (13, 23), (4, 6)
    apart = [viewer.see(look(pdf, spans=(span,))).boxes[0] for span in spans]
    assert viewer.see(look(pdf, spans=spans)).boxes == tuple(apart)


def test_text_that_the_page_does_not_draw_has_no_box(viewer: Viewer, pdf: Path) -> None:
    assert viewer.see(look(pdf, text="无关的文字，页上没有", spans=((0, 10),))).boxes == ((),)


def test_a_page_as_narrow_as_a_hair_is_drawn_within_bounds(viewer: Viewer, tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [LINES])
    writer = PdfWriter(clone_from=PdfReader(path))
    writer.pages[0].mediabox = writer.pages[0].cropbox = RectangleObject((0, 0, 2, 14000))
    writer.write(path)
    image = viewer.see(look(path, width=4000)).image
    assert image is not None and image.width * image.height <= 8_100_000


def test_files_that_cannot_be_shown_are_told_as_what_they_are(viewer: Viewer, tmp_path: Path, pdf: Path) -> None:
    locked = write_pdf(tmp_path / "b.pdf", [LINES], encryption=StandardEncryption("secret", "owner", strength=128))
    damaged = tmp_path / "c.pdf"
    damaged.write_bytes(b"%PDF-1.4\nnothing")
    for path, page, error in ((locked, 1, PasswordNeeded), (damaged, 1, DamagedFile), (pdf, 2, DamagedFile)):
        with pytest.raises(error) as caught:
            viewer.see(look(path, page=page))
        assert isinstance(caught.value, DocumentError) and caught.value.values == {"name": path.name}
    assert viewer.see(look(pdf)).boxes[0]


@pytest.mark.clock
def test_a_page_that_is_drawn_for_ever_is_given_up_and_the_next_one_shown(tmp_path: Path, pdf: Path) -> None:
    endless = tmp_path / "endless.pdf"
    canvas = Canvas(str(endless), pageCompression=1)
    canvas._code.append("0 0 m 600 800 l S " * 500_000)
    canvas.save()
    viewer = Viewer(2, MEMORY_MB)
    viewer.see(look(pdf))
    with ThreadPoolExecutor(2) as visitors, within_seconds(6):
        both = [visitors.submit(_error, viewer, look(endless)) for _ in range(2)]
        assert [each.result() for each in both] == [ReadingTimedOut, ReadingTimedOut]
    assert viewer.see(look(pdf)).boxes[0]
    viewer.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on a process's memory")
def test_a_worker_that_dies_is_told_as_a_crash_and_replaced(pdf: Path) -> None:
    starved = Viewer(30, memory_limit_mb=1)
    for _ in range(2):
        assert _error(starved, look(pdf)) is ReaderCrashed
    starved.close()


def test_a_closed_viewer_sees_again_when_asked(pdf: Path) -> None:
    viewer = Viewer(30, MEMORY_MB)
    viewer.close()
    assert viewer.see(look(pdf)).boxes[0]
    viewer.close()


def _error(viewer: Viewer, look: Look) -> type[Exception] | None:
    try:
        viewer.see(look)
    except DocumentError as error:
        return type(error)
    return None
