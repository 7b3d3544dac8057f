"""Waiting for files: where a search finds nothing, one may still be read, or lack the vectors of its passages."""

import time
from collections.abc import Generator
from functools import partial

from rag import events
from rag.knowledge.reading_order import PlacedDocument
from rag.turn.context import TurnContext
from rag.turn.draft import Draft
from rag.turn.references import is_used

# Two hundred pages of text can be searched after 3 to 10 s, on a busy machine after 40; others wait no longer for this
# turn than for one that is answered.
_READING_SECONDS, _WHILE_OTHERS_WAIT = 60.0, 15.0
# A file that was just added is found by its words alone, and by these nine of ten everyday questions find nothing. Two
# cores make some 14 vectors a second, and these are stored every 1.5 seconds.
_MOST_AWAITED, _LOOK_SECONDS, _PATIENCE_SECONDS = 100, 0.25, 4.0


def coming(draft: Draft, context: TurnContext) -> tuple[PlacedDocument, ...]:
    """The reader's documents that a turn may use once they have been read, the newest first. Raises StoreError."""
    known = context.retrieval.documents(context.collections)
    return tuple(one for one in known if one.is_coming and not one.is_shared and is_used(one, draft.scope))


def file_came(draft: Draft, context: TurnContext) -> Generator[events.TurnEvent, None, bool]:
    """Wait, for some seconds of a turn, until a file has been read; whether one has, or could not be."""
    before = coming(draft, context)
    if not before:  # to step aside would let the background begin, beside the answer
        return False
    with context.ticket.aside():
        while draft.elapsed < (_WHILE_OTHERS_WAIT if context.ticket.keeps_others() else _READING_SECONDS):
            yield events.Waiting()
            if draft.cancel.wait(_LOOK_SECONDS):
                return False
            if len(coming(draft, context)) < len(before):
                return True
    return False


def vectors_came(draft: Draft, context: TurnContext) -> Generator[events.TurnEvent, None, bool]:
    """Wait, as long as vectors come, until what was just added has all of its own; whether it has."""
    lacking = partial(context.retrieval.knowledge.lacking, context.collections, draft.scope)
    left = lacking()
    if not 0 < left <= _MOST_AWAITED:
        return False
    since = time.monotonic()
    with context.ticket.aside():
        while left and time.monotonic() - since < _PATIENCE_SECONDS:
            yield events.Waiting()
            if draft.cancel.wait(_LOOK_SECONDS):
                return False
            if (now := lacking()) < left:
                left, since = now, time.monotonic()
    return left == 0
