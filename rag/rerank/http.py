"""A cross-encoder behind an HTTP endpoint `/rerank`, in the two shapes that servers speak.

With a model's name, Jina's and Cohere's: Jina, Cohere, vLLM, Xinference. Without one, that of Hugging Face's
text-embeddings-inference, which serves one model; llama.cpp's server takes both.
"""

import json
import math
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import httpx

from rag.errors import ModelKeyRefused, ModelMissing, ModelUnreachable, RerankFailed, told_address
from rag.knowledge.texts import index_text
from rag.llm.http import SlowToFail, client_options, without_key
from rag.settings import RerankSettings
from rag.types import Hit

_DETAIL_LENGTH = 200
# text-embeddings-inference refuses more in one request, unless its operator has raised `--max-client-batch-size`.
_BATCH = 32


class HttpReranker:
    """Asks a server for the scores of all hits, some at a time.

    Raises ModelUnreachable, ModelMissing, ModelKeyRefused, RerankFailed.
    """

    def __init__(self, settings: RerankSettings, transport: httpx.BaseTransport | None = None) -> None:
        self._model = settings.model
        self._url = settings.base_url.rstrip("/").removesuffix("/rerank") + "/rerank"
        self._key = settings.api_key
        self._slow = SlowToFail()
        headers = {"Authorization": f"Bearer {settings.api_key}"} if settings.api_key else {}
        self._timeout = settings.timeout
        options = client_options(settings.base_url, settings.timeout)
        self._client = httpx.Client(**options, headers=headers, transport=transport)

    def rank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """The hits by the server's scores; those without one come last and are not judged."""
        if not hits:
            return ()
        with self._slow.left_alone():
            scores = _as_probabilities(self._scores(question, [index_text(hit.chunk.passage) for hit in hits]))
        order = sorted(range(len(hits)), key=lambda number: -scores.get(number, -1.0))
        return tuple(replace(hits[number], relevance=scores.get(number)) for number in order)

    def _scores(self, question: str, texts: list[str]) -> dict[int, float]:
        """The scores of texts by their places."""
        deadline, found = time.monotonic() + self._timeout, dict[int, float]()
        for start in range(0, len(texts), _BATCH):
            scores = self._batch(question, texts[start : start + _BATCH], deadline)
            found |= {start + number: score for number, score in scores.items()}
        return found

    def _batch(self, question: str, texts: list[str], deadline: float) -> dict[int, float]:
        answer = self._post(self._body(question, texts), deadline)
        try:
            rows = answer if isinstance(answer, list) else answer["results"]
            found = {int(row["index"]): float(row["relevance_score" if self._model else "score"]) for row in rows}
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise self._failed(f"{type(error).__name__}: {error}") from error
        if not all(0 <= number < len(texts) and math.isfinite(score) for number, score in found.items()):
            raise self._failed("index, score")
        if not found:
            raise self._failed(f"0 / {len(texts)}")
        return found

    def _body(self, question: str, texts: list[str]) -> Mapping[str, object]:
        if self._model:
            return {"model": self._model, "query": question, "documents": texts, "top_n": len(texts)}
        return {"query": question, "texts": texts, "truncate": True}

    def _post(self, body: Mapping[str, object], deadline: float) -> Any:
        """The answer's JSON."""
        timeout = httpx.Timeout(self._left(deadline), connect=self._client.timeout.connect)
        try:
            with self._client.stream("POST", self._url, json=body, timeout=timeout) as response:
                content = b""
                for piece in response.iter_bytes():
                    content += piece
                    self._left(deadline)
            if not response.is_success:
                raise self._refused(response, content.decode(errors="replace"))
            return json.loads(content)
        except httpx.TimeoutException as error:
            raise self._failed(type(error).__name__) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ModelUnreachable(base_url=self._url) from error
        except (ValueError, RecursionError) as error:
            raise self._failed(f"JSON: {error}") from error

    def _refused(self, response: httpx.Response, content: str) -> ModelMissing | ModelKeyRefused | RerankFailed:
        status, said = response.status_code, without_key(_said(content), self._key)
        if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
            return ModelKeyRefused(base_url=self._url, status=status, variable="WENQU_RERANK_API_KEY", said=said)
        if status == httpx.codes.NOT_FOUND and self._model and "model" in said.lower():
            return ModelMissing(model=self._model)
        return self._failed(f"{status} {said or response.reason_phrase}")

    def _left(self, deadline: float) -> float:
        """The seconds until the deadline. Raises RerankFailed where it has passed."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise self._failed(f"> {self._timeout:g} s")
        return left

    def _failed(self, detail: str) -> RerankFailed:
        return RerankFailed(model=self._model or told_address(self._url), detail=detail[:_DETAIL_LENGTH])


def _said(content: str) -> str:
    """What a server says of an error, in whatever form; nothing where it is a proxy's page."""
    told: object = content.strip()
    with suppress(ValueError, RecursionError):
        told = json.loads(content)
    for name in ("error", "message", "detail"):
        told = told.get(name, told) if isinstance(told, dict) else told
    words = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
    return "" if words.startswith("<") else words


def _as_probabilities(scores: Mapping[int, float]) -> dict[int, float]:
    """The scores from 0 to 1: unchanged, or all taken for logits if one is outside (llama.cpp sends logits).

    Logits that all happen to lie from 0 to 1 cannot be told from probabilities: no server says which it sends.
    """
    if all(0 <= score <= 1 for score in scores.values()):
        return dict(scores)
    return {number: 0.5 * (1 + math.tanh(score / 2)) for number, score in scores.items()}
