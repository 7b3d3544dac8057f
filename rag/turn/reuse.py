"""When a turn that could reuse the evidence in hand should rather search."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from rag.decision.base import Situation, Verdict
from rag.decision.rules import CERTAIN
from rag.decision.signals import lacks_a_term, speaks_of_something_else
from rag.evidence import highest
from rag.language.follow_up import WHAT_ABOUT, goes_on_about, has_pronoun, lacks_subject
from rag.language.words import plainly, terms
from rag.rewriting.condense import leans_on_history, own_words, points_out
from rag.types import Decision, Message

Item = TypeVar("Item")
# How many times as probable as the evidence in hand a passage elsewhere has to be, to be searched for: mostly, as that
# may only mention what 索引呢 asks of;
_USUALLY = 1.5
# where that evidence lacks a term of the question, or the passage likely answers: 利率多少, with 罚息利率 in hand;
_WHERE_EVIDENCE_LACKS = 1.1
# where nothing in hand likely answers a whole question: 工资几号发, with 旷工扣工资 in hand.
_WHERE_NOTHING_ANSWERS = 0.5
# A passage that rather answers than not.
_LIKELY = 0.5


def rather_search(verdict: Verdict) -> Verdict:
    """The verdict of the rules, REUSE only where they are certain.

    To search for nothing costs seconds; to answer from the wrong passages costs the answer.
    """
    if verdict.decision is Decision.REUSE and verdict.certainty < CERTAIN:
        return replace(verdict, decision=Decision.RETRIEVE, reason=Message("decision.rather_search"))
    return verdict


def may_cover(situation: Situation) -> bool:
    """Whether evidence in hand may answer: not where it has no term of a question that stands alone."""
    alone = not leans_on_history(situation.question)
    return bool(situation.in_hand) and not (alone and speaks_of_something_else(situation))


def answers_too_little(probable: Mapping[int, float], held: Collection[int], threshold: float) -> bool:
    """Whether a search finds something like a question, but no chunk that is held would count as an answer to it.

    Asked first, the question would be refused; second, it was answered from evidence in hand on anything: of 188 such
    questions 20 were.
    """
    return bool(probable) and highest(probable, held) < threshold


def fits_better_elsewhere(
    situation: Situation, probable: Mapping[int, float], held: Collection[int], threshold: float
) -> bool:
    """Whether a chunk that is not held answers the question probably, and clearly more so than any that is.

    Of 90 reuses among 989 pairs of whole questions to real PDFs this ends one of the two wrong ones and three of the 88
    right ones.
    """
    elsewhere, in_hand = highest(probable, probable.keys() - held), highest(probable, held)
    return elsewhere >= threshold and elsewhere > _times_as_probable(situation, elsewhere, in_hand) * in_hand


def _times_as_probable(situation: Situation, elsewhere: float, in_hand: float) -> float:
    """How many times as probable as what is in hand something elsewhere has to be."""
    own = own_words(situation.question)
    if in_hand < _LIKELY and not asks_of_another(own) and not has_pronoun(own):
        return _WHERE_NOTHING_ANSWERS
    if lacks_a_term(situation) or elsewhere >= _LIKELY:
        return _WHERE_EVIDENCE_LACKS
    return _USUALLY


def asks_of_another(own: str) -> bool:
    """Whether a question's own words ask the same again of what they name, 索引呢, which can be searched for alone."""
    points = has_pronoun(own) or lacks_subject(own)
    return WHAT_ABOUT.search(own) is not None and bool(terms(own)) and not points


def means_something_newer(question: str, covering: Callable[[str], Sequence[Item]]) -> bool:
    """Whether a question means what the last evidence is about, while its words stand in older evidence.

    It has a pronoun for it, or no subject: another thing's drawbacks, or its figures of 2019, are told there.
    `covering` gives the evidence in hand that has most of a text's terms, the newest for none.
    """
    plain = plainly(question)
    if not goes_on_about(plain) and not (has_pronoun(plain) and points_out(plain)):
        return False
    newest = covering("")
    return not any(item in newest for item in covering(question))
