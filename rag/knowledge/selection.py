"""Which documents the questions of a session may use: all that it can see, but those that it has left out."""

from sqlalchemy import ColumnElement, Connection, Engine, delete, literal, select
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from rag.database import transaction, values_of
from rag.errors import UnknownDocument
from rag.knowledge.catalog import ensure_collection, require_visible, visible_to
from rag.knowledge.schema import documents, left_out
from rag.types import EVERYTHING, Scope


class Selection:
    """A session's choice, kept until the session or the document is deleted. Every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        """`engine` holds the catalog's tables."""
        self._engine = engine

    def choose(self, session_id: str, document_id: str, used: bool) -> None:
        """Let questions use a document, or not. Raises UnknownDocument for one that the session cannot see."""
        with transaction(self._engine) as connection:
            require_visible(connection, session_id, document_id)
            _choose(connection, session_id, documents.c.document_id == document_id, used)

    def choose_all(self, session_id: str, used: bool) -> None:
        """Let questions use all documents that the session can see, or none."""
        with transaction(self._engine) as connection:
            _choose(connection, session_id, visible_to(session_id), used)

    def left_out(self, session_id: str) -> frozenset[str]:
        """The documents that the session's questions do not use."""
        own = select(left_out.c.document_id).where(left_out.c.collection_id == session_id)
        return frozenset(values_of(self._engine, own))

    def scope(self, session_id: str, named: frozenset[str] | None = None) -> Scope:
        """What the session's questions may use: all that it can see where nothing is left out.

        Documents that are `named` may be used though they are left out. Raises UnknownDocument where it cannot see one.
        """
        without = self.left_out(session_id)
        if named is None and not without:
            return EVERYTHING
        visible = frozenset(values_of(self._engine, select(documents.c.document_id).where(visible_to(session_id))))
        if named is not None and not named <= visible:
            raise UnknownDocument
        return Scope(visible - without if named is None else named)


def _choose(connection: Connection, session_id: str, chosen: ColumnElement[bool], used: bool) -> None:
    if used:
        of_chosen = left_out.c.document_id.in_(select(documents.c.document_id).where(chosen))
        connection.execute(delete(left_out).where(left_out.c.collection_id == session_id, of_chosen))
        return
    # Whoever leaves out the sample may have no document, and so no collection, of their own.
    ensure_collection(connection, session_id)
    rows = select(literal(session_id), documents.c.document_id).where(chosen)
    connection.execute(sqlite_insert(left_out).from_select(list(left_out.c), rows).on_conflict_do_nothing())
