"""What a sentence counts as something, or among it, of which its passage says that it is none, or not among it.

算转租 beside 不视为转租, and 包含消防改造 beside 含运费，不含土建、消防改造.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import PAUSE, WHOLE_END, Plain
from rag.language.folding import HAN

_COUNTED_AS = re.compile(
    rf"(?P<denied>不|并不|并非|不得)?(?:视为|视作|看作|算[作是]?|属于|构成|计入|纳入|列入)(?P<what>[{HAN}]{{2,8}})"
)
_AMONG = re.compile(
    r"(?P<denied>不|未|没有?|并不|并未|不再)?(?:(?P<holds>包[含括]|含有?|涵盖|覆盖|囊括)|(?P<does>负责|承担|负担)|(?P<may>支持|提供|适用于?))"
)
_ITEM_END = re.compile(r"[、,;。!?\n|()和与及]|以及|的(?:费用?|服务|内容|部分|项目)(?=[,;。!?\n|()]|$)")
_SHORTEST_ITEM = 2
_LEAST_COMMON = 2


@dataclass(frozen=True, slots=True)
class _Counted:
    """As what something is counted, or is not where that is denied, and the terms before that in its sentence."""

    what: str
    is_denied: bool
    of: frozenset[str]


def denied_classes(claim: Claim, cited: Cited) -> Iterator[str]:
    """What a sentence says that something is, where the passages that speak of the same say only that it is not."""
    for said in _COUNTED_AS.finditer(claim.text.folded):
        told = list(_told_of(said, claim, cited))
        if told and all(told) and not said["denied"]:
            yield said[0]


def denies_as_told(claim: Claim, cited: Cited) -> bool:
    """Whether a sentence denies that something is what its passages say it is not."""
    found = _COUNTED_AS.finditer(claim.text.folded)
    return any(said["denied"] and any(_told_of(said, claim, cited)) for said in found)


def denied_items(claim: Claim, cited: Cited) -> Iterator[str]:
    """What a sentence says that is held, done or given, where its passages list the same only as what is not.

    Or the other way round: the nearest such verb before it in its clause tells.
    """
    for said, item, listed in _listed(claim, cited):
        if listed == {not said["denied"]}:
            yield f"{said[0]}{item}"


def lists_as_told(claim: Claim, cited: Cited) -> bool:
    """Whether passages list all that a sentence says is held or not as it does, and it denies no more than that."""
    told = [(said, listed == {bool(said["denied"])}) for said, _, listed in _listed(claim, cited)]
    denied = {said.start() for said, _ in told if said["denied"]}
    return bool(denied) and len(denied) == len(claim.text.denials) and all(agrees for _, agrees in told)


def _listed(claim: Claim, cited: Cited) -> Iterator[tuple[re.Match[str], str, set[bool]]]:
    """What a sentence says of each thing listed, and whether the passages deny that of it."""
    text = claim.text
    for said in _AMONG.finditer(text.folded):
        subject = text.folded[text.begin_of_clause(said.start()) : said.start()]
        listed = text.folded[said.end() : text.end_of_clause(said.end())]
        for item in _ITEM_END.split(listed):
            if len(item) >= _SHORTEST_ITEM and "#" not in item:
                yield said, item, set(_denied_of(item, said.lastgroup, subject, cited))


def _denied_of(item: str, kind: str | None, subject: str, cited: Cited) -> Iterator[bool]:
    """For each clause of the passages with an item behind such a verb, whether that is denied of the same subject."""
    for clause in (clause for passage in cited.passages for clause in PAUSE.split(passage.folded)):
        if (place := clause.find(item)) >= 0:
            verbs = [verb for verb in _AMONG.finditer(clause, 0, place) if verb.lastgroup == kind]
            yield from (bool(verb["denied"]) for verb in verbs[-1:] if _may_be_same(subject, clause[: verb.start()]))


def _may_be_same(subject: str, other: str) -> bool:
    """Whether what two clauses begin with may be one subject: not so 甲方 and 乙方."""
    return not subject or not other or bool({*pairwise(subject)} & {*pairwise(other)})


def _told_of(said: re.Match[str], claim: Claim, cited: Cited) -> Iterator[bool]:
    """For each time that the passages tell of the same that it is this or is not, whether they deny it."""
    what = said["what"]
    told = [one for passage in cited.passages for one in _counted_as(passage)]
    alike = [one for one in told if one.what.startswith(what) or what.startswith(one.what)]
    subject = claim.text.part(0, said.start()).vocabulary | claim.asked.vocabulary if alike else frozenset()
    return (one.is_denied for one in alike if len(subject & one.of) >= _LEAST_COMMON)


# Every such word of an answer asks for the same passages.
@lru_cache(maxsize=64)
def _counted_as(passage: Plain) -> tuple[_Counted, ...]:
    """What a passage tells to be something, or to be none."""
    return tuple(
        _Counted(told["what"], bool(told["denied"]), sentence.part(0, told.start()).vocabulary)
        for sentence in passage.cut(WHOLE_END)
        for told in _COUNTED_AS.finditer(sentence.folded)
    )
