"""Services for the web's tests: an engine that follows a script, an ingest that only pretends to read."""

import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from rag import events
from rag.engine import ROOT
from rag.errors import (
    EmptyQuestion,
    ModelStreamBroken,
    PasswordNeeded,
    QuestionTooLong,
    UnknownConversation,
    UnknownDocument,
    UnsupportedFile,
    WrongPassword,
)
from rag.types import (
    Conversation,
    Decision,
    Document,
    DocumentStatus,
    Message,
    ModelState,
    ModelStatus,
    Provider,
    Turn,
    TurnStatus,
)
from tests.samples_web import ANSWER, HOSTILE, document, evidence, turn


class FakeEngine:
    """Answers by what the question says: 慢 slowly, 中断 breaks off, 恶意 with hostile text, 思考 with thoughts."""

    def __init__(self, delay: float = 0.03) -> None:
        self.delay = delay
        self.stopped: set[str] = set()
        self.closed = 0
        self._turns: dict[str, dict[str, list[Turn]]] = {}
        self._lock = threading.Lock()

    def stream(
        self, question: str, session_id: str, parent_turn_id: str | None = None, *, conversation_id: str | None = None
    ) -> Iterator[events.TurnEvent]:
        if not question.strip():
            yield events.Failed(EmptyQuestion(), None)
            return
        if len(question) > 2000:
            yield events.Failed(QuestionTooLong(length=len(question), limit=2000), None)
            return
        own = self._turns.setdefault(session_id, {})
        conversation_id = conversation_id or next(reversed(own), None) or self.start_conversation(session_id)
        path = self._path(own[conversation_id], parent_turn_id)
        self.stopped.discard(session_id)
        answer = HOSTILE + " [1]" if "恶意" in question else ANSWER * (40 if "慢" in question else 1)
        draft = turn(
            question,
            answer,
            session_id=session_id,
            conversation_id=conversation_id,
            parent_turn_id=path[-1].turn_id if path else None,
            sources=(evidence(1), evidence(2), evidence(3, document_name=HOSTILE, text=HOSTILE, page_label="27")),
        )
        try:
            yield from self._play(draft)
        finally:
            self.closed += 1

    def _play(self, draft: Turn) -> Iterator[events.TurnEvent]:
        yield events.Queued(1)
        time.sleep(self.delay)
        yield events.Decided(Decision.RETRIEVE, Message("decision.first_question"), 0.86, 0.012)
        yield events.Condensed(draft.question, False, 0.0)
        yield events.Retrieved(draft.sources, 0.021)
        for done in range(0, 1001, 125):
            time.sleep(self.delay)
            yield events.Reading(done, 1000)
        if "思考" in draft.question:
            yield events.Thinking("先看资料第 27 页。")
            draft = replace(draft, thinking="先看资料第 27 页。")
        said = ""
        for start in range(0, len(draft.answer), 4):
            if draft.session_id in self.stopped:
                yield self._end(replace(draft, answer=said, status=TurnStatus.STOPPED))
                return
            if "中断" in draft.question and start > 40:
                error = ModelStreamBroken(model=draft.model)
                kept = replace(draft, answer=said, status=TurnStatus.FAILED, message=error.message)
                yield events.Failed(error, self._end(kept).turn)
                return
            time.sleep(self.delay)
            said += draft.answer[start : start + 4]
            yield events.Token(draft.answer[start : start + 4])
        yield events.Citation(draft.sources[0])
        yield self._end(draft)

    def _end(self, ended: Turn) -> events.Finished:
        with self._lock:
            self._turns[ended.session_id][ended.conversation_id].append(ended)
        return events.Finished(ended)

    def _path(self, turns: list[Turn], last: str | None) -> list[Turn]:
        by_id = {item.turn_id: item for item in turns}
        item = None if last == ROOT else by_id[last] if last else turns[-1] if turns else None
        path: list[Turn] = []
        while item is not None:
            path.insert(0, item)
            item = by_id.get(item.parent_turn_id or "")
        return path

    def stop(self, session_id: str) -> None:
        self.stopped.add(session_id)

    def start_conversation(self, session_id: str) -> str:
        conversation_id = uuid.uuid4().hex
        self._turns.setdefault(session_id, {})[conversation_id] = []
        return conversation_id

    def conversations(self, session_id: str) -> tuple[Conversation, ...]:
        return tuple(
            Conversation(key, session_id, turns[0].question if turns else "", len(turns), datetime.now(UTC))
            for key, turns in reversed(self._turns.get(session_id, {}).items())
        )

    def turns(self, session_id: str, conversation_id: str) -> tuple[Turn, ...]:
        own = self._turns.get(session_id, {})
        if conversation_id not in own:
            raise UnknownConversation()
        return tuple(self._path(own[conversation_id], None))

    def delete_conversation(self, session_id: str, conversation_id: str) -> None:
        if self._turns.get(session_id, {}).pop(conversation_id, None) is None:
            raise UnknownConversation()

    def forget(self, session_id: str) -> None:
        self._turns.pop(session_id, None)


