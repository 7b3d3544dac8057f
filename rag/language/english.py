"""Questions in English about Chinese documents: whether one is, and its dates and places put into Chinese, March 15,
2020, chapters 1 to 3."""

import re
from collections.abc import Sequence

from rag.i18n import Language
from rag.language.folding import CHINESE
from rag.language.words import OPEN_WORDS_IN_ENGLISH, SUMMING_UP

_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*", re.IGNORECASE)
# A question of fewer words may only name something; without any Chinese one word, a term or a number, does.
_FEWEST_WORDS, _FEWEST_ALONE = 3, 2
# Words without which no English question about a Chinese name does; 请解释 Spring Boot Starter has none.
_GRAMMAR = re.compile(
    rf"\b(?:{OPEN_WORDS_IN_ENGLISH}|is|are|was|were|do|does|did|has|have|can|should|the|of|in|for|by|about)\b",
    re.IGNORECASE,
)
_CHINESE_GRAMMAR = re.compile(r"[的是了吗呢吧么谁哪几这那]|多[少大久]|怎|如何|为何")
# "Answer in Chinese", 请用英文回答; neither 可以用英文回复客户吗 nor "Should staff reply in English?".
_WISHES = {
    language: re.compile(
        rf"用(?:{chinese})来?(?:回答|作答|答复|回复|解答|解释|介绍|说明|{SUMMING_UP}|输出)"
        r"(?:问题|我|一下|即可|就[行好]|吧)*(?=\W|$)|"
        r"(?:(?:^|[^\w\s])\s*(?:please |and |but )?|\b(?:can|could|would|will) you (?:please )?)"
        rf"(?:answer|reply|respond|explain)(?: \w+){{0,3}} in {english}\b|\bin {english},? please\b",
        re.IGNORECASE,
    )
    for language, chinese, english in (
        (Language.ZH, "中文|汉语|普通话", "chinese"),
        (Language.EN, "英文|英语", "english"),
    )
}

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# In capitals as well, but not in small letters: "march" and "may" are words.
_MONTH = (
    "(?P<month>January|February|March|April|May|June|July|August|September|October|November|December|"
    "JANUARY|FEBRUARY|MARCH|APRIL|MAY|JUNE|JULY|AUGUST|SEPTEMBER|OCTOBER|NOVEMBER|DECEMBER|"
    r"(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?(?![A-Za-z]))"
)
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?![\d.:%]|,\d{3}\b)"
_YEAR = r"(?P<year>(?:1[89]|20)\d\d)(?![\d.,%]\d|%)"
_DATES = tuple(
    re.compile(rf"(?<![A-Za-z\d]){form}(?![A-Za-z\d])")
    for form in (
        rf"{_MONTH} ?{_DAY}(?:,? ?{_YEAR})?",
        rf"(?<![\d.,$]){_DAY} (?:of )?{_MONTH}(?:,? ?{_YEAR})?",
        rf"{_MONTH},? ?{_YEAR}",
    )
)
_UNITS = {
    "page": "页",
    "slide": "页",
    "chapter": "章",
    "section": "节",
    "part": "部分",
    "lesson": "课",
    "article": "条",
}
_CARDINALS = """one two three four five six seven eight nine ten
    eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"""
_ORDINALS = """first second third fourth fifth sixth seventh eighth ninth tenth
    eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"""
# Without i, which is a word.
_ROMAN = "- ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"
_VALUES = {name: str(value) for row in (_CARDINALS, _ORDINALS, _ROMAN) for value, name in enumerate(row.split(), 1)}
_LINKS = {"to": "到", "through": "到", "and": "和", "&": "和"}
_COUNT = rf"(?:\d{{1,4}}(?:\.\d{{1,2}}){{0,3}}|{'|'.join((*_CARDINALS.split(), *_ROMAN.split()[1:]))})(?![a-z])"
_ORDINAL = rf"(?:{'|'.join(_ORDINALS.split())}|\d{{1,3}}(?:st|nd|rd|th))"
_LINK = r"\s*(?:,(?:\s*and)?|and|&|to|through|[–—-])\s*"
_ANY_UNIT = rf"(?:{'|'.join(_UNITS)})s?"
_UNIT = rf"(?P<unit>{'|'.join(_UNITS)})s?"
_BY_NUMBER = re.compile(
    rf"\b(?:{_UNIT}(?:\s+(?:number|no\.?))?|pp?\.)\s*(?P<row>{_COUNT}(?:{_LINK}(?:{_ANY_UNIT}\s+)?{_COUNT}){{0,9}})(?!\d)",
    re.IGNORECASE | re.ASCII,
)
_BY_ORDER = re.compile(
    rf"\b(?:(?P<back>{_ORDINAL})[ -]to[ -])?(?P<from>{_ORDINAL}|last|next|previous)"
    rf"(?:\s+(?P<many>{_COUNT}))?\s+{_UNIT}\b",
    re.IGNORECASE | re.ASCII,
)


