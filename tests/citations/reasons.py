"""Why a passage does not bear out what cites it, by the key of the reason that the reader is told."""

from rag.citations import check
from tests.samples import evidence


def reason_of(sentence: str, passage: str) -> str | None:
    """Of one sentence, given without its marker and its full stop; None where the passage bears it out."""
    (checked,) = check(f"{sentence}[1]。", [evidence(1, passage)])
    return checked.reason.key if checked.reason else None


def reason_of_last(answer: str, passage: str, question: str = "") -> str | None:
    """Of the last sentence of an answer to a question; None where the passage bears it out."""
    *_, checked = check(answer, [evidence(1, passage)], [question])
    return checked.reason.key if checked.reason else None
