"""What models an OpenAI-compatible service says that it has."""

import json
import re
import time
from typing import TypeGuard

import httpx

from rag.errors import ModelsNotListed, ModelUnreachable, OwnKeyRefused
from rag.llm.http import client_options

EMBEDDING_ONLY = re.compile(r"embed|bge|minilm|paraphrase|rerank|(^|[^a-z])[em]5-", re.IGNORECASE)
_SPEECH_OR_PICTURES = re.compile(r"whisper|transcribe|\btts\b|dall-e|gpt-image|moderation", re.IGNORECASE)
LONGEST_NAME = 200
_MOST_NAMES = 500
_MOST_BYTES = 1_000_000
# Between two pieces of the list, and for all of it: somebody waits.
_PIECE_SECONDS, _SECONDS = 4.0, 8.0


def is_name(name: object) -> TypeGuard[str]:
    """Whether a text can be a model's name."""
    return isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()


def listed_models(base_url: str, api_key: str, transport: httpx.BaseTransport | None = None) -> tuple[str, ...]:
    """The chat models of a service, in its order. Raises ModelUnreachable, OwnKeyRefused, ModelsNotListed."""
    # What is packed may be far more than what is counted as it comes.
    headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {api_key}"} if api_key else {})
    options = client_options(base_url, _PIECE_SECONDS)
    try:
        with (
            httpx.Client(**options, transport=transport, follow_redirects=False) as client,
            client.stream("GET", f"{base_url}/models", headers=headers) as response,
        ):
            if response.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
                raise OwnKeyRefused(base_url=base_url, status=response.status_code)
            if response.status_code != httpx.codes.OK:
                raise ModelsNotListed(base_url=base_url)
            return _names(json.loads(_read(response)))
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise ModelUnreachable(base_url=base_url) from error
    except (ValueError, RecursionError) as error:  # not JSON, or JSON of another shape
        raise ModelsNotListed(base_url=base_url) from error


def _read(response: httpx.Response) -> bytes:
    """All that comes, if it is not too much and not too slow. Raises ValueError, httpx.HTTPError."""
    end, content = time.monotonic() + _SECONDS, b""
    for piece in response.iter_bytes():
        content += piece
        if len(content) > _MOST_BYTES:
            raise ValueError("the list is too long")
        if time.monotonic() > end:
            raise httpx.ReadTimeout("the list takes too long")
    return content


def _names(told: object) -> tuple[str, ...]:
    rows = told.get("data") if isinstance(told, dict) else told
    if not isinstance(rows, list):
        raise ValueError("there is no list")
    names = [row.get("id") for row in rows if isinstance(row, dict)]
    other = (EMBEDDING_ONLY, _SPEECH_OR_PICTURES)
    chat = [name for name in names if is_name(name) and not any(kind.search(name) for kind in other)]
    return tuple(dict.fromkeys(chat))[:_MOST_NAMES]
