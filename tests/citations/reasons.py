"""Why a passage does not bear out what cites it, by the name of the reason that the reader is told."""

from collections.abc import Sequence

from rag.citations import check
from rag.types import Evidence, Support
from tests.samples import evidence


def reason_among(answer: str, sources: Sequence[Evidence], question: str = "") -> str | None:
    """Of the last sentence of an answer to a question; None where the passages bear it out."""
    *_, checked = check(answer, sources, [question])
    assert (checked.support is Support.SUPPORTED) == (checked.reason is None)
    return checked.reason.key.removeprefix("citation.") if checked.reason else None


def reason_of_last(answer: str, passage: str, question: str = "") -> str | None:
    """The same, where there is one passage."""
    return reason_among(answer, [evidence(1, passage)], question)


def reason_of(sentence: str, passage: str) -> str | None:
    """Of one sentence, given without its marker and its full stop."""
    return reason_of_last(f"{sentence}[1]。", passage)
