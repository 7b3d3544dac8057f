"""What is read of documents where a question names a place in them: pages, a section, or what tells of the whole.

A search finds nothing for "what does page 10 say?" or "what is this about?": no passage says that of itself.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest
from pathlib import PurePath

from loaders.headings import bare
from rag.decision.words import names
from rag.english_places import in_chinese
from rag.knowledge.places import PlacedChunk, PlacedDocument, Places
from rag.place import title_number
from rag.rerank.contents_list import lists_contents
from rag.types import Chunk, Evidence, Message, Place, Scope, SectionNumber

NO_SUCH_PAGE = Message("search.no_such_page")
# Of more documents than these it can't be meant that each is to be read.
_MOST_DOCUMENTS = 5
# Of a document's beginning so many chunks are looked through for what introduces it.
_OPENING = 40
_LEADS = 2
_MOST_CHUNKS = 24
_SHORTEST_LEAD = 40
_LONGEST_LIST = 240
_UPPERMOST = ("章", "部分")
_INTRODUCES = re.compile(
    r"摘\s*要|提要|前\s*言|引\s*言|序\s*言|绪\s*论|导\s*[言论读]|概\s*[述要况]|简\s*介|abstract|introduction|summary|overview|preface",
    re.IGNORECASE,
)
Headings = dict[tuple[str, ...], SectionNumber | None]
_SENTENCE_END = re.compile(r"[。！？!?;；]|\.\s|\.$")


def read(places: Places, place: Place, collections: Sequence[str], scope: Scope | None) -> tuple[Chunk, ...]:
    """The chunks that stand at a place, in the order of reading; of several documents in turn. Raises StoreError.

    Nothing where no document has the place, or where what the question is about names none of whole documents.
    """
    known = places.documents(collections, scope)
    called = _called(known, place)
    if place.step or (place.about and not called and not _numbered(place)):
        return ()
    first = min(map(abs, place.pages), default=0)
    able = [document for document in called or known if document.pages >= first]
    # Where none is that long, a page may be called by the number that is printed on it.
    meant = (able or called or known)[:_MOST_DOCUMENTS]
    of_each = [_standing(places, place, document, scope) for document in meant]
    in_turn = (chunk for chunk in chain(*zip_longest(*of_each)) if chunk is not None)
    return tuple(islice(in_turn, _MOST_CHUNKS))


def asks_for_more(place: Place, found: Sequence[Chunk] | Sequence[Evidence]) -> bool:
    """Whether a question asks for something in particular at a place, beyond the name of a document."""
    return _beyond(place, {item.document_name for item in found})


def lacks(places: Places, place: Place, collections: Sequence[str], scope: Scope | None) -> bool:
    """Whether all that a question asks for is pages, where `read` has found none of them. Raises StoreError."""
    known = places.documents(collections, scope) if place.pages else ()
    return bool(known) and not _beyond(place, {document.name for document in known})


def _beyond(place: Place, documents: Collection[str]) -> bool:
    """Whether a question has terms that are not the name of one of some documents."""
    called = {name.lower() for name in documents}
    return bool(place.about) and not any(all(_names(name, term) for term in place.about) for name in called)


def may_be_a_thing(place: Place) -> bool:
    """Whether what is counted need not be a section: 第一部分养老保险, 第一篇论文; only 章 and 3.2 are no more."""
    return bool(place.sections) and all(len(one.numbers) == 1 and one.unit != "章" for one in place.sections)


def _called(known: Sequence[PlacedDocument], place: Place) -> list[PlacedDocument]:
    """The documents that a question calls by their name; beside pages or a section it may ask for more than that."""
    enough = any if _numbered(place) else all
    names = [(document, PurePath(document.name).stem.lower()) for document in known if place.about]
    return [document for document, name in names if enough(_names(name, term) for term in place.about)]


def _numbered(place: Place) -> bool:
    """Whether a place is certain without the name of its document: a title may be any document's, or a subject."""
    return bool(place.pages) or any(section.numbers for section in place.sections)


def _names(name: str, term: str) -> bool:
    """Whether a name has a term; 5 is none of 2015, nor "it" of "audit"."""
    if not term.isascii():
        return term in name
    kind = r"\d" if term[0].isdigit() else "[a-z]"
    return re.search(rf"(?<!{kind}){re.escape(term)}(?!{kind})", name) is not None


