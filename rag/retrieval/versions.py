"""Versions of one document, files called alike but for a year or an edition, and what is asked of one of them."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from rag.knowledge.reading_order import PlacedDocument, ReadingOrder
from rag.language.folding import fold, fold_name
from rag.language.han_numerals import whole_number
from rag.language.versions import ASKED, NAMED, NEWEST, marks, without_version
from rag.language.words import COMPARISONS, terms
from rag.retrieval.query import Query
from rag.types import Message, SearchResult

OTHER_VERSIONS = "search.other_versions"

_MOST_TOLD = 3
_Edition = tuple[str, tuple[int, ...]]

# What is asked of versions themselves, or of several years, stands in any of them: 2023版还有效吗.
_OF_VERSIONS = re.compile(
    rf"{COMPARISONS}|有效|废[止除]|失效|生效|变化|改了|修改|哪[个一]?版|"
    r"哪一?[年期]|[历各逐每往近前去今]\S?年|趋势|分别|[两几]年|连续.{1,2}年|上一?年|年[份均]|以[前往]|历史|走势|怎么变|"
    r"[几两三四五]份|二[〇零○][〇零○一二三四五六七八九]{2}年"
)


def version_asked(order: ReadingOrder, query: Query) -> Query | None:
    """What is put to the version of a document that a question tells, 2023版的餐补 or 新制度的餐补; None for any other.

    Raises StoreError.
    """
    asked = list(map(fold, query.phrasings))
    # Behind 旧版餐补多少 it is 新版呢 that says which.
    marked = next((one for one in map(marks, (asked[0], asked[-1])) if len(one) == 1), None)
    if marked is None or _OF_VERSIONS.search(asked[0]):
        return None
    mark, match = marked[0]
    alone = tuple(map(without_version, asked))
    families = _families(order.documents(query.collections, query.scope))
    named = [document_id for family in families for document_id in _chosen(family, mark, match)]
    return replace(query.to_documents(named), phrasings=alone) if named and terms(alone[0]) else None


def of_newest(order: ReadingOrder, query: Query, search: Callable[[Query], SearchResult]) -> SearchResult:
    """What a `search` finds: of several versions in the newest alone, where the question tells none.

    An older one answers where the newest has nothing half as probable. A note tells which there are. Raises StoreError.
    """
    found = search(query)
    family, names = _family_found(order, query, found)
    if not family:
        return found
    told = sorted(family, key=family.__getitem__, reverse=True)
    older = {own for own in told if family[own] != family[told[0]]}
    note = Message(OTHER_VERSIONS, {"names": "".join(f"“{names[own]}”" for own in told[:_MOST_TOLD])})
    if not (best := found.hits[0].relevance):  # nobody has judged it
        return found.noted(note)
    newest = search(query.to_documents(names.keys() - older))
    its_own = next((hit.relevance or 0.0 for hit in newest.hits if hit.chunk.document_id in family), 0.0)
    return (newest if 2 * its_own >= best else found).noted(note)


def _family_found(
    order: ReadingOrder, query: Query, found: SearchResult
) -> tuple[Mapping[str, _Edition], Mapping[str, str]]:
    """The versions of the document of the best that was found, none where a question tells or compares them; and what
    every document is called."""
    asked, best = fold(query.question), found.hits[0].chunk if found.hits else None
    if best is None or not _edition_of(best.document_name):
        return {}, {}
    if found.compared or NAMED.search(asked) or marks(asked) or _OF_VERSIONS.search(asked):
        return {}, {}
    documents = order.documents(query.collections, query.scope)
    names = {document.document_id: PurePath(document.name).stem for document in documents}
    return next((family for family in _families(documents) if best.document_id in family), {}), names


def _families(documents: Sequence[PlacedDocument]) -> list[Mapping[str, _Edition]]:
    """The editions of documents by their ids, those together that are called the same without these."""
    families: dict[str, dict[str, _Edition]] = defaultdict(dict)
    for document in documents:
        if (mark := _edition_of(document.name)) and not document.is_shared:
            name = re.sub(r"[\W_]+", "", mark.string[: mark.start()] + mark.string[mark.end() :])
            families[f"{mark.lastgroup} {name}"][document.document_id] = _edition(mark)
    return [family for family in families.values() if len(set(family.values())) > 1]


def _edition_of(name: str) -> re.Match[str] | None:
    """Where a file's name tells which version it is."""
    return NAMED.search(fold_name(PurePath(name).stem))


def _chosen(family: Mapping[str, _Edition], mark: re.Pattern[str], match: re.Match[str]) -> list[str]:
    """The documents of a family that are the edition which is asked for."""
    newest = max(family.values())
    if mark is ASKED:
        return [document_id for document_id, edition in family.items() if edition == _edition(match)]
    return [document_id for document_id, edition in family.items() if (edition == newest) == (mark is NEWEST)]


def _edition(match: re.Match[str]) -> _Edition:
    """What kind of edition a mark tells, and its number: a year, a version, or that of 第三版."""
    kind = match.lastgroup or ""
    number = match[kind]
    return kind, tuple(map(int, number.split("."))) if kind == "version" else (whole_number(number),)
