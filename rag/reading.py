"""What is read of documents where a question names a place in them: pages, a section, or what tells of the whole.

A search finds nothing for "what does page 10 say?" or "what is this about?": no passage says that of itself.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest
from pathlib import PurePath

from rag.knowledge.places import PlacedChunk, PlacedDocument, Places
from rag.place import title_number
from rag.rerank.contents_list import lists_contents
from rag.types import Chunk, Place, Scope, SectionNumber

# Of more documents than these it can't be meant that each is to be read.
_MOST_DOCUMENTS = 5
# Of a document's beginning so many chunks are looked through for what introduces it.
_OPENING = 40
_LEADS = 2
_MOST_CHUNKS = 24
_SHORTEST_LEAD = 40
_LONGEST_LIST = 240
_INTRODUCES = re.compile(
    r"摘\s*要|提要|前\s*言|引\s*言|序\s*言|绪\s*论|导\s*[言论读]|概\s*[述要况]|简\s*介|abstract|introduction|summary|overview|preface",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[。！？!?;；]|\.\s|\.$")


def read(places: Places, place: Place, collections: Sequence[str], scope: Scope | None) -> tuple[Chunk, ...]:
    """The chunks that stand at a place, in the order of reading; of several documents in turn. Raises StoreError.

    Nothing where no document has the place, or where what the question is about names none of whole documents.
    """
    known = places.documents(collections, scope)
    called = _called(known, place)
    if place.about and not called and not (place.pages or place.sections):
        return ()
    of_each = [_standing(places, place, document, scope) for document in (called or known)[:_MOST_DOCUMENTS]]
    in_turn = (chunk for chunk in chain(*zip_longest(*of_each)) if chunk is not None)
    return tuple(islice(in_turn, _MOST_CHUNKS))


def asks_for_more(place: Place, chunks: Sequence[Chunk]) -> bool:
    """Whether a question asks for something in particular at a place, beyond the name of a document."""
    names = "\n".join({chunk.document_name.lower() for chunk in chunks})
    return any(term not in names for term in place.about)


def _called(known: Sequence[PlacedDocument], place: Place) -> list[PlacedDocument]:
    """The documents that a question calls by their name; beside pages or a section it may ask for more than that."""
    enough = any if place.pages or place.sections else all
    names = [(document, PurePath(document.name).stem.lower()) for document in known if place.about]
    return [document for document, name in names if enough(term in name for term in place.about)]


def _standing(places: Places, place: Place, document: PlacedDocument, scope: Scope | None) -> Sequence[Chunk]:
    """The chunks of a document that stand at a place."""
    chunks = places.chunks(document.document_id, scope)
    if place.pages:
        pages = {page if page > 0 else document.pages + 1 + page for page in place.pages}
        there = [chunk for chunk in chunks if not pages.isdisjoint(range(chunk.page, chunk.last_page + 1))]
    elif place.sections:
        there = _section(chunks, place.sections)
    else:
        return _whole(places, chunks, place.divided)
    return places.texts([chunk.chunk_id for chunk in there[:_MOST_CHUNKS]])


def _section(chunks: Sequence[PlacedChunk], sections: Sequence[SectionNumber]) -> list[PlacedChunk]:
    """The chunks under the headings with these numbers, each within the one before it."""
    depth = 0
    for section in sections:
        path = _heading(chunks, section, depth)
        if path is None:
            return []
        depth = len(path)
        chunks = [chunk for chunk in chunks if chunk.heading_path[:depth] == path]
    return list(chunks)


def _heading(chunks: Sequence[PlacedChunk], section: SectionNumber, depth: int) -> tuple[str, ...] | None:
    """The path of the first heading below `depth` with a number, that with its unit before those without any."""
    paths = dict.fromkeys(
        chunk.heading_path[:end] for chunk in chunks for end in range(depth + 1, len(chunk.heading_path) + 1)
    )
    numbers = {path: title_number(path[-1]) for path in paths}
    exact = [path for path in paths if numbers[path] == section]
    alike = [path for path in paths if (own := numbers[path]) and _means(own, section)]
    return next(iter(exact or sorted(alike, key=len)), None)


def _means(title: SectionNumber, asked: SectionNumber) -> bool:
    """Whether 第三章 or 3.2节 may mean a heading: 三、 and 3 are chapters, 3.2 a section, within 3 also the second."""
    if title.unit and asked.unit:
        return False
    return title.numbers == asked.numbers or (asked.unit == "节" and title.numbers[1:] == asked.numbers)


def _whole(places: Places, chunks: Sequence[PlacedChunk], divided: bool) -> Sequence[Chunk]:
    """What tells of a whole document: its introduction, its list of contents, and the beginnings of its parts.

    Where it has no such list, its first passage stands below the titles of its parts.
    """
    opening = places.texts([chunk.chunk_id for chunk in chunks[:_OPENING]])
    lists = [chunk for chunk in opening if lists_contents(chunk.passage.text)]
    prose = [chunk for chunk in opening if chunk not in lists and _tells(chunk.passage.text)]
    introduces = [chunk for chunk in prose if _INTRODUCES.search(" ".join(chunk.passage.heading_path))]
    leads = [*(introduces or prose or opening)[:_LEADS]]
    parts = _parts(chunks)
    if not lists and len(parts) > 1 and leads:
        passage = replace(leads[0].passage, context=" / ".join(parts)[:_LONGEST_LIST])
        leads[0] = replace(leads[0], passage=passage)
    if divided:
        return lists or leads[:1]
    first = [*leads, *lists]
    known = {chunk.chunk_id for chunk in first}
    return [*first, *places.texts([chunk_id for chunk_id in parts.values() if chunk_id not in known])]


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
