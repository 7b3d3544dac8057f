"""What a sentence allows that its passage denies in another verb, or the other way round: 可以报 of whom it 不招收."""

import re
from collections.abc import Iterator
from functools import lru_cache

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.opposites import opposites
from rag.citations.plain import Plain, plain

_RULE = re.compile(
    "(?P<denied>不(?:可以?|[能得准]|允许)|无法|禁止)|(?<![不只才])(?:可以|可(?!能)|[能够](?![力源量])|允许|准许)"
)
_VERB = 2
# Of a clause without its verb, this share of the terms has to be of one clause of the passage.
_LEAST_COMMON = 0.6
_FEWEST_COMMON = 2


def denied_in_another_verb(_: Claim, cited: Cited) -> Iterator[str]:
    """What a sentence allows of which its passage denies something else, or the other way round."""
    return (rule for rule, is_denied, there in _ruled(cited) if is_denied != there)


def forbids_as_told(claim: Claim, cited: Cited) -> bool:
    """Whether all that a sentence denies is so denied by its passages, in another verb."""
    denied = [there for _, is_denied, there in _ruled(cited) if is_denied]
    return bool(denied) and all(denied) and len(denied) == len(claim.text.denials)


# Asked for by both, and by the second once for each denial.
@lru_cache(maxsize=4)
def _ruled(cited: Cited) -> tuple[tuple[str, bool, bool], ...]:
    """What a clause rules in a verb that no passage has, whether it denies that, and whether its passage denies."""
    found = []
    for clause in cited.claim.clauses:
        rules = list(_RULE.finditer(clause.folded))
        if len(rules) != 1 or len(clause.denials) > bool(rules[0]["denied"]):
            continue
        start, end = rules[0].start(), rules[0].end() + _VERB
        verb = clause.folded[end - _VERB : end]
        # 报 alone stands in 报考, too.
        if not verb or (len(verb) == _VERB and verb in cited.folded):
            continue
        terms = frozenset(term for place, term in clause.terms if not start - 1 <= place < end - 1)
        fewest = max(1 if cited.claim.only_answers else _FEWEST_COMMON, _LEAST_COMMON * len(terms))
        told = _nearest(terms, cited)
        is_on_the_same = len(terms & told.vocabulary) >= fewest and not any(opposites(clause.text, told.text))
        if is_on_the_same and len(told.denials) < 2:
            found.append((clause.text[start:end], bool(rules[0]["denied"]), bool(told.denials)))
    return tuple(found)


def _nearest(terms: frozenset[str], cited: Cited) -> Plain:
    """What stands between two pauses of the passages and has most of some terms."""
    parts = (part for passage in cited.passages for part in passage.between_pauses)
    return max(parts, key=lambda part: len(terms & part.vocabulary), default=plain(""))
