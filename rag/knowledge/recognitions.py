"""The rows of pages whose images are recognised: which wait, and what was made of the others."""

from collections.abc import Collection

from sqlalchemy import Engine, case, exists, func, select, true, update
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from loaders.wire import from_line, to_line
from rag.database import change, reading, rows_of, transaction, values_of
from rag.knowledge.schema import documents, one_of, pages, recognitions
from rag.types import SEARCHABLE, DocumentStatus, PageHealth, RecognisedPage, Recognition

UNREAD = (PageHealth.EMPTY, PageHealth.GARBLED)
_PAGE = (pages.c.document_id == recognitions.c.document_id) & (pages.c.number == recognitions.c.number)
_UNSEARCHED = (recognitions.c.outcome == Recognition.READ) & pages.c.health.in_(UNREAD)
# The documents of pages that wait, or whose recognised text cannot be searched yet.
OPEN = (
    select(recognitions.c.document_id)
    .join(pages, _PAGE)
    .where((recognitions.c.outcome == Recognition.WAITING) | _UNSEARCHED)
)


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
        lacking = documents.c.status.in_(SEARCHABLE) & documents.c.document_id.in_(OPEN)
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
