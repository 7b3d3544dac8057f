"""What can be wrong with a sentence that cites passages: the first of these that is found is told.

Of a sentence in another language than its passages only the numbers are compared.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import Plain
from rag.citations.source import Source, Window, coverage
from rag.citations.wrong_answers import (
    unasked_measures,
    unspoken_predicates,
    wrong_choices,
)
from rag.citations.wrong_cells import (
    days_of_another_row,
    denies_days_of_none,
    denies_what_is_elsewhere,
    misplaced_words,
)
from rag.citations.wrong_comparisons import other_sides, wrong_comparisons
from rag.citations.wrong_denials import needs_no_leave, tells_of_leave, wrong_denials
from rag.citations.wrong_documents import exchanged_documents, other_documents, other_years
from rag.citations.wrong_extremes import wrong_extremes
from rag.citations.wrong_figures import misplaced_figures
from rag.citations.wrong_joins import joined_clauses
from rag.citations.wrong_labels import (
    crossed_statements,
    mislabelled_numbers,
    numbers_of_the_like,
)
from rag.citations.wrong_matters import figures_of_another_matter, names_of_another_matter, told_of_another_label
from rag.citations.wrong_names import exchanged_names, unknown_names
from rag.citations.wrong_numbers import numbers_of_none, percent_for_points, wrong_numbers
from rag.citations.wrong_options import excepted, only_one_of, strange_items
from rag.citations.wrong_rows import half_named_rows
from rag.citations.wrong_rulings import Ruling, items, marks, permissions, ruled_otherwise, rules_as_told
from rag.citations.wrong_subjects import exchanged_roles, exchanged_sides, subjects_of_another
from rag.citations.wrong_tiers import other_tiers
from rag.citations.wrong_times import figures_of_another_day, figures_of_another_phase, other_periods
from rag.language.measures import is_measure
from rag.language.numbers import Number
from rag.types import Message

# A sentence was taken from a passage that has this share of its terms, with all its numbers and names.
CLEAR = 0.75
# A sentence says something else than a passage that has less than this share of its terms.
_LEAST_COVERAGE = 0.3
# The terms for whose origin one number in the passage is evidence enough. A small number without a unit is none: 赵1某.
_MOST_TERMS_BESIDE, _FEW = 12, 100
_MAY_DENY = re.compile("[不没未无非免禁否]")
# Too few terms of its own to judge a sentence by: "15 天".
_FEWEST_TERMS = 4
# Two are enough if the passage has none of them: "周末不上班".
_FEWEST_OF_NONE = 2
_Check = Callable[[Claim, Cited], Iterator[str]]


def _denied_otherwise(claim: Claim, cited: Cited) -> Iterator[str]:
    """Denials that only the sentence has or only its passages, unless these say the same in other words."""
    wrong = next(wrong_denials(cited.changed, claim.granted.folded), None)
    if wrong is not None and not _heads_a_table(wrong, claim, cited) and not _agrees_in_other_words(claim, cited):
        yield wrong


def _heads_a_table(denial: str, claim: Claim, cited: Cited) -> bool:
    """Whether a denial is part of what heads a row or column of a table, one of each of which is named: 未到期余额."""
    for table in cited.named_tables:
        named = table.heads(claim.text.valued)
        is_of_a_cell = not (named.isdisjoint(table.rows) or named.isdisjoint(table.columns))
        # 否 is a cell, and 是否 denies nothing.
        if is_of_a_cell and len(denial) > 1 and any(denial in head for head in (*table.rows, *table.columns)):
            return True
    return False


def _agrees_in_other_words(claim: Claim, cited: Cited) -> bool:
    is_ruled_so = any(rules_as_told(claim, rulings(claim, cited)) for rulings in (items, marks, permissions))
    others = (denies_what_is_elsewhere, denies_days_of_none, tells_of_leave)
    return is_ruled_so or any(agrees(claim, cited) for agrees in others)


def _ruled_otherwise(rulings: Callable[[Claim, Cited], Iterable[Ruling]]) -> _Check:
    """The check of what a sentence rules, where its passages rule the contrary."""
    return lambda claim, cited: ruled_otherwise(rulings(claim, cited))


# Each yields what of a sentence is wrong as the sentence, or its passage, writes it.
_CHECKS: tuple[tuple[str, _Check], ...] = (
    ("number", wrong_numbers),
    ("number", percent_for_points),
    ("other_matter", other_periods),
    ("other_matter", mislabelled_numbers),
    ("other_matter", numbers_of_the_like),
    ("row", half_named_rows),
    ("cell", misplaced_words),
    ("cell", misplaced_figures),
    ("cell", days_of_another_row),
    ("extreme", wrong_extremes),
    ("measure", unasked_measures),
    ("tier", other_tiers),
    ("tier", figures_of_another_day),
    ("phase", figures_of_another_phase),
    ("document", other_documents),
    ("exchanged_document", exchanged_documents),
    ("year", other_years),
    ("name", unknown_names),
    ("comparison", wrong_comparisons),
    ("comparison", other_sides),
    ("comparison", only_one_of),
    ("comparison", _ruled_otherwise(marks)),
    ("denial", _denied_otherwise),
    ("denial", needs_no_leave),
    ("denial", excepted),
    ("denial", _ruled_otherwise(items)),
    ("exchanged", exchanged_names),
    ("exchanged", exchanged_roles),
    ("exchanged", exchanged_sides),
    ("exchanged", strange_items),
    ("exchanged", crossed_statements),
    ("exchanged", joined_clauses),
    ("exchanged", subjects_of_another),
    ("exchanged", wrong_choices),
    ("overlap", unspoken_predicates),
    ("denial", _ruled_otherwise(permissions)),
    ("other_matter", told_of_another_label),
    ("other_matter", figures_of_another_matter),
    ("other_matter", names_of_another_matter),
)


def contradiction(claim: Claim, sources: Sequence[Source]) -> Message | None:
    """Why the passages do not support the sentence; None where they do."""
    cited = Cited(claim, tuple(sources))
    if is_foreign(claim, sources):
        wrong = next(numbers_of_none(claim.text.clauses, cited.passages, [claim.granted]), None)
        return Message("citation.number", {"text": wrong}) if wrong else None
    if claim.denies and _is_told(replace(claim, text=claim.denies, denies=None), sources):
        return Message("citation.denial", {"text": claim.text.as_written})
    for key, check in _CHECKS:
        if (text := next(check(claim, cited), None)) is not None:
            return Message(f"citation.{key}", {"text": text})
    says_too_little = _share(claim, cited.windows) < _LEAST_COVERAGE and not (
        _denies_as_its_passage(claim, cited) or _has_its_numbers(claim, cited)
    )
    return Message("citation.overlap") if says_too_little else None


def _has_its_numbers(claim: Claim, cited: Cited) -> bool:
    """Whether sentences of the passages have its own numbers beside what it speaks of: 周三7-8节 in other words."""
    own = claim.own_numbers
    if len(claim.own_terms) > _MOST_TERMS_BESIDE * sum(map(_tells, own)):
        return False
    near = [part for part in cited.sentences if cited.spoken_of & part.vocabulary]
    return bool(own) and all(any(part.has(number) for part in near) for number in own)


def _tells(number: Number) -> bool:
    """Whether no passage is likely to have a number by chance: it is measured, or of several digits."""
    return bool(number.kind) or is_measure(number.unit) or number.value >= _FEW


def _is_told(claim: Claim, sources: Sequence[Source]) -> bool:
    """Whether passages clearly say what a claim says."""
    return coverage(claim.text.clauses, sources) >= CLEAR and contradiction(claim, sources) is None


def _denies_as_its_passage(claim: Claim, cited: Cited) -> bool:
    """Whether a no alone may be told in other words: 能坐地铁吗 is answered by 不得乘坐公共交通工具."""
    if not (claim.only_answers and claim.text.denials):
        return False
    return rules_as_told(claim, marks(claim, cited)) or any(
        _MAY_DENY.search(window.text.folded) for _, window in cited.windows
    )


def is_foreign(claim: Claim, sources: Sequence[Source]) -> bool:
    """Whether a sentence is in another language than its passages, and not in their words all the same."""
    # First what most sentences differ in from such ones: their coverage takes longer.
    if not all(claim.text.is_foreign_to(source.text) for source in sources):
        return False
    return len(claim.text.terms) >= _FEWEST_TERMS and coverage(claim.text.clauses, sources) < _LEAST_COVERAGE


def _share(claim: Claim, windows: Sequence[tuple[Plain, Window]]) -> float:
    """Like `coverage`, for terms that the question does not grant; 1 where these are too few to judge."""
    wanted = held = 0
    for clause, window in windows:
        own = clause.vocabulary - claim.granted.vocabulary
        wanted += len(own)
        held += len(own & window.text.vocabulary)
    # A number that the passages have tells more than the words around it.
    fewest = _FEWEST_TERMS if held or claim.own_numbers else _FEWEST_OF_NONE
    return held / wanted if wanted >= fewest else 1.0
