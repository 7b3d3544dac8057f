"""What can be told of a turn without a model: plain numbers from 0 to 1, and margins from -1 to 1."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag.decision.base import Material, Situation
from rag.language import words
from rag.language.folding import simplified
from rag.language.follow_up import goes_on_about, has_pronoun
from rag.language.talk import ABOUT_THE_TALK, COURTESY, NOD

# Characters of statements; a few words without any of these are search words: "年假天数".
_STATES = re.compile(r"[我你您他她了呀啊吧啦哈是都也就很太真好不没！!~～]")
_SEEKS = re.compile(
    r"(?:[找挑选订搜来]|推荐|介绍|换(?!个?话题))[到出上]?[一几两点下个家款间处部首位条座所些种份本]|"
    r"\b(?:recommend|find|suggest)\b",
    re.IGNORECASE,
)
_NEW_TOPIC = re.compile(r"换个?话题|说到|说起|话说|提到|聊聊|谈谈|接下来|至于|change the subject", re.IGNORECASE)
# Beyond these a signal grows no further: numbers and terms in a question, characters of a name, a margin of scores.
_MANY_NUMBERS = 2
_MANY_TERMS = 8
_LONG_NAME = 4
_CLEAR_MARGIN = 0.25
# A long conversation holds evidence on many subjects; the present one is the newest.
_NEWEST = 5


@dataclass(frozen=True, slots=True)
class Signals:
    """The signals of a turn; `rules.py` weighs them, the locale files name them for the reader."""

    courtesy: float  # thanks, greeting or good-bye is in the question
    only_courtesy: float  # and nothing else
    asks: float  # a question word or mark, a request, or bare search words
    states: float  # neither asks nor is courtesy alone
    points_back: float  # pronouns and demonstratives
    seeks: float  # "find me one": not the thing at hand but another
    new_topic: float  # "to change the subject"
    numbers: float  # how many numbers the question has
    new_numbers: float  # how many of these have not come up before
    wordless: float  # has no term to search for
    covered: float  # share of its terms that the evidence in hand has
    uncovered: float  # how many of its terms that evidence lacks
    names_in_hand: float  # calls evidence in hand by name
    names_elsewhere: float  # names what is not in hand: how long the name is
    answer_names_in_hand: float  # the last answer spoke of the evidence in hand by name
    margin: float  # how much better the search fits what is not in hand
    sibling_margin: float  # the same for another passage of a document in hand
    sibling_covers: float  # share of the terms that only such a passage has


def search_words(question: str, in_hand: Sequence[Material]) -> str:
    """What to search for: the question under the newest titles in hand, so that passages on their subject compete."""
    titles = dict.fromkeys(title for material in in_hand[:_NEWEST] for title in material.titles)
    return " ".join((question, *titles))


def measure(situation: Situation) -> Signals:
    """The signals of a turn."""
    question = words.plainly(situation.question)
    body = COURTESY.sub("", question)
    point = NOD.sub("", body).strip(" ，,。.！!?？~～、")
    here, there = _names_called(situation)
    terms = words.terms(_without(body, here))
    about_something = bool(terms or here)
    asks = _asks(body, point, about_something)
    held = _joined(situation.in_hand)
    known = held + "\n" + "\n".join(f"{asked}\n{told}" for asked, told in situation.earlier).lower()
    numbers = set(words.NUMBER.findall(question))
    # For "Why?" only the titles in hand were searched for: what that found says nothing.
    elsewhere = situation.elsewhere if about_something else ()
    siblings = _siblings(elsewhere, situation.in_hand)
    covered = _share(terms, held)
    return Signals(
        courtesy=float(body != question),
        only_courtesy=float(len(point) <= 1),
        asks=float(asks),
        states=float(not asks and len(point) > 1),
        points_back=float(has_pronoun(question)),
        seeks=float(bool(_SEEKS.search(question))),
        new_topic=float(bool(_NEW_TOPIC.search(question))),
        numbers=min(1.0, len(numbers) / _MANY_NUMBERS),
        new_numbers=min(1.0, sum(number not in known for number in numbers) / _MANY_NUMBERS),
        wordless=float(not terms),
        covered=covered,
        uncovered=min(1.0, sum(term not in held for term in terms) / _MANY_TERMS),
        names_in_hand=float(bool(here - _names(siblings))),
        names_elsewhere=min(1.0, max(map(len, there), default=0) / _LONG_NAME),
        answer_names_in_hand=_last_answer_names(situation),
        margin=_margin(elsewhere, situation.in_hand) if about_something else 0.0,
        sibling_margin=min(1.0, max(0.0, _margin(siblings, situation.in_hand)) / _CLEAR_MARGIN) if siblings else 0.0,
        sibling_covers=_covers_more(terms, siblings, covered),
    )


def speaks_of_something_else(situation: Situation) -> bool:
    """Whether nothing in hand has any of the question's terms, and nothing in the question points back.

    The search behind the margins includes the titles in hand, so to the margins a question on another subject seems
    to fit what is in hand.
    """
    body = NOD.sub("", COURTESY.sub("", words.plainly(situation.question)))
    points_back = goes_on_about(body) or has_pronoun(body) or words.ONE_OF_THEM.search(body)
    if points_back or _names_called(situation)[0]:
        return False
    matters = words.matters(body)
    return bool(matters) and _share(matters, _joined(situation.in_hand)) == 0


def lacks_a_term(situation: Situation) -> bool:
    """Whether the question has a term, beside the names of what is in hand, that the evidence in hand lacks."""
    return measure(situation).covered < 1


def _asks(body: str, point: str, says_something: bool) -> bool:
    # 总结乙方的责任 asks for that; where nothing is named it is about the talk.
    if any(asks.search(body) for asks in (words.ASKS, words.REQUESTS, ABOUT_THE_TALK)):
        return True
    return says_something and not _STATES.search(point)


def _joined(materials: Sequence[Material]) -> str:
    return simplified("\n".join("\n".join((*material.titles, material.text)) for material in materials)).lower()


def _share(terms: Sequence[str], text: str) -> float:
    """The share of terms that a text has; 1 where there are no terms."""
    return sum(term in text for term in terms) / len(terms) if terms else 1.0


def _covers_more(terms: Sequence[str], passages: Sequence[Material], covered: float) -> float:
    """How much larger a share of the terms the best of some passages has than the share that is `covered`."""
    return max(0.0, max((_share(terms, _joined([one])) for one in passages), default=0.0) - covered)


def _names(materials: Sequence[Material]) -> set[str]:
    return {name for material in materials for name in material.names}


def _names_called(situation: Situation) -> tuple[set[str], set[str]]:
    """Names in the question: those of evidence in hand, and those of other passages outside of these."""
    question = words.plainly(situation.question).lower()
    in_hand = _names(situation.in_hand)
    here = {name for name in in_hand if name in question}
    left = _without(question, here)
    return here, {name for name in _names(situation.elsewhere) - in_hand if name in left}


def _without(text: str, names: Iterable[str]) -> str:
    """The text in lower case, without the names."""
    text = text.lower()
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    return text


def _last_answer_names(situation: Situation) -> float:
    answer = simplified(situation.earlier[-1][1]).lower() if situation.earlier else ""
    return float(any(name in answer for material in situation.in_hand for name in material.names))


def _siblings(elsewhere: Sequence[Material], in_hand: Sequence[Material]) -> list[Material]:
    documents = {material.document for material in in_hand}
    return [material for material in elsewhere if material.document in documents]


def _margin(others: Sequence[Material], in_hand: Sequence[Material]) -> float:
    """How much better the best of some passages fits than the best in hand, from -1 (none fits) to 1."""
    other, held = (max((material.score for material in group), default=0.0) for group in (others, in_hand))
    return (other - held) / (other + held) if other + held else 0.0
