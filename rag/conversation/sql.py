"""Conversations in SQLite or PostgreSQL, through SQLAlchemy."""

import re
import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

import sqlalchemy as sa

from rag.conversation.base import ConversationStore, Expired
from rag.conversation.rows import TurnVector, similarities, to_bytes, to_row, to_turn
from rag.conversation.schema import CONVERSATIONS, METADATA, TURNS, StoredText
from rag.database import migrate, one_at_a_time, reading, transaction
from rag.errors import UnknownConversation, UnknownTurn
from rag.types import Conversation, Rating, Turn

_TITLE_LENGTH = 40
_IN_WORD = re.compile(r"[A-Za-z0-9]{2}")
_OF_A_TURN = [column for column in TURNS.c if column.name not in ("embedding", "embedding_model")]


class SqlConversationStore(ConversationStore):
    """Turns under sessions and conversations, over any SQLAlchemy engine. A session sees nothing of another.

    Its tables are made, or brought up to date, as it is opened.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        migrate(engine, METADATA, "conversation")

    def start(self, session_id: str) -> str:
        """A new conversation's id."""
        with transaction(self._engine) as connection:
            return _start(connection, session_id, uuid.uuid4().hex)

    def take_in(self, turns: Sequence[Turn]) -> None:
        """Store turns in the conversations that they name, new ones where there are none; all or none.

        Raises StoreError.
        """
        with transaction(self._engine) as connection:
            for session_id, conversation_id in dict.fromkeys((turn.session_id, turn.conversation_id) for turn in turns):
                if connection.execute(_known(session_id, conversation_id)).first() is None:
                    _start(connection, session_id, conversation_id)
            for turn in turns:
                _append(connection, turn)

    def conversations(self, session_id: str, containing: str = "") -> tuple[Conversation, ...]:
        """The session's conversations whose title or turns have each word of a text, last used first."""
        return self._listed(session_id, *(_holds(session_id, word) for word in containing.split()))

    def conversation(self, session_id: str, conversation_id: str | None = None) -> Conversation | None:
        """One of the session's conversations, by default the last used; None if there is no such conversation."""
        latest = _latest(session_id).correlate(None).scalar_subquery()
        wanted = CONVERSATIONS.c.conversation_id == (latest if conversation_id is None else conversation_id)
        return next(iter(self._listed(session_id, wanted)), None)

    def latest(self, session_id: str) -> str:
        """The id of the conversation last used; where there is none, of a new one, the same for all who ask at once."""
        with reading(self._engine) as connection:
            found = connection.scalar(_latest(session_id))
        if found is not None:  # nearly always, and reading waits for nobody who writes
            return found
        with transaction(self._engine) as connection:
            one_at_a_time(connection, session_id)
            found = connection.scalar(_latest(session_id))
            return found or _start(connection, session_id, uuid.uuid4().hex)

    def holding(self, session_id: str, turn_id: str) -> str:
        """The id of the conversation that has a turn. Raises UnknownTurn."""
        with reading(self._engine) as connection:
            found = connection.scalar(_holding(session_id, turn_id))
        if found is None:
            raise UnknownTurn()
        return found

    def turns(self, session_id: str, conversation_id: str) -> tuple[Turn, ...]:
        """All turns of a conversation, of every branch, oldest first. Raises UnknownConversation."""
        query = sa.select(*_OF_A_TURN).where(*_owned(TURNS, session_id, conversation_id)).order_by(TURNS.c.position)
        with reading(self._engine) as connection:
            if connection.execute(_known(session_id, conversation_id)).first() is None:
                raise UnknownConversation()
            return tuple(to_turn(row) for row in connection.execute(query).mappings())

    def rename(self, session_id: str, conversation_id: str, title: str) -> None:
        """Give a conversation another title. Raises UnknownConversation."""
        owned = _owned(CONVERSATIONS, session_id, conversation_id)
        with transaction(self._engine) as connection:
            if not connection.execute(CONVERSATIONS.update().where(*owned).values(title=title)).rowcount:
                raise UnknownConversation()

    def append(self, turn: Turn) -> None:
        """Store a turn, and bring its branch into view; the first one names its conversation.

        Raises UnknownConversation, StoreError.
        """
        with transaction(self._engine) as connection:
            _append(connection, turn)

    def show(self, session_id: str, turn_id: str) -> None:
        """Bring a branch through a turn into view. Raises UnknownTurn."""
        shown = CONVERSATIONS.update().where(CONVERSATIONS.c.conversation_id.in_(_holding(session_id, turn_id)))
        with transaction(self._engine) as connection:
            if not connection.execute(shown.values(shown_turn_id=turn_id)).rowcount:
                raise UnknownTurn()

    def shown(self, session_id: str, conversation_id: str) -> str | None:
        """The turn that the branch in view goes through; None where no turn was stored or shown yet."""
        query = sa.select(CONVERSATIONS.c.shown_turn_id).where(*_owned(CONVERSATIONS, session_id, conversation_id))
        with reading(self._engine) as connection:
            return connection.scalar(query)

    def rate(self, session_id: str, turn_id: str, rating: Rating, reason: str = "") -> None:
        """What the reader thinks of an answer, in place of what they thought before. Raises UnknownTurn."""
        self._change(session_id, turn_id, {"feedback": int(rating), "feedback_reason": reason})

    def embed(self, session_id: str, turn_id: str, vector: TurnVector) -> None:
        """Store a turn's embedding. Raises UnknownTurn."""
        self._change(session_id, turn_id, {"embedding": to_bytes(vector), "embedding_model": vector.model_id})

    def cosines(self, session_id: str, vector: TurnVector, among: Collection[str]) -> dict[str, float]:
        """How similar those of the session's turns are whose ids are `among` some, -1 to 1, by turn.

        Turns that have no vector of this model are left out.
        """
        wanted = to_bytes(vector)
        embedded = sa.select(TURNS.c.turn_id, TURNS.c.embedding).where(
            TURNS.c.session_id == session_id,
            TURNS.c.turn_id.in_(among),
            TURNS.c.embedding_model == vector.model_id,
            sa.func.length(TURNS.c.embedding) == len(wanted),
        )
        with reading(self._engine) as connection:
            rows = connection.execute(embedded).all()
        found = similarities([row.embedding for row in rows], wanted)
        return {row.turn_id: float(cosine) for row, cosine in zip(rows, found, strict=True)}

    def expire(self, before: datetime) -> Expired:
        """Delete the conversations that nobody has spoken in since `before`."""
        old = CONVERSATIONS.c.updated_at < before
        of_old = TURNS.c.conversation_id.in_(sa.select(CONVERSATIONS.c.conversation_id).where(old))
        with transaction(self._engine) as connection:
            turns = connection.scalar(sa.select(sa.func.count()).select_from(TURNS).where(of_old)) or 0
            return Expired(connection.execute(CONVERSATIONS.delete().where(old)).rowcount, turns)

    def delete(self, session_id: str, conversation_id: str) -> None:
        """Delete a conversation with its turns."""
        with transaction(self._engine) as connection:
            connection.execute(CONVERSATIONS.delete().where(*_owned(CONVERSATIONS, session_id, conversation_id)))

    def forget(self, session_id: str) -> None:
        """Delete all of a session's conversations."""
        with transaction(self._engine) as connection:
            connection.execute(CONVERSATIONS.delete().where(CONVERSATIONS.c.session_id == session_id))

    def _listed(self, session_id: str, *conditions: sa.ColumnElement[bool]) -> tuple[Conversation, ...]:
        count = sa.func.count(TURNS.c.turn_id)
        query = (
            sa.select(CONVERSATIONS, count.label("turns"))
            .join_from(CONVERSATIONS, TURNS, isouter=True)
            .where(CONVERSATIONS.c.session_id == session_id, *conditions)
            .group_by(CONVERSATIONS.c.conversation_id)
            .order_by(CONVERSATIONS.c.updated_at.desc())
        )
        with reading(self._engine) as connection:
            rows = connection.execute(query).mappings().all()
        return tuple(
            Conversation(row["conversation_id"], row["title"], row["turns"], row["updated_at"]) for row in rows
        )

    def _change(self, session_id: str, turn_id: str, values: Mapping[str, object]) -> None:
        own = TURNS.c.session_id == session_id, TURNS.c.turn_id == turn_id
        with transaction(self._engine) as connection:
            if not connection.execute(TURNS.update().where(*own).values(**values)).rowcount:
                raise UnknownTurn()


