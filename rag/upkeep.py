"""Work on prompts while nobody waits for an answer: summaries of what has grown too long, and prefixes read ahead."""

import logging
import threading
from collections.abc import Callable

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage

from rag.errors import WenquError
from rag.llm.gate import ModelGate
from rag.llm.stream import stream_parts
from rag.memory import Memory
from rag.transcript import Transcript
from rag.types import Provider, Turn

CurrentModel = Callable[[], tuple[Provider, str, BaseChatModel]]
_log = logging.getLogger(__name__)


class Upkeep:
    """Does its work in threads of its own, behind the gate like everybody; a question ends what is before it."""

    def __init__(self, memory: Memory, current_model: CurrentModel, gate: ModelGate) -> None:
        self._memory = memory
        self._current_model = current_model
        self._gate = gate
        self._begun: set[threading.Event] = set()
        self._lock = threading.Lock()

    def interrupt(self) -> None:
        """Give way to a question that has its place at the gate: what begins from now on stands behind it.

        What was not finished is begun again after the next turn.
        """
        with self._lock:
            for cancel in self._begun:
                cancel.set()

    def warm(self) -> None:
        """Let the model read what every prompt begins with."""
        self._run(lambda model, cancel: self._read(self._memory.transcript(()), model, cancel), self._begin())

    def after_turn(self, path: tuple[Turn, ...]) -> None:
        """In the background: summarise a path that is full, and read ahead a prompt that will begin anew."""
        following = self._memory.transcript(path)
        began = path[-1].first_turn_in_prompt or path[0].turn_id
        moved = bool(following.turns) and following.turns[0].turn_id != began
        if not moved and not self._memory.is_full(following):
            return

        def work(model: BaseChatModel, cancel: threading.Event) -> None:
            transcript = following
            if self._memory.is_full(following) and self._memory.compress(following, model, cancel):
                transcript = self._memory.transcript(path)
            self._read(transcript, model, cancel)

        threading.Thread(target=self._run, args=(work, self._begin()), name="upkeep", daemon=True).start()

    def _begin(self) -> threading.Event:
        cancel = threading.Event()
        with self._lock:
            self._begun.add(cancel)
        return cancel

    def _run(self, work: Callable[[BaseChatModel, threading.Event], None], cancel: threading.Event) -> None:
        provider, _, model = self._current_model()
        try:
            if provider is Provider.EXTRACTIVE:
                return
            with self._gate.place() as place:
                for _ in place.positions(cancel):
                    continue
                if not cancel.is_set():
                    work(model, cancel)
        except WenquError as error:
            # Nothing is lost: the turns are still there, and the next turn tries again.
            _log.warning("the conversation could not be prepared for its next turn: %s", error)
        finally:
            with self._lock:
                self._begun.discard(cancel)

    def _read(self, transcript: Transcript, model: BaseChatModel, cancel: threading.Event) -> None:
        if self._current_model()[0] is Provider.EMBEDDED and not cancel.is_set():
            for _ in stream_parts(model, [*transcript.prefix(), HumanMessage("好")], cancel, max_tokens=1):
                continue
