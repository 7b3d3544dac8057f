"""Right sentences as language models word them, made of sentences of real passages; each wording is a function."""

import random
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal

from bench.citation_cases import candidates

Wording = Callable[[str, str, random.Random], str | None]

_DIGITS = "零一二三四五六七八九"
_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
_PERCENT = re.compile(r"(?<![\d.,\-~—～－])(\d{1,2})(?:\.(\d{1,2}))?%(?!一)")
_DATE = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日(?!\d)")
_NUMERAL = re.compile(
    r"(?<![第十百千万一二两三四五六七八九几])([三四五六七八九])(?=[个名位种项所座条部家][\u4e00-\u9fff])"
)
_MANY = re.compile(r"(?<![\d.,至\-~—])(\d+(?:\.\d+)?)万(?=[元人名吨辆户平公美])")
_LONG = re.compile(r"(?<![\d.,至\-~—])(\d{2,4})000(?=[元人名吨辆户])")
_EXACT = re.compile(r"(?<![\d.,，约近\-~—至])(\d{1,4}\.\d{2})(?=%|[万亿]?[元美吨公平]|个百分点)")
_OF = re.compile(r"(?<=[\u4e00-\u9fff])的(?=[\u4e00-\u9fff]{2})")
_CLAUSE = re.compile(r"[^，；。！？]+")
_LEANS = re.compile(r"^(?:[其这那此该它他她]|而|但|并|且|也|又|或|以及|使|从而|因此|所以|则|才|就|后)")
_SHORTEST = 12
# Other words for the same; not those that a document may tell apart.
_BEFORE_A_NUMBER = r"(?=了?约?[\d一二两三四五六七八九十])"
_SAME = {
    "bounds": ("不超过/至多 至少/不少于 不少于/至少 不低于/至少 超过/多于 不足/不到", _BEFORE_A_NUMBER),
    "rules": (
        "不得(?!不|而|已)/不可以 必须/须 无需/不需要 应当/应 无法/不能 (?<!能)不能(?!不)/无法 可以/可 (?<!必)须/必须",
        "",
    ),
    "comparisons": (
        "增长/提高 增长/上升 下降/降低 增加/增长 减少/下降 高于/大于 低于/小于 占比/占 达到/为",
        _BEFORE_A_NUMBER,
    ),
}


def wide(text: str, _passage: str, _chance: random.Random) -> str | None:
    """Its digits in full width."""
    return text.translate(_WIDE)


def percent_in_words(text: str, _passage: str, _chance: random.Random) -> str | None:
    """百分之三点五 for 3.5%."""
    return _PERCENT.sub(lambda one: f"百分之{_spoken(int(one[1]))}{_behind_the_point(one[2])}", text)


def dotted_date(text: str, _passage: str, chance: random.Random) -> str | None:
    """2019.5.3 or 2019/5/3."""
    mark = chance.choice("./")
    return _DATE.sub(lambda one: mark.join(str(int(part)) for part in one.groups()), text)


def in_digits(text: str, _passage: str, _chance: random.Random) -> str | None:
    """3个 for 三个."""
    return _NUMERAL.sub(lambda one: str(_DIGITS.index(one[1])), text)


def scaled(text: str, _passage: str, _chance: random.Random) -> str | None:
    """35000元 for 3.5万元, or 3.5万元 for 35000元."""
    if _MANY.search(text):
        return _MANY.sub(lambda one: f"{Decimal(one[1]) * 10000:f}".partition(".")[0], text, count=1)
    return _LONG.sub(lambda one: f"{Decimal(one[1]) / 10:f}万".replace(".0万", "万"), text, count=1)


def rounded(text: str, _passage: str, _chance: random.Random) -> str | None:
    """约3.5% for 3.47%."""
    return _EXACT.sub(lambda one: f"约{Decimal(one[1]).quantize(Decimal('0.1'), ROUND_HALF_UP)}", text, count=1)


def of(text: str, _passage: str, chance: random.Random) -> str | None:
    """With 之 for 的."""
    there = [*_OF.finditer(text)]
    found = chance.choice(there) if there else None
    return f"{text[: found.start()]}之{text[found.end() :]}" if found else None


def joined(text: str, passage: str, chance: random.Random) -> str | None:
    """With the sentence after it in one."""
    stated = candidates(passage)
    place = stated.index(text) + 1
    link = chance.choice(("，此外，", "；同时，", "，", "；"))
    return f"{text[:-1]}{link}{stated[place]}" if place < len(stated) else None


def clause(text: str, _passage: str, chance: random.Random) -> str | None:
    """One of its clauses alone."""
    clauses = [one for one in _CLAUSE.findall(text) if len(one) >= _SHORTEST and not _LEANS.match(one)]
    return f"{chance.choice(clauses)}。" if len(clauses) > 1 else None


def _same(kind: str) -> Wording:
    pairs, behind = _SAME[kind]
    words = [(re.compile(f"{one}{behind}"), other) for one, other in (pair.split("/") for pair in pairs.split())]

    def worded(text: str, _passage: str, chance: random.Random) -> str | None:
        there = [(word, other) for word, other in words if len(word.findall(text)) == 1 and other not in text]
        if not there:
            return None
        word, other = chance.choice(there)
        return word.sub(other, text)

    worded.__doc__ = f"With other words for {kind}."
    return worded


def _spoken(number: int) -> str:
    tens, ones = divmod(number, 10)
    lead = "十" if tens == 1 else f"{_DIGITS[tens]}十" if tens else ""
    return lead + (_DIGITS[ones] if ones or not tens else "")


def _behind_the_point(digits: str | None) -> str:
    return "点" + "".join(_DIGITS[int(digit)] for digit in digits) if digits else ""


WORDINGS: dict[str, Wording] = {
    "wide": wide,
    "percent_in_words": percent_in_words,
    "dotted_date": dotted_date,
    "in_digits": in_digits,
    "scaled": scaled,
    "rounded": rounded,
    "of": of,
    "joined": joined,
    "clause": clause,
    **{kind: _same(kind) for kind in _SAME},
}
