"""The characters of a PDF page, those mended for which their font has a code of its own."""

import re
from collections.abc import Sequence
from ctypes import byref, c_double, c_int, create_string_buffer
from string import ascii_letters, digits
from typing import Any

import pypdfium2.raw as pdfium

from loaders.symbols import BY_FONT

_OF_SYMBOLS = range(0xF020, 0xF100)
_SIGNS = {name.replace(" ", ""): {0xF000 + byte: ord(sign) for byte, sign in BY_FONT[name].items()} for name in BY_FONT}
# ABCDEF+SymbolMT,Bold is Symbol.
_NOT_OF_NAME = re.compile(r"^[A-Z]{6}\+|(?:MT)?(?:[-,](?:Regular|Bold|Italic|BoldItalic))?$|[- ]")
_LONGEST_NAME = 128
# Journals are set with programs of Founder. Their fonts have Latin letters of full width that are drawn narrow, those
# in italics where GBK has characters that nobody knows, and a hyphen and an asterisk of their own; blanks are not told.
_OF_FOUNDER = re.compile(r"(?:E|O\d*)-.*PK\d")
_FULL_WIDTH = ord("！") - ord("!")
_ITALICS = {ord(bytes((0xA0, 0x80 | byte)).decode("gbk")): byte for byte in range(ord("!"), ord("~") + 1)}
_FOUNDER = {code: byte + _FULL_WIDTH for code, byte in (_ITALICS | {0xE011: ord("-"), 0xE012: ord("*")}).items()}
_LETTERS = {ord(letter) + _FULL_WIDTH for letter in ascii_letters + digits}
# Of an em: in two journals' 9,000 pairs of letters those of one word are at most .28 apart, others .32 or more.
_BETWEEN_WORDS = 0.3


def character_codes(text_page: Any, count: int) -> list[int]:
    """The code of each character as Unicode has it, where the name of its font tells what it shows."""
    code_of = pdfium.FPDFText_GetUnicode
    codes = [code_of(text_page, index) for index in range(count)]
    for index, code in enumerate(codes):
        if code in _OF_SYMBOLS:
            codes[index] = _SIGNS.get(_NOT_OF_NAME.sub("", font_of(text_page, index)[0]), {}).get(code, code)
        elif code in _FOUNDER and _OF_FOUNDER.match(font_of(text_page, index)[0]):
            codes[index] = _FOUNDER[code]
    return codes


def words_without_blank(text_page: Any, codes: Sequence[int]) -> set[int]:
    """Where a Latin word begins right behind another one, though there is room between them."""
    letters = [code in _LETTERS for code in codes]
    pairs = (index for index in range(1, len(codes)) if letters[index - 1] and letters[index])
    return {index for index in pairs if _is_apart(text_page, index)}


def _is_apart(text_page: Any, index: int) -> bool:
    if not _OF_FOUNDER.match(font_of(text_page, index)[0]):
        return False
    em = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(text_page, index, em)
    gap = _drawn(text_page, index)[0] - _drawn(text_page, index - 1)[1]
    return bool(gap > _BETWEEN_WORDS * (em.right - em.left))


def _drawn(text_page: Any, index: int) -> tuple[float, float]:
    """How far a character reaches to the left and to the right: the font says that each is an em wide."""
    left, right, bottom, top = c_double(), c_double(), c_double(), c_double()
    pdfium.FPDFText_GetCharBox(text_page, index, byref(left), byref(right), byref(bottom), byref(top))
    return left.value, right.value


def font_of(text_page: Any, index: int) -> tuple[str, int]:
    """The name of a character's font and its flags, as PDF has them."""
    name, flags = create_string_buffer(_LONGEST_NAME), c_int()
    pdfium.FPDFText_GetFontInfo(text_page, index, name, _LONGEST_NAME, flags)
    return name.value.decode("latin-1"), flags.value
