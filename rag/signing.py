"""The installation's own secrets, each made once in a file of the store, and the keys that are made of one."""

import hashlib
import hmac
import os
import secrets
import tempfile
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from rag.database import store_errors

_SECRET_BYTES = 32
# A file that a full disk or a killed process left behind has less than it was to have.
_SHORTEST = 2 * _SECRET_BYTES


class Purpose(StrEnum):
    """What a signature permits. Each has its own key: what was signed for one is nothing for the others."""

    UPLOAD = "upload ticket"
    PAGE_IMAGE = "page image address"
    HTTP_SESSION = "http session id"


@dataclass(frozen=True, slots=True)
class SigningKey:
    """Signs what the server gives out and takes back. It never leaves the server, nor does any key made of it."""

    _secret: bytes = field(repr=False)

    def key(self, purpose: Purpose) -> bytes:
        """The key for one purpose, from which neither the others nor the secret can be told."""
        return hmac.digest(self._secret, f"wenqu {purpose.value}".encode(), hashlib.sha256)


def kept_secret(path: Path) -> str:
    """The secret that a file holds, made where there is none, or less than a whole one. Raises StoreError."""
    with store_errors(str(path)):
        kept = path.read_text(encoding="utf-8").strip() if path.exists() else ""
        if len(kept) >= _SHORTEST:
            return kept
        _write(path, secrets.token_hex(_SECRET_BYTES))
        return path.read_text(encoding="utf-8")


def _write(path: Path, secret: str) -> None:
    """All of it or nothing: a process killed at any moment, or a full disk, leaves no half of a secret."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # which nobody else may read
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
