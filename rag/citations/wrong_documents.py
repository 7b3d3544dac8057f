"""A sentence that speaks of one document and cites another: reports of two companies or years have the same tables."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import chain

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import Plain
from rag.citations.tables import is_apart
from rag.language.measures import is_measure
from rag.language.titles import mark_of, names_in

# What tells of the year in its title, and beside it of the one before.
_OF_A_YEAR = re.compile(r"#年[^|]{0,8}(?:报告|报表|年报|季报|年鉴|公报|决算|预算|总结)")
_YEARS_TOLD_OF = 2
# A number of fewer digits is in many passages: 第一季度.
_FIGURE = 3
# What a file is called as a whole is a name, be it shorter than a part of one: 氯化铷.
_WHOLE = 3


def other_documents(claim: Claim, cited: Cited) -> Iterator[str]:
    """The name by which sentence or question call a document of the evidence that is neither cited nor told of.

    The first of them counts that calls any: a sentence is about what its question names.
    """
    said = (claim.text, claim.asked)
    named = next(filter(None, ({*chain(*_names(text, claim).values())} for text in said)), None)
    if named is None:
        return
    known = (*cited.called, *cited.titles, *cited.passages)
    own = "\n".join((*(part.folded for part in known), *(part.valued for part in known)))
    if not any(is_apart(name, own) for name in named):
        yield max(named, key=len)


def other_years(claim: Claim, cited: Cited) -> Iterator[str]:
    """A year that sentence or question speak of, where the passages do not and are of reports on others.

    A report has the year before its own in the next column, mostly without naming it.
    """
    reports = [_years(called) for called in cited.called if _OF_A_YEAR.search(called.text)]
    if len(reports) < len(cited.called):
        return
    told = {year - back for years in reports for year in years for back in range(_YEARS_TOLD_OF)}
    told.update(number.value for text in (*cited.passages, *cited.titles) for number in text.numbers)
    years = _years(claim.text) or _years(claim.asked)
    if years and not years & told:
        yield f"{min(years)}年"


def exchanged_documents(claim: Claim, cited: Cited) -> Iterator[str]:
    """A figure that a clause says of one document, and only another one's passage has."""
    for clause in claim.text.clauses:
        names = _names(clause, claim)
        named = [bool(names.get(called)) for called in cited.called]
        if all(named) or not any(named):
            continue
        own = [text for is_own, text in zip(named, cited.passages, strict=True) if is_own]
        others = [text for is_own, text in zip(named, cited.passages, strict=True) if not is_own]
        for number in clause.numbers:
            is_figure = number.kind != "year" and (
                sum(map(str.isdigit, number.written)) >= _FIGURE or is_measure(number.unit)
            )
            if is_figure and not any(text.has(number) for text in own) and any(text.has(number) for text in others):
                yield number.written


def _names(text: Plain, claim: Claim) -> Mapping[Plain, frozenset[str]]:
    """By what names a text calls the documents of the evidence.

    Where it has what tells one from another, A款, by that alone: they share the rest of the name.
    """
    files = {called: _file(called) for called in claim.documents}
    marks = {called: mark_of(own, (file for file in files.values() if file != own)) for called, own in files.items()}
    said = {called: frozenset({mark}) for called, mark in marks.items() if mark and is_apart(mark, text.valued)}
    whole = {called: {own} for called, own in files.items() if len(own) >= _WHOLE and is_apart(own, text.valued)}
    return said or {
        called: frozenset({*names_in(text.folded, called.folded), *whole.get(called, ())}) for called in claim.documents
    }


def _file(called: Plain) -> str:
    return called.valued.partition("|")[0].strip()


def _years(text: Plain) -> set[Decimal]:
    return {number.value for number in text.numbers if number.kind == "year"}
