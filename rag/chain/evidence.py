"""The documents that a chain has found before, by what they were found for."""

from collections import OrderedDict
from collections.abc import Sequence
from itertools import chain
from pathlib import PurePath
from threading import Lock

from langchain_core.documents import Document

from rag.decision.base import Material, Situation
from rag.reuse import adding, by_cover
from rag.types import Exchange

_EXCHANGES = 512  # remembered; older ones are searched for again
# What exchanges were answered from, the newest first.
Groups = Sequence[Sequence[Document]]


class HeldEvidence:
    """Knows a conversation by its exchanges, so that histories may come and go, be cut short or branch."""

    def __init__(self) -> None:
        self._documents: OrderedDict[tuple[str, str], tuple[Document, ...]] = OrderedDict()
        self._lock = Lock()

    def __deepcopy__(self, _memo: object) -> "HeldEvidence":
        """What a copy of a chain begins with; from then on each remembers its own."""
        copied = HeldEvidence()
        with self._lock:
            copied._documents.update(self._documents)
        return copied

    def keep(self, exchange: Exchange, documents: Sequence[Document]) -> None:
        """Remember what an exchange was answered from."""
        if not documents:
            return
        with self._lock:
            self._documents[_key(exchange)] = tuple(documents)
            self._documents.move_to_end(_key(exchange))
            if len(self._documents) > _EXCHANGES:
                self._documents.popitem(last=False)

    def of(self, exchanges: Sequence[Exchange]) -> tuple[tuple[Document, ...], ...]:
        """What each of a conversation's exchanges was answered from, the newest first."""
        with self._lock:
            kept = [self._documents.get(_key(exchange), ()) for exchange in reversed(exchanges)]
        return tuple(filter(None, kept))


def situation(question: str, earlier: Sequence[tuple[str, str]], held: Groups, found: Sequence[Document]) -> Situation:
    """A turn as a decider sees it, with what a search for the question found."""
    in_hand = _each_once(held)
    elsewhere = _others(found, in_hand)
    return Situation(question, tuple(earlier), tuple(map(_material, in_hand)), tuple(map(_material, elsewhere)))


def reused(question: str, held: Groups, found: Sequence[Document]) -> list[Document]:
    """The evidence in hand and, of what a search found, that which says what it lacks; what covers the question first.

    A chain's prompt holds nothing else, and the search was made to decide: to throw away what it found saves nothing.
    """
    in_hand = _each_once(held)
    others = adding(question, in_hand, _others(found, in_hand), _text)
    return _each_once(by_cover(question, [*held, others], _text))


def _each_once(groups: Groups) -> list[Document]:
    unique: dict[str, Document] = {}
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


def _identity(document: Document) -> str:
    # The same passage scores differently in each search, so whole documents are not compared.
    return document.id or document.page_content


def _key(exchange: Exchange) -> tuple[str, str]:
    # Whoever keeps a history may trim what it shows.
    return exchange.question.strip(), exchange.answer.strip()
