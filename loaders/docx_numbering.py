"""The automatic numbers of a DOCX file's paragraphs: Word stores how to count, not what it shows."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from loaders.numerals import chinese_number

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
VALUE = f"{W}val"
_LEVELS = 9
_OFF = ("0", "false", "off")
_LEGAL = str.maketrans("零一二三四五六七八九十百千", "零壹贰叁肆伍陆柒捌玖拾佰仟")
_STEMS, _BRANCHES = "甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉戌亥"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_CHINESE = (
    "chineseCounting",
    "chineseCountingThousand",
    "japaneseCounting",
    "ideographDigital",
    "taiwaneseCounting",
    "taiwaneseCountingThousand",
)
_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"))
_SMALL_ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_PLACEHOLDER = re.compile(r"%([1-9])")
_WHOLE = re.compile(r"[0-9]{1,4}")


def value(element: Any, path: str) -> str:
    """The value that an element at a path has; empty without one."""
    found = element.find(path)
    return str(found.get(VALUE, "")) if found is not None else ""


def whole(element: Any, path: str, otherwise: int) -> int:
    """The whole number that an element at a path has as its value."""
    match = _WHOLE.fullmatch(value(element, path))
    return int(match[0]) if match else otherwise


def is_on(element: Any, path: str) -> bool | None:
    """Whether a switch at a path is on; None where it is not told."""
    found = element.find(path)
    return None if found is None else found.get(VALUE) not in _OFF


def _letters(number: int) -> str:
    """A, …, Z, AA, BB: as Word goes on behind Z."""
    times, letter = divmod(max(number, 1) - 1, 26)
    return chr(ord("A") + letter) * (times + 1)


def _roman(number: int) -> str:
    text = ""
    for value, letters in (*_ROMAN, *_SMALL_ROMAN):
        times, number = divmod(number, value)
        text += letters * times
    return text


def _one_of(characters: str) -> Callable[[int], str]:
    return lambda number: characters[number - 1] if 1 <= number <= len(characters) else str(number)


_FORMATS: dict[str, Callable[[int], str]] = {
    **dict.fromkeys(_CHINESE, chinese_number),
    **dict.fromkeys(("decimalEnclosedCircle", "decimalEnclosedCircleChinese"), _one_of(_CIRCLED)),
    "chineseLegalSimplified": lambda number: chinese_number(number).translate(_LEGAL),
    "ideographTraditional": _one_of(_STEMS),
    "ideographZodiac": _one_of(_BRANCHES),
    "decimalEnclosedParen": lambda number: f"({number})",
    "decimalEnclosedFullstop": lambda number: f"{number}.",
    "decimalZero": lambda number: f"{number:02}",
    "upperLetter": _letters,
    "lowerLetter": lambda number: _letters(number).lower(),
    "upperRoman": _roman,
    "lowerRoman": lambda number: _roman(number).lower(),
    "none": lambda _: "",
    "bullet": lambda _: "",
}


class Numbering:
    """The lists of a file, and how far each of them has counted."""

    def __init__(self, element: Any | None) -> None:
        """`element` is the root of numbering.xml, if the file has one."""
        nodes = list(element) if element is not None else []
        self._lists = {node.get(f"{W}abstractNumId"): node for node in nodes if node.tag == f"{W}abstractNum"}
        self._numbers = {node.get(f"{W}numId"): node for node in nodes if node.tag == f"{W}num"}
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        self._begun: set[str] = set()
        self._nodes: dict[str, dict[int, Any]] = {}

    def level_of_style(self, number: str, style: str) -> int:
        """The level of a list that belongs to a style, else the first."""
        levels = {level: node.find(f"{W}pStyle") for level, node in self._levels(number).items()}
        return next((level for level, found in levels.items() if found is not None and found.get(VALUE) == style), 0)

    def label(self, number: str, level: int) -> str:
        """What Word shows before the next paragraph of that list (by its numId) and level; nothing for a bullet."""
        levels = self._levels(number)
        if level not in levels:
            return ""
        counts = self._counts[self._abstract(number)]
        if number not in self._begun:
            self._begun.add(number)
            # Lists of one kind go on counting with each other, but for levels that the later one starts anew.
            for override in self._numbers[number].iterfind(f"{W}lvlOverride[{W}startOverride]"):
                counts.pop(_level(override), None)
        counts[level] = counts.get(level, self._start(number, level) - 1) + 1
        for deeper in [deeper for deeper in counts if deeper > level and _restarts(levels.get(deeper), level)]:
            del counts[deeper]
        return self._text(number, level, counts)

    def _text(self, number: str, level: int, counts: Mapping[int, int]) -> str:
        levels = self._levels(number)
        decimal = levels[level].find(f"{W}isLgl") is not None

        def shown(placeholder: re.Match[str]) -> str:
            other = int(placeholder[1]) - 1
            count = counts.get(other, self._start(number, other))
            return str(count) if decimal or other not in levels else _format(levels[other])(count)

        return "" if _kind(levels[level]) == "bullet" else _PLACEHOLDER.sub(shown, value(levels[level], f"{W}lvlText"))

    def _start(self, number: str, level: int) -> int:
        for override in self._numbers[number].iterfind(f"{W}lvlOverride[{W}startOverride]"):
            if _level(override) == level:
                return whole(override, f"{W}startOverride", 1)
        node = self._levels(number).get(level)
        return whole(node, f"{W}start", 1) if node is not None else 1

    def _abstract(self, number: str) -> str:
        return value(self._numbers[number], f"{W}abstractNumId") if number in self._numbers else ""

    def _levels(self, number: str) -> dict[int, Any]:
        if number not in self._nodes:
            abstract = self._lists.get(self._abstract(number))
            nodes = [] if abstract is None else abstract.findall(f"{W}lvl")
            if nodes:
                nodes += self._numbers[number].findall(f"{W}lvlOverride/{W}lvl")
            self._nodes[number] = {_level(node): node for node in nodes}
        return self._nodes[number]


def _level(node: Any) -> int:
    value = node.get(f"{W}ilvl", "")
    return int(value) if value.isdecimal() and int(value) < _LEVELS else _LEVELS


def _restarts(node: Any | None, level: int) -> bool:
    """Whether a level counts anew below a paragraph of a higher one: always, unless it says below which."""
    return node is None or level < whole(node, f"{W}lvlRestart", _LEVELS)


def _kind(node: Any) -> str:
    return value(node, f"{W}numFmt")


def _format(node: Any) -> Callable[[int], str]:
    return _FORMATS.get(_kind(node), str)
