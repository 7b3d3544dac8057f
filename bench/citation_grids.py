"""Sentences about two cells of a real table, right and wrong: which of a column is greatest, what two come to, how far
they are apart, and a row whose label is but a part of another's.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from bench.citation_case import Case
from bench.citation_tables import named_figures, tables_of

RIGHT_GRIDS = ("greatest_told", "sum_told", "difference_told", "word_told")
_SUM = re.compile(r"合计|小计|总[计额数]|^共")
_SHARE = re.compile(r"[%％率]")
_WORD = re.compile(r"[\u4e00-\u9fff]{2,12}")
_HEAD = re.compile(r"[\u4e00-\u9fff]{2,6}")
_FEWEST = 3
_COMMON = 3
_TOLD = "{one}的{column}为{a}，{other}为{b}，"


@dataclass(frozen=True)
class _Cell:
    """A figure of a table as it is written, with the label of its row."""

    label: str
    written: str

    @property
    def value(self) -> Decimal:
        """What it is."""
        digits = re.sub(r"[^\d.]", "", self.written)
        return -Decimal(digits) if self.written[0] in "-(（" else Decimal(digits)


def grids(passages: Sequence[str], chance: random.Random) -> Iterator[Case]:
    """Cases of every kind, two tables of one passage one after the other."""
    shuffled = list(passages)
    chance.shuffle(shuffled)
    for passage in shuffled:
        for header, *rows in tables_of(passage):
            is_whole = _is_whole([header, *rows], passage)
            places = named_figures(header, rows)
            for at in range(1, len(header)):
                cells = [_Cell(row[0], row[at]) for row, place in places if place == at]
                whole = [row for row in rows if any(map(str.isdigit, row[at])) or _SUM.search(row[0])]
                if len(cells) == len(whole):
                    made = _of_a_column(header[at], [one for one in cells if one.value > 0], passage, chance)
                    yield from (case for case in made if is_whole or not case.kind.startswith("greatest"))
            yield from _words(header, rows, passage, chance)


def _is_whole(table: Sequence[Sequence[str]], passage: str) -> bool:
    """Whether a table ends within its passage, where no other one has its header."""
    header, last = " | ".join(table[0]), " | ".join(table[-1])
    below = [line for line in passage.partition(last)[2].split("\n") if line.strip()]
    return passage.count(header) == 1 and bool(below) and " | " not in below[0]


def _of_a_column(column: str, cells: Sequence[_Cell], passage: str, chance: random.Random) -> Iterator[Case]:
    yield from _half_named(column, cells, passage)
    cells = [one for one in cells if not _SUM.search(one.label)]
    if len(cells) < _FEWEST or len({one.value for one in cells}) < len(cells):
        return
    best, *others = sorted(cells, key=lambda one: -one.value)
    yield Case(f"{column}最高的是{best.label}。", passage, "greatest_told")
    yield Case(f"{column}最高的是{chance.choice(others).label}。", passage, "greatest")
    one, other = chance.sample(cells, 2)
    if _SHARE.search(f"{column}{one.label}{other.label}{one.written}"):
        return
    told = _TOLD.format(one=one.label, column=column, a=one.written, other=other.label, b=other.written)
    apart, more = abs(one.value - other.value), "多" if one.value > other.value else "少"
    total = one.value + other.value
    yield Case(f"{told}两者合计{total:,}。", passage, "sum_told")
    yield Case(f"{told}两者合计{_off(total, chance):,}。", passage, "sum")
    compared = chance.choice((f"{told}前者比后者", f"{told}{one.label}比{other.label}"))
    yield Case(f"{compared}{more}{apart:,}。", passage, "difference_told")
    yield Case(f"{compared}{more}{_off(apart, chance):,}。", passage, "difference")
    yield Case(f"{compared}{'少' if more == '多' else '多'}{apart:,}。", passage, "difference_turned")


def _half_named(column: str, cells: Sequence[_Cell], passage: str) -> Iterator[Case]:
    """The figure of 归属于母公司的扣除非经常性损益的净利润 told of 归属于母公司的净利润."""
    for part in cells:
        for whole in cells:
            is_part = len(part.label) > _COMMON and part.label != whole.label and _is_part(part.label, whole.label)
            if is_part and part.value != whole.value:
                yield Case(f"{part.label}的{column}为{whole.written}。", passage, "half_row")


def _is_part(label: str, whole: str) -> bool:
    return any(whole.startswith(label[:cut]) and whole.endswith(label[cut:]) for cut in range(len(label) + 1))


def _words(header: Sequence[str], rows: Sequence[Sequence[str]], passage: str, chance: random.Random) -> Iterator[Case]:
    """A word of a cell, and that of another row in its place."""
    labels = [row[0] for row in rows]
    for at in (at for at in range(1, len(header)) if _HEAD.fullmatch(header[at])):
        told = {row[0]: row[at] for row in rows if _WORD.fullmatch(row[at]) and labels.count(row[0]) == 1}
        told = {label: word for label, word in told.items() if _WORD.fullmatch(label)}
        for label, word in [*told.items()][:2]:
            others = sorted({*told.values()} - {word})
            if others and all(word[-2:] != header[at][-2:] for word in told.values()):
                yield Case(f"{label}的{header[at]}是{word}。", passage, "word_told")
                yield Case(f"{label}的{header[at]}是{chance.choice(others)}。", passage, "word")


def _off(value: Decimal, chance: random.Random) -> Decimal:
    """A number with another first digit."""
    digits = str(value)
    place = next(at for at, digit in enumerate(digits) if digit not in "0.")
    other = chance.choice([digit for digit in "123456789" if digit != digits[place]])
    return Decimal(digits[:place] + other + digits[place + 1 :])
