"""Which documents a session can see: its own, and the shared ones."""

from sqlalchemy import ColumnElement, Connection, select

from rag.errors import UnknownDocument
from rag.knowledge.base import SHARED_COLLECTION
from rag.knowledge.schema import documents


def collections_seen_by(session_id: str) -> tuple[str, ...]:
    """The session's own collection and the shared one."""
    return session_id, SHARED_COLLECTION


def visible_to(session_id: str) -> ColumnElement[bool]:
    """The condition that a document is the session's own or a shared one."""
    return documents.c.collection_id.in_(collections_seen_by(session_id))


def require_visible(connection: Connection, session_id: str, document_id: str) -> None:
    """Raises UnknownDocument for a document that is neither."""
    known = select(documents.c.document_id).where(visible_to(session_id), documents.c.document_id == document_id)
    if connection.scalar(known) is None:
        raise UnknownDocument
