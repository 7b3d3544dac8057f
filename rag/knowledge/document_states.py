"""Where documents stand while their vectors are made, and their pages while images of these are recognised (OCR)."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, Engine, case, delete, exists, false, func, or_, select, true, update
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from loaders.wire import from_line, to_line
from rag.database import change, reading, rows_of, transaction, values_of
from rag.knowledge.fields import FIELDS
from rag.knowledge.schema import chunks, collections, documents, model_wanted, one_of, pages, recognitions, self_checks
from rag.knowledge.vectors import has_vector
from rag.message_json import message_to_json
from rag.types import READABLE, SEARCHABLE, DocumentStatus, Message, RecognisedPage, Recognition

_PAGE = (pages.c.document_id == recognitions.c.document_id) & (pages.c.number == recognitions.c.number)
_UNSEARCHED = (recognitions.c.outcome == Recognition.READ) & pages.c.health.not_in(READABLE)
# The documents of pages that wait, or whose recognised text cannot be searched yet.
_OPEN = (
    select(recognitions.c.document_id)
    .join(pages, _PAGE)
    .where((recognitions.c.outcome == Recognition.WAITING) | _UNSEARCHED)
)


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
        unread = _OPEN.where(recognitions.c.document_id == documents.c.document_id)
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


class Recognitions:
    """What was recognised of each page, stored as soon as it is. Every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def expect(self, document_id: str, numbers: Collection[int]) -> bool:
        """Note pages of a document that are to be recognised; what was read of them stays. Whether it is there."""
        rows = [{"document_id": document_id, "number": number, "outcome": Recognition.WAITING} for number in numbers]
        again = sqlite_insert(recognitions).on_conflict_do_update(
            index_elements=(recognitions.c.document_id, recognitions.c.number),
            set_={"outcome": Recognition.WAITING},
            where=recognitions.c.outcome != Recognition.READ,
        )
        with transaction(self._engine) as connection:
            # A document that was deleted in the meantime expects nothing.
            known = bool(connection.scalar(select(exists().where(documents.c.document_id == document_id))))
            if rows and known:
                connection.execute(again, rows)
        return known

    def unfinished(self) -> tuple[str, ...]:
        """The documents with pages that wait, or with recognised text that cannot be searched yet, oldest first.

        One that is read anew has its turn after that.
        """
        nothing_yet = documents.c.status == DocumentStatus.RECOGNISING
        lacking = documents.c.status.in_(SEARCHABLE) & documents.c.document_id.in_(_OPEN)
        query = select(documents.c.document_id).where(nothing_yet | lacking)
        return tuple(values_of(self._engine, query.order_by(documents.c.created_at)))

    def unsearched(self, document_id: str) -> int:
        """How many pages of a document have recognised text that cannot be searched yet."""
        own = recognitions.c.document_id == document_id
        query = select(func.count()).select_from(recognitions.join(pages, _PAGE)).where(own, _UNSEARCHED)
        with reading(self._engine) as connection:
            return int(connection.execute(query).scalar_one())

    def waiting(self, document_id: str, most: int) -> tuple[int, ...]:
        """The numbers of the first of a document's pages that wait, in order."""
        own = (recognitions.c.document_id == document_id) & (recognitions.c.outcome == Recognition.WAITING)
        query = select(recognitions.c.number).where(own).order_by(recognitions.c.number)
        return tuple(values_of(self._engine, query.limit(most)))

    def counts(self, document_ids: Collection[str]) -> dict[str, tuple[int, int]]:
        """How many pages of some documents wait no longer, of how many, by document."""
        done = func.sum(case((recognitions.c.outcome == Recognition.WAITING, 0), else_=1))
        query = select(recognitions.c.document_id, done, func.count()).group_by(recognitions.c.document_id)
        with reading(self._engine) as connection:
            found = connection.execute(query.where(one_of(recognitions.c.document_id, document_ids)))
            return {document_id: (done, total) for document_id, done, total in found}

    def store(self, document_id: str, number: int, outcome: Recognition, page: RecognisedPage | None = None) -> None:
        """Note how a page's recognition ended. A document that was deleted in the meantime keeps nothing."""
        text = to_line(page).decode() if page and outcome is Recognition.READ else None
        own = (recognitions.c.document_id == document_id) & (recognitions.c.number == number)
        change(self._engine, update(recognitions).where(own).values(outcome=outcome, page=text))

    def move(self, before: Recognition, after: Recognition, document_id: str | None = None) -> None:
        """Note of all pages that stand at `before`, or those of a document, that they stand at `after`."""
        own = true() if document_id is None else recognitions.c.document_id == document_id
        change(self._engine, update(recognitions).where(own, recognitions.c.outcome == before).values(outcome=after))

    def stopped(self, collection_id: str) -> dict[str, int]:
        """How many pages of a collection's documents were left when their recognition was stopped, by document."""
        own = documents.c.document_id == recognitions.c.document_id
        query = select(recognitions.c.document_id, func.count()).join(documents, own)
        left = query.where(
            documents.c.collection_id == collection_id, recognitions.c.outcome == Recognition.STOPPED
        ).group_by(recognitions.c.document_id)
        return {document_id: count for document_id, count in rows_of(self._engine, left)}

    def outcomes(self, document_id: str) -> dict[int, Recognition]:
        """How far each page of a document is that had no readable text, by number."""
        query = select(recognitions.c.number, recognitions.c.outcome).where(recognitions.c.document_id == document_id)
        return {number: Recognition(outcome) for number, outcome in rows_of(self._engine, query)}

    def recognised(self, document_id: str) -> dict[int, RecognisedPage]:
        """The pages of a document whose text was recognised, by number."""
        own = recognitions.c.document_id == document_id
        query = select(recognitions.c.number, recognitions.c.page).where(
            own, recognitions.c.outcome == Recognition.READ
        )
        rows = rows_of(self._engine, query.order_by(recognitions.c.number))
        return {row.number: from_line(RecognisedPage, row.page) for row in rows}
