"""A sentence that speaks of one document and cites another: reports of two companies or years have the same tables."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from rag.citations.plain import Plain, plain
from rag.language.numbers import Number
from rag.language.titles import names_in, title_lines

# What tells of the year in its title, and beside it of the one before.
_OF_A_YEAR = re.compile(r"#年[^|]{0,8}(?:报告|报表|年报|季报|年鉴|公报|决算|预算|总结)")
_YEARS_TOLD_OF = 2
# A number of fewer digits is in many passages: 第一季度.
_FIGURE = 3


def title(opening: str) -> Plain:
    """What a document is called as it begins, its lines kept apart."""
    return plain(" | ".join(title_lines(opening)))


def other_documents(said: Sequence[Plain], known: Sequence[Plain], own: Sequence[Plain]) -> Iterator[str]:
    """The name by which a text calls a document of a `known` title, where it is neither in nor of what is cited.

    Of the texts `said` the first counts that calls any: a sentence is about what its question names.
    """
    cited = "\n".join(part.folded for part in own)
    for text in said:
        named = {name for opening in known for name in names_in(text.folded, opening.folded)}
        if named and not any(name in cited for name in named):
            yield max(named, key=len)
        if named:
            return


def other_years(said: Sequence[Plain], titles: Sequence[Plain], passages: Sequence[Plain]) -> Iterator[str]:
    """A year that a text speaks of, where the passages do not and are of reports on others.

    A report has the year before its own in the next column, mostly without naming it.
    """
    reports = [_years(text) for text in titles if _OF_A_YEAR.search(text.text)]
    if not reports or len(reports) < len(titles):
        return
    told = {year - back for years in reports for year in years for back in range(_YEARS_TOLD_OF)}
    told.update(number.value for text in passages for number in text.numbers)
    for text in said:
        years = _years(text)
        if years and not years & told:
            yield f"{min(years)}年"
        if years:
            return


def exchanged_documents(clauses: Sequence[Plain], passages: Sequence[tuple[Plain, Plain]]) -> Iterator[str]:
    """A figure that a clause says of one document, and only another one's passage has; each by its title and text."""
    for clause in clauses:
        named = [any(names_in(clause.folded, called.folded)) for called, _ in passages]
        if all(named) or not any(named):
            continue
        own = [text for is_own, (_, text) in zip(named, passages, strict=True) if is_own]
        others = [text for is_own, (_, text) in zip(named, passages, strict=True) if not is_own]
        for number in clause.numbers:
            is_figure = number.kind != "year" and sum(map(str.isdigit, number.written)) >= _FIGURE
            if is_figure and not _is_in(number, own) and _is_in(number, others):
                yield number.written


def _is_in(number: Number, texts: Sequence[Plain]) -> bool:
    return any(number.agrees(other) for text in texts for other in text.numbers)


def _years(text: Plain) -> set[Decimal]:
    return {number.value for number in text.numbers if number.kind == "year"}
