"""How an answer that is not whole came to its end, in a sentence for the page and for what is exported of it."""

from rag.types import Message, Turn, TurnStatus


def ending(turn: Turn) -> Message | None:
    """Why a turn's answer is not whole; None where it is."""
    if turn.status is TurnStatus.FINISHED:
        return None
    if turn.status is TurnStatus.STOPPED and not turn.answer and turn.message is None:
        return Message("web.chat.stopped_early")
    return turn.message or Message(f"web.chat.{turn.status}")
