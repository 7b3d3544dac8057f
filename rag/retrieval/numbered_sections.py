"""The headings of a document, and which of them a question means that calls them by number or by title."""

import re
from collections.abc import Mapping, Sequence
from itertools import chain, takewhile, zip_longest

from loaders.headings import bare
from rag.knowledge.reading_order import PlacedChunk
from rag.language.english import with_chinese_places
from rag.language.han_numerals import PLACE_NUMBER, whole_number
from rag.language.place import ARTICLE, title_number
from rag.language.words import names
from rag.types import SectionNumber

# Who says 第三章 or 第三部分 may mean the third of what is uppermost, whatever that is called: 第三节, 三、.
_UPPERMOST = ("章", "部分")
# These may count what is not a section, and then mean no heading that lacks the unit: 第一篇论文.
_COUNT_THINGS = ("篇", "卷", "回", ARTICLE)
# 第十二条 at the beginning of a line.
_ARTICLE = re.compile(rf"^[^\S\n]*第\s*({PLACE_NUMBER})\s*{ARTICLE}(?![款项])", re.MULTILINE)
_LONGEST_ARTICLE = 3
Headings = dict[tuple[str, ...], SectionNumber | None]


def chunks_of_sections(chunks: Sequence[PlacedChunk], sections: Sequence[SectionNumber]) -> list[PlacedChunk]:
    """The chunks under the headings that are called so, of several in turn."""
    headings = _headings(chunks)
    paths = [path for route in _routes(sections) if (path := _path(headings, route))]
    under = ([chunk for chunk in chunks if chunk.heading_path[: len(path)] == path] for path in paths)
    return list(dict.fromkeys(chunk for chunk in chain(*zip_longest(*under)) if chunk))


def _routes(sections: Sequence[SectionNumber]) -> list[list[SectionNumber]]:
    """Each section behind those that it is named within: 第三章第一节和第二节 are two of one chapter."""
    routes: list[list[SectionNumber]] = []
    for section in sections:
        units = [above.unit for above in routes[-1]] if routes else []
        if section.unit in units:
            routes.append([*routes[-1][: units.index(section.unit)], section])
        elif routes:
            routes[-1].append(section)
        else:
            routes.append([section])
    return routes


def chunks_of_articles(
    chunks: Sequence[PlacedChunk], texts: Mapping[int, str], sections: Sequence[SectionNumber]
) -> list[PlacedChunk]:
    """The chunks in which the articles begin, and those after them up to where the next one does.

    `texts` are those of the chunks that may have the beginning of an article, by their ids.
    """
    begun = {chunk_id: [whole_number(number) for number in _ARTICLE.findall(text)] for chunk_id, text in texts.items()}
    found: dict[PlacedChunk, None] = {}
    for wanted in (section.numbers[0] for section in sections if section.unit == ARTICLE):
        first = next((place for place, chunk in enumerate(chunks) if wanted in begun.get(chunk.chunk_id, ())), None)
        if first is None:
            continue
        found[chunks[first]] = None
        if begun[chunks[first].chunk_id][-1] == wanted:
            rest = chunks[first + 1 : first + _LONGEST_ARTICLE]
            found |= dict.fromkeys(takewhile(lambda chunk: not begun.get(chunk.chunk_id), rest))
    return list(found)


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
    other = [
        path
        for path, own in numbers.items()
        if section.unit in _UPPERMOST or (not own.unit and section.unit not in _COUNT_THINGS)
    ]
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
    return any(begins.match(bare(name)) for name in names(with_chinese_places(heading)))


def _means(title: SectionNumber, asked: SectionNumber) -> bool:
    """Whether 第三章 or 3.2节 may mean a heading: 三、 and 3 are chapters, 3.2 a section, within 3 also the second."""
    if (title.unit and asked.unit) or asked.unit in _COUNT_THINGS:
        return False
    return title.numbers == asked.numbers or (asked.unit == "节" and title.numbers[1:] == asked.numbers)