def _latest(session_id: str) -> sa.Select[str]:
    own = sa.select(CONVERSATIONS.c.conversation_id).where(CONVERSATIONS.c.session_id == session_id)
    return own.order_by(CONVERSATIONS.c.updated_at.desc()).limit(1)


def _holding(session_id: str, turn_id: str) -> sa.Select[str]:
    return sa.select(TURNS.c.conversation_id).where(TURNS.c.session_id == session_id, TURNS.c.turn_id == turn_id)


def _known(session_id: str, conversation_id: str) -> sa.Select[str]:
    return sa.select(CONVERSATIONS.c.conversation_id).where(*_owned(CONVERSATIONS, session_id, conversation_id))


def _start(connection: sa.Connection, session_id: str, conversation_id: str) -> str:
    row = {"conversation_id": conversation_id, "session_id": session_id, "title": "", "updated_at": datetime.now(UTC)}
    connection.execute(CONVERSATIONS.insert().values(row))
    return conversation_id


def _title(question: str) -> str:
    """A question as a title: in a line, a long one up to its last whole word."""
    line = " ".join(question.split())
    if len(line) <= _TITLE_LENGTH:
        return line
    begun = line[:_TITLE_LENGTH]
    if _IN_WORD.match(line, _TITLE_LENGTH - 1):
        begun = begun.rpartition(" ")[0] or begun
    return f"{begun.rstrip()}…"


def _append(connection: sa.Connection, turn: Turn) -> None:
    owned = _owned(CONVERSATIONS, turn.session_id, turn.conversation_id)
    title = sa.literal(_title(turn.question), StoredText)
    titled = sa.case((CONVERSATIONS.c.title == "", title), else_=CONVERSATIONS.c.title)
    changes = {"updated_at": datetime.now(UTC), "title": titled, "shown_turn_id": turn.turn_id}
    if not connection.execute(CONVERSATIONS.update().where(*owned).values(**changes)).rowcount:
        raise UnknownConversation()
    connection.execute(TURNS.insert().values(**to_row(turn)))


def _holds(session_id: str, word: str) -> sa.ColumnElement[bool]:
    said = sa.or_(*(column.icontains(word, autoescape=True) for column in (TURNS.c.question, TURNS.c.answer)))
    titled = CONVERSATIONS.c.title.icontains(word, autoescape=True)
    # Without its session, the turns of all sessions are read.
    saying = sa.select(TURNS.c.conversation_id).where(TURNS.c.session_id == session_id, said)
    return sa.or_(titled, CONVERSATIONS.c.conversation_id.in_(saying))


def _owned(table: sa.Table, session_id: str, conversation_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    return table.c.session_id == session_id, table.c.conversation_id == conversation_id
