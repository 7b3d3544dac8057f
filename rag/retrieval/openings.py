"""What documents say of themselves at their beginning: it holds for all of their pages, which seldom repeat it.

The page of a report with the turnover does not name the company. A question that does finds the pages which talk about
the company by its name; without the name it finds the turnover.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from rag.knowledge.base import KnowledgeBase
from rag.knowledge.reading_order import PlacedDocument, ReadingOrder
from rag.knowledge.request import SearchRequest
from rag.language.folding import fold, fold_name
from rag.language.follow_up import names_matter
from rag.language.titles import names_in, title_lines
from rag.language.whole_document import left_besides
from rag.language.words import COMPARISONS, DOCUMENTS, stands_in, terms, without_filler
from rag.retrieval.candidates import together
from rag.retrieval.query import Query
from rag.types import Hit, Message, SearchResult

IN_THE_NAMED = Message("search.in_the_named")
_SHORTEST_NAME = 2
_REMEMBERED = 4096
# Each document that is compared takes a search of its own.
_MOST_COMPARED = 4
# Runs of Latin letters, of digits, of Chinese characters.
_RUN = re.compile(r"[a-z]+|\d+|[^\W\da-z_]+")
# What is asked of two names and nothing besides: 注意力机制和机器学习的关系.
_HOW_RELATED = re.compile(f"关系|联系|共同点|{COMPARISONS}")
# What is said of several at once, and of none by itself.
_COMPARES = re.compile(r"分别|各自|各(?=是|有|为|占)|相比|比较|[和与跟及、]\s+")
# All documents by what they are: 两家公司, 哪份合同的租金更高.
_KIND = f"(?:公司|企业|银行|机构|单位|{DOCUMENTS}|合同|协议|书|制度)"
_EACH = re.compile(
    rf"[这那]?(?<!哪)(?:[两二三四几]|\b[234])[家个份篇本]{_KIND}(?:之间)?[里中]?|[各每](?:[家份篇本]{_KIND}?|个?{_KIND})|"
    rf"哪一?(?:[家份篇本]{_KIND}?|个{_KIND})(?=.*?[更最较])"
)
_RATHER = re.compile(f"[更最较][多少高低大小长短早晚好差贵快慢强弱久重轻]+|相?差了?多少|{COMPARISONS}")
# What a question may begin with to say which documents it is put to: a title, or a clause.
_ADDRESS = re.compile(
    r"\s*(?:[在从据按]|根据|依据|按照)?\s*《[^《》]{2,}》[里中内的]?[,，:：]?|[^,，:：。?？!！]{4,}[,，:：]"
)


def addressed(order: ReadingOrder, query: Query) -> Query | None:
    """What is put to the documents that a question names by its first words, 《员工手册》中，…; None for any other.

    These first words name documents and say nothing else. Raises StoreError.
    """
    begins = _ADDRESS.match(query.question)
    if begins is None or not terms(query.question[begins.end() :]):
        return None
    openings, address = order.openings(query.collections, query.scope), left_besides(fold(begins[0]))
    named = [own for own, opening in openings.items() if _only_names(address, opening, begins[0])]
    alone = tuple(phrasing.removeprefix(begins[0]) for phrasing in query.phrasings)
    return replace(query.to_documents(named), phrasings=alone) if named else None


def calls_one(order: ReadingOrder, query: Query) -> bool:
    """Whether a question calls a document by a name. Raises StoreError."""
    asked, openings = fold(query.question), order.openings(query.collections, query.scope)
    return any(any(names_in(asked, title)) for title in _titles(asked, openings).values())


def search_by_name(
    knowledge: KnowledgeBase, order: ReadingOrder | None, request: SearchRequest, query: Query
) -> SearchResult:
    """What the phrasings of one question find and, in a document that it calls by its name, what it finds without.

    There a passage gains nothing by repeating what its document is called: a cover would come before each table.
    Without `order` it is not known what documents are called. Raises StoreError.
    """
    asked, collections, scope = fold(query.question), query.collections, query.scope
    openings = order.openings(collections, scope) if order else {}
    rest, called = _called(asked, openings)
    # 公司 is in the names of all.
    if order and _EACH.search(asked) and all(len(alike) > 1 for alike in called):
        rest, called = _of_each(asked, order.documents(collections, scope))
    opening_of = [openings.get(min(alike), "") for alike in called]
    # As it was asked, the follow-up lacks the name: it finds what any other document says of that.
    is_named = bool(called) and _has_name(asked, opening_of[0])
    nameless = [one for one in query.phrasings[1:] if not any(_has_name(fold(one), opening) for opening in opening_of)]
    found = knowledge.search(query.phrasings[:1] if is_named else query.phrasings, collections, request, scope)
    if not called:
        return found
    hits = [hit for hit in found.hits if not any(hit.chunk.document_id in alike for alike in called)]
    traces = [found.trace]
    for alike in called:
        # One by one: of two that are compared, one may have all of the best passages.
        there = knowledge.search((rest, *nameless), collections, request, query.to_documents(alike).scope)
        hits += (replace(hit, opening=openings.get(hit.chunk.document_id, hit.opening)) for hit in there.hits)
        traces.append(there.trace)
    best = tuple(sorted(hits, key=lambda hit: -hit.score)[: request.limit])
    named = replace(found, hits=best, trace=together(traces))
    return replace(named, compared=tuple(called), asked=rest) if len(called) > 1 else named


def each_first(ranked: Sequence[Hit], compared: Sequence[frozenset[str]]) -> tuple[Hit, ...]:
    """The hits with the best of each document that is compared before all others: the answer takes one of each."""
    of_each = ([hit.chunk.chunk_id for hit in ranked if hit.chunk.document_id in alike] for alike in compared)
    best = {chunk_ids[0] for chunk_ids in of_each if chunk_ids}
    return tuple(sorted(ranked, key=lambda hit: hit.chunk.chunk_id not in best))


def _called(question: str, openings: Mapping[str, str]) -> tuple[str, list[frozenset[str]]]:
    """What is left of a question without the names by which it calls documents, and these, those of one name together.

    华为和中兴的营业收入 calls two. 年会哪天开 calls none by the word of a title without which it would say nothing.
    """
    known = _titles(question, openings)
    unnamed_by = {document: rest for document, opening in known.items() if (rest := unnamed(question, opening))}
    # Of a thousand documents that are called alike the same is left.
    saying = set(filter(names_matter, set(unnamed_by.values())))
    rests = {
        document: rest
        for document, rest in unnamed_by.items()
        if rest in saying or any(names_in(question, known[document]))
    }
    if not rests:
        return question, []
    # 公司 is part of many names: the document that is called has most of the name.
    rest = min(rests.values(), key=len)
    called = [frozenset(document for document, left in rests.items() if left == rest)]
    first = "\n".join(known[document] for document in called[0])
    for document, title in known.items():
        names = [name for name in names_in(question, title) if name not in first]
        if document not in called[0] and names and len(called) < _MOST_COMPARED:
            called.append(frozenset({document}))
            question = question.replace(max(names, key=len), " ")
    if len(called) == 1:
        return rest, called
    left = _COMPARES.sub("", unnamed(question, known[min(called[0])]))
    return (left, called) if terms(left) else (question, [])


def _of_each(question: str, documents: Sequence[PlacedDocument]) -> tuple[str, list[frozenset[str]]]:
    """What is asked of each document where a question compares all that there are, 哪家公司的总资产更多; and these."""
    own = [frozenset({document.document_id}) for document in documents if document.chunks and not document.is_shared]
    rest = _RATHER.sub(" ", _COMPARES.sub("", _EACH.sub(" ", question))).strip(" 的，,在")
    return (rest, own) if 1 < len(own) <= _MOST_COMPARED and terms(rest) else (question, [])


def _titles(question: str, openings: Mapping[str, str]) -> dict[str, str]:
    """The titles, folded, of documents that a question may call: those with two of its signs in a row, or a letter.

    Of a thousand documents few do, and to look for their names takes a hundred times as long.
    """
    runs = [run[0] for run in _RUN.finditer(question)]
    pieces = {run[place : place + 2] for run in runs for place in range(max(1, len(run) - 1))}
    has_piece = re.compile("|".join(map(re.escape, pieces)) or "(?!)")
    titles = ((document, _title(opening)) for document, opening in openings.items())
    return {document: title for document, title in titles if has_piece.search(title)}


def _has_name(question: str, opening: str) -> bool:
    """Whether a folded question has a name of the document that begins so."""
    return any(names_in(question, _title(opening)))


# Every search asks for those of all documents.
@lru_cache(_REMEMBERED)
def _title(opening: str) -> str:
    """What a document is called as it begins, folded: what it tells of itself there is no name of it."""
    return fold_name("\n".join(title_lines(opening)))


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
    return left if is_called and terms(_HOW_RELATED.sub(" ", left)) and not question.isascii() else ""


def _only_names(address: str, opening: str, written: str) -> bool:
    """Whether an address says nothing but what a document is called, both folded; `written` is as it was put.

    Without brackets it needs a name: 公司规定 and 年度报告 may be anybody's, though a title has them.
    """
    title = _title(opening)
    runs = [(run[0], _without(run[0], title)) for run in _RUN.finditer(address)]
    calls = any(left != run and not run.isdigit() for run, left in runs)
    left = " ".join(left for _, left in runs)
    has_name = "《" in written or re.search("[a-z]", address) or _has_name(address, opening)
    # 《公司法》 is not what a 公司 reports.
    return bool(calls and has_name) and not terms(left) and set(without_filler(left)) <= {" ", *title}


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
