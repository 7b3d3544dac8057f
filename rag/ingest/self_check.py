"""Asks documents about their own sentences: a search that no longer works is seen before anybody relies on it.

A question is a sentence with every third of its words left out. That is easier than what people ask, so a route that
misses many of them is broken, not weak.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from loaders.sentences import sentence_spans
from rag.background import Background
from rag.errors import UnknownDocument
from rag.knowledge.base import KnowledgeBase, collections_seen_by
from rag.knowledge.contents import Contents
from rag.knowledge.request import CHUNK_DENSE, CHUNK_SPARSE, SearchRequest
from rag.knowledge.self_checks import SelfChecks
from rag.types import RetrievalCheck, Scope

_QUESTIONS = 20
_AMONG = 5
# Of a short document, five passages would be most of it, and found by any search.
_SHARE = 4
_SHORTEST, _LONGEST = 10, 80
_FEWEST_WORDS = 4
_POLL_SECONDS = 5.0
_FUSED = "fused"
_log = logging.getLogger(__name__)
Pieces = Callable[[str], list[str]]


def cloze(sentence: str, pieces: Pieces) -> str:
    """A sentence's words without every third one; "" for one that has too few."""
    words = [piece for piece in pieces(sentence) if any(map(str.isalnum, piece))]
    left = (word for place, word in enumerate(words) if place % 3 != 1)
    return " ".join(left) if len(words) >= _FEWEST_WORDS else ""


def clozes(texts: Sequence[str], pieces: Pieces, count: int = _QUESTIONS) -> dict[str, str]:
    """At most `count` questions, by their sentences: of texts spread evenly, of each its longest that is fit."""
    made: dict[str, str] = {}
    count = min(count, len(texts))
    for text in (texts[place * len(texts) // count] for place in range(count)):
        spans = sorted(sentence_spans(text, 0, len(text), _LONGEST), key=lambda span: span[0] - span[1])
        sentences = (text[start:end] for start, end in spans if end - start >= _SHORTEST)
        asked = ((sentence, question) for sentence in sentences if (question := cloze(sentence, pieces)))
        if first := next(asked, None):
            made[first[0]] = first[1]
    return made


class SelfCheck:
    """A thread that checks new documents one after the other; it rests while `idle` is cleared: somebody waits."""

    def __init__(
        self,
        contents: Contents,
        checks: SelfChecks,
        knowledge: KnowledgeBase,
        request: Callable[[], SearchRequest],
        pieces: Pieces,
        idle: threading.Event,
    ) -> None:
        """`request` tells the search in force, `pieces` cuts a sentence into words."""
        self._contents = contents
        self._checks = checks
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

    def checks(self, session_id: str) -> Mapping[str, RetrievalCheck]:
        """The newest check of each document that a session can see and that has had one. Raises StoreError."""
        return self._checks.seen(session_id)

    def checking(self) -> frozenset[str]:
        """The documents that are being checked, or wait for it."""
        return frozenset({*self._asked, *filter(None, (self._running,))})

    def check(self, session_id: str, document_id: str) -> RetrievalCheck | None:
        """What a document's own questions find of it now; None where the program ends meanwhile.

        Raises UnknownDocument, StoreError.
        """
        passages = self._contents.chunks(session_id, document_id)
        among = max(1, min(_AMONG, len(passages) // _SHARE))
        request = replace(self._request(), limit=max(among, self._request().limit))
        collections, scope = collections_seen_by(session_id), Scope(frozenset({document_id}))
        asked = clozes([chunk.passage.text for chunk in passages], self._pieces)
        hits, note = Counter[str](), None
        for sentence, question in asked.items():
            if not self._background.wait_for(self._idle):
                return None
            result = self._knowledge.search((question,), collections, request, scope)
            right = {chunk.chunk_id for chunk in passages if sentence in chunk.passage.text}
            found = {route.field: [chunk_id for chunk_id, _ in route.found] for route in result.trace.routes}
            found[_FUSED] = [hit.chunk.chunk_id for hit in result.hits]
            hits.update(way for way, ids in found.items() if not right.isdisjoint(ids[:among]))
            note = next(iter(result.trace.notes), note)
        fields = [route.anns_field for route in request.requests]
        dense, sparse = (hits[field] if field in fields else None for field in (CHUNK_DENSE, CHUNK_SPARSE))
        return RetrievalCheck(document_id, len(asked), among, dense, sparse, hits[_FUSED], note, datetime.now(UTC))

    def _round(self) -> None:
        if not self._next():
            self._background.rest(_POLL_SECONDS)

    def _next(self) -> bool:
        """Check one document, one that was asked for first. Whether there was one."""
        waiting = next(((session_id, document_id) for document_id, session_id in [*self._asked.items()]), None)
        due = waiting or self._checks.unchecked()
        if due is None:
            return False
        session_id, document_id = due
        self._running = document_id
        asked, is_done = self._asked.pop(document_id, None), False
        try:
            state = self._checks.state(document_id)
            check = self.check(session_id, document_id)
            is_done = check is None or self._checks.keep(check, state)
        except UnknownDocument:
            _log.info("a document was deleted before it was checked")
            is_done = True
        finally:
            if asked is not None and not is_done:
                # The reader asked for it and waits; after the others, which may fare better.
                self._asked.setdefault(document_id, asked)
            self._running = None
        return True
