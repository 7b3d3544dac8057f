"""Turns in the form of OpenAI's chat completions."""

import time
import uuid
from collections.abc import Generator, Mapping
from contextlib import closing
from itertools import islice
from typing import Any

from pydantic import BaseModel

from rag.citations import MARKER, cited_numbers, verify
from rag.events import Budgeted, Failed, Finished, Thinking, ThoughtsEnded, Token, TurnEvent
from rag.i18n import Language
from rag.page_names import page_name
from rag.types import Turn, TurnStatus, Usage
from rag.web.http.errors import error_body
from rag.web.http.stream import frame, one_line, sign_of_life
from rag.web.http.wire import cited, sources

MODEL = "wenqu"
# A model that goes on writing markers would have each of them bring a passage.
_MOST_NOTED = 1000


class Model(BaseModel):
    """An entry of the list of models."""

    id: str
    object: str = "model"
    created: int
    owned_by: str = "wenqu"


class Completion(BaseModel):
    """A chat completion. An annotation stands for each of the content's first thousand [n], with the passage cited.

    Its `verified` is whether the passage says what the sentence with the [n] does, and `reason` why not; null where
    there is nothing to verify. `relevance` is how probably the passage answers the question, `score` only an order.
    """

    id: str
    object: str = "chat.completion"
    created: int
    model: str = MODEL
    choices: list[dict[str, Any]]
    usage: dict[str, Any]


def completion(turn: Turn, base_url: str, language: Language) -> Completion:
    """A finished turn."""
    message: dict[str, Any] = {"role": "assistant", "content": turn.answer, "refusal": None}
    if turn.thinking:
        message["reasoning_content"] = turn.thinking
    message["annotations"] = annotations(turn, base_url, language)
    choice = {"index": 0, "message": message, "finish_reason": _finish_reason(turn), "logprobs": None}
    return Completion(id=_new_id(), created=int(time.time()), choices=[choice], usage=usage(turn.usage))


def chunks(events: Generator[TurnEvent], base_url: str, language: Language, *, with_usage: bool) -> Generator[str]:
    """A turn as the events of a stream; its thoughts are `reasoning_content`."""
    head = {"id": _new_id(), "object": "chat.completion.chunk", "created": int(time.time()), "model": MODEL}
    head |= {"usage": None} if with_usage else {}
    said, begins = "", 0
    with closing(events):
        yield _chunk(head, {"role": "assistant", "content": ""})
        for event in events:
            match event:
                case Thinking(text):
                    yield _chunk(head, {"reasoning_content": text})
                case Token(text):
                    said += text
                    yield _chunk(head, {"content": text})
                case ThoughtsEnded() | Budgeted():
                    begins = len(said)
                case Finished(turn):
                    noted = annotations(turn, base_url, language, max(0, said.find(turn.answer, begins)))
                    yield _chunk(head, {"annotations": noted}, _finish_reason(turn))
                    if with_usage:
                        yield frame(one_line({**head, "choices": [], "usage": usage(turn.usage)}))
                case Failed(error):
                    yield frame(one_line(error_body(error, language).model_dump()))
                case _:
                    yield sign_of_life(event)
        yield frame("[DONE]")


def annotations(turn: Turn, base_url: str, language: Language, begins: int = 0) -> list[dict[str, Any]]:
    """What the markers of a turn's answer stand for, with the characters that each takes of what `begins` before it.

    `url_citation` is what OpenAI's clients know; its address is the file's, which only its owner can open.
    """
    known = {passage["number"]: passage for passage in sources(turn, language)}
    checked = verify(turn).sentences
    noted = []
    for match in islice(MARKER.finditer(turn.answer), _MOST_NOTED):
        sentence = next((item for item in checked if item.start <= match.start() < item.end), None)
        span = match.start() + begins, match.end() + begins
        numbers = (number for number in cited_numbers(match[0]) if number in known)
        noted += [_annotation(cited(known[number], sentence, language), span, base_url, language) for number in numbers]
    return noted


def usage(counted: Usage) -> dict[str, Any]:
    """Tokens as OpenAI counts them."""
    return {
        "prompt_tokens": counted.prompt,
        "completion_tokens": counted.completion,
        "total_tokens": counted.prompt + counted.completion,
        "prompt_tokens_details": {"cached_tokens": counted.cached},
    }


def _annotation(passage: Mapping[str, Any], span: tuple[int, int], base_url: str, language: Language) -> dict[str, Any]:
    file, page = passage["file"], passage["page"]
    citation = {
        "start_index": span[0],
        "end_index": span[1],
        "title": f"{file} · {page_name(file, page, passage['page_label'], language, passage['last_page'])}",
        "url": f"{base_url}v1/files/{passage['file_id']}#page={page}",
    }
    return {"type": "url_citation", "url_citation": citation, "file_citation": passage}


def _finish_reason(turn: Turn) -> str:
    return "stop" if turn.status is TurnStatus.FINISHED else "length"


def _chunk(head: Mapping[str, Any], delta: Mapping[str, Any], finish_reason: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
    return frame(one_line({**head, "choices": [choice]}))


def _new_id() -> str:
    return f"chatcmpl-{uuid.uuid4().hex}"
