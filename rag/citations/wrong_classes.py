"""What a sentence counts as something of which its passage says that it is none: 算转租 beside 不视为转租."""

import re
from collections.abc import Iterator

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import Plain
from rag.language.folding import HAN

_COUNTED_AS = re.compile(
    rf"(?P<denied>不|并不|并非|不得)?(?:视为|视作|看作|算[作是]?|属于|构成|计入|纳入|列入)(?P<what>[{HAN}]{{2,8}})"
)
_SENTENCE = re.compile(r"[^。!?\n|]+")
_LEAST_COMMON = 2


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


def _told_of(said: re.Match[str], claim: Claim, cited: Cited) -> Iterator[bool]:
    """For each time that the passages tell of the same that it is this or is not, whether they deny it."""
    subject = _terms(claim.text.part(0, said.start())) | _terms(claim.asked)
    for passage in cited.passages:
        for denied, of in _told(passage, said["what"]):
            if len(subject & _terms(of)) >= _LEAST_COMMON:
                yield denied


def _told(passage: Plain, what: str) -> Iterator[tuple[bool, Plain]]:
    """Whether a passage denies that something is this, for each that it tells so, and what stands before."""
    for sentence in _SENTENCE.finditer(passage.folded):
        for told in _COUNTED_AS.finditer(sentence[0]):
            if told["what"].startswith(what) or what.startswith(told["what"]):
                yield bool(told["denied"]), passage.part(sentence.start(), sentence.start() + told.start())


def _terms(text: Plain) -> frozenset[str]:
    return frozenset(term for _, term in text.terms)
