"""Models served by Ollama."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import httpx
import ollama
from langchain_core.language_models import LangSmithParams
from langchain_core.messages import BaseMessage
from langchain_ollama import ChatOllama
from pydantic import PrivateAttr

from rag.errors import (
    ModelFileError,
    ModelMissing,
    ModelRefused,
    ModelStreamBroken,
    ModelUnreachable,
    NoOllama,
    told_address,
)
from rag.llm.http import ClientOptions, client_options, leavable_options
from rag.llm.listing import EMBEDDING_ONLY
from rag.tokens import average_estimate
from rag.types import Message


class OllamaChatModel(ChatOllama):
    """ChatOllama whose failures are errors of `rag.errors`, and whose stream must end with `done`.

    Call arguments beside ChatOllama's: `max_tokens` and `temperature` override the fields; `max_tokens_thinking` is how
    many tokens an answer may take together with the thoughts before it, where the model has any.
    """

    _thinks: bool | None = PrivateAttr(default=None)

    def get_num_tokens(self, text: str) -> int:
        """An estimate: Ollama does not count tokens without answering."""
        return average_estimate(text)

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        parameters = super()._get_ls_params(stop, **kwargs)
        parameters["ls_model_name"] = kwargs.get("model", self.model)
        return parameters

    def _chat_params(self, messages: list[BaseMessage], stop: list[str] | None = None, **kwargs: Any) -> dict[str, Any]:
        # ChatOllama takes these only as fields; as call arguments they would reach the client, which refuses them.
        limit, limit_thinking = kwargs.pop("max_tokens", None), kwargs.pop("max_tokens_thinking", None)
        given = {"num_predict": limit, "temperature": kwargs.pop("temperature", None)}
        parameters = super()._chat_params(messages, stop, **kwargs)
        # A model that cannot think refuses to be asked for it.
        parameters["think"] = bool(parameters["think"]) and self._can_think()
        if parameters["think"] and limit is None:
            given["num_predict"] = limit_thinking
        parameters["options"] |= {name: value for name, value in given.items() if value is not None}
        return parameters

    def _can_think(self) -> bool:
        """Whether the server says so of this model; it is asked once. Raises what `OllamaServer` does."""
        if self._thinks is None:
            self._thinks = OllamaServer(str(self.base_url)).can_think(self.model)
        return self._thinks

    def _create_chat_stream(
        self, messages: list[BaseMessage], stop: list[str] | None = None, **kwargs: Any
    ) -> Iterator[Mapping[str, Any] | str]:
        done = False
        with _translated(self.model, str(self.base_url)):
            for part in super()._create_chat_stream(messages, stop, **kwargs):
                done = not isinstance(part, str) and bool(part.get("done"))
                yield part
        if not done:
            raise ModelStreamBroken(model=self.model)


class OllamaServer:
    """What an Ollama server has, and how it gets more. `timeout` is in seconds, for its lists of models."""

    def __init__(self, base_url: str, timeout: float = 2) -> None:
        self._base_url = base_url
        self._timeout = timeout
        # What models can do, by digest: to be told, it has to be asked of each of them.
        self._capabilities: dict[str, Sequence[str]] = {}

    def models(self) -> tuple[str, ...]:
        """The names of the installed chat models, the latest first. Raises ModelUnreachable, ModelRefused, NoOllama."""
        with _translated("", self._base_url):
            installed = self._client(client_options(self._base_url, self._timeout)).list().models
        return tuple(model.model for model in installed if model.model and not EMBEDDING_ONLY.search(model.model))

    def embedding_models(self) -> tuple[str, ...]:
        """The names of the installed models that make vectors, the latest first.

        Raises ModelUnreachable, ModelMissing, ModelRefused.
        """
        client = self._client(client_options(self._base_url, self._timeout))
        with _translated("", self._base_url):
            told = {model.model: self._capabilities_of(model, client) for model in client.list().models if model.model}
        # An older server does not say what a model can do.
        return tuple(name for name, can in told.items() if ("embedding" in can if can else EMBEDDING_ONLY.search(name)))

    def can_think(self, model: str) -> bool:
        """Whether a model thinks when asked to. Raises ModelUnreachable, ModelMissing, ModelRefused."""
        with _translated(model, self._base_url):
            # An answer waits for it, for which a busy server has as long.
            shown = self._client(client_options(self._base_url)).show(model)
        return "thinking" in (shown.capabilities or ())

    def pull(self, model: str, on_progress: Callable[[int, int], None], cancel: threading.Event) -> None:
        """Has the server download a model; `on_progress` is told bytes done and in all.

        Raises ModelUnreachable, ModelMissing, ModelRefused, ModelFileError.
        """
        layers: dict[str, tuple[int, int]] = {}
        finished = False
        with suppress(ModelStreamBroken), _translated(model, self._base_url):
            for step in self._client(client_options(self._base_url)).pull(model, stream=True):
                if cancel.is_set():
                    return
                finished = step.status == "success"
                if step.digest:
                    layers[step.digest] = (step.completed or 0, step.total or 0)
                    on_progress(sum(done for done, _ in layers.values()), sum(total for _, total in layers.values()))
        if not finished:
            raise ModelFileError(file=model, detail=Message("model_file.broken"))

    def _capabilities_of(self, model: ollama.ListResponse.Model, client: ollama.Client) -> Sequence[str]:
        if model.digest in self._capabilities:
            return self._capabilities[model.digest]
        told = client.show(model.model or "").capabilities or ()
        if model.digest and told:
            self._capabilities[model.digest] = told
        return told

    def _client(self, options: ClientOptions) -> ollama.Client:
        try:
            return ollama.Client(self._base_url, **options, **leavable_options())
        except ValueError as error:
            raise ModelUnreachable(base_url=self._base_url) from error


def installed_name(model: str, installed: tuple[str, ...]) -> str | None:
    """The installed model that `model` means: Ollama reads a name without a tag as `:latest`."""
    wanted = model if ":" in model else f"{model}:latest"
    return next((name for name in installed if name in (model, wanted)), None)


@contextmanager
def _translated(model: str, base_url: str) -> Iterator[None]:
    """Raises what can go wrong between here and Ollama as an error of ours.

    Without a model, only the list of models is asked for: no model can be missing, and no answer can break off.
    """
    try:
        yield
    except (httpx.ConnectError, httpx.ConnectTimeout, ConnectionError) as error:
        raise ModelUnreachable(base_url=base_url) from error
    except ollama.ResponseError as error:
        if error.status_code == httpx.codes.NOT_FOUND:
            raise (ModelMissing(model=model) if model else NoOllama(base_url=base_url)) from error
        asked = model or told_address(base_url)
        # What comes in the midst of a reply has no status.
        status = error.status_code if error.status_code > 0 else "stream"
        raise ModelRefused(model=asked, status=status, detail=error.error) from error
    except httpx.HTTPError as error:
        raise (ModelStreamBroken(model=model) if model else NoOllama(base_url=base_url)) from error
    except ValueError as error:  # not JSON, or JSON of another shape: no Ollama answers there
        refused = ModelRefused(model=model, status="JSON", detail=error)
        raise (refused if model else NoOllama(base_url=base_url)) from error
