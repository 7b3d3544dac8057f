"""What is read of documents where a question names a place in them: pages, a section, or what tells of the whole.

A search finds nothing for "what does page 10 say?" or "what is this about?": no passage says that of itself.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from rag.knowledge.reading_order import PlacedChunk, PlacedDocument, ReadingOrder
from rag.language.english import is_english
from rag.language.place import ARTICLE
from rag.rerank.contents_list import line_of_parts, lists_contents
from rag.retrieval.meant import called, has_all, names_of, own_or_shared, pointed_to
from rag.retrieval.numbered_sections import chunks_of_articles, chunks_of_sections
from rag.retrieval.query import Query
from rag.types import Chunk, Message, Place, Scope

NO_SUCH_PAGE = Message("search.no_such_page")
IN_PLACE = Message("search.in_place")
ONLY_BEGINNING = Message("search.only_beginning")
# It can't be meant that each of more documents than these is to be read.
_MOST_DOCUMENTS = 5
# What introduces a document is looked for among this many chunks of its beginning.
_OPENING = 40
_LEADS = 2
# A document says what it is at its beginning, and who issued it at its end as well.
_FRONT = 2
_MOST_CHUNKS = 24
_SHORTEST_LEAD = 40
_INTRODUCES = re.compile(
    r"摘\s*要|提要|前\s*言|引\s*言|序\s*言|绪\s*论|导\s*[言论读]|概\s*[述要况]|简\s*介|abstract|introduction|summary|overview|preface",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[。！？!?;；]|\.\s|\.$")


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands at a place: the ids of all its chunks, and those that are read of them, in the order of reading.

    `is_cut` where there were more to read than that. `names` are what their documents are called.
    """

    chunk_ids: frozenset[int] = frozenset()
    chunks: tuple[Chunk, ...] = ()
    is_cut: bool = False
    names: tuple[str, ...] = ()

    @property
    def scope(self) -> Scope:
        """All that stands there: what is read of it has chunks of each of its documents."""
        return Scope(frozenset(chunk.document_id for chunk in self.chunks), chunk_ids=self.chunk_ids)

    @property
    def notes(self) -> tuple[Message, ...]:
        """How it was read, for whoever looks at how an answer came about."""
        return (IN_PLACE, ONLY_BEGINNING) if self.is_cut else (IN_PLACE,)


def read(order: ReadingOrder, place: Place, query: Query) -> Standing:
    """What stands at a place, of several documents in turn. Raises StoreError.

    Of what the question points to or the talk is about, where none is named and these have it. Nothing where no
    document has the place, or where what the question is about names none of whole documents.
    """
    collections, scope = query.collections, query.scope
    known = order.documents(collections, scope)
    openings = order.openings(collections, scope) if place.names_documents or place.kind else {}
    as_called = openings if place.names_documents else {}
    by_name = called(known, place, as_called)
    is_certain = by_name or place.is_numbered or place.writes
    if place.step or (place.says_of_which and not is_certain):
        return Standing()
    there, own = Standing(), own_or_shared(known)
    others = [] if place.of_itself and len(own) > _MOST_DOCUMENTS else own
    for documents in (by_name,) if by_name else (*pointed_to(own, place, openings), others):
        there = _of_all(order, place, documents, scope)
        if there.chunks:
            break
    read_of = {chunk.document_id for chunk in there.chunks}
    names = names_of([document for document in known if document.document_id in read_of], as_called)
    return replace(there, names=tuple(names.values()))


def _of_all(order: ReadingOrder, place: Place, documents: Sequence[PlacedDocument], scope: Scope) -> Standing:
    """What stands at a place of the first of some documents, those that are long enough for it."""
    meant = _long_enough(documents, place)
    of_each = [_standing(order, place, document, scope) for document in meant[:_MOST_DOCUMENTS]]
    ids = frozenset(chain.from_iterable(standing.chunk_ids for standing in of_each))
    turns = zip_longest(*(standing.chunks for standing in of_each))
    chunks = tuple(chunk for chunk in chain.from_iterable(turns) if chunk is not None)
    is_cut = len(chunks) > _MOST_CHUNKS or any(standing.is_cut for standing in of_each)
    return Standing(ids, chunks[:_MOST_CHUNKS], is_cut)


def prompt_for(place: Place, question: str) -> str:
    """The prompt that puts a question that asks for nothing in particular with what was read: to tell of it, or write.

    Asked in English for points, a small model copies those of a Chinese text; in sentences it tells them in English.
    """
    if place.writes:
        return "write"
    if place.of_itself:
        return "question"
    if place.divided:
        return "outline"
    return "read_briefly" if is_english(question) else "read"


def lacks(order: ReadingOrder, place: Place, query: Query) -> bool:
    """Whether all that a question asks for is pages, where `read` has found none of them. Raises StoreError."""
    known = order.documents(query.collections, query.scope) if place.pages else ()
    return bool(known) and not asks_for_more(place, names_of(known, {}).values())


