"""The answer of a client that wants none of what begins with one of its stop texts."""

from collections.abc import Iterator, Sequence

from rag import events
from rag.turn.answering import answer_stage
from rag.turn.context import Stage, TurnContext
from rag.turn.draft import Draft
from rag.types import Usage


def stopped_answer_stage(draft: Draft, context: TurnContext) -> Stage:
    """Stream the answer, up to the first of the texts that it shall stop at. Raises ModelError, StoreError.

    The turn has no more of it than was streamed: a client's next messages repeat that.
    """
    answering = answer_stage(draft, context)
    return _until_stopped(answering, draft, context) if draft.options.stop else answering


def _until_stopped(answering: Stage, draft: Draft, context: TurnContext) -> Stage:
    """The events of an answer before its stop text. What may be the beginning of one is held back."""
    said, given = "", 0
    for event in answering:
        match event:
            case events.Token(text):
                said = said + text if given else (said + text).lstrip()  # a blank line before the answer stops none
                stop = _stop(said, given, draft.options.stop)
                certain = len(said) - _begun(said[given:], draft.options.stop) if stop is None else stop
                if certain > given:
                    yield events.Token(said[given:certain])
                if stop is not None:
                    draft.answer = said[:stop]
                    draft.add_usage(_estimated(draft, context))
                    return  # without its reader, the model's run ends
                given = certain
            case events.Budgeted() | events.ThoughtsEnded():  # what was said before is no part of the answer
                said, given = "", 0
                yield event
            case _:
                yield event
    if given < len(said):
        yield events.Token(said[given:])


def _stop(said: str, given: int, stops: Sequence[str]) -> int | None:
    """Where the stop text begins that is whole first, however what was said came in pieces."""
    found = [(place + len(stop), place) for stop in stops if (place := said.find(stop, given)) >= 0]
    return min(found)[1] if found else None


def _begun(rest: str, stops: Sequence[str]) -> int:
    """How many characters at the end may be the beginning of a stop text."""
    lengths: Iterator[int] = (
        length for stop in stops for length in range(1, len(stop)) if rest.endswith(stop[:length])
    )
    return max(lengths, default=0)


def _estimated(draft: Draft, context: TurnContext) -> Usage:
    """What was read and written, which a model counts only at its end."""
    if draft.budget is None:
        return Usage()
    return Usage(draft.budget.limit - draft.budget.left, 0, context.estimate(draft.thinking + draft.answer))
