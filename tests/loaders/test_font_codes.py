"""Fonts that have codes of their own for what they show."""

from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject

from loaders import load
from loaders.view_worker import see
from loaders.viewer import Look
from tests.loaders.test_character_maps import names, write_pdf

_FOUNDER = "E-BZ-PK7482eb"


def told(text: str) -> list[str]:
    """A map that tells a character for each code from 1 on."""
    return [f"<{code:04x}><{ord(one):04x}>" for code, one in enumerate(text, start=1)]


def codes(text: str) -> str:
    """The codes of that map, in order."""
    return "".join(f"{code:04x}" for code in range(1, len(text) + 1))


@pytest.mark.parametrize(
    ("font", "stored", "shown"),
    [
        ("ABCDEF+SymbolMT", "a\uf0a3b\uf0ceW\uf057", "a≤b∈WΩ"),
        ("Symbol", "\uf061\uf03d\uf0d6x", "α=√x"),
        ("SymbolMT,Bold", "\uf031\uf02e\uf035", "1.5"),
        ("Wingdings-Regular", "甲\uf0e0乙", "甲→乙"),
        ("Wingdings2", "\uf0a3甲\uf052乙", "□甲☑乙"),
        ("ABCDEF+MT-Extra", "f\uf04cg", "f⋯g"),
        ("SimSun", "甲乙丙丁\uf061", "甲乙丙丁\uf061"),
        (_FOUNDER, "犌犲狅\ue01172", "Geo-72"),
        ("O9-PK748248", "作者\ue012", "作者*"),
        ("SimSun", "犌犲狅\ue011", "犌犲狅\ue011"),
    ],
)
def test_a_sign_is_read_as_its_font_shows_it(tmp_path: Path, font: str, stored: str, shown: str) -> None:
    path = write_pdf(tmp_path / "a.pdf", told(stored), codes(stored), "char", font_name=font)
    assert load(path).text == shown
    ((box,),) = see(Look(path, "a.pdf", 1, None, shown, ((0, len(shown)),))).boxes
    assert box.right > box.left


@pytest.mark.parametrize(("font", "read"), [(_FOUNDER, "lil ill Il"), ("SimSun", "lilillIl")])
def test_words_of_founder_s_letters_that_stand_apart_are_parted(tmp_path: Path, font: str, read: str) -> None:
    writer = PdfWriter()
    page = writer.add_blank_page(300, 300)
    map_, content = StreamObject(), StreamObject()
    letters = "".join(f"<{ord(one):02x}><{ord(one) + 0xFEE0:04x}>" for one in "Iil")
    map_.set_data(
        f"begincmap 1 begincodespacerange <00><FF> endcodespacerange 3 beginbfchar {letters} endbfchar".encode()
    )
    # The letters are a third of an em wide at most, though all are said to take one.
    content.set_data(b"BT /F 12 Tf 40 200 Td [(l) 750 (i) 750 (l) 300 (i) 750 (l) 750 (l) 300 (I) 750 (l)] TJ ET")
    own = names(Type="Font", Subtype="Type1", BaseFont=font, Encoding="WinAnsiEncoding")
    own[NameObject("/FirstChar")], own[NameObject("/LastChar")] = NumberObject(0), NumberObject(255)
    own[NameObject("/Widths")] = ArrayObject([NumberObject(1000)] * 256)
    own[NameObject("/ToUnicode")] = writer._add_object(map_)
    fonts = DictionaryObject({NameObject("/F"): writer._add_object(own)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    page[NameObject("/Contents")] = writer._add_object(content)
    writer.write(tmp_path / "a.pdf")
    assert load(tmp_path / "a.pdf").text == read
