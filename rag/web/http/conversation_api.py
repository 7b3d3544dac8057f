"""`POST /knowledge_chat_conversation`: one turn as a stream of prefixed lines.

SESSION: the conversation to go on with · CONTENT: a piece of the answer; where documents are searched, the first one
tells of that instead · THINK: a piece of the model's thoughts · SOURCE: the evidence, a JSON list, with what was found
of it (`rag.web.http.wire`) · ERROR: a sentence · DONE: the end; the `id` of its event is the turn, for a later
request's `parent_turn_id`. No event has a type: those without one are all that `EventSource.onmessage` is told of.
"""

import uuid
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from rag.build import Services
from rag.errors import UnknownAssistant
from rag.events import Decided, Failed, Finished, Thinking, Token, TurnEvent
from rag.i18n import Language, sentence, text
from rag.preferences.fields import may_choose_model
from rag.turn.draft import checked_question
from rag.types import Decision, Provider, TurnOptions
from rag.web.http.errors import RESPONSES
from rag.web.http.keys import Caller, CallerOf, Keys
from rag.web.http.stream import EventStream, Slots, frame, one_line, sign_of_life
from rag.web.http.wire import EncodableText, sources

_DEFAULT_MODEL = "default"
_Identifier = Annotated[str, Field(max_length=200)]
_Page = Annotated[int, Field(ge=1, le=1_000_000, strict=True)]


class ConversationRequest(BaseModel):
    """A question, and how it is to be answered. What is left out is as the server is configured."""

    question: EncodableText
    session_id: Annotated[_Identifier | None, Field(description="As an earlier SESSION: line gave it.")] = None
    thinking: Annotated[bool | None, Field(description="Whether a model that can think does, in THINK: lines.")] = None
    model_id: Annotated[_Identifier | None, Field(description="Who answers: `default`, or a model's name.")] = None
    rerank_top_n: Annotated[int | None, Field(ge=1, le=50, description="How many passages may be used.")] = None
    use_insert_block: Annotated[bool, Field(description="Drop passages that do not answer the question.")] = False
    insert_block_llm_id: Annotated[
        _Identifier | None, Field(description="Who drops them: a model's name; else who answers does.")
    ] = None
    parent_turn_id: Annotated[_Identifier | None, Field(description="The turn to follow instead of the newest.")] = None
    decision: Annotated[
        Decision | None, Field(description="Search, reuse the evidence in hand, or neither, whatever would be decided.")
    ] = None
    documents: Annotated[
        frozenset[_Identifier] | None,
        Field(min_length=1, max_length=1000, description="Use these documents only: their ids, `file_id` in SOURCE:."),
    ] = None
    pages: Annotated[
        frozenset[_Page] | None, Field(min_length=1, max_length=10_000, description="Use these physical pages only.")
    ] = None

    @property
    def options(self) -> TurnOptions:
        """What the engine is told of it."""
        named = (name if name and name != _DEFAULT_MODEL else "" for name in (self.model_id, self.insert_block_llm_id))
        model, judge = named
        return TurnOptions(
            self.thinking,
            self.rerank_top_n,
            self.use_insert_block,
            self.documents,
            self.pages,
            model=model,
            judge=judge,
        )