def _standing(places: Places, place: Place, document: PlacedDocument, scope: Scope | None) -> Sequence[Chunk]:
    """The chunks of a document that stand at a place."""
    chunks = places.chunks(document.document_id, scope)
    if place.pages:
        pages = frozenset(page if page > 0 else document.pages + 1 + page for page in place.pages)
        if min(pages) > document.pages:
            pages = places.printed(document.document_id, pages)
        there = [chunk for chunk in chunks if not pages.isdisjoint(range(chunk.page, chunk.last_page + 1))]
    elif place.sections:
        there = _sections(chunks, place.sections)
    else:
        return _whole(places, chunks, place.divided)
    return places.texts([chunk.chunk_id for chunk in there[:_MOST_CHUNKS]])


def _sections(chunks: Sequence[PlacedChunk], sections: Sequence[SectionNumber]) -> list[PlacedChunk]:
    """The chunks under the headings that are called so, of several in turn."""
    routes: list[list[SectionNumber]] = []
    for section in sections:
        former = routes[-1] if routes else []
        units = [above.unit for above in former]
        route = [*former[: units.index(section.unit) if section.unit in units else None], section]
        if former and len(route) > len(former):
            routes[-1] = route
        else:
            routes.append(route)
    headings = _headings(chunks)
    paths = [path for route in routes if (path := _path(headings, route))]
    under = ([chunk for chunk in chunks if chunk.heading_path[: len(path)] == path] for path in paths)
    return list(dict.fromkeys(chunk for chunk in chain(*zip_longest(*under)) if chunk))


def _headings(chunks: Sequence[PlacedChunk]) -> Headings:
    """The headings of a document by their paths, in the order of reading, with their numbers: 10 is that above 10.1."""
    headings: Headings = {}
    for chunk in chunks:
        for end in range(1, len(chunk.heading_path) + 1):
            if (path := chunk.heading_path[:end]) not in headings:
                headings[path] = _number(path[-1], chunk)
    for path, own in list(headings.items()):
        if own and len(own.numbers) > 1 and headings.get(path[:-1], own) is None:
            headings[path[:-1]] = SectionNumber(own.numbers[:-1])
    return headings


def _path(headings: Headings, route: Sequence[SectionNumber]) -> tuple[str, ...]:
    """The path of the first heading that is called so, within those that are called as the ones before it; else ()."""
    path: tuple[str, ...] = ()
    for section in route:
        within = {below: headings[below] for below in headings if below[: len(path)] == path != below}
        path = next(iter(_called_so(within, section)), ())
        if not path:
            break
    return path


def _called_so(headings: Headings, section: SectionNumber) -> Sequence[tuple[str, ...]]:
    """The headings that may be meant: those that have the unit of a number before those without any."""
    if section.title:
        return [path for path in headings if _entitled(path[-1], section.title)]
    numbers = {path: own for path, own in headings.items() if own}
    same = [path for path in numbers if numbers[path].unit == section.unit]
    # Who says 第三章 or 第三部分 may mean the third of what is uppermost, whatever that is called: 第三节, 三、.
    other = [path for path in numbers if section.unit in _UPPERMOST or not numbers[path].unit]
    top = min(map(len, other), default=0)
    upper = [path for path in other if len(path) == top]
    if section.numbers[0] < 0:
        return (same or upper)[::-1][-section.numbers[0] - 1 :]
    exact = [path for path in same if numbers[path] == section]
    alike = [path for path in upper if numbers[path].numbers == section.numbers]
    return exact or alike or sorted((path for path in numbers if _means(numbers[path], section)), key=len)


def _number(title: str, first: PlacedChunk) -> SectionNumber | None:
    """The number of a heading, or else before it in its first chunk: the bookmarks that LaTeX writes have none."""
    lines = (line for line in first.opening.splitlines() if bare(line).endswith(bare(title)))
    return title_number(title) or title_number(next(lines, ""))


def _entitled(heading: str, title: str) -> bool:
    """Whether a heading has a title, with or without a number of its own or more words behind it."""
    begins = re.compile(rf"{re.escape(bare(title))}(?!\d)", re.IGNORECASE)
    return any(begins.match(bare(name)) for name in names(in_chinese(heading)))


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
