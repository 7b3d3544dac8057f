"""The beginning of one clause joined with the end of another: 进口56484亿元 of 出口56484亿元，进口42393亿元."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag.citations.cited import Cited
from rag.citations.claim import Claim, speaks_of
from rag.citations.plain import LEAD, PAUSES_OF_A_LIST

_SENTENCE = re.compile(r"[^。!?\n]+")
_CLAUSE = re.compile(f"[^{PAUSES_OF_A_LIST}]+")
_PAUSE = re.compile("[,;]")
# Between the two a sentence may put what its passage does without.
_LINK = ",:的为是则就按"
# What is told of several, by a pronoun or in some case is told of each.
_OF_ALL = re.compile(
    "^(?:[两各全每其该此本这]|双方|所有|任何|上述|以上)|[均都各也亦]|分别|同样|一律|[和与及或]$|[时后前中内下起的]$"
)
# It may be told of what is said as well, or be told of a period or a comparison.
_TOO = re.compile("[也亦]|同样|[相等]同|一致|参照")
_PERIOD = re.compile(r"(?:\d+年|[本上去今明当次同前][期年月季]).?|[比较].*")
# Before what is so then: 不满六个月的，支付半个月工资.
_CASE = re.compile(r"[^,;。!?|()\n]{2,40}[的者时后前下]|(?:如果|若|遇|如[有属遇需未无])[^,;。!?|()\n]{2,40}")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SHORTEST, _SHORTEST_PART, _LONGEST = 5, 2, 60
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a passage, and where its clauses begin and end."""

    text: str
    clauses: tuple[_Span, ...]

    def places(self, part: str) -> Iterator[tuple[int, _Span, int]]:
        """Where the sentence has a part, and no number cut in two: its clause's number, the clause, the place."""
        for number, (start, end) in enumerate(self.clauses):
            place = self.text.find(part, start, end)
            while place >= 0:
                if not _cuts_a_number(self.text, place, place + len(part)):
                    yield number, (start, end), place
                place = self.text.find(part, place + 1, end)


def joined_clauses(claim: Claim, cited: Cited) -> Iterator[str]:
    """The end of a sentence that its passages tell only of something else, and another thing of what it begins with.

    Both stand in one sentence there, in clauses of their own.
    """
    passages = [passage.valued for passage in cited.passages]
    for said in (said.strip(" ,:、;") for said in _statements(claim.text.valued)):
        if not _SHORTEST <= len(said) <= _LONGEST or any(said in passage for passage in passages):
            continue
        ends = [
            end
            for passage in passages
            for sentence in _sentences(passage)
            for end in (*_joined(said, sentence, passages, claim), *_of_another_case(said, sentence))
        ]
        if ends and "" not in ends:
            yield max(ends, key=len)


def _statements(text: str) -> Iterator[str]:
    """The sentences of a text, and the clauses of those that have several."""
    for sentence in _SENTENCE.findall(text):
        clauses = _PAUSE.split(sentence)
        yield from (sentence, *(clauses if len(clauses) > 1 else ()))


def _sentences(passage: str) -> tuple[_Sentence, ...]:
    return tuple(
        _Sentence(sentence, tuple(match.span() for match in _CLAUSE.finditer(sentence)))
        for sentence in _SENTENCE.findall(passage)
    )


def _joined(said: str, sentence: _Sentence, passages: Sequence[str], claim: Claim) -> Iterator[str]:
    """The ends of what is said that another clause of a sentence has than its beginning; "" where one has both.

    Of what that other clause is of nothing speaks.
    """
    longest = next((end for end in range(len(said), 0, -1) if said[:end] in sentence.text), 0)
    for cut in range(_SHORTEST_PART, min(longest, len(said) - _SHORTEST_PART) + 1):
        head, tail = said[:cut].rstrip(_LINK), said[cut:].lstrip(_LINK)
        if min(len(head), len(tail)) < _SHORTEST_PART or tail not in sentence.text:
            continue
        heads, tails = [*sentence.places(head)], [*sentence.places(tail)]
        if any(one == other and begin < end for one, _, begin in heads for other, _, end in tails):
            yield ""
        elif heads and tails and len(tails) == sum(passage.count(tail) for passage in passages):
            others = [_goes_on(sentence, span, place, head) for _, span, place in heads]
            of = {_told_of(sentence, span, place, tail) for _, span, place in tails}
            # 小明的父亲叫张三，张三是教师 tells it of both.
            is_linked = any(its in other for its in of for other in others)
            is_instead = not is_linked and all(_may_be_instead(other, tail) for other in others)
            if is_instead and all(_is_of_another(its, head, claim) for its in of):
                yield tail


def _of_another_case(said: str, sentence: _Sentence) -> Iterator[str]:
    """What is so in another case than a sentence is said to tell it of; "" where it tells it of this one."""
    case, _, then = said.partition(",")
    if not _CASE.fullmatch(case) or len(then) < _SHORTEST_PART or then not in sentence.text:
        return
    of, told = "", set[str]()
    for clause in _PAUSE.split(sentence.text):
        of = clause if _CASE.fullmatch(clause) else of
        if clause.startswith(then):
            told.add(of)
    if told and any(case in clause for clause in _PAUSE.split(sentence.text)):
        yield "" if any(not its or its in case or case in its for its in told) else then


def _goes_on(sentence: _Sentence, clause: _Span, place: int, head: str) -> str:
    """How a clause goes on behind what it begins with; "" where it begins otherwise, or only names it."""
    before = sentence.text[max(0, clause[0] - 1) : clause[0]]
    lead = LEAD.sub("", sentence.text[clause[0] : place]).strip()
    rest = sentence.text[place + len(head) : clause[1]]
    only_names = before == "(" or (before in (":", "、") and not any(map(str.isdigit, rest)))
    return "" if lead or only_names else rest


def _may_be_instead(other: str, tail: str) -> bool:
    """Whether what something goes on with is said instead of an end: 42393亿元 for 56484亿元, but not for 3部.

    Nor is 每月268元 for 由甲方承担.
    """
    other = other.lstrip(_LINK)
    if not other or _TOO.search(other) or other in tail or tail in other:
        return False
    if _NUMBER.search(other) and not _NUMBER.search(tail):
        return False
    kinds = {_NUMBER.sub("#", told) for told in (other, tail) if _NUMBER.match(told)}
    return len(kinds) < 2 and bool(kinds) == bool(_NUMBER.match(other) and _NUMBER.match(tail))


def _told_of(sentence: _Sentence, clause: _Span, place: int, tail: str) -> str:
    """What a clause tells its end of; "" where it goes on behind that."""
    of = LEAD.sub("", sentence.text[clause[0] : place]).strip()
    return of.rstrip(_LINK) if place + len(tail) == clause[1] else ""


def _is_of_another(of: str, head: str, claim: Claim) -> bool:
    """Whether something is told of another thing than what is said, of which nothing speaks."""
    if len(of) < _SHORTEST_PART or _OF_ALL.search(of) or _PERIOD.fullmatch(of):
        return False
    return head not in of and of not in head and not speaks_of(claim.told, of, head)


def _cuts_a_number(text: str, start: int, end: int) -> bool:
    return any(
        text[place - 1 : place].isdigit() and (text[place : place + 1].isdigit() or text[place : place + 1] == ".")
        for place in (start, end)
    )
