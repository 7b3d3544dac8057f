"""Characters and blanks of extracted text set right. Pure functions."""

import re
import unicodedata

# Hangzi with their extensions, kana, and the punctuation that stands among them.
CJK = r"\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff65\U00020000-\U0003ffff"
SENTENCE_ENDS = "。！？；…!?;"
CLOSERS = "”’」』》）】〕\"')]"

_LONGEST_TITLE = 120

_BLANKS = re.compile(r"[ \t]+")
_BLANK_LINES = re.compile(r"\s*\n\s*")
# Two colons or three dots mean something (`a::b`, `../`, `[1, 2, ...]`); four are leaders, also with blanks between.
_REPEATED = re.compile(r"([，。？！…；：、?!,])\1+|([.;:·…])(?: ?\2){3,}")
_BETWEEN_CJK = re.compile(rf"(?<=[{CJK}“”‘’…—]) +(?=[{CJK}“”‘’…—])")
# The blank behind the number of a chapter or an article belongs: it parts the number from the title.
_NUMBERED = re.compile(
    r"\s*(第 ?[\d一二三四五六七八九十百千零〇]{1,6} ?[编篇部卷章节条](?:之[一二三四五六七八九十])?)\s+"
)
_REMOVED = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufffe\uffff\ud800-\udfff]"
)
_OTHER_BLANKS = re.compile(r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# Compatibility forms of characters that have one of their own: radicals, compatibility ideographs, ligatures,
# mathematical alphabets and full-width ASCII except the punctuation of Chinese text. Not ① or ², which mean more.
_COMPATIBLE = re.compile(
    r"[\u2e80-\u2fdf\uf900-\ufaff\ufb00-\ufb06\U0001d400-\U0001d7ff\U0002f800-\U0002fa1f"
    r"\uff02-\uff07\uff0a\uff0b\uff0d\uff0e\uff10-\uff19\uff1c-\uff1e\uff20-\uff5d]"
)
# Most lines have none of these, and are cleaned more than once.
_TO_NORMALISE = re.compile("|".join(pattern.pattern for pattern in (_REMOVED, _OTHER_BLANKS, _COMPATIBLE)))


def normalise(text: str) -> str:
    """Text without control characters and lone surrogates, its compatibility forms replaced, one kind of blank."""
    if _TO_NORMALISE.search(text) is None:
        return text
    text = _OTHER_BLANKS.sub(" ", _REMOVED.sub("", text))
    return _COMPATIBLE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def clean_line(text: str) -> str:
    """A line without blanks between Chinese characters. A tab separates cells and stays, as one blank."""
    text = normalise(text)
    if number := _NUMBERED.match(text):
        return f"{number[1]} {_clean_cells(text[number.end() :])}".rstrip()
    return _clean_cells(text)


def _clean_cells(text: str) -> str:
    cells = (_BETWEEN_CJK.sub("", _BLANKS.sub(" ", cell)).strip() for cell in text.split("\t"))
    return squeeze(" ".join(cell for cell in cells if cell))


def squeeze(text: str) -> str:
    """The three rules: runs of blanks, of blank lines and of one punctuation mark become one."""
    text = _BLANK_LINES.sub("\n", _BLANKS.sub(" ", text))
    return _REPEATED.sub(lambda match: match[1] or match[2], text)


def as_title(text: str) -> str:
    """What stands beside passages to say what they are about: a whole title, or how a longer text begins."""
    return text if len(text) <= _LONGEST_TITLE else f"{text[:_LONGEST_TITLE]}…"


def ends_sentence(text: str) -> bool:
    """Whether text ends with a mark that ends a sentence, closing quotes aside. A colon counts: a list follows."""
    return text.rstrip(CLOSERS + " ")[-1:] in tuple(SENTENCE_ENDS + "：:.") or text.rstrip()[-1:] in ("”", "』", "」")
