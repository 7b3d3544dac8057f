"""What a sentence allows, counts among something, or calls normal, of which its passage says the contrary.

可以报 beside 不招收, 包含消防改造 beside 含运费，不含土建、消防改造, 正常 where ↑ stands.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.opposites import opposites
from rag.citations.plain import PAUSE, Plain, plain
from rag.citations.tables import SHORTEST_LABEL, Table

_AMONG = re.compile(
    r"(?P<denied>不|未|没有?|并不|并未|不再)?(?:(?P<holds>包[含括]|含有?|涵盖|覆盖|囊括)|(?P<does>负责|承担|负担)|(?P<may>支持|提供|适用于?))"
)
_ITEM_END = re.compile(r"[、,;。!?\n|()和与及]|以及|的(?:费用?|服务|内容|部分|项目)(?=[,;。!?\n|()]|$)")
_SHORTEST_ITEM = 2
_RULE = re.compile(
    "(?P<denied>不(?:可以?|[能得准]|允许)|无法|禁止)|(?<![不只才])(?:可以|可(?!能)|[能够](?![力源量])|允许|准许)"
)
_VERB = 2
# Of a clause without its verb, this share of the terms has to be of one clause of the passage.
_LEAST_SHARE = 0.6
_FEWEST_COMMON = 2
# Marks of a laboratory: 尿酸 | 455 | 208-428 | ↑.
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


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a sentence rules at a place in it, and whether it denies that; of the passages that rule the same, too."""

    said: str
    place: int
    is_denied: bool
    told: frozenset[bool]


def ruled_otherwise(rulings: Iterable[Ruling]) -> Iterator[str]:
    """What the passages rule only the other way round."""
    return (one.said for one in rulings if one.told == {not one.is_denied})


def rules_as_told(claim: Claim, rulings: Iterable[Ruling]) -> bool:
    """Whether passages rule all of it so, and what a sentence denies by it is all that it denies."""
    found = [*rulings]
    denied = {one.place for one in found if one.is_denied}
    return bool(denied) and len(denied) == len(claim.text.denials) and all(one.told == {one.is_denied} for one in found)


def items(claim: Claim, cited: Cited) -> Iterator[Ruling]:
    """What a sentence says that is held, done or given, or not: the nearest such verb before it in its clause tells."""
    text = claim.text
    for said in _AMONG.finditer(text.folded):
        subject = text.folded[text.begin_of_clause(said.start()) : said.start()]
        listed = text.folded[said.end() : text.end_of_clause(said.end())]
        for item in _ITEM_END.split(listed):
            if len(item) >= _SHORTEST_ITEM and "#" not in item:
                told = frozenset(_denied_of(item, said.lastgroup, subject, cited))
                yield Ruling(f"{said[0]}{item}", said.start(), bool(said["denied"]), told)


def _denied_of(item: str, kind: str | None, subject: str, cited: Cited) -> Iterator[bool]:
    """For each clause of the passages with an item behind such a verb, whether that is denied of the same subject."""
    for clause in (clause for passage in cited.passages for clause in PAUSE.split(passage.folded)):
        if (place := clause.find(item)) >= 0:
            verbs = [verb for verb in _AMONG.finditer(clause, 0, place) if verb.lastgroup == kind]
            yield from (bool(verb["denied"]) for verb in verbs[-1:] if _may_be_same(subject, clause[: verb.start()]))


def _may_be_same(subject: str, other: str) -> bool:
    """Whether what two clauses begin with may be one subject: not so 甲方 and 乙方."""
    return not subject or not other or bool({*pairwise(subject)} & {*pairwise(other)})


def permissions(claim: Claim, cited: Cited) -> Iterator[Ruling]:
    """What a clause allows or not in a verb that no passage has, by the clause of the passages that has most of it."""
    place = 0
    for clause in claim.text.clauses:
        place += len(clause.text)
        rules = list(_RULE.finditer(clause.folded))
        if len(rules) != 1 or len(clause.denials) > bool(rules[0]["denied"]):
            continue
        start, end = rules[0].start(), rules[0].end() + _VERB
        verb = PAUSE.split(clause.folded[end - _VERB : end])[0]
        # 报 alone stands in 报考, too.
        if not verb or (len(verb) == _VERB and verb in cited.folded):
            continue
        terms = frozenset(term for at, term in clause.terms if not start - 1 <= at < end - 1)
        fewest = max(1 if claim.only_answers else _FEWEST_COMMON, _LEAST_SHARE * len(terms))
        told = _nearest(terms, cited)
        is_on_the_same = len(terms & told.vocabulary) >= fewest and not any(opposites(clause.text, told.text))
        if is_on_the_same and len(told.denials) < 2:
            yield Ruling(clause.text[start:end], place, bool(rules[0]["denied"]), frozenset({bool(told.denials)}))


def _nearest(terms: frozenset[str], cited: Cited) -> Plain:
    """What stands between two pauses of the passages and has most of some terms."""
    parts = (part for passage in cited.passages for part in passage.between_pauses)
    return max(parts, key=lambda part: len(terms & part.vocabulary), default=plain(""))


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
