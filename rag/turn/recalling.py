"""The third stage of a turn: older turns that it comes back to."""

import time

from rag import events
from rag.memory import FORM_TOKENS
from rag.settings import LEAST_EVIDENCE
from rag.turn.context import Stage, TurnContext
from rag.turn.draft import Draft
from rag.types import Decision


def recall_stage(draft: Draft, context: TurnContext) -> Stage:
    """Bring back older turns that the question comes back to; what evidence in hand covers needs none."""
    if draft.decision is Decision.REUSE or not context.transcript.older:
        return
    begun = time.perf_counter()
    draft.recalled = context.recall(draft.whole_question, context.transcript)
    searches = draft.decision is Decision.RETRIEVE
    needed = FORM_TOKENS + min(LEAST_EVIDENCE, context.evidence_tokens) if searches else 0
    while draft.recalled and context.left(draft) < needed:
        draft.recalled = draft.recalled[1:]
    if draft.recalled:
        yield events.Recalled(draft.recalled, time.perf_counter() - begun)
