"""What can be wrong with a sentence that cites passages: its numbers, names, denials, comparisons, or all of it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from rag.citations.lexicon import ends_a_name, lexicon
from rag.citations.numerals import Number
from rag.citations.plain import Plain
from rag.citations.source import Source, Window, best_window, pairs
from rag.citations.words import LEAST, MOST, OPPOSITES, denials
from rag.types import Message

# A sentence of which the passage holds less than this share says something else.
_LEAST_COVERAGE = 0.3
# Too few terms of its own to judge a sentence by: "15 天".
_FEWEST_TERMS = 4
# How much of the same text before and after shows that two numbers tell the same thing.
_CONTEXT = 8
_STRONG_CONTEXT = 4
_COUNTED = "个种点类项条部步方"
_COUNTED_UP_TO = 10
_CODE = re.compile(r"[A-Za-z_][A-Za-z\d_]*(?:[-.][A-Za-z\d_]+)*")
_QUOTED = re.compile(r"《([^《》]{2,40})》|“([^“”]{2,40})”|「([^「」]{2,40})」")
_LEAST_OF_A_QUOTE = 0.7
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")
_MOSTLY_LATIN = 0.2
_NEAR = 3
_LONGEST_GAP = 6


@dataclass(frozen=True)
class Claim:
    """A sentence of an answer, and the questions whose words it may use."""

    text: Plain
    asked: Plain

    @cached_property
    def clauses(self) -> tuple[Plain, ...]:
        """Its clauses."""
        return self.text.clauses()

    @cached_property
    def asked_terms(self) -> frozenset[str]:
        """What the questions speak of."""
        return frozenset(term for _, term in self.asked.terms)


def contradiction(claim: Claim, sources: Sequence[Source]) -> Message | None:
    """Why the passages do not bear out the sentence; None where they do."""
    windows = [(clause, best_window(clause, sources)) for clause in claim.clauses]
    for what, found in (
        ("number", _wrong_number(claim, sources)),
        ("name", _wrong_name(claim, sources)),
        ("comparison", next(_wrong_comparisons(windows), None)),
        ("denial", next(_wrong_denials(windows), None)),
    ):
        if found is not None:
            return Message(f"citation.{what}", {"text": found})
    return Message("citation.overlap") if _share(claim, windows) < _LEAST_COVERAGE else None


def coverage(claim: Claim, sources: Sequence[Source]) -> float:
    """The share of a sentence's terms that stand together in the passages, clause by clause."""
    windows = [(clause, best_window(clause, sources)) for clause in claim.clauses]
    wanted = sum(len({term for _, term in clause.terms}) for clause, _ in windows)
    return sum(window.held for _, window in windows) / max(1, wanted)


def _share(claim: Claim, windows: Sequence[tuple[Plain, Window]]) -> float:
    """Like `coverage`, of what the question does not say; 1 where that is too little to judge."""
    own = [{term for _, term in clause.terms} - claim.asked_terms for clause, _ in windows]
    wanted = sum(map(len, own))
    if wanted < _FEWEST_TERMS:
        return 1.0
    held = sum(
        len(terms & {term for _, term in window.text.terms}) for terms, (_, window) in zip(own, windows, strict=True)
    )
    return held / wanted


def _wrong_number(claim: Claim, sources: Sequence[Source]) -> str | None:
    """The first number that no passage has, or that stands in another's place."""
    asked = {number.value for number in claim.asked.numbers}
    for number in claim.text.numbers:
        if number.value in asked:
            continue
        rivals = [(other, source.text) for source in sources for other in source.text.numbers]
        right = [pair for pair in rivals if number.agrees(pair[0])]
        titled = any(number.agrees(other) for source in sources for other in source.titles.numbers)
        if titled or (not right and _may_be_counted(claim.text, number, sources)):
            continue
        best = max((_context(claim.text, number, text, other) for other, text in right), default=-1)
        wrong = max((_context(claim.text, number, text, o) for o, text in rivals if not number.agrees(o)), default=-1)
        if not right or (wrong >= _STRONG_CONTEXT and wrong > 2 * best + 1):
            return _told(number)
    return None


def _context(text: Plain, number: Number, other_text: Plain, other: Number) -> int:
    """How many characters before and after two numbers are the same."""
    a, b, i, j = text.folded, other_text.folded, number.place, other.place
    before = after = 0
    while before < _CONTEXT and before < min(i, j) and a[i - before - 1] == b[j - before - 1]:
        before += 1
    while (
        after < _CONTEXT and i + after + 1 < len(a) and j + after + 1 < len(b) and a[i + after + 1] == b[j + after + 1]
    ):
        after += 1
    return before + after


