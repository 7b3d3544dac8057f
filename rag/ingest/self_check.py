"""Asks documents about their own sentences: a search that no longer works is seen before anybody relies on it.

A question is a sentence with every third of its words left out. That is easier than what people ask, so a route that
misses many of them is broken, not weak.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from loaders.sentences import sentence_spans
from rag.background import Background
from rag.errors import UnknownDocument
from rag.knowledge.base import SHARED_COLLECTION, KnowledgeBase
from rag.knowledge.contents import Contents
from rag.knowledge.request import CHUNK_DENSE, CHUNK_SPARSE, SearchRequest
from rag.types import Chunk, Message, RetrievalCheck, Scope

_QUESTIONS = 20
_AMONG = 5
# Of a short document, five passages would be most of it, and found by any search.
_SHARE = 4
_SHORTEST, _LONGEST = 10, 80
_FEWEST_WORDS = 4
_POLL_SECONDS = 5.0
_log = logging.getLogger(__name__)
Pieces = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Cloze:
    """A sentence, and the question made of it."""

    sentence: str
    question: str


def cloze(sentence: str, pieces: Pieces) -> str | None:
    """A sentence's words without every third one; None for one that has too few."""
    words = [piece for piece in pieces(sentence) if any(map(str.isalnum, piece))]
    if len(words) < _FEWEST_WORDS:
        return None
    return " ".join(word for place, word in enumerate(words) if place % 3 != 1)


def clozes(texts: Sequence[str], pieces: Pieces, count: int = _QUESTIONS) -> list[Cloze]:
    """At most `count` questions, of texts spread evenly over all, one each, of its longest sentence that is fit."""
    made: dict[str, Cloze] = {}
    step = max(1.0, len(texts) / count)
    for place in range(min(count, len(texts))):
        text = texts[int(place * step)]
        spans = sorted(sentence_spans(text, 0, len(text), _LONGEST), key=lambda span: span[0] - span[1])
        for start, end in spans:
            sentence = text[start:end]
            question = cloze(sentence, pieces) if end - start >= _SHORTEST else None
            if question:
                made.setdefault(sentence, Cloze(sentence, question))
                break
    return list(made.values())


class SelfCheck:
    """A thread that checks new documents one after the other; it rests while `idle` is cleared: somebody waits."""

    def __init__(
        self,
        contents: Contents,
        knowledge: KnowledgeBase,
        request: Callable[[], SearchRequest],
        pieces: Pieces,
        idle: threading.Event,
    ) -> None:
        """`request` tells the search in force, `pieces` cuts a sentence into words."""
        self._contents = contents
        self._knowledge = knowledge
        self._request = request
        self._pieces = pieces
        self._idle = idle
        self._asked: dict[str, str] = {}
        self._running: str | None = None
        self._background = Background("self-check", self._round)

    def start(self) -> None:
        """Begin with the documents that have not been checked."""
        self._background.start()

    def close(self) -> None:
        """Leave the document in hand for the next start."""
        self._background.close()

    def request(self, session_id: str, document_id: str) -> None:
        """Check a document next, in the background. Raises UnknownDocument, StoreError."""
        self._contents.chunks(session_id, document_id, count=1)
        self._asked[document_id] = session_id
        self._background.wake()

    def checking(self) -> frozenset[str]:
        """The documents that are being checked, or wait for it."""
        return frozenset({*self._asked, *filter(None, (self._running,))})

    def check(self, session_id: str, document_id: str) -> RetrievalCheck | None:
        """What a document's own questions find of it now; None where the program ends meanwhile.

        Raises UnknownDocument, StoreError.
        """
        passages = self._contents.chunks(session_id, document_id)
        asked = clozes([chunk.passage.text for chunk in passages], self._pieces)
        among = max(1, min(_AMONG, len(passages) // _SHARE))
        request = replace(self._request(), limit=max(among, self._request().limit))
        fields = [route.anns_field for route in request.requests]
        hits = dict.fromkeys((*fields, ""), 0)
        note: Message | None = None
        for item in asked:
            if not self._background.wait_for(self._idle):
                return None
            note = self._ask(item, session_id, passages, among, request, hits) or note
        dense, sparse = (hits.get(field) for field in (CHUNK_DENSE, CHUNK_SPARSE))
        return RetrievalCheck(document_id, len(asked), among, dense, sparse, hits[""], note, datetime.now(UTC))

    def _ask(
        self,
        item: Cloze,
        session_id: str,
        passages: Sequence[Chunk],
        among: int,
        request: SearchRequest,
        hits: dict[str, int],
    ) -> Message | None:
        """Count one question's hits by field, and those of the fusion under no field; why a route could not search."""
        right = {chunk.chunk_id for chunk in passages if item.sentence in chunk.passage.text}
        scope = Scope(frozenset({passages[0].document_id}))
        collections = tuple(dict.fromkeys((session_id, SHARED_COLLECTION)))
        result = self._knowledge.search((item.question,), collections, request, scope)
        found = {route.field: [chunk for chunk, _ in route.found[:among]] for route in result.trace.routes}
        found[""] = [hit.chunk.chunk_id for hit in result.hits[:among]]
        for field, chunks in found.items():
            hits[field] += not right.isdisjoint(chunks)
        return result.trace.notes[0] if result.trace.notes else None

    def _round(self) -> None:
        if not self._next():
            self._background.rest(_POLL_SECONDS)

    def _next(self) -> bool:
        """Check one document, one that was asked for first. Whether there was one."""
        waiting = [(session_id, document_id) for document_id, session_id in list(self._asked.items())]
        due = waiting[0] if waiting else self._contents.unchecked()
        if due is None:
            return False
        session_id, document_id = due
        self._running = document_id
        asked = self._asked.pop(document_id, None)
        try:
            if check := self.check(session_id, document_id):
                self._contents.keep(check)
        except UnknownDocument:
            _log.info("a document was deleted before it was checked")
        except Exception:
            if asked is not None:
                # The reader asked for it and waits; after the others, which may fare better.
                self._asked.setdefault(document_id, asked)
            raise
        finally:
            self._running = None
        return True