class ConversationApi:
    """The route and what it needs."""

    def __init__(self, services: Services, keys: Keys, slots: Slots) -> None:
        settings = services.settings
        self._services = services
        self._language = settings.server.language
        self._max_length = settings.multi_dialogue_rag.max_question_length
        self._may_choose_model = may_choose_model(settings)
        self._keys = keys
        self._slots = slots

    def router(self) -> APIRouter:
        """The route under its name."""
        router = APIRouter(tags=["conversation"], responses=RESPONSES)
        lines: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}}}
        path = "/knowledge_chat_conversation"
        # A response class with a media type of its own would lend it to the errors too.
        router.add_api_route(path, self.converse, methods=["POST"], responses=lines, response_class=Response)
        return router

    def converse(self, asked: ConversationRequest, caller: CallerOf) -> EventStream:
        """Answer a question, in the conversation of an earlier answer or in a new one."""
        options = asked.options
        self._check_models(options)
        own = self._own(asked, caller)
        slot = self._slots.enter(own.asker, caller.network)
        with ExitStack() as refused:
            refused.enter_context(closing(slot))
            conversation_id, known_as = self._place(asked, own)
            refused.pop_all()
        events = self._services.engine.stream(
            asked.question,
            own.session_id,
            asked.parent_turn_id or None,
            conversation_id=conversation_id,
            decision=asked.decision,
            options=options,
            cancel=slot.cancel,
        )
        frames = prefixed(slot.until_the_end(events), known_as, self._language, thoughts=asked.thinking is not False)
        return EventStream(frames, slot, own.headers)

    def _check_models(self, options: TurnOptions) -> None:
        """Raises UnknownAssistant for who cannot answer now, or not here where the operator keeps the choice."""
        known = [_DEFAULT_MODEL, self._services.models.status().model]
        for name in {options.model, options.judge} - {"", *known}:
            if self._may_choose_model:
                # What a server offers it has; of the embedded ones only that which is in memory answers at once.
                pool, embedded = self._services.pool, Provider.EMBEDDED
                offered = pool.offered()
                known += [one.name for one in offered if one.provider is not embedded or pool.named(one.name)]
            if name not in known:
                raise UnknownAssistant(model=name, known=", ".join(dict.fromkeys(known)))

    def _own(self, asked: ConversationRequest, caller: Caller) -> Caller:
        """Who asks: without keys, the session id that the body names is the key."""
        if self._keys.required:
            return caller
        named = self._keys.caller("", asked.session_id, caller.known_as)
        return caller if named.session_id == caller.session_id else named

    def _place(self, asked: ConversationRequest, own: Caller) -> tuple[str | None, str]:
        """The conversation that the turn belongs to (None: the session's latest), and the id that the client knows.

        With keys a session id names one of the key's conversations. Raises UnknownTurn; EmptyQuestion, QuestionTooLong
        where a conversation would be started for nothing.
        """
        if own.known_as is not None:
            return None, own.known_as
        engine = self._services.engine
        conversation_id = _hex(asked.session_id)
        if engine.store.conversation(own.session_id, conversation_id) is None:
            if asked.parent_turn_id:
                conversation_id = engine.conversation_for(own.session_id, asked.parent_turn_id)
            else:
                checked_question(asked.question, self._max_length)
                conversation_id = engine.store.start(own.session_id)
        return conversation_id, str(uuid.UUID(conversation_id))


def prefixed(events: Generator[TurnEvent], session_id: str, language: Language, *, thoughts: bool) -> Generator[str]:
    """The stream's events of a turn."""
    with closing(events):
        yield frame(f"SESSION:{session_id}")
        for event in events:
            yield from _lines(event, language, thoughts)


def _lines(event: TurnEvent, language: Language, thoughts: bool) -> Iterator[str]:
    match event:
        case Decided(Decision.RETRIEVE):
            yield frame(f"CONTENT:{text(language, 'web.progress.searching')}")
        # Cut after each line break: no line goes out without its prefix.
        case Thinking(piece) if thoughts:
            yield from (frame(f"THINK:{line}") for line in piece.splitlines(keepends=True))
        case Token(piece):
            yield from (frame(f"CONTENT:{line}") for line in piece.splitlines(keepends=True))
        case Finished(turn):
            yield frame(f"SOURCE:{one_line(sources(turn, language))}")
            yield frame("DONE:", event_id=turn.turn_id)
        case Failed(error, turn):
            yield frame(f"ERROR:{sentence(language, error.message)}")
            yield frame("DONE:", event_id=turn.turn_id if turn else "")
        case _:
            yield sign_of_life(event)


def _hex(session_id: str | None) -> str:
    """A conversation's id as the store has it; one that is none where it is not of that form."""
    try:
        return uuid.UUID(session_id or "").hex
    except ValueError:
        return ""
