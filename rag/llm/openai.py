"""Models of any server that speaks OpenAI's protocol: vLLM, LM Studio, DeepSeek, DashScope."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import responses
from itertools import chain
from typing import Any, TypeVar

import httpx
import openai
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai.chat_models.base import BaseChatOpenAI
from pydantic import PrivateAttr, SecretStr

from rag.errors import (
    AnswerFiltered,
    ModelError,
    ModelKeyRefused,
    ModelMissing,
    ModelRefused,
    ModelStreamBroken,
    ModelUnreachable,
    NoModelService,
    OwnKeyRefused,
    PromptTooLong,
)
from rag.llm.http import without_key
from rag.tokens import average_estimate

# Servers on one's own machine need none, but the client refuses to be made without.
NO_KEY = "none"
# OpenAI's and DeepSeek's code, llama.cpp's type. vLLM and DashScope have only words for it.
_TOO_LONG = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_TOO_LONG_WORDS = re.compile(
    r"maximum (?:context|model) length|context (?:size|window|length)|range of input length|prompt is too long",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"(?:length|size|window)\D{0,20}?(?:\d+, ?)?(\d{3,})", re.IGNORECASE)
_TOKENS = re.compile(r"(?:requested|resulted in|has|contains|prompt)\D{0,24}(\d{3,})", re.IGNORECASE)

# The client calls these a failure to connect, also in the middle of an answer.
_BROKEN_OFF = (httpx.ReadError, httpx.ReadTimeout, httpx.RemoteProtocolError)
# What an answer can do without, where a server refuses it: OpenAI's models that think take no `max_tokens` and no
# `temperature`, older servers no `stream_options` or `response_format`.
_DISPENSABLE = ("stream_options", "max_tokens", "max_completion_tokens", "temperature", "response_format")
# Reasons to finish by which an answer is not whole: of vLLM, OpenRouter, DeepSeek and Zhipu.
_FAILED = frozenset({"abort", "error", "insufficient_system_resource", "network_error"})
# Reasons to finish, or codes of an error, of content that is held back: of most, Zhipu and DashScope.
_FILTERED = frozenset({"content_filter", "sensitive", "data_inspection_failed"})
_MODEL = re.compile("model|模型", re.IGNORECASE)
_Taken = TypeVar("_Taken")
_log = logging.getLogger(__name__)


class PatientClient(httpx.Client):
    """Waits for a silent server once: OpenAI's client would ask it once more, and wait for minutes again."""

    def send(self, request: httpx.Request, **kwargs: Any) -> httpx.Response:
        """Send a request. Raises APITimeoutError, which OpenAI's client passes on."""
        try:
            return super().send(request, **kwargs)
        except httpx.ReadTimeout as error:
            raise openai.APITimeoutError(request=request) from error  # type: ignore[arg-type]


