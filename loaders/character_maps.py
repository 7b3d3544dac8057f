"""The maps from the characters of a PDF to text, as macOS and WPS write them, mended for pdfium."""

import io
import logging
import re
from collections.abc import Iterable
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from loaders.cleaning import normalise

_log = logging.getLogger(__name__)
# It warns of each crooked entry of a file, of which the reader of that knows nothing.
logging.getLogger("pypdf").setLevel(logging.ERROR)
# Each range of a hostile map may become 256, and a real one of ten thousand characters has 100 KB.
_LONGEST_MAP = 256_000
_CODE = rb"<[\dA-Fa-f]{4}>\s*"
_DIGITS = re.compile(rb"[\dA-Fa-f]{4}")
_RANGES = re.compile(rb"\d+\s+beginbfrange\s+((?:(?:%b){3})+)endbfrange" % _CODE)
# A character that is told by several.
_SEVERAL = re.compile(rb"(%b)<([\dA-Fa-f]{4}(?:\s*[\dA-Fa-f]{4}){1,7})>" % _CODE)
_CHARACTERS = re.compile(rb"beginbfchar.*?endbfchar", re.DOTALL)
# WPS tells of the letters of formulas one half of what UTF-16 has for them, that of another letter now and then. It
# keeps the font's numbers of them: in Cambria Math the letters in italics stand in two rows.
_HALF = re.compile(rb"<([\dA-Fa-f]{4})>(\s*)<D[89A-Fa-f][\dA-Fa-f]{2}>")
_MATHS = "CambriaMath"
_IN_ITALICS = {
    first + index: letter
    for first, row in ((0x723, ascii_uppercase + ascii_lowercase), (0x7D9, "αβγδεζηθικλμνξοπρσςτυφχψω"))
    for index, letter in enumerate(row)
}


def with_whole_maps(path: Path) -> bytes | None:
    """A PDF that tells its characters as pdfium reads them; None where there is nothing to mend, or it cannot be.

    The standard wants the last byte alone of a range to count up. With one <19ff><1a00><63cf> pdfium drops all fifty
    ranges around it, and 是 or 数据 are read as ᱟ and ᮠᦞ. And what a font draws alike is told in all its forms,
    <052b><2f06 4e8c>: 电子 was read as 电子子.
    """
    from pypdf import PdfReader, PdfWriter

    try:
        with PdfReader(path) as reader:
            if reader.is_encrypted or not any(_mended(stream.get_data(), name) for stream, name in _maps(reader)):
                return None
        writer, mended = PdfWriter(clone_from=path), io.BytesIO()
        for stream, name in _maps(writer):
            if whole := _mended(stream.get_data(), name):
                stream.set_data(whole)
        writer.write(mended)
        return mended.getvalue()
    except Exception as error:  # noqa: BLE001 - damaged files make pypdf raise almost anything; pdfium's reading stands
        _log.info("the character maps of %s stay as they are: %r", path.name, error)
        return None


def _maps(pdf: Any) -> Iterable[tuple[Any, str]]:
    """The maps of the fonts that pages name, each once, and what the font is called."""
    found: dict[int, tuple[Any, str]] = {}
    for page in pdf.pages:
        for named in _entry(_entry(page, "/Resources"), "/Font").values():
            font = named.get_object()
            if "/ToUnicode" in font:
                stream = font["/ToUnicode"]
                found[id(stream)] = stream, str(font.get("/BaseFont", ""))
    return found.values()


def _entry(holder: Any, name: str) -> Any:
    value = holder.get(name)
    return value.get_object() if value is not None else {}


def _mended(data: bytes, name: str) -> bytes | None:
    """A font's map that pdfium reads whole; None for one that it does."""
    if len(data) > _LONGEST_MAP:
        return None
    whole = _RANGES.sub(_within_bytes, data)
    whole = _CHARACTERS.sub(lambda block: _SEVERAL.sub(_once, block[0]), whole)
    if name.endswith(_MATHS):
        whole = _HALF.sub(_as_letter, whole)
    return whole if whole != data else None


def _as_letter(half: re.Match[bytes]) -> bytes:
    """A letter of a formula by its number in the font; of others, what the map tells."""
    letter = _IN_ITALICS.get(int(half[1], 16))
    return b"<%b>%b<%04x>" % (half[1], half[2], ord(letter)) if letter else half[0]


def _once(told: re.Match[bytes]) -> bytes:
    """The one character of which some text is several forms; other text as it is, such as ff or 千米."""
    text = bytes.fromhex(told[2].decode()).decode("utf-16-be", "replace")
    forms = set(map(normalise, text))
    if len(forms) > 1 or len(set(text)) == 1:
        return told[0]
    return b"%b<%b>" % (told[1], forms.pop().encode("utf-16-be").hex().encode())


def _within_bytes(block: re.Match[bytes]) -> bytes:
    """Ranges cut where the last byte of their codes would be carried over; the same where there are none such."""
    codes = [int(digits, 16) for digits in _DIGITS.findall(block[1])]
    told = list(zip(codes[::3], codes[1::3], codes[2::3], strict=True))
    if all(low | 0xFF == high | 0xFF for low, high, _ in told):
        return block[0]
    parts = [
        b"<%04x><%04x><%04x>\n" % (start, min(start | 0xFF, high), text + start - low)
        for low, high, text in told
        for start in (low, *range((low | 0xFF) + 1, high + 1, 0x100))
    ]
    # The number before a block is checked, and the standard allows 100.
    blocks = (parts[at : at + 100] for at in range(0, len(parts), 100))
    return b"".join(b"%d beginbfrange\n%bendbfrange\n" % (len(one), b"".join(one)) for one in blocks)
