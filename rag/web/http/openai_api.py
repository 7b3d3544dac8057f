"""OpenAI's protocol: the caller's documents, with the shared ones, are the model `wenqu`."""

import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from rag.build import Services
from rag.errors import UnknownAssistant
from rag.events import Failed, Finished, Token, TurnEvent
from rag.preferences.fields import is_path_locked
from rag.turn.draft import checked_question
from rag.types import Exchange, Turn, TurnOptions
from rag.web.http.errors import RESPONSES
from rag.web.http.histories import Histories, Position
from rag.web.http.keys import CallerOf
from rag.web.http.openai_request import ChatRequest, dialogue
from rag.web.http.openai_wire import MODEL, Completion, Model, chunks, completion
from rag.web.http.stream import EventStream, Slots, until_left


class ModelList(BaseModel):
    """The models there are."""

    object: str = "list"
    data: list[Model]


class OpenAIApi:
    """The routes and what they need."""

    def __init__(self, services: Services, slots: Slots) -> None:
        settings = services.settings
        self._engine = services.engine
        self._language = settings.server.language
        self._keeps_temperature = is_path_locked("llm.temperature", settings)
        self._longest_question = settings.multi_dialogue_rag.max_question_length
        self._slots = slots
        self._histories = Histories(services.engine.store, settings.multi_dialogue_rag.llm_max_token)
        self._created = int(time.time())

    def router(self) -> APIRouter:
        """The routes under their names."""
        router = APIRouter(prefix="/v1", tags=["openai"], responses=RESPONSES)
        streamed: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}}}
        router.add_api_route("/models", self.models, methods=["GET"])
        router.add_api_route("/models/{model}", self.model, methods=["GET"])
        router.add_api_route(
            "/chat/completions", self.complete, methods=["POST"], response_model=Completion, responses=streamed
        )
        return router

    def models(self, _: CallerOf) -> ModelList:
        """The models there are: one."""
        return ModelList(data=[Model(id=MODEL, created=self._created)])

    def model(self, model: str, _: CallerOf) -> Model:
        """One of the models."""
        _check_name(model)
        return Model(id=MODEL, created=self._created)

    async def complete(self, asked: ChatRequest, caller: CallerOf, request: Request) -> Response | Completion:
        """Answer the last message, by the documents; as a stream where that is asked for."""
        _check_name(asked.model)
        asked.check()
        exchanges, said = dialogue(asked.messages)
        question = checked_question(said, self._longest_question)
        options = replace(asked.options, temperature=None) if self._keeps_temperature else asked.options
        base_url = str(request.base_url)
        slot = self._slots.enter(caller.asker, caller.network)

        def begin() -> Generator[TurnEvent]:
            position = self._histories.position(caller.session_id, exchanges)
            return _begun(self._turn(caller.session_id, position, question, options, slot.cancel))

        with ExitStack() as held:
            held.enter_context(closing(slot))
            events = await until_left(request.receive, slot, begin)
            if not asked.stream:
                return await until_left(
                    request.receive, slot, lambda: completion(_ended(events), base_url, self._language)
                )
            held.pop_all()  # the stream gives it back
        with_usage = bool(asked.stream_options and asked.stream_options.include_usage)
        frames = chunks(slot.until_the_end(events), base_url, self._language, with_usage=with_usage)
        return EventStream(frames, slot, caller.headers)

    def _turn(
        self, session_id: str, position: Position, question: str, options: TurnOptions, cancel: threading.Event
    ) -> Generator[TurnEvent]:
        """The turn's events; at its end it is remembered, by what the client has of its answer."""
        said = ""
        events = self._engine.stream(
            question,
            session_id,
            position.turn_id,
            conversation_id=position.conversation_id,
            options=options,
            cancel=cancel,
        )
        with closing(events):
            for event in events:
                if isinstance(event, Token):
                    said += event.text
                if isinstance(event, Finished):
                    for answer in {said, event.turn.answer}:
                        self._histories.remember(position, Exchange(question, answer), event.turn)
                yield event


def _begun(events: Generator[TurnEvent]) -> Generator[TurnEvent]:
    """The same events, the first of which has happened. Raises what it failed with: a status can still tell it."""
    first = next(events)
    if isinstance(first, Failed):
        raise first.error

    def all_of_them() -> Generator[TurnEvent]:
        with closing(events):
            yield first
            yield from events

    return all_of_them()


def _ended(events: Generator[TurnEvent]) -> Turn:
    """The turn that the events end with. Raises what it failed with."""
    with closing(events):
        for event in events:
            match event:
                case Finished(turn):
                    return turn
                case Failed(error):
                    raise error
    raise AssertionError("a turn ends with Finished or Failed")


def _check_name(model: str) -> None:
    if model != MODEL:
        raise UnknownAssistant(model=model, known=MODEL)