class FakeIngest:
    """Takes 1.5 seconds over a file; 加密 in its name asks for the password 1234."""

    seconds = 1.5

    def __init__(self) -> None:
        self._documents: dict[str, tuple[Document, float]] = {}
        self._sample = document()

    def add(self, session_id: str, path: Path, name: str, password: str | None = None) -> Document:
        if Path(name).suffix.lower() not in (".pdf", ".txt", ".md", ".docx"):
            raise UnsupportedFile(name=name)
        added = document(name, session_id, size=path.stat().st_size, pages=12, chunks=48)
        self._documents[added.document_id] = (added, time.monotonic())
        return self._now(added.document_id)

    def retry(self, session_id: str, document_id: str, password: str | None = None) -> Document:
        kept = self._own(session_id, document_id)
        error = None if password == "1234" else WrongPassword(name=kept.name).message
        name = kept.name.replace("加密", "解密") if error is None else kept.name
        started = time.monotonic() if error is None else 0.0
        self._documents[document_id] = (replace(kept, name=name, message=error), started)
        return self._now(document_id)

    def follow(self, session_id: str, document_id: str) -> Iterator[events.IngestEvent]:
        while True:
            current = self._now(document_id)
            if current.searchable:
                yield events.Searchable(current)
                return
            if current.status is DocumentStatus.FAILED:
                yield events.IngestFailed(current)
                return
            yield events.IngestProgress(document_id, events.IngestStage.READING, 1, 12)
            time.sleep(0.1)

    def progress(self, session_id: str) -> Mapping[str, events.IngestProgress]:
        return {
            key: events.IngestProgress(
                key, events.IngestStage.READING, int(12 * (time.monotonic() - start) / self.seconds), 12
            )
            for key, (kept, start) in self._documents.items()
            if kept.collection_id == session_id and self._now(key).status is DocumentStatus.READING
        }

    def documents(self, session_id: str) -> tuple[Document, ...]:
        own = [key for key, (kept, _) in self._documents.items() if kept.collection_id == session_id]
        return (*(self._now(key) for key in own), self._sample)

    def delete(self, session_id: str, document_id: str) -> None:
        self._own(session_id, document_id)
        del self._documents[document_id]

    def forget(self, session_id: str) -> None:
        for kept in self.documents(session_id)[:-1]:
            del self._documents[kept.document_id]

    def storage(self, session_id: str) -> int:
        return sum(kept.size for kept in self.documents(session_id)[:-1])

    def _own(self, session_id: str, document_id: str) -> Document:
        if document_id not in self._documents or self._documents[document_id][0].collection_id != session_id:
            raise UnknownDocument()
        return self._documents[document_id][0]

    def _now(self, document_id: str) -> Document:
        kept, started = self._documents[document_id]
        if time.monotonic() - started < self.seconds:
            return replace(kept, status=DocumentStatus.READING, pages=0, chunks=0)
        if "加密" in kept.name:
            message = kept.message or PasswordNeeded(name=kept.name).message
            return replace(kept, status=DocumentStatus.FAILED, message=message, pages=0, chunks=0)
        return kept


class FakeModels:
    """Tells whatever status a test sets."""

    def __init__(self) -> None:
        self.current = ModelStatus(
            Provider.EMBEDDED, "qwen2.5-1.5b-instruct", ModelState.READY, Message("decision.first_question")
        )
        self.retries = 0

    def status(self) -> ModelStatus:
        return self.current

    def retry(self) -> None:
        self.retries += 1


@dataclass(frozen=True)
class FakeServices:
    """What `rag.build.Services` offers the web."""

    engine: FakeEngine = field(default_factory=FakeEngine)
    ingest: FakeIngest = field(default_factory=FakeIngest)
    models: FakeModels = field(default_factory=FakeModels)
    browser_secret: str = "test secret"

    def forget(self, session_id: str) -> None:
        self.engine.forget(session_id)
        self.ingest.forget(session_id)
