"""What a sentence takes for the greatest or least of a table's column or row, and another there exceeds."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.tables import SUM, Table
from rag.language.numbers import Number

# 单价最高的, 哪个大区完成率最低？; what bounds is none: 最多借3册.
_EXTREME = re.compile(r"最(?:(?P<most>[高大多贵长重])|(?P<least>[低少小短轻]|便宜))(?=的|[?,。;!\n]|是|$)")
_COUNTS = re.compile(r"[数量额]$")
_PRICED = re.compile(r"价|费")
_COSTS = re.compile(r"最(?:贵|便宜)")
_Values = Mapping[str, tuple[Number, Decimal]]


def wrong_extremes(claim: Claim, cited: Cited) -> Iterator[str]:
    """What is named, or whose figure is told, as the greatest or least and is neither."""
    asked, told = claim.asked.valued, claim.text.valued
    extremes = {match.lastgroup == "most" for match in _EXTREME.finditer(f"{asked}\n{told}")}
    if len(extremes) != 1:
        return
    # What is compared stands before that: behind it comes what has most of it.
    measured = "\n".join((asked, *(told[: match.end()] for match in _EXTREME.finditer(told))))
    for table in cited.whole_tables:
        for values in _compared(table, measured):
            yield from _exceeded(values, claim, most=True in extremes)


def _exceeded(values: _Values, claim: Claim, most: bool) -> Iterator[str]:
    told, figures = claim.text.valued, [value for _, value in values.values()]
    best = max(figures) if most else min(figures)
    named = [label for label in values if label in told and not any(label in one for one in values if one != label)]
    meant = named or [label for label, (one, _) in values.items() if any(own.agrees(one) for own in claim.own_numbers)]
    if meant and all(values[label][1] != best for label in meant):
        yield meant[0]


def _compared(table: Table, said: str) -> Iterator[_Values]:
    """The figures that are compared, by what each is of: those of the one column, or of the one row, that is named."""
    if any(word in said for word in table.words):  # of some rows only
        return
    columns = [at for at, head in enumerate(table.columns) if _is_meant(head, said)]
    if len(columns) == 1:
        column = ((label, numbers.get(columns[0])) for label, numbers in zip(table.rows, table.figures, strict=True))
        yield from _values(column)
    rows = [at for at, label in enumerate(table.rows) if _is_meant(label, said)]
    if len(rows) == 1 and len(table.columns) == len(table.lines[rows[0]]):
        yield from _values((table.columns[at], numbers) for at, numbers in table.figures[rows[0]].items())


def _values(cells: Iterable[tuple[str, Sequence[Number] | None]]) -> Iterator[_Values]:
    """The figures of some cells by their labels, but for sums; none where one has no label."""
    found = {label: numbers[0] for label, numbers in cells if numbers and not SUM.search(label)}
    if len(found) > 1 and "" not in found:
        yield {label: (one, -one.value if one.is_below_zero else one.value) for label, one in found.items()}


def _is_meant(head: str, said: str) -> bool:
    """Whether a row or column is compared: 人最多 by 人数."""
    counted = f"{head[:-1]}最" if _COUNTS.search(head) else head
    return bool(head) and (
        head in said or counted in said or (_COSTS.search(said) is not None and _PRICED.search(head) is not None)
    )
