"""Where documents stand while their vectors are made and their pages recognised, and what there is to say of them."""

from sqlalchemy import ColumnElement, Engine, case, delete, exists, false, func, or_, select, true, update

from rag.database import change
from rag.knowledge.fields import FIELDS
from rag.knowledge.recognitions import OPEN
from rag.knowledge.schema import chunks, collections, documents, model_wanted, recognitions, self_checks
from rag.knowledge.vectors import has_vector
from rag.message_json import message_to_json
from rag.types import SEARCHABLE, DocumentStatus, Message


class DocumentStates:
    """Moves documents between EMBEDDING and READY. Every method raises StoreError."""

    def __init__(self, engine: Engine, own_model_id: str) -> None:
        """`own_model_id` is the server's own model, which collections have that chose none."""
        self._engine = engine
        self._wanted = model_wanted(own_model_id)

    def finish(self, document_id: str | None = None) -> None:
        """Bring documents, or one alone, to READY whose vectors are complete, and whose pages have been recognised."""
        own = true() if document_id is None else documents.c.document_id == document_id
        self._move(DocumentStatus.EMBEDDING, DocumentStatus.READY, own & ~self._lacking())

    def reopen(self) -> None:
        """Bring documents back to EMBEDDING that lack vectors, or whose pages are to be recognised."""
        self._forget_checks((documents.c.status == DocumentStatus.READY) & self._lacks_vectors())
        self._move(DocumentStatus.READY, DocumentStatus.EMBEDDING, self._lacking())

    def settle(self, collection_id: str) -> None:
        """Bring a collection's documents to where they stand with another model, of which nothing is known yet."""
        own = documents.c.collection_id == collection_id
        settled = documents.c.status.in_(SEARCHABLE)
        status = case((self._lacking(), DocumentStatus.EMBEDDING), else_=DocumentStatus.READY)
        change(self._engine, update(documents).where(own, settled).values(status=status, message=None))
        self._forget_checks(own)

    def report(self, model_id: str, message: Message | None, text: tuple[str, str] | None = None) -> None:
        """What there is to say about the documents whose vectors are being filled in by a model: about all, or those
        that have a `text`, given by its field and hash."""
        wanting = select(collections.c.collection_id).where(self._wanted == model_id)
        waiting = (documents.c.status == DocumentStatus.EMBEDDING) & documents.c.collection_id.in_(wanting)
        if text:
            table = FIELDS[text[0]].table
            waiting &= documents.c.document_id.in_(select(table.c.document_id).where(table.c.text_hash == text[1]))
        change(self._engine, update(documents).where(waiting).values(message=message_to_json(message)))

    def _forget_checks(self, condition: ColumnElement[bool]) -> None:
        """Have documents checked anew: how well they are found is another model's doing from now on."""
        own = self_checks.c.document_id.in_(select(documents.c.document_id).where(condition))
        change(self._engine, delete(self_checks).where(own))

    def _lacking(self) -> ColumnElement[bool]:
        unread = OPEN.where(recognitions.c.document_id == documents.c.document_id)
        return or_(self._lacks_vectors(), unread.exists())

    def _lacks_vectors(self) -> ColumnElement[bool]:
        own = chunks.c.document_id == documents.c.document_id
        of_collection = collections.c.collection_id == documents.c.collection_id
        lacks = ~has_vector(chunks, self._wanted)
        # They are filled in from the first on: with the last looked at first, few pass through all the others.
        last = select(lacks).where(of_collection, own).order_by(chunks.c.chunk_id.desc()).limit(1)
        return or_(
            func.coalesce(last.correlate(documents).scalar_subquery(), false()),
            exists().where(of_collection, own, lacks),
        )

    def _move(self, before: DocumentStatus, after: DocumentStatus, condition: ColumnElement[bool]) -> None:
        query = update(documents).where(documents.c.status == before, condition)
        change(self._engine, query.values(status=after, message=None))
