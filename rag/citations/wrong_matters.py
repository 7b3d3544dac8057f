"""What its passages tell of something else than was asked: 18元 to 早餐多少钱 beside 早餐15元，午餐18元.

What a figure or a name is told of only who understands the passage knows for certain. But what a question speaks of
mostly stands near what answers it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import exp

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import PAUSES_OF_A_LIST, Plain, plain
from rag.citations.wrong_joins import joined_clauses
from rag.citations.wrong_labels import crossed_statements, mislabelled_numbers
from rag.language.measures import is_measure, times
from rag.language.numbers import Number

# Nothing but a figure and what it counts, or a name.
_BARE_FIGURE = re.compile(r"[是为约有共达即:\s]*#[^#,;。!?|\n]{0,5}[\s。.!]*")
_BARE_NAME = re.compile(rf"\s*(?P<name>[^\s{PAUSES_OF_A_LIST}#][^{PAUSES_OF_A_LIST}#]{{1,14}})[\s。.!]*")
# What is asked of; nobody says more without a pause, and each place of a question may be where it begins.
_OF = r"(?P<of>[^,;。!?\n]{2,40}?)"
# What asks for an amount, behind what it is of: 早餐 of 早餐要多少钱一份.
_AMOUNT_OF = re.compile(rf"{_OF}的?(?:[是为有要收交达约]|一?共|大约|大概){{0,4}}(?:多少|几|多[大长高久远重宽深厚])")
# What asks for a name, with what stands before and behind that: 总经理|是|谁, 补贴|归|谁|所有.
_NAME_OF = re.compile(
    rf"{_OF}(?P<link>是由|是|为|由|归|叫|属于|位于|负责|在)?"
    r"(?:谁|什么|哪[里儿些个家位所座]?|何处|何地)(?P<rest>[^,;。!?\n]*)"
)
_AT_END = re.compile(r"[呢啊呀吗的]*$")
# Which of several it is, and no amount: 第3章.
_WHICH = re.compile(r"第\s?$")
# The weight of a term falls with its distance in characters, with each sentence end and pause in between, and the more
# often its passage has it. When `_LEAST` is added to both, another figure that counts the same has to stand so much
# nearer than the own, or what was asked so much nearer to any other place. Fitted on answers to questions of CMRC,
# DuReader, DRCD and cjrc_law, and on what `python -m bench citations` plants in their place.
_REACH, _EACH_SENTENCE, _EACH_PAUSE, _MOST_PAUSES, _COMMON = 60, 0.25, 0.85, 3, 0.75
_LEAST, _NEARER_FIGURE, _NEARER_PLACE = 0.8, 1.6, 3.0
# What a passage has more often tells no place from another; and each place is compared with all others.
_MOST_OCCURRENCES, _MOST_PLACES = 12, 200
_Place = tuple[int, str, float]


def told_of_another_label(claim: Claim, cited: Cited) -> Iterator[str]:
    """A figure or name that is all an answer says, put where its question asks for it: 早餐为18元, 总经理是李明."""
    for statement in _statements(claim):
        said = replace(claim, text=plain(statement))
        of_statement = Cited(said, cited.sources)
        yield from mislabelled_numbers(said, of_statement)
        yield from crossed_statements(said, of_statement)
        yield from joined_clauses(said, of_statement)


def _statements(claim: Claim) -> Iterator[str]:
    """What question and answer say together; nothing for an item of a list, which is not all that was asked for."""
    if claim.before.strip():
        return
    asked = claim.asked.as_written
    if len(claim.own_numbers) == 1 and _BARE_FIGURE.fullmatch(claim.text.text):
        yield from (f"{one['of'].strip()}为{claim.text.as_written}" for one in _AMOUNT_OF.finditer(asked))
    elif name := _name(claim):
        for one in _NAME_OF.finditer(asked):
            yield f"{one['of'].strip()}{one['link'] or '为'}{name}{_AT_END.sub('', one['rest'])}"


def _name(claim: Claim) -> str:
    """What alone answers, and is no yes or no; "" for anything else, as for an item of a list."""
    said = _BARE_NAME.fullmatch(claim.text.text)
    is_alone = said and not claim.before.strip() and not claim.only_answers and claim.own_terms
    return said["name"] if said and is_alone else ""


def figures_of_another_matter(claim: Claim, cited: Cited) -> Iterator[str]:
    """The only figure of a sentence, where another that counts the same stands much nearer to what it speaks of.

    Figures of tables are told by row and column.
    """
    if len(claim.own_numbers) != 1 or not (_BARE_FIGURE.fullmatch(claim.text.text) or cited.changed):
        return
    (own,) = claim.own_numbers
    here = elsewhere = 0.0
    if claim.asked.has(own):
        return
    forms = _forms(own, cited.passages)
    for passage in cited.passages:
        alike = [one for one in passage.numbers if (one.kind, one.unit) in forms and not claim.asked.has(one)]
        places = _places(passage, cited.spoken_of) if alike else []
        for other in alike:
            if passage.is_in_a_row(other.place) or _WHICH.search(passage.text, 0, other.place):
                return
            near = _nearness(other.place, passage, places)
            here, elsewhere = (max(here, near), elsewhere) if own.agrees(other) else (here, max(elsewhere, near))
    if _is_nearer(elsewhere, here, _NEARER_FIGURE):
        yield own.written


def names_of_another_matter(claim: Claim, cited: Cited) -> Iterator[str]:
    """What alone answers in words of the passages, where these speak much more of what was asked in another place."""
    name, here, elsewhere = _name(claim), -1.0, 0.0
    for passage in cited.passages if name else ():
        own = [match.start() for match in re.finditer(re.escape(name.lower()), passage.folded)]
        if any(map(passage.is_in_a_row, own)):
            return
        places = _places(passage, claim.asked.vocabulary)
        here = max([here, *(_nearness(place, passage, places) for place in own)])
        elsewhere = max([elsewhere, *(_nearness(place, passage, places) for place, _, _ in places)])
    if here >= 0 and _is_nearer(elsewhere, here, _NEARER_PLACE):
        yield name


def _forms(own: Number, passages: Sequence[Plain]) -> set[tuple[str, str]]:
    """The kind and unit of a number of a claim, where it has any, and those in which passages may tell the same."""
    told = (one for passage in passages for one in passage.numbers if own.agrees(one) and _may_be_told_in(own, one))
    as_told = {(one.kind, one.unit) for one in told}
    return as_told | {(own.kind, own.unit)} if own.kind or own.unit else as_told


def _may_be_told_in(own: Number, other: Number) -> bool:
    """Whether two units may count the same: 3天 and 3日, 5人 and 5名, 2 and 2项; not 4公分 and 4公尺."""
    are_measured = is_measure(own.unit) or is_measure(other.unit)
    return not own.unit or not are_measured or times(own.unit, other.unit) is not None


def _is_nearer(elsewhere: float, here: float, ratio: float) -> bool:
    return elsewhere + _LEAST > ratio * (here + _LEAST)


def _places(passage: Plain, spoken_of: frozenset[str]) -> list[_Place]:
    """Where a passage has what is spoken of, and what each place weighs."""
    often = passage.occurrences
    found = [one for one in passage.terms if one[1] in spoken_of and often[one[1]] <= _MOST_OCCURRENCES]
    return [(place, term, often[term] ** -_COMMON) for place, term in found[:_MOST_PLACES]]


def _nearness(place: int, passage: Plain, places: Sequence[_Place]) -> float:
    """How near what is spoken of stands to a place: of each term its heaviest one."""
    heaviest: dict[str, float] = {}
    for other, term, weight in places:
        pauses, sentences = passage.ends_between(other, place)
        near = exp(-abs(other - place) / _REACH) * _EACH_SENTENCE**sentences * _EACH_PAUSE ** min(pauses, _MOST_PAUSES)
        heaviest[term] = max(heaviest.get(term, 0.0), near * weight)
    return sum(heaviest.values())
