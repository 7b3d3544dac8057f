"""How model servers are reached."""

from typing import TypedDict
from urllib.parse import urlsplit

import httpx

_CONNECT_SECONDS = 5
# The first token may have to wait until the server has loaded the model and read the prompt.
_READ_SECONDS = 300


class ClientOptions(TypedDict):
    """Keyword arguments of httpx clients."""

    timeout: httpx.Timeout
    trust_env: bool


def client_options(base_url: str, read_seconds: float = _READ_SECONDS) -> ClientOptions:
    """Options for an httpx client: its timeouts, and no proxy between this machine and itself."""
    own = urlsplit(base_url).hostname in ("127.0.0.1", "localhost", "::1")
    timeout = httpx.Timeout(read_seconds, connect=min(read_seconds, _CONNECT_SECONDS))
    return ClientOptions(timeout=timeout, trust_env=not own)