def is_english(question: str) -> bool:
    """Whether a question is in English, and more than a term."""
    words, characters = _WORD.findall(question), sum(map(len, CHINESE.findall(question)))
    if len(words) < _FEWEST_WORDS:
        return False
    if not characters:
        return True
    # "Attention Is All You Need 这篇论文讲了什么？" only names something English.
    says_it = _GRAMMAR.search(question) is not None and not _CHINESE_GRAMMAR.search(question)
    return says_it and 2 * len(words) > characters


def wants_english(question: str, reader: str = "") -> bool:
    """Whether a question is to be answered in English: as it wishes, as it is put, or as its `reader` reads."""
    wish = _wished(question)
    if wish is not None:
        return wish is Language.EN
    return is_english(question) or (reader == Language.EN and not CHINESE.search(question))


def _wished(question: str) -> Language | None:
    """The language in which a question says that it is to be answered."""
    return next((language for language, wish in _WISHES.items() if wish.search(question)), None)


def other_language(question: str, texts: Sequence[str]) -> Language | None:
    """The language of most of some texts, where a question is put in another; a text with a Chinese word is Chinese.

    An English question for which words find nothing at all is taken for one to Chinese texts.
    """
    chinese = sum(CHINESE.search(text) is not None for text in texts)
    if not texts or 2 * chinese > len(texts):
        return Language.ZH if is_english(question) else None
    return Language.EN if CHINESE.search(question) and not is_english(question) else None


def spoken_language(question: str, default: Language) -> Language:
    """The language in which the program itself answers a question; `default` where it tells none."""
    if wants_english(question):
        return Language.EN
    if CHINESE.search(question) or _wished(question):
        return Language.ZH
    return Language.EN if len(_WORD.findall(question)) >= _FEWEST_ALONE else default


def with_chinese_dates(text: str) -> str:
    """A text whose days and months with an English name are written in Chinese, blanks around them as they are."""
    for date in _DATES:
        text = date.sub(_written, text)
    return text


def with_chinese_places(text: str) -> str:
    """The text with its English places in Chinese; what is around them stays as it is."""
    return _BY_ORDER.sub(_in_order, _BY_NUMBER.sub(_numbered, text))


def _written(date: re.Match[str]) -> str:
    parts = date.groupdict()
    month = _MONTHS.index(parts["month"][:3].title()) + 1
    year, day = (
        f"{int(parts[part])}{unit}" if parts.get(part) else "" for part, unit in (("year", "年"), ("day", "日"))
    )
    return f"{year}{month}月{day}"


def _numbered(match: re.Match[str]) -> str:
    row = re.sub(r"[a-z]+|&", lambda word: _LINKS.get(word[0]) or _VALUES.get(word[0], ""), match["row"].lower())
    return f"第{row}{_unit(match['unit'] or 'page')}"


def _in_order(match: re.Match[str]) -> str:
    unit, origin, many = _unit(match["unit"]), match["from"].lower(), _value(match["many"])
    match origin:
        case "next":
            return f"下一{unit}"
        case "previous":
            return f"上一{unit}"
        case "last":
            return f"倒数第{_value(match['back'])}{unit}" if match["back"] else f"最后{many or 1}{unit}"
    return f"前{many}{unit}" if many else f"第{_value(origin)}{unit}"


def _unit(written: str) -> str:
    return _UNITS[written.lower()]


def _value(written: str | None) -> str:
    """A number in digits; nothing of nothing."""
    written = (written or "").lower()
    return _VALUES.get(written) or "".join(filter(str.isdigit, written))
