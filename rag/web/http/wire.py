"""What comes from programs as text, and what of a turn and its evidence goes out to them."""

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import AfterValidator

from rag import i18n
from rag.citations import verify
from rag.i18n import Language
from rag.language.folding import encodable
from rag.trace import judged
from rag.types import Candidate, CheckedSentence, Evidence, Turn, Verification

# Programs cut texts in the midst of an emoji; half of one could be sent to no model.
EncodableText = Annotated[str, AfterValidator(encodable)]


def of_live(evidence: Iterable[Evidence], candidates: Iterable[Candidate], language: Language) -> list[dict[str, Any]]:
    """The evidence of an answer that is being written: nothing of that is verified yet."""
    return _passages(evidence, candidates, Verification(), language)


def of_turn(turn: Turn, language: Language) -> list[dict[str, Any]]:
    """A finished turn's evidence. Pages count from 1; `page_label` is what is printed on the first.

    `score` orders the search's hits (0: read where the question points to), `relevance` is how probably one answers
    (None: nothing judged that). `verified` is whether the passage says all that the answer cites it for (None: nothing
    to verify), `reason` why not.
    """
    return _passages(turn.sources, turn.trace.candidates, verify(turn), language)


def sources(turn: Turn, language: Language) -> list[dict[str, Any]]:
    """The same with what leads back to its documents, and the sentences that a filter kept it for, with its reasons."""
    return [
        {
            **passage,
            "file_id": item.document_id,
            "heading_path": list(item.heading_path),
            "key_passage": item.use.key_passage if item.use else None,
            "key_passage_reason": item.use.reason if item.use else None,
        }
        for passage, item in zip(of_turn(turn, language), turn.sources, strict=True)
    ]


def cited(passage: dict[str, Any], sentence: CheckedSentence | None, language: Language) -> dict[str, Any]:
    """A passage with what was found of one sentence that cites it; None for what is no sentence."""
    number: int = passage["number"]
    verified = sentence.bears_out(number) if sentence else None
    return passage | _finding(verified, (sentence,) if sentence else (), number, language)


def _passages(
    evidence: Iterable[Evidence], candidates: Iterable[Candidate], verification: Verification, language: Language
) -> list[dict[str, Any]]:
    relevance = judged(candidates)
    return [
        {
            "number": item.number,
            "file": item.document_name,
            "page": item.page,
            "last_page": item.pages[-1],
            "page_label": item.page_label,
            "score": item.score,
            "relevant": item.relevant,
            "relevance": relevance.get(item.chunk_id),
            **_finding(verification.bears_out(item.number), verification.doubted(item.number), item.number, language),
            "text": item.text,
        }
        for item in evidence
    ]


def _finding(
    verified: bool | None, sentences: Iterable[CheckedSentence], number: int, language: Language
) -> dict[str, Any]:
    reasons = (i18n.sentence(language, one.doubt(number)) for one in sentences)
    return {"verified": verified, "reason": next(reasons, None) if verified is False else None}
