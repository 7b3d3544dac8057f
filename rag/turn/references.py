"""What a question refers to: the questions before it, a place in a document, or a document."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from rag.citations import cited_numbers
from rag.evidence import evidence_used
from rag.knowledge.reading_order import PlacedDocument
from rag.language.parted import parted
from rag.language.place import asked_place, named_place
from rag.language.whole_document import points_to_document
from rag.retrieval.meant import called
from rag.rewriting.condense import in_full, leans_on_history
from rag.transcript import Transcript
from rag.turn.context import TurnContext
from rag.turn.draft import Draft
from rag.types import Decision, Place, Scope, Turn

# A question goes on from the last few before it. What each of those went on from is worked out from all before that:
# of 400 questions, half of them follow-ups, it takes ten seconds, and there are programs that only ever have one
# conversation.
_MOST_BEFORE = 50


def is_follow_up(draft: Draft, context: TurnContext) -> bool:
    """Whether a turn's question may not be understood without the conversation before it. Raises StoreError."""
    leans = bool(context.transcript.recent()) and not draft.names_subject and leans_on_history(draft.asked)
    return leans and _asked_of_itself(draft, context) is None


def questions_before(transcript: Transcript) -> tuple[str, ...]:
    """What was last asked of documents, the newest last. Small talk and 题目是什么 are gone on from by none."""
    newest = reversed((*transcript.older, *transcript.turns))
    asked = (turn for turn in newest if turn.decision is not Decision.NO_RETRIEVE and not _of_itself(turn.question))
    turns = reversed([*islice(asked, _MOST_BEFORE)])
    return in_full((parted(turn.question).asked, turn.generated_question) for turn in turns)


def document_meant(draft: Draft, context: TurnContext) -> PlacedDocument | None:
    """The one document of the reader's that may answer a question, if it is new since the last answer or still unread.

    这份文件 means the newest. None where the question may as well mean another: all that are read answer it then.
    Raises StoreError.
    """
    alone = not context.transcript.recent()
    place, points = named_place(draft.asked, alone=alone), points_to_document(draft.asked)
    if draft.options.documents is not None or not (place or points):
        return None
    own = [document for document in context.retrieval.documents(context.collections) if not document.is_shared]
    if place and place.says_of_which and (by_name := called(own, place)):
        return by_name[0] if by_name[0].is_coming else None
    if points and (added := _just_added(own, draft)):
        return added
    is_any = place is not None and not place.says_of_which
    return own[0] if own and is_any and all(document.is_coming for document in own) else None


def _just_added(own: Sequence[PlacedDocument], draft: Draft) -> PlacedDocument | None:
    """The newest document, if it is still being read, or the only one added since the last answer from documents."""
    answered = max((turn.asked_at for turn in draft.path if turn.sources), default=None)
    fresh = [document for document in own if answered is None or document.created_at > answered]
    is_only = answered is not None and len(fresh) == 1 and is_used(fresh[0], draft.scope)
    return fresh[0] if fresh and (fresh[0].is_coming or is_only) else None


def place_of(draft: Draft, context: TurnContext) -> Place | None:
    """The place that a turn's question names, with the document that the talk is about. Raises StoreError."""
    if itself := _asked_of_itself(draft, context):
        return itself
    before, alone = questions_before(context.transcript), not context.transcript.recent()
    place = asked_place(draft.asked, draft.generated_question, before, alone)
    if place and (place.is_numbered or points_to_document(draft.asked)):
        return replace(place, spoken_of=_document_of(draft.path, context))
    return place


def _asked_of_itself(draft: Draft, context: TurnContext) -> Place | None:
    """What is asked that the one document of the talk says of itself: 作者是谁. Raises StoreError."""
    place = _of_itself(draft.asked)
    document = _document_of(draft.path, context) if place else None
    return replace(place, spoken_of=document) if place and document else None


def _of_itself(question: str) -> Place | None:
    place = named_place(question)
    return place if place and place.of_itself else None


def documents_spoken_of(path: Sequence[Turn], context: TurnContext) -> frozenset[str]:
    """The ids of the documents that the last answer from documents cites most. Raises StoreError."""
    cited = _cited_last(path, context)
    return frozenset(document for document, times in cited.items() if times == max(cited.values()))


def _document_of(path: Sequence[Turn], context: TurnContext) -> str | None:
    """The id of the one document that the last answer from documents was taken from."""
    cited = _cited_last(path, context)
    return next(iter(cited)) if len(cited) == 1 else None


def _cited_last(path: Sequence[Turn], context: TurnContext) -> Counter[str]:
    """From how many passages of each of the reader's documents the last answer from documents was taken.

    Of none where one was added since: the reader may be about to speak of that.
    """
    told = (turn for turn in reversed(path) if turn.decision is not Decision.NO_RETRIEVE)
    for turn in told:
        used = evidence_used(turn)
        cited = [item for item in used if item.number in cited_numbers(turn.answer)]
        if documents := [item.document_id for item in cited or used]:
            own = [one for one in context.retrieval.documents(context.collections) if not one.is_shared]
            known = {one.document_id for one in own if one.created_at < turn.asked_at}
            return Counter(one for one in documents if one in known) if len(known) == len(own) else Counter()
    return Counter()


def is_used(document: PlacedDocument, scope: Scope) -> bool:
    """Whether what a session may use includes a document."""
    return scope.document_ids is None or document.document_id in scope.document_ids
