"""The history that a client sends with each request, and the turns that it is in the store.

Where a client continues what this server answered, its messages lead to the stored turn, with its evidence and the
prompt that the model has in its cache. What the server does not know (it restarted, the client edited an answer or
came from elsewhere) is stored as turns from elsewhere, as a branch of what it knows.
"""

import hashlib
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from cachetools import LRUCache

from loaders.cleaning import without_unseen
from rag.conversation.base import ConversationStore
from rag.conversation.payload import Payload, to_turn
from rag.engine import ROOT
from rag.types import Exchange, Turn

_REMEMBERED = 4096
# Of a history that is not known, the newest are stored: twice what a prompt holds before its beginning is summarised.
_MOST_ADOPTED = 40
# And of their text twice what any prompt holds: hardly a token has more characters than four.
_CHARACTERS_A_TOKEN = 8


@dataclass(frozen=True, slots=True)
class Position:
    """A point in a stored conversation (ROOT: its beginning), under the fingerprint of all that led to it."""

    fingerprint: str
    conversation_id: str
    turn_id: str = ROOT


class Histories:
    """Remembers which turns answered which messages, the few thousand that were last asked for.

    `prompt_tokens` is how many the longest prompt has.
    """

    def __init__(self, store: ConversationStore, prompt_tokens: int) -> None:
        self._store = store
        self._most_characters = _CHARACTERS_A_TOKEN * prompt_tokens
        self._known: LRUCache[str, Position] = LRUCache(_REMEMBERED)
        self._lock = threading.Lock()

    def position(self, session_id: str, exchanges: Sequence[Exchange]) -> Position:
        """Where a turn after these exchanges belongs. Raises StoreError."""
        prints = _fingerprints(session_id, exchanges)
        for known in range(len(exchanges), 0, -1):
            with self._lock:
                position = self._known.get(prints[known])
            # Somebody may have deleted it since.
            if position and self._store.conversation(session_id, position.conversation_id):
                break
        else:
            known, position = 0, Position(prints[0], self._store.start(session_id))
        new = self._newest(exchanges[known:])
        for exchange, fingerprint in zip(new, prints[len(prints) - len(new) :], strict=True):
            position = self._adopt(session_id, position, exchange, fingerprint)
        return position

    def remember(self, before: Position, exchange: Exchange, turn: Turn) -> None:
        """That an exchange after a position is this turn."""
        fingerprint = _extended(before.fingerprint, exchange)
        self._keep(Position(fingerprint, turn.conversation_id, turn.turn_id))

    def _newest(self, exchanges: Sequence[Exchange]) -> list[Exchange]:
        """Of exchanges those that are stored; of a last one that is too long itself, the beginning."""
        newest: list[Exchange] = []
        room = self._most_characters
        for exchange in reversed(exchanges[-_MOST_ADOPTED:]):
            length = len(exchange.question) + len(exchange.answer)
            if newest and length > room:
                break
            newest.insert(0, Exchange(exchange.question[:room], exchange.answer[:room]))
            room -= length
        return newest

    def _adopt(self, session_id: str, before: Position, exchange: Exchange, fingerprint: str) -> Position:
        record = Payload(
            session_id=session_id,
            user_query=exchange.question,
            assistant_response=exchange.answer,
            timestamp=datetime.now(),
            turn_id=uuid.uuid4().hex,
            parent_turn_id=before.turn_id or None,
        )
        turn = to_turn(record, before.conversation_id)
        self._store.append(turn)
        return self._keep(Position(fingerprint, turn.conversation_id, turn.turn_id))

    def _keep(self, position: Position) -> Position:
        with self._lock:
            self._known[position.fingerprint] = position
        return position


def _fingerprints(session_id: str, exchanges: Sequence[Exchange]) -> list[str]:
    """Of nothing, of the first exchange, of the first two …: none of them is another session's."""
    prints = [hashlib.sha256(session_id.encode()).hexdigest()]
    for exchange in exchanges:
        prints.append(_extended(prints[-1], exchange))
    return prints


def _extended(fingerprint: str, exchange: Exchange) -> str:
    digest = hashlib.sha256(fingerprint.encode())
    for text in (exchange.question, exchange.answer):
        # A question is stored without what nobody sees.
        digest.update(hashlib.sha256(without_unseen(text).strip().encode()).digest())
    return digest.hexdigest()
