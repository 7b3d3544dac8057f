"""Turns in the form of OpenAI's chat completions."""

import json
import time
import uuid
from collections.abc import Generator, Mapping
from contextlib import closing
from typing import Any

from pydantic import BaseModel

from rag.citations import MARKER, cited_numbers
from rag.events import Failed, Finished, Thinking, Token, TurnEvent
from rag.i18n import Language
from rag.types import Evidence, Turn, TurnStatus, Usage
from rag.web.http.errors import error_body
from rag.web.http.stream import frame, sign_of_life
from rag.web.http.wire import source

MODEL = "wenqu"


class Model(BaseModel):
    """An entry of the list of models."""

    id: str
    object: str = "model"
    created: int
    owned_by: str = "wenqu"


class Completion(BaseModel):
    """A chat completion. An annotation stands for each [n] of the content, and holds the passage that it cites."""

    id: str
    object: str = "chat.completion"
    created: int
    model: str = MODEL
    choices: list[dict[str, Any]]
    usage: dict[str, Any]


def completion(turn: Turn, base_url: str) -> Completion:
    """A finished turn."""
    message: dict[str, Any] = {"role": "assistant", "content": turn.answer, "refusal": None}
    if turn.thinking:
        message["reasoning_content"] = turn.thinking
    message["annotations"] = annotations(turn.answer, turn.sources, base_url)
    choice = {"index": 0, "message": message, "finish_reason": _finish_reason(turn), "logprobs": None}
    return Completion(id=_new_id(), created=int(time.time()), choices=[choice], usage=usage(turn.usage))


def chunks(events: Generator[TurnEvent], base_url: str, language: Language, *, with_usage: bool) -> Generator[str]:
    """A turn as the events of a stream; its thoughts are `reasoning_content`."""
    head = {"id": _new_id(), "object": "chat.completion.chunk", "created": int(time.time()), "model": MODEL}
    head |= {"usage": None} if with_usage else {}
    answer = ""
    with closing(events):
        yield _chunk(head, {"role": "assistant", "content": ""})
        for event in events:
            match event:
                case Thinking(text):
                    yield _chunk(head, {"reasoning_content": text})
                case Token(text):
                    answer += text
                    yield _chunk(head, {"content": text})
                case Finished(turn):
                    cited = annotations(answer, turn.sources, base_url)
                    yield _chunk(head, {"annotations": cited}, _finish_reason(turn))
                    if with_usage:
                        yield frame(json.dumps({**head, "choices": [], "usage": usage(turn.usage)}))
                case Failed(error):
                    yield frame(error_body(error, language).model_dump_json())
                case _:
                    yield sign_of_life(event)
        yield frame("[DONE]")


def annotations(answer: str, sources: tuple[Evidence, ...], base_url: str) -> list[dict[str, Any]]:
    """What the markers of an answer stand for, with the characters that each one takes.

    `url_citation` is what OpenAI's clients know; its address is the file's, which only its owner can open.
    """
    known = {item.number: item for item in sources}
    return [
        _annotation(known[number], match.span(), base_url)
        for match in MARKER.finditer(answer)
        for number in cited_numbers(match[0])
        if number in known
    ]


def usage(counted: Usage) -> dict[str, Any]:
    """Tokens as OpenAI counts them."""
    return {
        "prompt_tokens": counted.prompt,
        "completion_tokens": counted.completion,
        "total_tokens": counted.prompt + counted.completion,
        "prompt_tokens_details": {"cached_tokens": counted.cached},
    }


def _annotation(item: Evidence, span: tuple[int, int], base_url: str) -> dict[str, Any]:
    citation = {
        "start_index": span[0],
        "end_index": span[1],
        "title": f"{item.document_name} p. {item.page_label}",
        "url": f"{base_url}v1/files/{item.document_id}#page={item.page}",
    }
    return {"type": "url_citation", "url_citation": citation, "file_citation": source(item)}


def _finish_reason(turn: Turn) -> str:
    return "stop" if turn.status is TurnStatus.FINISHED else "length"


def _chunk(head: Mapping[str, Any], delta: Mapping[str, Any], finish_reason: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
    return frame(json.dumps({**head, "choices": [choice]}, ensure_ascii=False))


def _new_id() -> str:
    return f"chatcmpl-{uuid.uuid4().hex}"