def asks_for_more(place: Place, names: Iterable[str]) -> bool:
    """Whether a question has terms that are not what one of some documents is called."""
    return bool(place.about) and not any(has_all(name, place.about) for name in names)


def may_be_elsewhere(place: Place) -> bool:
    """Whether what a question asks for may be told elsewhere than at its place: 最后一页要盖章吗, 第一部分养老保险.

    Only a chapter and 3.2 are sure to be named as where to look.
    """
    return bool(place.pages) or all(len(one.numbers) == 1 and one.unit != "章" for one in place.sections)


def _long_enough(documents: Sequence[PlacedDocument], place: Place) -> Sequence[PlacedDocument]:
    """The documents that have the first of the pages. Where none has, a page may be called by its printed number."""
    first = 0 if place.sections else min(map(abs, place.pages), default=0)
    return [document for document in documents if document.pages >= first] or documents


def _standing(order: ReadingOrder, place: Place, document: PlacedDocument, scope: Scope) -> Standing:
    """What stands at a place of a document."""
    chunks = order.chunks(document.document_id, scope)
    if place.of_itself:
        ends = [chunk.chunk_id for chunk in (*chunks[:_FRONT], *chunks[_FRONT:][-1:])]
        return Standing(frozenset(ends), order.texts(ends))
    if not (place.pages or place.sections):
        return Standing(frozenset(chunk.chunk_id for chunk in chunks), tuple(_whole(order, chunks, place.divided)))
    there = _of_sections(order, place, document, chunks) if place.sections else chunks
    if place.pages:
        pages = _pages_within(there, place) if place.sections else _pages(order, place, document)
        there = [chunk for chunk in there if not pages.isdisjoint(chunk.pages)]
    ids = [chunk.chunk_id for chunk in there]
    return Standing(frozenset(ids), order.texts(ids[:_MOST_CHUNKS]), len(ids) > _MOST_CHUNKS)


def _of_sections(
    order: ReadingOrder, place: Place, document: PlacedDocument, chunks: Sequence[PlacedChunk]
) -> Sequence[PlacedChunk]:
    """The chunks under the headings that a question calls, or with the articles: 第十二条 begins a line of prose."""
    there = chunks_of_sections(chunks, place.sections)
    if there or all(section.unit != ARTICLE for section in place.sections):
        return there
    return chunks_of_articles(chunks, order.holding(document.document_id, f"%第%{ARTICLE}%"), place.sections)


def _pages(order: ReadingOrder, place: Place, document: PlacedDocument) -> frozenset[int]:
    """The pages that a question counts from a document's beginning or end, or calls by what is printed on them."""
    pages = frozenset(page if page >= 0 else document.pages + 1 + page for page in place.pages)
    return order.printed(document.document_id, pages) if min(pages) > document.pages else pages


def _pages_within(chunks: Sequence[PlacedChunk], place: Place) -> frozenset[int]:
    """The pages that a question counts from the beginning or the end of a section."""
    numbers = sorted(set(chain.from_iterable(chunk.pages for chunk in chunks)))
    counted = {count: number for count, number in enumerate(numbers, 1)}
    counted |= {count - len(numbers) - 1: number for count, number in counted.items()}
    return frozenset(counted[page] for page in place.pages if page in counted)


def _whole(order: ReadingOrder, chunks: Sequence[PlacedChunk], divided: bool) -> Sequence[Chunk]:
    """What tells of a whole document: its introduction, its list of contents, and the beginnings of its parts.

    Where it has no such list, its first passage stands below the titles of its parts.
    """
    opening = order.texts([chunk.chunk_id for chunk in chunks[:_OPENING]])
    lists = [chunk for chunk in opening if lists_contents(chunk.passage.text)]
    prose = [chunk for chunk in opening if chunk not in lists and _tells(chunk.passage.text)]
    introduces = [chunk for chunk in prose if _INTRODUCES.search(" ".join(chunk.passage.heading_path))]
    leads = [*(introduces or prose or opening)[:_LEADS]]
    parts = _parts(chunks)
    if not lists and len(parts) > 1 and leads:
        passage = replace(leads[0].passage, context=line_of_parts(parts))
        leads[0] = replace(leads[0], passage=passage)
    if divided:
        return lists or leads[:1]
    first = [*leads, *lists]
    known = {chunk.chunk_id for chunk in first}
    return [*first, *order.texts([chunk_id for chunk_id in parts.values() if chunk_id not in known][:_MOST_CHUNKS])]


def _parts(chunks: Sequence[PlacedChunk]) -> dict[str, int]:
    """The titles of a document's parts, the uppermost that tell several apart, each with the part's first chunk."""
    first: dict[str, int] = {}
    for depth in (1, 2):
        first = {}
        for chunk in chunks:
            if len(chunk.heading_path) >= depth:
                first.setdefault(chunk.heading_path[depth - 1], chunk.chunk_id)
        if len(first) > 1:
            break
    return first


def _tells(text: str) -> bool:
    return len(text) >= _SHORTEST_LEAD and _SENTENCE_END.search(text) is not None
