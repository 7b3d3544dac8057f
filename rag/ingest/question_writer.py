"""Writes the questions that passages answer, in the background, while nobody waits for the model."""

import logging
import threading
from collections.abc import Callable

from langchain_core.messages import HumanMessage

from rag.background import Background
from rag.errors import ModelGaveNothing, ModelRefused, PromptTooLong
from rag.knowledge.questions import Questions, Unasked
from rag.knowledge.stored import StoredKnowledgeBase
from rag.llm.gate import Gate, Work
from rag.llm.replier import Replier, read_questions
from rag.llm.think import said_with
from rag.prompts import Prompts
from rag.types import Provider

_QUESTIONS = 3
_TOKENS = 120
_POLL_SECONDS = 10.0
# HTTP statuses by which a server refuses this text, and would again: a filter of contents answers with the first.
_UNFIT = (400, 413, 422)
# So many refused in a row, and it is the server that is not set up.
_MOST_REFUSED = 3
_log = logging.getLogger(__name__)


class QuestionWriter:
    """A thread that asks the model about one passage after another; whoever asks a question goes first."""

    def __init__(
        self,
        questions: Questions,
        knowledge: StoredKnowledgeBase,
        replier: Callable[[], Replier],
        gate: Gate,
        prompts: Prompts,
        on_written: Callable[[], None],
    ) -> None:
        """`replier` tells who is asked at present.

        `on_written` is told of every passage that has its questions: they have no vectors yet.
        """
        self._questions = questions
        self._knowledge = knowledge
        self._replier = replier
        self._gate = gate
        self._prompts = prompts
        self._on_written = on_written
        self._refused: set[int] = set()
        self._background = Background("question-writer", self._round)

    def start(self) -> None:
        """Begin with what has no questions yet."""
        self._background.start()

    def close(self) -> None:
        """Leave the passage in hand for the next start."""
        self._background.close()

    def _round(self) -> None:
        if not self._write_next():
            self._background.rest(_POLL_SECONDS)

    def _write_next(self) -> bool:
        """Whether a passage got its questions: there is one that lacks them, a model, and nobody who waits for it."""
        replier = self._replier()
        if replier.provider is Provider.EXTRACTIVE or self._gate.length():
            return False
        waiting = self._questions.pending(1 + len(self._refused))
        passage = next((one for one in waiting if one.chunk_id not in self._refused), None)
        if passage is None:
            return False
        try:
            reply = self._reply(replier, passage)
        except ModelRefused as error:
            self._put_aside(passage, error)
            return True
        except (ModelGaveNothing, PromptTooLong) as error:
            # It would be the same each time, and all later passages would wait for this one.
            _log.info("a passage is left without questions: %s", error)
            reply = ""
        if reply is None:
            return False
        self._knowledge.add_questions(passage.chunk_id, read_questions(reply)[:_QUESTIONS])
        while self._refused:  # what the server refused though it takes others
            self._knowledge.add_questions(self._refused.pop(), ())
        self._on_written()
        return True

    def _put_aside(self, passage: Unasked, error: ModelRefused) -> None:
        """Pass over a text that the server refuses, until it has taken another one."""
        if error.values["status"] not in _UNFIT or len(self._refused) == _MOST_REFUSED:
            self._refused.clear()
            raise error
        self._refused.add(passage.chunk_id)

    def _reply(self, replier: Replier, passage: Unasked) -> str | None:
        """What the model says to a passage; None where it was broken off for somebody who waits. Raises ModelError."""
        prompt = HumanMessage(self._prompts.fill("write_questions", passage=passage.text))
        cancel, reply = threading.Event(), ""
        with self._gate.ticket(Work.BACKGROUND) as ticket:
            if not ticket.wait(self._background.closed):
                return None
            for part in replier.parts([prompt], cancel, _TOKENS):
                if self._background.closed.is_set() or self._gate.length() > 1:
                    cancel.set()
                    return None
                reply = said_with(reply, part)
        return reply
