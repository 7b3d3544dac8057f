"""The codes that Chinese text had before Unicode: which of them bytes are in, and what is common in each."""

from functools import cache

_MARKS = "，。、；：？！“”‘’（）《》「」『』【】—…·"
# The first level of each, by its lead and trail bytes: 3,755 simplified characters, and 5,401 traditional ones.
_FIRST_LEVELS = {
    "gb2312": (range(0xB0, 0xD8), range(0xA1, 0xFF)),
    "big5": (range(0xA4, 0xC7), range(0x40, 0xFF)),
}
_DAMAGE = "\ufffd"
# As many rare characters are as telling as one that the code does not have: of 5,280 pieces of 4 to 40 characters, in
# simplified or traditional writing, 22 are read wrong.
_DAMAGE_WEIGHT = 3


@cache
def common_characters(code: str) -> frozenset[str]:
    """What is common in the writing that a code, gb2312 or big5, was made for."""
    leads, trails = _FIRST_LEVELS[code]
    return frozenset(bytes((lead, trail)).decode(code, "ignore") for lead in leads for trail in trails) - {""}


def likelier_code(data: bytes) -> str:
    """The code of bytes with text: gb18030, unless more of it is common in big5."""
    return "big5" if _score(data, "big5", "big5") > _score(data, "gb18030", "gb2312") else "gb18030"


def _score(data: bytes, encoding: str, code: str) -> float:
    """The share of common characters, less that of damaged ones."""
    others = [one for one in data.decode(encoding, "replace") if not one.isascii()]
    known = sum(one in common_characters(code) or one in _MARKS for one in others)
    return (known - _DAMAGE_WEIGHT * others.count(_DAMAGE)) / max(1, len(others))
