"""What documents say of themselves at their beginning: it holds for all of their pages, which seldom repeat it.

The page of a report with the turnover does not name the company. A question that does finds the pages which talk about
the company by its name; without the name it finds the turnover.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from rag.knowledge.base import KnowledgeBase
from rag.knowledge.reading_order import ReadingOrder
from rag.knowledge.request import SearchRequest
from rag.language.folding import fold, fold_name
from rag.language.words import stands_in, terms
from rag.types import Scope, SearchResult

# Of so many documents it may be looked up for each search what they are called.
_MOST_DOCUMENTS = 20
_SHORTEST_NAME = 2
# Runs of Latin letters, of digits, of Chinese characters.
_RUN = re.compile(r"[a-z]+|\d+|[^\W\da-z_]+")


def search_by_name(
    knowledge: KnowledgeBase,
    order: ReadingOrder | None,
    questions: Sequence[str],
    collections: Sequence[str],
    request: SearchRequest,
    scope: Scope | None,
) -> SearchResult:
    """What the phrasings of one question find and, in a document that it calls by its name, what it finds without.

    What is found without the name has that search's score: a passage gains nothing by repeating what its document is
    called. Without `order` it is not known what documents are called. Raises StoreError.
    """
    found = knowledge.search_all(questions, collections, request, scope)
    openings = order.openings(collections, scope, _MOST_DOCUMENTS) if order else {}
    asked = fold(questions[0])
    rests = {document: rest for document, opening in openings.items() if (rest := unnamed(asked, fold_name(opening)))}
    if not rests:
        return found
    # 公司 is part of many names: the document that is called has most of the name.
    rest = min(rests.values(), key=len)
    called = frozenset(document for document, left in rests.items() if left == rest)
    within = replace(scope or Scope(), document_ids=called)
    there = knowledge.search_all((rest,), collections, request, within).hits
    hits = {hit.chunk.chunk_id: hit for hit in (*found.hits, *there)}
    best = sorted(hits.values(), key=lambda hit: -hit.score)[: request.limit]
    named = ((hit, hit.chunk.document_id) for hit in best)
    return replace(
        found, hits=tuple(replace(hit, opening=openings[own]) if own in called else hit for hit, own in named)
    )


def unnamed(question: str, opening: str) -> str:
    """The question without what a document is called as it begins, both folded; "" where that is nothing, or all.

    A number alone calls no document: a year is asked for. Nor does a word of an English question: it may be any.
    """
    left, is_called, end = "", False, 0
    for run in _RUN.finditer(question):
        rest = _without(run[0], opening)
        is_called = is_called or (rest != run[0] and not run[0].isdigit())
        left += question[end : run.start()] + rest
        end = run.end()
    left = " ".join((left + question[end:]).split())
    return left if is_called and terms(left) and not question.isascii() else ""


def _without(run: str, known: str) -> str:
    """A run of a question without the pieces of it that are known; Latin words and numbers whole."""
    if run.isascii():
        return " " if stands_in(run, known) else run
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
