"""Numbers written in Chinese, runs of numbers, and how what is numbered begins, as patterns."""

import re
from collections.abc import Iterable
from itertools import pairwise

COUNT = r"[\d一二三四五六七八九十百千零〇]{1,7}"
# The number of an article, as a pattern: 第三条, 第 3 条, 第三條.
ARTICLE = rf"第\s?{COUNT}\s?[条條]"
FEW = "[一二三四五六七八九十]{1,3}"
# The items of a list: 1. or 2、 or 3）, but 3.5 is a number; （4）, （四）; 五、.
NUMBERED = r"\d{1,3}(?:[.、](?!\d)|[)）])"
BRACKETED = rf"[(（](?:\d{{1,3}}|{FEW})[)）]"
LISTED = rf"{FEW}、"
BULLETS = "①-⑳•●■◆❖▪◦□☑√➢"
QUESTION, ANSWER = r"[Q问]\d{0,3}[:：]", r"[A答]\d{0,3}[:：]"
# As pages before the first chapter are numbered, up to 89; of one case. An empty text is none.
ROMAN = re.compile(r"(?=.)(?:(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})|(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3}))")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50}
_DIGITS = "零一二三四五六七八九"


def runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """The first and last of each run of consecutive numbers, in rising order."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found


def chinese_number(number: int) -> str:
    """A number below ten thousand in Chinese: 十一, 一百零五."""
    text = ""
    for power, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // power % 10
        if digit:
            text += _DIGITS[digit] + unit
        elif text and not text.endswith("零"):
            text += "零"
    return text.rstrip("零").removeprefix("一" if 10 <= number < 20 else "\0") or "零"


def roman_number(text: str) -> int:
    """The number that a text which `ROMAN` matches is."""
    digits = [_ROMAN_DIGITS[letter] for letter in text.lower()]
    return sum(-digit if digit < following else digit for digit, following in pairwise([*digits, 0]))
