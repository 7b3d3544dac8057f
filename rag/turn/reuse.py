"""When a turn that could do with the evidence in hand rather searches."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from rag.decision.base import Situation, Verdict
from rag.decision.rules import CERTAIN
from rag.decision.signals import lacks_a_term, speaks_of_something_else
from rag.language.follow_up import WHAT_ABOUT, goes_on_about, has_pronoun, lacks_subject
from rag.language.words import plainly, terms
from rag.rewriting.condense import leans_on_history, own_words, points_out
from rag.types import Decision, Message

Item = TypeVar("Item")
_FAR_MORE = 2
_CLEARLY_MORE = 1.5
_MORE = 1.1
_HALF_AS_MUCH = 0.5
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
    """Whether evidence in hand may answer: not a whole question of whose terms it has none, whatever a model says."""
    alone = not leans_on_history(situation.question)
    return bool(situation.in_hand) and not (alone and speaks_of_something_else(situation))


def answers_too_little(probable: Mapping[int, float], held: Collection[int], threshold: float) -> bool:
    """Whether a search finds something like a question, but no chunk that is held would count as an answer to it.

    Asked first, the question would be refused; second, it was answered from evidence in hand on anything: of 188 such
    questions 20 were.
    """
    return bool(probable) and max((probable.get(chunk, 0.0) for chunk in held), default=0.0) < threshold


def fits_better_elsewhere(
    situation: Situation, probable: Mapping[int, float], held: Collection[int], threshold: float
) -> bool:
    """Whether a chunk that is not held answers the question probably, and more so than any that is.

    Where the evidence in hand has all the question's terms, only far more so counts, or what likely answers; one name
    alone may be no more than mentioned there. Of 90 reuses among 989 pairs of whole questions to real PDFs this ends
    one of the two wrong ones and three of the 88 right ones. What likely answers ends two of some 140 reuses in ten
    conversations, both wrong: 利率多少, where 罚息利率 alone is in hand. Where nothing in hand likely answers a whole
    question, half as much is enough: 工资几号发 beside 旷工扣工资, one of three reuses that were wrong over a handbook.
    """
    elsewhere = max((value for chunk, value in probable.items() if chunk not in held), default=0.0)
    in_hand = max((value for chunk, value in probable.items() if chunk in held), default=0.0)
    own = own_words(situation.question)
    of_another = asks_of_another(own)
    enough = _CLEARLY_MORE if of_another else _FAR_MORE
    if in_hand < _LIKELY and not of_another and not has_pronoun(own):
        enough = _HALF_AS_MUCH
    elif lacks_a_term(situation) or elsewhere >= _LIKELY:
        enough = _MORE
    return elsewhere >= threshold and elsewhere > enough * in_hand


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
