"""Turns under the names and in the formats of other programs' records: the payload of a turn in a vector database."""

import uuid
from datetime import UTC, datetime

from pydantic import BaseModel

from rag.tokens import average_estimate
from rag.types import Decision, Turn


class Payload(BaseModel):
    """A turn's record. Its time has no zone and is local to this machine; other fields are ignored."""

    session_id: str
    user_query: str
    assistant_response: str
    timestamp: datetime
    context_docs: tuple[str, ...] = ()
    token_count: int = 0
    turn_id: str | None = None
    parent_turn_id: str | None = None

    @property
    def known_id(self) -> str:
        """The turn's id; where the record has none, one that the same record always gets."""
        content = f"{self.session_id} {self.timestamp.isoformat()} {self.user_query}"
        return self.turn_id or uuid.uuid5(uuid.NAMESPACE_OID, content).hex

    @property
    def moment(self) -> datetime:
        """When the turn was, in UTC."""
        return self.timestamp.astimezone(UTC)


def local_time(moment: datetime) -> str:
    """A moment as records tell it."""
    return moment.astimezone().replace(tzinfo=None).isoformat(timespec="microseconds")


def payload(turn: Turn) -> dict[str, object]:
    """The record of a turn; `token_count` estimates question and answer by average rates, the same on every machine."""
    names = (*turn.context_docs, *(item.document_name for item in turn.sources))
    return {
        "session_id": turn.session_id,
        "user_query": turn.question,
        "assistant_response": turn.answer,
        "timestamp": local_time(turn.created_at),
        "context_docs": list(dict.fromkeys(names)),
        "token_count": average_estimate(turn.question) + average_estimate(turn.answer),
        "turn_id": turn.turn_id,
        "parent_turn_id": turn.parent_turn_id,
    }


def to_turn(values: Payload, conversation_id: str) -> Turn:
    """The turn that a record tells of, without the times and passages that records do not have."""
    return Turn(
        turn_id=values.known_id,
        parent_turn_id=values.parent_turn_id,
        session_id=values.session_id,
        conversation_id=conversation_id,
        question=values.user_query,
        generated_question=values.user_query,
        decision=Decision.RETRIEVE if values.context_docs else Decision.NO_RETRIEVE,
        answer=values.assistant_response,
        created_at=values.moment,
        context_docs=values.context_docs,
    )
