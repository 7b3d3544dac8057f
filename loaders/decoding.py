"""Bytes as text: which encoding they are in, and what is common in the codes that Chinese text had before Unicode."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from functools import cache

from rag.errors import NotText

_MARKS = "，。、；：？！“”‘’（）《》「」『』【】—…·"
# The first level of each, by its lead and trail bytes: 3,755 simplified characters, and 5,401 traditional ones.
_FIRST_LEVELS = {
    "gb2312": (range(0xB0, 0xD8), range(0xA1, 0xFF)),
    "big5": (range(0xA4, 0xC7), range(0x40, 0xFF)),
}
_DETECTION_BYTES = 20_000
_DAMAGE = "\ufffd"
# Of the characters that are not ASCII: Chinese text in another encoding is damaged as UTF-8 more often than not.
_DAMAGED_SHARE = 0.2
_ASCII = bytes(range(0x20, 0x7F)) + b"\t\n\r"
_OTHER_BYTES_SHARE = 0.1
_UTF16_TEXT = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef -~\s]")
# As many rare characters are as telling as one that the code does not have: of 5,280 pieces of 4 to 40 characters, in
# simplified or traditional writing, 22 are read wrong.
_DAMAGE_WEIGHT = 3


@cache
def common_characters(code: str) -> frozenset[str]:
    """What is common in the writing that a code, gb2312 or big5, was made for."""
    leads, trails = _FIRST_LEVELS[code]
    return frozenset(bytes((lead, trail)).decode(code, "ignore") for lead in leads for trail in trails) - {""}


def _likelier_code(data: bytes) -> str:
    """The code of bytes with text: gb18030, unless more of it is common in big5."""
    return "big5" if _score(data, "big5", "big5") > _score(data, "gb18030", "gb2312") else "gb18030"


def _score(data: bytes, encoding: str, code: str) -> float:
    """The share of common characters, less that of damaged ones."""
    others = [one for one in data.decode(encoding, "replace") if not one.isascii()]
    known = sum(one in common_characters(code) or one in _MARKS for one in others)
    return (known - _DAMAGE_WEIGHT * others.count(_DAMAGE)) / max(1, len(others))


def decode(data: bytes, name: str) -> str:
    """Bytes as text: UTF-8, UTF-16, GB18030 or Big5. Raises NotText for bytes in none of these."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    # Some programs put it before text in another encoding.
    data = data.removeprefix(BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        # A file cut off within its last character is still UTF-8.
        if error.reason == "unexpected end of data" and error.start > 0:
            return data[: error.start].decode()
    if text := _damaged_utf8(data):
        return text
    if order := utf16_order(data):
        return data.decode(order, errors="replace")
    # Lines of ASCII tell nothing. Cut after a line, not inside a character: neither encoding uses this byte in one.
    telling = b"".join(line + b"\n" for line in data.split(b"\n") if not line.isascii())
    text = data.decode(_likelier_code(telling[: telling.find(b"\n", _DETECTION_BYTES)]), errors="replace")
    if text.count(_DAMAGE) > len(text) // 20:
        raise NotText(name=name)
    return text


def _damaged_utf8(data: bytes) -> str | None:
    """Bytes as UTF-8 in which few characters are damaged; None where they are of another encoding."""
    text = data.decode(errors="replace")
    damaged = text.count(_DAMAGE)
    others = len(text) - len(text.encode("ascii", errors="ignore")) - damaged
    return text if damaged <= _DAMAGED_SHARE * others else None


def utf16_order(data: bytes) -> str | None:
    """The encoding of bytes that read as Chinese or ASCII text in UTF-16 without a byte order mark."""
    sample = data[: _DETECTION_BYTES // 2 * 2]
    # Two letters of ASCII are a Chinese character in UTF-16.
    if len(sample.translate(None, _ASCII)) < _OTHER_BYTES_SHARE * len(sample):
        return None
    for order in ("utf-16-le", "utf-16-be"):
        text = sample.decode(order, errors="replace")
        if text and len(_UTF16_TEXT.findall(text)) >= 0.9 * len(text):
            return order
    return None
