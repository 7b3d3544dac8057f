"""Characters and blanks of extracted text set right. Pure functions."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from loaders.rows import is_row
from loaders.symbols import BRACKETS, IN_PDF, PARTS_OF_HANZI

# Hangzi with their extensions, kana, and the punctuation that stands among them.
CJK = r"\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff65\U00020000-\U0003ffff"
CHINESE = re.compile(f"[{CJK}]")
SENTENCE_ENDS = "。！？；…!?;"
CLOSERS = "”’」』》）】〕\"')]"

_LONGEST_TITLE = 120

_BLANKS = re.compile(r"[ \t]+")
_BLANK_LINES = re.compile(r"\s*\n\s*")
# What Chinese words are made of, and the marks between them.
_LETTER = (
    r"\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30fa\u30fc-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_MARK = r"\u3001-\u3004\u3008-\u3020\u302a-\u303f\u30fb\ufe30-\ufe4f\uff01-\uff65“”‘’…—"
# Two colons or three dots mean something (`a::b`, `../`, `[1, 2, ...]`); four are leaders, also with blanks between.
# Two ASCII marks are an operator (`a ?? b`, `!!x`), unless they stand behind Chinese text.
_REPEATED = re.compile(rf"([，。？！…；：、])\1+|(?<=[{CJK}])([?!,])\2+|([?!,])\3{{2,}}|([.;:·…])(?: ?\4){{3,}}")
# A blank beside a mark says nothing; one between single characters spaces out a word (`抄 送`) or a line. Between words
# of two or more characters it is meant: of 88 in ten PDFs, 8 were stray. Of 18 beside a single character, 9 were stray
# (`盈余公 积`), and the others are no loss; where it is typed, it is meant (`张三 男 汉族`), and so it is behind what a
# form is filled with (`性别：男 年龄：67岁`).
_BESIDE_MARK = re.compile(rf"(?<=[{_MARK}]) +(?=[{_LETTER}{_MARK}])|(?<=[{_LETTER}]) +(?=[{_MARK}])")
_SPACED_OUT = re.compile(rf"(?<!\w)[{_LETTER}](?: +[{_LETTER}](?!\w))+")
_BESIDE_SINGLE = re.compile(rf"(?<=[{_LETTER}]) (?=[{_LETTER}](?!\w))|(?<=(?<![\w：:])[{_LETTER}]) (?=[{_LETTER}])")
# As some programs for books set all characters, one by one: `１ ２`.
_WIDE_NUMBER = re.compile(r"(?<!\w)[０-９](?: [０-９．％](?!\w))+")
# A tab separates cells, and a cell may be a single character; but a line may begin with a word spaced out that far.
_SPACED_FAR = re.compile(rf"\A\s*[{_LETTER}](?:\s+(?:[{_LETTER}](?!\w)|[{_MARK}](?!\w)))+(?=\s*$|[{_MARK}])")
_COLUMN_GAP = re.compile(rf"[{_LETTER}] {{3,}}(?=\w)|\w {{3,}}(?=[{_LETTER}])")
_ROOM = re.compile(r"([（(])\s+([)）])")
# The blank after the number of a chapter or an article stays: it separates the number from the title.
_NUMBERED = re.compile(
    r"\s*(第 *(?:[\d一二三四五六七八九十百千零〇] *){1,7}"
    r"(?:(?:分?[编編]|[篇卷章节節条條])(?:之[一二三四五六七八九十])?|部(?! *分)))\s+"
)
_REMOVED = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffe\uffff\ud800-\udfff]"
)
_OTHER_BLANKS = re.compile(r"[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
# Compatibility forms of characters that have one of their own: radicals, compatibility ideographs, ligatures,
# mathematical alphabets, with ℎ whose place there is empty, and full-width ASCII except the punctuation of Chinese
# text. Not ① or ², which mean more.
_COMPATIBLE = re.compile(
    r"[\u210e\u2e80-\u2fdf\uf900-\ufaff\ufb00-\ufb06\U0001d400-\U0001d7ff\U0002f800-\U0002fa1f"
    r"\uff02-\uff07\uff0a\uff0b\uff0d\uff0e\uff10-\uff19\uff1c-\uff1e\uff20-\uff5d]"
)
_SYMBOLS = str.maketrans(IN_PDF | BRACKETS) | PARTS_OF_HANZI
# Most lines have none of these, and are cleaned more than once.
_TO_NORMALISE = re.compile(
    "|".join((_REMOVED.pattern, _OTHER_BLANKS.pattern, _COMPATIBLE.pattern, rf"[{''.join(IN_PDF | BRACKETS)}]"))
)
# Of 13,800 pages of 240 files those with a recogniser's text have .03 to .16, others up to .04, but few of such blanks.
_STRAY_SHARE, _FEWEST_STRAY = 0.03, 10
_LONG_SENTENCE = 25  # characters
_PAUSE = re.compile("[，。；！？,;]")
# The blank behind the number of an article is meant: 第三条 公司…
_STRAY = re.compile(r"(?<=[\u3400-\u9fff])(?<!第.[条章节])(?<!第..[条章节])(?<!第...[条章节]) (?=[\u3400-\u9fff])")


def without_unseen(text: str) -> str:
    """A text without what nobody sees: control characters, marks of width and direction, lone surrogates."""
    return _REMOVED.sub("", text)


def normalise(text: str) -> str:
    """Text without control characters and lone surrogates, its compatibility forms replaced, one kind of blank."""
    if _TO_NORMALISE.search(text) is None:
        return text
    text = _OTHER_BLANKS.sub(" ", without_unseen(text).replace("\u3000", "  ")).translate(_SYMBOLS)
    return _COMPATIBLE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def in_one_line(text: str) -> str:
    """A text in normal characters, with one blank for whatever parts its words: a line, or several."""
    return " ".join(normalise(text).split())


# A line is looked at as a title, and then as a part of the text.
@lru_cache(maxsize=20_000)
def clean_line(text: str) -> str:
    """A line of a PDF, in which blanks part words only. A tab separates cells and stays, as one blank."""
    together = _WIDE_NUMBER.sub(lambda number: number[0].replace(" ", ""), text)
    return _clean(together, lambda part: _BESIDE_SINGLE.sub("", part))


def clean_typed(text: str) -> str:
    """A line as `clean_line` makes it, of a file whose blanks somebody typed."""
    return _clean(text, lambda part: part)


def clean_cell(text: str) -> str:
    """What is typed in a cell, in one line: 备注, though it may be spaced out, or each character below the other."""
    return clean_typed(in_one_line(text))


def _clean(text: str, without_stray: Callable[[str], str]) -> str:
    text = close_gaps(normalise(text))
    number = _NUMBERED.match(text)
    parts = (number[1], text[number.end() :]) if number else (text,)
    cells = [_clean_cell(without_stray(cell)) for part in parts for cell in part.split("\t")]
    return squeeze(" ".join(filter(None, cells)))


def close_gaps(text: str) -> str:
    """A line without wide gaps that are not cell borders: in a spaced-out word, or room between brackets."""
    text = _SPACED_FAR.sub(lambda match: "".join(match[0].split()), text) if "\t" in text else text
    return _ROOM.sub(r"\1\2", text)


def has_columns(text: str) -> bool:
    """Whether words of a typed line stand apart by more than a blank or two, as in columns."""
    return _COLUMN_GAP.search(_SPACED_OUT.sub(_as_word, normalise(text))) is not None


def _clean_cell(text: str) -> str:
    return _BESIDE_MARK.sub("", _SPACED_OUT.sub(_as_word, text)).strip()


def _as_word(spaced: re.Match[str]) -> str:
    """Single characters as a word, or as several where some gaps are wider than others (`李　明　　王　芳`)."""
    narrowest = min(map(len, _BLANKS.findall(spaced[0])))
    return _BLANKS.sub(lambda gap: gap[0] if len(gap[0]) > narrowest else "", spaced[0])


def squeeze(text: str) -> str:
    """The three rules: runs of blanks, of blank lines and of one punctuation mark become one."""
    text = _BLANK_LINES.sub("\n", _BLANKS.sub(" ", text))
    return _REPEATED.sub(_once, text)


def _once(repeated: re.Match[str]) -> str:
    """One mark for several. Leaders before a number, as of a price, are not its decimal point."""
    mark = repeated[repeated.lastindex or 0]
    return f"{mark} " if mark == "." and repeated.string[repeated.end() : repeated.end() + 1].isdigit() else mark


def as_title(text: str) -> str:
    """What stands beside passages to say what they are about: a whole title, or how a longer text begins."""
    return text if len(text) <= _LONGEST_TITLE else f"{text[:_LONGEST_TITLE]}…"


def ends_sentence(text: str) -> bool:
    """Whether text ends with a mark that ends a sentence, closing quotes aside. A colon counts: a list follows."""
    return text.rstrip(CLOSERS + " ")[-1:] in tuple(SENTENCE_ENDS + "：:.") or text.rstrip()[-1:] in ("”", "』", "」")


def without_stray_blanks(text: str) -> str:
    """A page's text, its sentences without blanks between Chinese characters where there are very many of them."""
    lines = text.split("\n")
    sentences = [bool(_PAUSE.search(line)) and not is_row(line) for line in lines]
    long = [line for line, reads in zip(lines, sentences, strict=True) if reads and len(line) >= _LONG_SENTENCE]
    stray = sum(len(_STRAY.findall(line)) for line in long)
    if stray < max(_FEWEST_STRAY, _STRAY_SHARE * sum(len(CHINESE.findall(line)) for line in long)):
        return text
    return "\n".join(_STRAY.sub("", line) if reads else line for line, reads in zip(lines, sentences, strict=True))
