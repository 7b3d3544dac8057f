"""Models of any server that speaks OpenAI's protocol: vLLM, LM Studio, DeepSeek, DashScope."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import openai
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai.chat_models.base import BaseChatOpenAI
from pydantic import SecretStr

from rag.errors import (
    ModelKeyRefused,
    ModelMissing,
    ModelRefused,
    ModelStreamBroken,
    ModelUnreachable,
    OwnKeyRefused,
    PromptTooLong,
)
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


class OpenAIChatModel(BaseChatOpenAI):
    """The OpenAI client with failures as errors of `rag.errors`, and a stream that must end with a finish reason.

    BaseChatOpenAI rather than ChatOpenAI: that one renames `max_tokens` to a word which compatible servers ignore.
    """

    own_key: bool = False
    """Whether the key is a session's, and not the operator's."""

    @property
    def _llm_type(self) -> str:
        return "wenqu-openai"

    def get_num_tokens(self, text: str) -> int:
        """An estimate: the tokenizer of the served model is not known here."""
        return average_estimate(text)

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        with self._translated():
            return super()._generate(*args, **kwargs)

    def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        finished = False
        with self._translated():
            for chunk in super()._stream(*args, **kwargs):
                finished = finished or bool((chunk.generation_info or {}).get("finish_reason"))
                yield chunk
        if not finished:
            raise ModelStreamBroken(model=self.model_name)

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
            raise ModelMissing(model=self.model_name) from error
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            raise self._key_refused(error.status_code) from error
        except openai.APIStatusError as error:
            raise _too_long(error) or self._refused(error.status_code, error.message) from error
        except openai.APIError as error:
            raise _too_long(error) or self._refused(error.code or "", error.message) from error
        except httpx.HTTPError as error:
            raise ModelStreamBroken(model=self.model_name) from error
        except json.JSONDecodeError as error:
            raise self._refused("JSON", str(error)) from error

    def _key_refused(self, status: int) -> ModelKeyRefused:
        where = {"base_url": self.openai_api_base, "status": status}
        return OwnKeyRefused(**where) if self.own_key else ModelKeyRefused(**where, variable="WENQU_LLM_API_KEY")

    def _refused(self, status: object, detail: str) -> ModelRefused:
        # Some servers repeat the key that they were sent.
        key = self.openai_api_key.get_secret_value() if isinstance(self.openai_api_key, SecretStr) else NO_KEY
        told = detail if key == NO_KEY else detail.replace(key, "…")
        return ModelRefused(model=self.model_name, status=status, detail=told)


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
