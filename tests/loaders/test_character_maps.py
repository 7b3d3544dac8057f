"""PDFs as macOS and WPS write them: what their fonts tell of their characters."""

from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject

from loaders import load
from loaders.character_maps import with_whole_maps
from loaders.cleaning import clean_line
from loaders.pdfium import opened_page

_CROSSING = ["<1631><1631><6001>", "<19ff><1a00><63cf>", "<1c5f><1c5f><662f>"]


def names(**entries: str) -> DictionaryObject:
    return DictionaryObject({NameObject(f"/{key}"): NameObject(f"/{value}") for key, value in entries.items()})


def write_pdf(
    path: Path,
    told: list[str],
    codes: str,
    kind: str = "range",
    producer: str = "macOS Quartz PDFContext",
    key: str = "",
    creator: str = "",
    font_name: str = "SimSun",
    shown: str = "",
) -> Path:
    """A page that shows these codes, in a font whose map has one block of what is told of ranges or characters.

    `shown`: the operators that show them, if they do not follow each other.
    """
    writer = PdfWriter()
    page = writer.add_blank_page(300, 300)
    map_ = StreamObject()
    block = f"{len(told)} beginbf{kind}\n" + "\n".join(told) + f"\nendbf{kind}\n"
    map_.set_data(f"begincmap\n1 begincodespacerange\n<0000><FFFF>\nendcodespacerange\n{block}endcmap".encode())
    below = names(Type="Font", Subtype="CIDFontType2", BaseFont=font_name)
    below[NameObject("/DW")] = NumberObject(1000)
    font = names(Type="Font", Subtype="Type0", BaseFont=font_name, Encoding="Identity-H")
    font[NameObject("/DescendantFonts")] = ArrayObject([below])
    font[NameObject("/ToUnicode")] = writer._add_object(map_)
    content = StreamObject()
    content.set_data(f"BT /F 12 Tf 40 200 Td {shown or f'<{codes}> Tj'} ET".encode())
    page[NameObject("/Resources")] = DictionaryObject(
        {NameObject("/Font"): DictionaryObject({NameObject("/F"): writer._add_object(font)})}
    )
    page[NameObject("/Contents")] = writer._add_object(content)
    writer.add_metadata({"/Producer": producer, "/Creator": creator})
    if key:
        writer.encrypt(key)
    writer.write(path)
    return path


def test_a_map_with_a_range_over_two_bytes_is_read_whole(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", _CROSSING, "1C5F163119FF1A00")
    assert load(path).text == "是态描提"
    with opened_page(path, "a.pdf", 1) as page:
        assert page.get_textpage().get_text_range() == "是态描提"


def test_what_comes_of_a_long_range_is_told_in_blocks_that_are_not_too_long(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", ["<0000><ffff><0000>"], "662F4E0063CF63D0")
    assert load(path).text == "是一描提"


def test_a_character_that_is_told_in_all_its_forms_is_read_once(tmp_path: Path) -> None:
    told = ["<0001><2f26 5b50>", "<0002><2f12529b f98a>", "<0003><00660066>", "<0004><5343 7c73>", "<0005><2014 2014>"]
    path = write_pdf(tmp_path / "a.pdf", told, "00010002", "char")
    assert load(path).text == "子力"
    rest = write_pdf(tmp_path / "b.pdf", told, "000400050003", "char")
    assert load(rest).text == "千米——ff"


@pytest.mark.parametrize(
    "ranges", [["<1c5f><1c5f><662f>"], ["<19ff><1a00>[<63cf><63d0>]"], ["<0000><ffff><0000>"] * 20_000]
)
def test_a_map_without_such_ranges_stays_as_it_is(tmp_path: Path, ranges: list[str]) -> None:
    assert with_whole_maps(write_pdf(tmp_path / "a.pdf", ranges, "1C5F")) is None


def test_a_pdf_with_a_password_or_damage_stays_as_it_is(tmp_path: Path) -> None:
    assert with_whole_maps(write_pdf(tmp_path / "a.pdf", _CROSSING, "1C5F", key="秘密")) is None
    damaged = tmp_path / "b.pdf"
    damaged.write_bytes(b"%PDF-1.4 Quartz")
    assert with_whole_maps(damaged) is None


def test_letters_of_formulas_of_which_wps_tells_halves_are_those_of_their_font(tmp_path: Path) -> None:
    told = ["<0738><D835>", "<0750><DC51>", "<0744><210E>", "<07EA> <D835>", "<0374> <0032>", "<0F00><D835>"]
    formula = ("0738075007440374", "char", "")
    for font, read in (("ABCDEF+CambriaMath", "Vth2"), ("ABCDEF+Cambria", "dh2")):
        path = write_pdf(tmp_path / "a.pdf", told, *formula, creator="WPS 文字", font_name=font)
        with opened_page(path, "a.pdf", 1) as page:
            text = page.get_textpage().get_text_range()
        assert clean_line(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")) == read
    path = write_pdf(tmp_path / "b.pdf", told, "07EA0374", "char", "", creator="WPS 文字", font_name="CambriaMath")
    assert load(path).text == "σ2"
    # What is not known stays as it is told.
    assert with_whole_maps(write_pdf(tmp_path / "c.pdf", told[5:], "0F00", "char", font_name="CambriaMath")) is None


def test_a_pdf_that_cannot_be_opened_once_it_is_mended_is_read_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loaders.pdfium.with_whole_maps", lambda _: b"no pdf")
    path = write_pdf(tmp_path / "a.pdf", ["<1631><1631><6001>", "<1c5f><1c5f><662f>"], "16311C5F")
    assert load(path).text == "态是"
