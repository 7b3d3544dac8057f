"""The documents that a chain has found before, by the conversations that they were found in."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain
from pathlib import PurePath
from threading import Lock
from weakref import ReferenceType, ref

from cachetools import LRUCache
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.retrievers import BaseRetriever

from rag.decision.base import Material, Situation
from rag.knowledge.fusion import Route, reciprocal_rank
from rag.knowledge.request import FusionSpec
from rag.language.words import PlainQuestion, adding, by_cover
from rag.rewriting.condense import own_words, points_back
from rag.turn.reuse import may_cover, means_something_newer

_TURNS = 512  # remembered; those longest not asked for are searched for again
# What turns were answered from, the newest first.
Groups = Sequence[Sequence[Document]]


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a turn was answered from, and whose search had found it."""

    retriever: ReferenceType[BaseRetriever]
    documents: tuple[Document, ...]


class HeldEvidence:
    """What turns were answered from, by who asked and the whole conversation up to the answer.

    So histories may come and go, be cut short at their end, or branch. Of one that has lost its beginning nothing is
    held, which costs a search: a question with its answer alone may be anybody's, as "我不知道" is. Equal conversations
    that were answered from different documents are those of different people, so neither's are held; where different
    retrievers found them, the last one's are.
    """

    def __init__(self) -> None:
        self._kept: LRUCache[str, _Kept] = LRUCache(_TURNS)
        self._lock = Lock()

    def __reduce__(self) -> "tuple[type[HeldEvidence], tuple[()]]":
        """What a copy of a chain begins with, here or in another process: it has another retriever."""
        return HeldEvidence, ()

    def keep(
        self, asker: str, retriever: BaseRetriever, conversation: Sequence[BaseMessage], documents: Sequence[Document]
    ) -> None:
        """Remember what the last answer of a conversation was given from; that it was from nothing, too."""
        *_, key = _keys(asker, conversation)
        kept = _Kept(ref(retriever), tuple(documents))
        with self._lock:
            before = self._kept.get(key)
            if before and before.retriever() is retriever and _texts(before.documents) != _texts(documents):
                kept = replace(kept, documents=())
            self._kept[key] = kept

    def of(
        self, asker: str, retriever: BaseRetriever, conversation: Sequence[BaseMessage]
    ) -> tuple[tuple[Document, ...], ...]:
        """What each answer of a conversation was given from, the newest first."""
        keys = [*_keys(asker, conversation)]
        with self._lock:
            found = [self._kept.get(key) for key in reversed(keys)]
        return tuple(kept.documents for kept in found if kept and kept.documents and kept.retriever() is retriever)


def situation(question: str, earlier: Sequence[tuple[str, str]], held: Groups, found: Sequence[Document]) -> Situation:
    """A turn as a decider sees it, with what a search for the question found."""
    in_hand = each_once(held)
    elsewhere = _others(found, in_hand)
    return Situation(question, tuple(earlier), tuple(map(_material, in_hand)), tuple(map(_material, elsewhere)))


def may_answer(seen: Situation, held: Groups) -> bool:
    """Whether the evidence in hand may answer a question, whatever a decider says."""
    return may_cover(seen) and not means_something_newer(seen.question, lambda text: _covering(text, held))


def tells_of(question: str, found: Sequence[Document]) -> bool:
    """Whether a passage found has a word of what seems to ask for nothing: 我的押金没退, where one tells of deposits.

    Of 20 such remarks on ten documents 11 find one, of 28 on anything else none.
    """
    own = PlainQuestion(own_words(question))
    return not points_back(own) and bool(adding(own, (), found, _text))


def _covering(text: str, held: Groups) -> list[tuple[str, str]]:
    """The newest of the groups that have most of a text's terms."""
    return [_identity(document) for group in by_cover(text, held, _text)[:1] for document in group]


def reused(question: str, held: Groups, found: Sequence[Document]) -> list[Sequence[Document]]:
    """The evidence in hand and, of what a search found, that which says what it lacks; what covers the question first.

    A chain's prompt holds nothing else, and the search was made to decide: to throw away what it found saves nothing.
    """
    in_hand = each_once(held)
    others = adding(question, in_hand, _others(found, in_hand), _text)
    return by_cover(question, [*held, others], _text)


def fused(found: Groups) -> list[Document]:
    """What several phrasings found, as many as the longest of these lists; of equal ones the first phrasing's first."""
    documents = each_once(found)
    numbers = {_identity(document): number for number, document in enumerate(documents)}
    # What retrievers call a score has no common scale, and most give none: a place in the list stands for it.
    scores = [
        {numbers[_identity(one)]: 1 / place for place, one in enumerate(each_once([group]), 1)} for group in found
    ]
    shares = reciprocal_rank([Route(score, range(len(documents))) for score in scores], FusionSpec("rrf").k)
    best = sorted(shares, key=lambda number: (-shares[number], number))
    return [documents[number] for number in best[: max(map(len, found))]]


def each_once(groups: Groups) -> list[Document]:
    """The documents of all groups, in their order."""
    unique: dict[tuple[str, str], Document] = {}
    for document in chain.from_iterable(groups):
        unique.setdefault(_identity(document), document)
    return list(unique.values())


def _others(found: Sequence[Document], held: Sequence[Document]) -> list[Document]:
    known = {_identity(document) for document in held}
    return [document for document in found if _identity(document) not in known]


def _text(document: Document) -> str:
    material = _material(document)
    return "\n".join((*material.titles, material.text))


def _material(document: Document) -> Material:
    """The document without a score: what retrievers call so has no common scale."""
    metadata = document.metadata
    source = str(metadata.get("source") or "")
    headings = metadata.get("heading_path")
    titles = (PurePath(source).stem, metadata.get("title"), *(headings if isinstance(headings, list | tuple) else ()))
    return Material(source, tuple(dict.fromkeys(str(title) for title in titles if title)), document.page_content)


def _identity(document: Document) -> tuple[str, str]:
    # The same passage scores differently in each search, so whole documents are not compared. Of what splitters make of
    # one document, all pieces may have its id.
    return document.page_content, str(document.id or document.metadata.get("source"))


def _texts(documents: Sequence[Document]) -> set[tuple[str | None, str]]:
    return {(document.id, document.page_content) for document in documents}


def _keys(asker: str, conversation: Sequence[BaseMessage]) -> Iterator[str]:
    """A key for the conversation up to each of its answers."""
    told = sha256(asker.encode(errors="backslashreplace"))
    for message in conversation:
        # Whoever keeps a history may trim what it shows.
        told.update(json.dumps([isinstance(message, AIMessage), message.text.strip()]).encode())
        if isinstance(message, AIMessage):
            yield told.hexdigest()
