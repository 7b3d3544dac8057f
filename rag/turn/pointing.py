"""What a turn goes on from: whether from anything, the questions before it, the place and the document it points to."""

from collections.abc import Sequence
from dataclasses import replace

from rag.citations import cited_numbers
from rag.condense import in_full, leans_on_history
from rag.evidence import evidence_used
from rag.language.place import asked_place
from rag.language.whole import points_to_document
from rag.transcript import Transcript
from rag.turn.context import TurnContext
from rag.turn.draft import Draft
from rag.types import Decision, Place, Turn


def leans(draft: Draft, transcript: Transcript) -> bool:
    """Whether a turn's question may not be understood without the conversation, of which there is some."""
    return bool(transcript.recent()) and not draft.names_subject and leans_on_history(draft.question)


def questions_before(transcript: Transcript) -> tuple[str, ...]:
    """What was asked of documents: what was said besides is no subject of a follow-up."""
    turns = (turn for turn in (*transcript.older, *transcript.turns) if turn.decision is not Decision.NO_RETRIEVE)
    return in_full(
        (turn.question, turn.generated_question if turn.decision is Decision.RETRIEVE else "") for turn in turns
    )


def place_of(draft: Draft, transcript: Transcript, context: TurnContext) -> Place | None:
    """The place that a turn's question names, with the document that the talk is about. Raises StoreError."""
    alone = not transcript.recent()
    place = asked_place(draft.question, draft.generated_question, questions_before(transcript), alone)
    if place and (place.is_numbered or points_to_document(draft.question)):
        return replace(place, spoken_of=_document_of(draft.path, context))
    return place


def _document_of(path: Sequence[Turn], context: TurnContext) -> str | None:
    """The one document of the reader's own that the last answer from any was taken from, if none was added since."""
    own = [document for document in context.retrieval.documents(context.collections) if not document.is_shared]
    told = (turn for turn in reversed(path) if turn.decision is not Decision.NO_RETRIEVE)
    for turn in told:
        used = evidence_used(turn)
        cited = [item for item in used if item.number in cited_numbers(turn.answer)]
        if documents := {item.document_id for item in cited or used}:
            known = {document.document_id for document in own if document.created_at < turn.asked_at}
            return documents.pop() if len(documents) == 1 and len(known) == len(own) and documents <= known else None
    return None
