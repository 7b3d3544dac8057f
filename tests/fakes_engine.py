"""An engine for the web's tests that follows a script. What it has said is stored as it is for readers."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import sqlalchemy as sa

from rag import events
from rag.conversation.rows import to_turn
from rag.conversation.schema import TURNS
from rag.conversation.shelf import Shelf
from rag.conversation.sql import SqlConversationStore
from rag.database import open_database, reading
from rag.errors import (
    EmptyQuestion,
    ModelStreamBroken,
    ModelUnreachable,
    OutdatedSummary,
    QuestionTooLong,
    WenquError,
)
from rag.knowledge.base import STILL_FILLING
from rag.profile import Profile
from rag.types import (
    Decision,
    Evidence,
    Message,
    Recollection,
    SearchTrace,
    Summary,
    Turn,
    TurnOptions,
    TurnStatus,
    TurnTrace,
)
from tests.fakes_pages import FIRST_LINE
from tests.preferring import passing_folder
from tests.samples_web import ANSWER, BUDGET, HOSTILE, evidence, searched, turn

# What a piece of an answer takes, and where somebody is to see the answer come.
_PIECE_SECONDS, _SEEN_SECONDS = 0.005, 0.03


class FakeEngine(Shelf):
    """Answers by what the question says.

    慢 at length and slowly, 缓 slowly, 迟 late, 中断 breaks off, 恶意 with hostile text, 思考 with thoughts, 自语 with
    thoughts whose beginning nothing tells, 加密 from a file with a password, 磁盘 from one that cannot be drawn, 尚早
    before there are vectors.

    Once a question says 摘要, its conversation has a summary, and with the next one another.
    """

    def __init__(self) -> None:
        self._database = open_database(f"sqlite:///{passing_folder() / 'conversations.sqlite3'}")
        super().__init__(SqlConversationStore(self._database))
        self.closed = 0
        self.running: list[Turn] = []
        self.profile_of: Callable[[str], Profile] | None = None
        self._edited: dict[str, str] = {}

    def stream(
        self,
        question: str,
        session_id: str,
        parent_turn_id: str | None = None,
        *,
        conversation_id: str | None = None,
        decision: Decision | None = None,
        options: TurnOptions | None = None,
        cancel: threading.Event | None = None,
    ) -> Iterator[events.TurnEvent]:
        if not question.strip():
            yield events.Failed(EmptyQuestion(), None)
            return
        if len(question) > 2000:
            yield events.Failed(QuestionTooLong(length=len(question), limit=2000), None)
            return
        if "断线" in question:
            yield events.Failed(ModelUnreachable(base_url="http://127.0.0.1:11434"), None)
            return
        try:
            conversation_id = conversation_id or self.conversation_for(session_id, parent_turn_id)
            path = self.turns(session_id, conversation_id)
            path = path if parent_turn_id is None else self.path(session_id, conversation_id, parent_turn_id)
        except WenquError as error:
            yield events.Failed(error, None)
            return
        answer = HOSTILE + " [1]" if "恶意" in question else ANSWER * (40 if "慢" in question else 1)
        file = next((word for word in ("加密", "磁盘") if word in question), "guide")
        hostile = evidence(3, document_id="恶意", document_name=HOSTILE, text=HOSTILE, page_label="27")
        over_two_pages = evidence(2, document_id=file, last_page=28, text=f"{FIRST_LINE}\n{evidence().text}")
        cards: tuple[Evidence, ...] = (evidence(1, document_id=file), over_two_pages, hostile)
        if self.profile_of:
            cards = cards[: self.profile_of(session_id).retrieval.request.limit]
        notes = (STILL_FILLING,) if "尚早" in question else ()
        draft = turn(
            question,
            answer,
            session_id=session_id,
            conversation_id=conversation_id,
            parent_turn_id=path[-1].turn_id if path else None,
            decision=decision or Decision.RETRIEVE,
            sources=() if decision is Decision.NO_RETRIEVE else cards,
            reason=Message(f"decision.{'first_question' if decision is None else 'overruled'}"),
            certainty=0.86,
            trace=TurnTrace() if decision is Decision.NO_RETRIEVE else replace(searched(), notes=notes),
            budget=BUDGET,
        )
        self.running.append(draft)
        try:
            reason = "first_question" if decision is None else "overruled"
            yield from self._play(draft, reason, cancel or threading.Event())
        except GeneratorExit:
            self._end(replace(draft, answer="", status=TurnStatus.STOPPED, message=Message("web.chat.left_early")))
            raise
        finally:
            self.closed += 1
            self.running.remove(draft)

    def is_answering(self, session_id: str, conversation_id: str | None = None) -> bool:
        return any(
            turn.session_id == session_id and conversation_id in (None, turn.conversation_id) for turn in self.running
        )

    def _play(self, draft: Turn, reason: str, cancel: threading.Event) -> Iterator[events.TurnEvent]:
        pause = _SEEN_SECONDS if any(word in draft.question for word in ("慢", "缓", "中断")) else _PIECE_SECONDS
        yield events.Queued(1)
        time.sleep(pause)
        yield events.Decided(draft.decision, Message(f"decision.{reason}"), 0.86, 0.012)
        yield events.Condensed(draft.question, 0.0)
        if draft.sources:
            yield events.Retrieved(draft.sources, 0.021, SearchTrace(candidates=searched().candidates))
        time.sleep(6 if "迟" in draft.question else 0)
        for done in range(0, 1001, 125):
            time.sleep(pause)
            yield events.Reading(done, 1000)
        if "思考" in draft.question:
            for thought in ("先看资料", "第 27 页。"):
                yield events.Thinking(thought)
                time.sleep(0.5)
            draft = replace(draft, thinking="先看资料第 27 页。")
        if "自语" in draft.question:
            yield events.Token("先翻到 **第 27 页**。\n\n- 再看表格\n\n")
            time.sleep(1)
            yield events.ThoughtsEnded()
            draft = replace(draft, thinking="先翻到 **第 27 页**。\n\n- 再看表格\n\n")
        said = ""
        for start in range(0, len(draft.answer), 4):
            if cancel.is_set():
                yield self._end(replace(draft, answer=said, status=TurnStatus.STOPPED))
                return
            if "中断" in draft.question and start > 40:
                error = ModelStreamBroken(model=draft.model)
                kept = replace(draft, answer=said, status=TurnStatus.FAILED, message=error.message)
                yield events.Failed(error, self._end(kept).turn)
                return
            time.sleep(pause)
            said += draft.answer[start : start + 4]
            yield events.Token(draft.answer[start : start + 4])
        yield self._end(draft)

    def _end(self, ended: Turn) -> events.Finished | events.Failed:
        """Store a turn, unless it was stored already, or its conversation is gone."""
        try:
            self.store.append(ended)
        except WenquError as error:
            return events.Failed(error, None)
        return events.Finished(ended)

    def recollection(self, session_id: str, conversation_id: str) -> Recollection:
        path = self.turns(session_id, conversation_id)
        place = max((place for place, item in enumerate(path) if "摘要" in item.question), default=-1)
        summary = self._summary(path[place]) if place >= 0 else None
        return Recollection(summary, path[: place + 1], path[place + 1 :], 1234, 4096)

    def _summary(self, last: Turn) -> Summary:
        text = self._edited.get(last.turn_id, "用户在问错误码的格式。")
        edited = last.turn_id in self._edited
        return Summary(last.turn_id, last.session_id, last.conversation_id, last.turn_id, text, edited, last.created_at)

    def edit_summary(self, session_id: str, summary_id: str, text: str) -> None:
        present = self.recollection(session_id, self.store.holding(session_id, summary_id)).summary
        if present is None or present.summary_id != summary_id:
            raise OutdatedSummary()
        self._edited[summary_id] = text

    def delete_conversation(self, session_id: str, conversation_id: str) -> None:
        self.store.delete(session_id, conversation_id)

    def stored(self, question: str) -> Turn:
        """The newest turn in which a question was asked."""
        asked = sa.select(TURNS).where(TURNS.c.question == question).order_by(TURNS.c.position.desc())
        with reading(self._database) as connection:
            return to_turn(next(connection.execute(asked).mappings()))

    def forget(self, session_id: str) -> None:
        self.store.forget(session_id)
