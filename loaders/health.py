"""What the text of a page is worth, and what to say of a file without a usable page."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from loaders.decoding import common_characters
from loaders.numerals import runs
from rag.errors import DocumentError, EmptyFile, GarbledText
from rag.types import READABLE, Page, PageHealth

# A page of formulas has about a tenth of its characters outside the common ones; mojibake has nearly all.
_FOREIGN_SHARE = 0.3
# Text of one other script (Arabic, Korean, Russian) is text; a wrong character map mixes many.
_ONE_SCRIPT_SHARE = 0.7
_SCRIPTS_TOGETHER = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "HANGUL": "CJK", "BOPOMOFO": "CJK", "FULLWIDTH": "CJK"}
_DAMAGE = "�"
# What programs that could not read a character wrote in its place: one read twice in the wrong code, and its number.
_LOST = re.compile(r"锟斤拷|\(cid:\d+\)")
# A map shifted within Chinese characters, or UTF-8 read as GBK, makes rare ones of common ones. Of 15,000 real pages
# each has .9 of its characters among the common ones, a list of chemicals .87, a poem of rare words .79; of a book's
# 1,080 shifted pages 95% have less than this.
_COMMON_SHARE = 0.7
_FEWEST_TO_JUDGE = 50
# Of a font whose map is wrong, though that of another is not: nobody writes a word in Cyrillic, Hangul and Telugu
# letters. Of 1,700 pages of 520 real files 28 have such words, all of them of three documents with such a font.
_WORD = re.compile(r"[^\W\d_]+")
_ALPHABETIC = re.compile("[\u0400-\u1fff\u2c00-\u2dff\ua000-\uabff]")
_MIXED_SHARE, _FEWEST_MIXED = 0.25, 10


def page_health(text: str) -> PageHealth:
    """Whether text can be read: garbled where its characters are of scripts that do not go together, or too rare."""
    characters = Counter("".join(_LOST.sub(_DAMAGE, text).split()))
    if not characters:
        return PageHealth.EMPTY
    if _is_rare_chinese(characters) or _mixes_scripts(text):
        return PageHealth.GARBLED
    foreign: Counter[str] = Counter()
    for character, count in characters.items():
        if script := _foreign_script(character):
            foreign[script] += count
    if foreign.total() <= _FOREIGN_SHARE * characters.total():
        return PageHealth.TEXT
    script, count = foreign.most_common(1)[0]
    one_language = script not in ("damage", "LATIN") and count >= _ONE_SCRIPT_SHARE * foreign.total()
    return PageHealth.TEXT if one_language else PageHealth.GARBLED


def _is_rare_chinese(characters: Counter[str]) -> bool:
    """Whether Chinese characters are too rare for any text, in simplified or traditional writing."""
    chinese = {one: count for one, count in characters.items() if "\u4e00" <= one <= "\u9fff"}
    common = common_characters("gb2312"), common_characters("big5")
    known = sum(count for one, count in chinese.items() if any(one in writing for writing in common))
    total = sum(chinese.values())
    return total >= _FEWEST_TO_JUDGE and known < _COMMON_SHARE * total


def _mixes_scripts(text: str) -> bool:
    """Whether many letters beside ASCII stand in words of several alphabets."""
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    mixed = [word for word in words if len({_script(one) for one in _ALPHABETIC.findall(word)}) > 1]
    count = sum(map(len, mixed))
    return count >= _FEWEST_MIXED and count >= _MIXED_SHARE * sum(map(len, words))


@lru_cache(maxsize=20_000)
def _foreign_script(character: str) -> str | None:
    """The script of a character outside CJK, ASCII and common punctuation and symbols; else None."""
    if character.isascii():
        return None
    category = unicodedata.category(character)
    if character == _DAMAGE or category in ("Co", "Cn", "Cs", "Cc"):
        return "damage"
    if category[0] in "PSNZ":
        return None
    script = _script(character)
    return None if _SCRIPTS_TOGETHER.get(script, script) == "CJK" else script


def _script(character: str) -> str:
    return unicodedata.name(character, "damage").split()[0]


def has_text(pages: Sequence[Page]) -> bool:
    """Whether the text of any page can be searched."""
    return any(page.health in READABLE for page in pages)


def numbered_pages(texts: Iterable[str], name: str, without: type[DocumentError] = EmptyFile) -> tuple[Page, ...]:
    """The pages that have these texts. Raises GarbledText where none can be read, or what to say `without` any text."""
    pages = tuple(Page(number, str(number), text, page_health(text)) for number, text in enumerate(texts, start=1))
    if has_text(pages):
        return pages
    if garbled := [page.number for page in pages if page.health is PageHealth.GARBLED]:
        raise GarbledText(name=name, pages=ranges(garbled))
    raise without(name=name)


def ranges(numbers: Iterable[int]) -> str:
    """Numbers as text: 1, 2, 3, 7 become `1–3、7`."""
    return "、".join(str(first) if first == last else f"{first}–{last}" for first, last in runs(numbers))