def _may_be_counted(text: Plain, number: Number, sources: Sequence[Source]) -> bool:
    """Whether a small number may be the count of what a passage lists without counting: 分为三种."""
    unit = text.text[number.place + 1 : number.place + 2]
    if number.value > _COUNTED_UP_TO or not unit or unit not in _COUNTED:
        return False
    return not any(f"#{unit}" in source.text.text for source in sources)


def _told(number: Number) -> str:
    value = format(number.value.normalize(), "f")
    return f"{value}%" if number.kind == "percent" else value


def _wrong_name(claim: Claim, sources: Sequence[Source]) -> str | None:
    """The first name or code that neither the passages, their titles nor the question have."""
    known = [*(part for source in sources for part in (source.text, source.titles)), claim.asked]
    text = "\n".join(part.folded for part in known)
    for quoted in _QUOTED.finditer(claim.text.folded):
        title = str(quoted[quoted.lastindex or 0])
        inside = [title[i : i + 2] for i in range(len(title) - 1)]
        if title not in text and sum(pair in text for pair in inside) < _LEAST_OF_A_QUOTE * len(inside):
            return title
    return next(_unknown_codes(claim.text, text), None) or next(_unknown_runs(claim.text, pairs(known)), None)


def _unknown_codes(text: Plain, known: str) -> Iterator[str]:
    """Latin words that are not known; among other Latin words only those that are written like names."""
    han = sum(len(run[0]) for run in _HAN.finditer(text.text))
    is_latin = han < _MOSTLY_LATIN * len(text.text)
    for match in _CODE.finditer(text.text):
        word = match[0]
        plain_word = is_latin and (word.islower() or match.start() == 0)
        if len(word) > 1 and not plain_word and word.lower() not in known and not _is_unit(text.text, match.start()):
            yield word


def _is_unit(text: str, place: int) -> bool:
    return text[:place].rstrip().endswith("#")


def _unknown_runs(text: Plain, known: frozenset[str]) -> Iterator[str]:
    """Runs of Chinese characters that no known text has beside each other and that are no ordinary words."""
    words, folded = lexicon(), text.folded
    for run in _HAN.finditer(folded):
        start, end = run.span()
        strange = [
            place
            for place in range(start, end)
            if not _is_shared(folded, place, known)
            and (not words.is_ordinary(folded, place, start, end) or ends_a_name(folded[:end], place))
        ]
        if strange:
            yield folded[max(start, strange[0] - 1) : min(end, strange[-1] + 2)]


def _is_shared(text: str, place: int, known: frozenset[str]) -> bool:
    return text[max(0, place - 1) : place + 1] in known or text[place : place + 2] in known


def _wrong_comparisons(windows: Sequence[tuple[Plain, Window]]) -> Iterator[str]:
    """Words whose opposite stands in the passage instead, and bounds turned round."""
    for clause, window in windows:
        passage = window.text.text
        for pair in OPPOSITES:
            for said, meant in (pair, pair[::-1]):
                if said in clause.text and said not in passage and meant in passage and meant not in clause.text:
                    yield said
        for bound, opposite in ((LEAST, MOST), (MOST, LEAST)):
            match = bound.search(clause.text)
            if match and clause.numbers and not bound.search(passage) and opposite.search(passage):
                yield match[0]


def _wrong_denials(windows: Sequence[tuple[Plain, Window]]) -> Iterator[str]:
    """Denials that the passage lacks where the clause has them, or has where the clause lacks them."""
    for clause, window in windows:
        said, passage = clause.folded, window.text.folded
        ours, theirs = denials(said), denials(passage)
        if not ours and not theirs:
            continue
        blocks = [
            block
            for block in SequenceMatcher(None, said, passage, autojunk=False).get_matching_blocks()
            if block.size > 1
        ]
        if not blocks:
            continue
        for start, end in ours:
            left = max((b.b + min(b.size, start - b.a) for b in blocks if b.a < start), default=blocks[0].b)
            right = min(
                (b.b + max(0, end - b.a) for b in blocks if b.a + b.size > end), default=blocks[-1].b + blocks[-1].size
            )
            if not any(left - _NEAR <= there < right + _NEAR for there, _ in theirs):
                yield said[start : end + 2]
        for start, end in theirs:
            after = next((b for b in blocks if b.b <= end < b.b + b.size), None)
            before = max((b for b in blocks if b.b < start), key=lambda b: b.b, default=None)
            if after is None or (before and before.b + before.size > start):
                continue
            ours_left = before.a + before.size if before else 0
            ours_right = after.a + end - after.b
            if before and start - before.b - before.size > _LONGEST_GAP:
                continue
            if not any(ours_left - _NEAR <= here < ours_right + _NEAR for here, _ in ours):
                yield passage[start : end + 2]
