"""The server, its store, and how files are read and split."""

import os
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, field_validator, model_validator

from rag.i18n import Language
from rag.settings.base import Positive, Section, refusal

# Long enough that nobody finds it by trying.
ApiKey = Annotated[str, Field(min_length=16)]
Port = Annotated[int, Field(ge=0, le=65535)]

# What visitors of a public server leave alone by default: another model takes gigabytes of memory and disk from all.
_PUBLIC_LOCKS = ("llm.provider", "llm.model")
# What asks for the default, and what asks for nothing at all, where the value comes from the environment.
_AUTO, _NONE = "auto", "none"
_USUAL_STORE = Path("data/store")
_PERSISTENT = Path("/data")


def _on_space() -> bool:
    return "SPACE_ID" in os.environ


def listening_host() -> str:
    """Where to listen when nobody says: on a Space for all, because its visitors come through a proxy."""
    return "0.0.0.0" if _on_space() else "127.0.0.1"  # noqa: S104


def is_loopback(host: str) -> bool:
    """Whether an address, or a name that leads nowhere else, is this machine's own."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _is_public(host: str) -> bool:
    return _on_space() or not is_loopback(host)


def _is_host(host: str) -> str:
    if "/" in host or host.count(":") == 1:
        raise refusal("host")
    return host


def _listed(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


class ServerSettings(Section):
    host: str = Field(default_factory=listening_host)
    port: Port = 7860
    language: Language = Language.ZH
    max_waiting: Positive = 48
    max_waiting_per_session: Positive = 8
    allowed_hosts: tuple[Annotated[str, AfterValidator(_is_host)], ...] = ()
    api_keys: tuple[ApiKey, ...] = Field(default=(), repr=False)
    mcp: bool = False
    locked: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _locked_where_public(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        host, locked = values.get("host", _AUTO), values.get("locked", _AUTO)
        if host == _AUTO:
            host = listening_host()
        if locked == _AUTO:
            locked = _PUBLIC_LOCKS if _is_public(str(host)) else ()
        elif isinstance(locked, str):
            locked = () if locked == _NONE else _listed(locked)
        return {**values, "host": host, "locked": locked}

    @field_validator("allowed_hosts", "api_keys", mode="before")
    @classmethod
    def _comma_list(cls, items: object) -> object:
        return _listed(items) if isinstance(items, str) else items

    @property
    def public(self) -> bool:
        """Whether others reach it than who sits at this machine."""
        return _is_public(self.host)


def store_folder(path: Path, persistent: Path = _PERSISTENT) -> Path:
    """Where the store is: a folder that somebody named, else a Space's persistent disk, where it has one."""
    usable = _on_space() and persistent.is_dir() and os.access(persistent, os.W_OK)
    return persistent / "store" if usable and path == _USUAL_STORE else path


def is_ephemeral(store: Path, persistent: Path = _PERSISTENT) -> bool:
    """Whether a restart empties the store: of a Space, nothing stays but what is on its persistent disk."""
    return _on_space() and not (persistent.is_dir() and store.resolve().is_relative_to(persistent))


class StoreSettings(Section):
    path: Annotated[Path, AfterValidator(store_folder), Field(validate_default=True)] = _USUAL_STORE
    session_quota_mb: Positive = 500
    total_mb: Annotated[int, Field(ge=0)] = 0

    @property
    def ephemeral(self) -> bool:
        """Whether a restart empties it."""
        return is_ephemeral(self.path)


class LoaderSettings(Section):
    max_file_mb: Positive = 100
    max_pages: Positive = 3000
    max_chunks: Positive = 100_000
    time_limit_seconds: Positive = 120
    memory_limit_mb: Positive = 3000


class OcrSettings(Section):
    enabled: bool = True
    dpi: Annotated[int, Field(ge=72, le=300)] = 150
    time_limit_seconds: Positive = 600
    memory_limit_mb: Positive = 3000


class PageSettings(Section):
    image_width: Annotated[int, Field(ge=200, le=4000)] = 1200
    cache_mb: Positive = 64
    time_limit_seconds: Positive = 10
    memory_limit_mb: Positive = 2000


class SplitterSettings(Section):
    max_len: Annotated[int, Field(ge=20)] = 200
    overlap: Annotated[int, Field(ge=0)] = 40
    parent_max_len: Positive = 800

    @model_validator(mode="after")
    def _nested(self) -> "SplitterSettings":
        if not self.overlap < self.max_len <= self.parent_max_len:
            raise refusal("lengths")
        return self
