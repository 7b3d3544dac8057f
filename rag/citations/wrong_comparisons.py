"""Comparisons of a sentence that its passage has the other way round: growth for a fall, 至少 for 至多."""

from collections.abc import Iterator

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.words import LEAST, MOST, opposites


def wrong_comparisons(_: Claim, cited: Cited) -> Iterator[str]:
    """Words whose opposite stands in the passage instead, and bounds turned round."""
    for alignment in cited.changed:
        clause, passage = alignment.clause.text, alignment.passage.text
        yield from (one.word for one in opposites(clause, passage) if not one.agrees)
        for bound, opposite in ((LEAST, MOST), (MOST, LEAST)):
            match = bound.search(clause)
            if match and alignment.clause.numbers and not bound.search(passage) and opposite.search(passage):
                yield match[0]