class OpenAIChatModel(BaseChatOpenAI):
    """The OpenAI client with failures as errors of `rag.errors`, and a stream that must end with a finish reason.

    BaseChatOpenAI rather than ChatOpenAI: that one renames `max_tokens` to a word which compatible servers ignore.
    """

    own_key: bool = False
    """Whether the key is a session's, and not the operator's."""
    _left_out: frozenset[str] = PrivateAttr(default=frozenset())

    @property
    def _llm_type(self) -> str:
        return "wenqu-openai"

    def get_num_tokens(self, text: str) -> int:
        """An estimate: the tokenizer of the served model is not known here."""
        return average_estimate(text)

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        generate = super()._generate
        with self._translated():
            return self._taken(lambda left_out: generate(*args, left_out=left_out, **kwargs))

    def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        stream, finish, is_empty = super()._stream, "", True

        def begun(left_out: frozenset[str]) -> Iterator[ChatGenerationChunk]:
            chunks = stream(*args, left_out=left_out, **kwargs)
            first = next(chunks, None)
            return chain(() if first is None else (first,), chunks)

        with self._translated():
            for chunk in self._taken(begun):
                finish = (chunk.generation_info or {}).get("finish_reason") or finish
                is_empty = False
                yield chunk
        if is_empty:
            raise NoModelService(base_url=self.openai_api_base)
        if finish in _FILTERED:
            raise AnswerFiltered(model=self.model_name)
        if not finish or finish in _FAILED:
            raise ModelStreamBroken(model=self.model_name)

    def _taken(self, ask: Callable[[frozenset[str]], _Taken]) -> _Taken:
        """What the server gives, asked for once more without what it refuses. What it took so is remembered."""
        left_out = self._left_out
        while True:
            try:
                given = ask(left_out)
            except openai.APIStatusError as error:
                refused = _refused_parameter(error, left_out)
                if refused is None:
                    raise
                left_out |= {refused}
            else:
                if left_out != self._left_out:
                    _log.info("%s is asked without %s", self.model_name, ", ".join(sorted(left_out)))
                    self._left_out = left_out
                return given

    def _get_request_payload(self, *args: Any, left_out: frozenset[str] = frozenset(), **kwargs: Any) -> dict[str, Any]:
        payload: dict[str, Any] = super()._get_request_payload(*args, **kwargs)
        limit = payload.get("max_tokens")
        if limit is not None and "max_tokens" in left_out:
            payload["max_completion_tokens"] = limit
        return {name: value for name, value in payload.items() if name not in left_out}

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        converted = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        if converted is not None and isinstance(converted.message, AIMessageChunk) and chunk.get("choices"):
            delta = chunk["choices"][0].get("delta") or {}
            # DeepSeek, DashScope and vLLM send thoughts beside the answer; the client keeps the field but not its use.
            if thought := delta.get("reasoning_content") or delta.get("reasoning"):
                converted.message.additional_kwargs["reasoning_content"] = thought
        return converted

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Raises what can go wrong between here and the server as an error of ours."""
        try:
            yield
        except openai.APIConnectionError as error:
            if any(isinstance(cause, _BROKEN_OFF) for cause in _causes(error)):
                raise ModelStreamBroken(model=self.model_name) from error
            raise ModelUnreachable(base_url=self.openai_api_base) from error
        except openai.NotFoundError as error:
            missing, elsewhere = ModelMissing(model=self.model_name), NoModelService(base_url=self.openai_api_base)
            raise (missing if names_model(error) else elsewhere) from error
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            raise self._key_refused(error) from error
        except openai.APIStatusError as error:
            raise self._refused(error, error.status_code) from error
        except openai.APIError as error:
            raise self._refused(error, error.code or error.type or "stream") from error
        except httpx.HTTPError as error:
            raise ModelStreamBroken(model=self.model_name) from error
        except json.JSONDecodeError as error:
            raise ModelRefused(model=self.model_name, status="JSON", detail=error) from error

    def _key_refused(self, error: openai.APIStatusError) -> ModelKeyRefused:
        # Beside a wrong key it may be a country, an address or a model that is not let in.
        said = self._without_key(said_of(error))
        where = {"base_url": self.openai_api_base, "status": error.status_code, "said": said}
        return OwnKeyRefused(**where) if self.own_key else ModelKeyRefused(**where, variable="WENQU_LLM_API_KEY")

    def _refused(self, error: openai.APIError, status: object) -> ModelError:
        if {error.code, error.type} & _FILTERED:
            return AnswerFiltered(model=self.model_name)
        told = self._without_key(said_of(error))
        return _too_long(error) or ModelRefused(model=self.model_name, status=status, detail=told)

    def _without_key(self, said: str) -> str:
        key = self.openai_api_key.get_secret_value() if isinstance(self.openai_api_key, SecretStr) else NO_KEY
        return without_key(said, "" if key == NO_KEY else key)


def names_model(error: openai.NotFoundError) -> bool:
    """Whether a server says that it is the model that it has not, and not that there is nothing at the address."""
    told = str(error.body)
    return bool(_MODEL.search(told)) and not told.startswith("<")


def said_of(error: openai.APIError) -> str:
    """What a server says of an error, in whatever form; a proxy's page says no more than its status."""
    status, body = getattr(error, "status_code", 0), error.body
    if isinstance(body, str) and body and not body.startswith("<"):
        return body
    if words := error.message.removeprefix(f"Error code: {status}").removeprefix(" - "):
        return words
    return json.dumps(body, ensure_ascii=False) if isinstance(body, dict | list) else responses.get(status, "")


def _refused_parameter(error: openai.APIStatusError, left_out: frozenset[str]) -> str | None:
    """The parameter that a server says it does not take, of those that an answer can do without."""
    if error.status_code not in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY) or _too_long(error):
        return None
    told = str(error.body)
    named = {name: place for name in _DISPENSABLE if (place := told.find(name)) >= 0 and name not in left_out}
    return error.param if error.param in named else min(named, key=named.__getitem__, default=None)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _too_long(error: openai.APIError) -> PromptTooLong | None:
    """What a server says of a prompt that exceeds its context: by code or type, else by its words."""
    if not _TOO_LONG & {error.code, error.type} and not _TOO_LONG_WORDS.search(error.message):
        return None
    body = error.body if isinstance(error.body, dict) else {}
    limit, tokens = _LIMIT.search(error.message), _TOKENS.search(error.message)
    return PromptTooLong(
        tokens=body.get("n_prompt_tokens") or (tokens[1] if tokens else "?"),
        limit=body.get("n_ctx") or (limit[1] if limit else "?"),
    )
