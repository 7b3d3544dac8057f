"""What the files' tab is shown of documents, in the web's tests."""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from rag.errors import DiskFull
from rag.types import Chunk, Document, Message, Passage, RetrievalCheck

CHUNKS = 120


class FakeSelection:
    """A session's choice, in memory; there is no room to keep one about what is called 磁盘."""

    def __init__(self, documents_of: Callable[[str], tuple[Document, ...]]) -> None:
        """`documents_of` tells which documents a session can see."""
        self._documents_of = documents_of
        self._left_out: dict[str, set[str]] = defaultdict(set)

    def choose(self, session_id: str, document_id: str, used: bool) -> None:
        names = {document.document_id: document.name for document in self._documents_of(session_id)}
        if "磁盘" in names.get(document_id, ""):
            raise DiskFull(path="store")
        (self._left_out[session_id].discard if used else self._left_out[session_id].add)(document_id)

    def choose_all(self, session_id: str, used: bool) -> None:
        for document in self._documents_of(session_id):
            self.choose(session_id, document.document_id, used)

    def left_out(self, session_id: str) -> frozenset[str]:
        return frozenset(self._left_out[session_id])


class FakeContents:
    """Any document has 120 passages, ten a page from page 25 on."""

    def chunks(self, session_id: str, document_id: str, first: int = 0, count: int | None = None) -> tuple[Chunk, ...]:
        last = CHUNKS if count is None else min(CHUNKS, first + count)
        return tuple(_chunk(document_id, number) for number in range(first, last))


class FakeSelfCheck:
    """Finds, two seconds after it is asked to, that no vector finds anything."""

    def __init__(self) -> None:
        self._found: dict[str, RetrievalCheck] = {}
        self._ends: dict[str, float] = {}

    def request(self, session_id: str, document_id: str) -> None:
        note = Message(
            "search.words_only", {"reason": Message("error.embedding_failed", {"model": "m", "detail": "d"})}
        )
        self._ends[document_id] = time.monotonic() + 2
        self._found[document_id] = RetrievalCheck(document_id, 20, 5, 0, 19, 19, note, datetime.now(UTC))

    def checks(self, session_id: str) -> Mapping[str, RetrievalCheck]:
        checking = self.checking()
        return {key: check for key, check in self._found.items() if key not in checking}

    def checking(self) -> frozenset[str]:
        return frozenset(key for key, end in self._ends.items() if time.monotonic() < end)


def _chunk(document_id: str, number: int) -> Chunk:
    page = 25 + number // 10
    passage = Passage(
        f"第{number + 1}段的内容。", 10 * number, 10 * number + 9, page, page, str(page), ("第一章", "休假")
    )
    return Chunk(number + 1, document_id, "mine", "员工手册.pdf", number, passage)
