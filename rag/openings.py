"""What documents say of themselves at their beginning: it holds for all of their pages, which seldom repeat it.

The page of a report with the turnover does not name the company. A question that does finds the pages which talk about
the company by its name; without the name it finds the turnover.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from rag.knowledge.base import KnowledgeBase
from rag.knowledge.reading_order import ReadingOrder
from rag.knowledge.request import SearchRequest
from rag.language.folding import fold
from rag.language.words import terms
from rag.types import Scope, SearchResult

# Of so many documents it may be looked up for each search what they are called.
_MOST_DOCUMENTS = 20
_SHORTEST_NAME = 2
# Runs of Latin letters, of digits, of Chinese characters.
_RUN = re.compile(r"[a-z]+|\d+|[^\W\da-z_]+")


def search(
    knowledge: KnowledgeBase,
    order: ReadingOrder | None,
    questions: Sequence[str],
    collections: Sequence[str],
    request: SearchRequest,
    scope: Scope | None,
) -> SearchResult:
    """What the phrasings of one question find and, where it calls a document by its name, what it finds without.

    Without `order` it is not known what documents are called. Raises StoreError.
    """
    openings = order.openings(collections, scope, _MOST_DOCUMENTS) if order else {}
    more = unnamed(questions[0], openings.values())
    result = knowledge.search_all((*questions, more) if more else questions, collections, request, scope)
    if not more:
        return result
    hits = (replace(hit, opening=openings.get(hit.chunk.document_id, "")) for hit in result.hits)
    return replace(result, hits=tuple(hits))


def unnamed(question: str, openings: Collection[str]) -> str:
    """The question without what documents are called at their beginning; "" where that is nothing, or all.

    A number alone calls no document: a year is asked for.
    """
    folded, known = fold(question), fold("\n".join(openings))
    left, is_called, end = "", False, 0
    for run in _RUN.finditer(folded):
        rest = _without(run[0], known)
        is_called = is_called or (rest != run[0] and not run[0].isdigit())
        left += folded[end : run.start()] + rest
        end = run.end()
    left = " ".join((left + folded[end:]).split())
    return left if is_called and terms(left) else ""


def _without(run: str, known: str) -> str:
    """A run of a question without the pieces of it that are known; Latin words and numbers whole."""
    if run.isascii():
        kind = r"\d" if run.isdigit() else "[a-z]"
        return " " if re.search(rf"(?<!{kind}){run}(?!{kind})", known) else run
    left, place = "", 0
    while place < len(run):
        end = place
        while end < len(run) and run[place : end + 1] in known:
            end += 1
        if end - place >= _SHORTEST_NAME:
            left, place = f"{left} ", end
        else:
            left, place = left + run[place], place + 1
    return left
