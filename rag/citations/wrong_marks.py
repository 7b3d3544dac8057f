"""What a sentence calls normal, high or low, where its row of a table is marked otherwise: 尿酸 | 455 | 208-428 | ↑."""

import re
from collections.abc import Iterator, Sequence

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.tables import SHORTEST_LABEL, Table
from rag.citations.wrong_rulings import Ruling

_HIGH = re.compile(r".*[↑⬆▲]|H|偏?高|升高|[超过]高|超标")
_LOW = re.compile(r".*[↓⬇▼]|L|偏?低|降低|[超过]低|不足")
_TOLD_BY = {
    "high": frozenset({"high"}),
    "low": frozenset({"low"}),
    "normal": frozenset({""}),
    "abnormal": frozenset({"high", "low"}),
}
# A range of what is normal calls nothing so.
_VERDICT = re.compile(
    r"(?P<denied>不(?:太|是|算|属于)?|没有?|未(?:见)?|并非|均?无)?(?:明显)?"
    r"(?:(?P<high>偏高|升高|过高|超标|↑)|(?P<low>偏低|降低|过低|↓)|(?P<normal>正常)(?!的?(?:参考|范围|区间|[值数]))|(?P<abnormal>异常))"
)


def marks(claim: Claim, cited: Cited) -> Iterator[Ruling]:
    """What a sentence calls normal, high or low, by the marks of the rows that it or its question names."""
    marked = [row for table in cited.tables for row in _marked(table)]
    begin, asked = 0, claim.asked.valued
    for verdict in _VERDICT.finditer(claim.text.valued) if marked else ():
        told = claim.text.valued[begin : verdict.start()]
        begin = verdict.end()
        named = [row for row in marked if row[0] in told] or [row for row in marked if row[0] in asked]
        for _, mark in named:
            is_so = mark in _TOLD_BY[str(verdict.lastgroup)]
            yield Ruling(verdict[0], verdict.start(), bool(verdict["denied"]), frozenset({not is_so}))


def _marked(table: Table) -> list[tuple[str, str]]:
    """The rows of a table that marks any as high or low: their labels and marks, "" for neither."""
    rows = [(label.valued, _mark(cells)) for label, cells in zip(table.labels, table.told, strict=True)]
    marks_any = any(mark for _, mark in rows)
    return [(label, mark) for label, mark in rows if marks_any and len(label) >= SHORTEST_LABEL]


def _mark(told: Sequence[str]) -> str:
    """How the cells of a row behind its label mark it."""
    cells = [cell.strip() for cell in told]
    return "high" if any(map(_HIGH.fullmatch, cells)) else "low" if any(map(_LOW.fullmatch, cells)) else ""
