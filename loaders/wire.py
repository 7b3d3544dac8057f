"""What processes of this program say to each other: one JSON object a line, in both directions."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from enum import StrEnum
from functools import cache
from itertools import repeat
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from rag import errors
from rag.types import Heading, LoadedDocument, Page

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be read. The password travels here, never on a command line."""

    path: Path
    name: str
    password: str | None
    max_pages: int
    memory_limit_mb: int


def to_line(message: Any) -> bytes:
    """A message as one line."""
    # ASCII only: file names that are no valid Unicode survive as escapes.
    return json.dumps(message, default=_plain).encode("ascii") + b"\n"


def from_line(kind: type[Value], line: str | bytes) -> Value:
    """The value of that kind that `to_line` wrote."""
    return from_json(kind, json.loads(line))


def from_json(kind: type[Value], value: Any) -> Value:
    """The value of that kind from what JSON has of it."""
    made: Value = _maker(cast(Any, kind))(value)
    return made


def _plain(value: Any) -> Any:
    """What JSON has in place of a value."""
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    return str(value) if isinstance(value, Path) else asdict(value)


@cache
def _maker(kind: Any) -> Callable[[Any], Any]:
    """What makes a value of that kind from what JSON has of it."""
    if isinstance(kind, type) and is_dataclass(kind):
        makers = {name: _maker(own) for name, own in get_type_hints(kind).items()}
        return lambda values: kind(**{name: makers[name](own) for name, own in values.items()})
    if get_origin(kind) is tuple:
        first, *others = get_args(kind)
        makers_in_turn = repeat(_maker(first)) if others == [...] else tuple(map(_maker, (first, *others)))
        return lambda values: tuple(maker(own) for maker, own in zip(makers_in_turn, values, strict=False))
    if get_origin(kind) is UnionType:  # of something and nothing
        maker = _maker(get_args(kind)[0])
        return lambda value: None if value is None else maker(value)
    if kind is bytes:
        return b64decode
    return kind if issubclass(kind, Path | StrEnum) else lambda value: value


def progress(done: int, total: int) -> bytes:
    """The line that reports pages read."""
    return to_line({"done": done, "total": total})


def failure(error: errors.DocumentError) -> bytes:
    """The line that reports an error."""
    return to_line({"error": error.key, "values": error.values})


def encode_document(document: LoadedDocument) -> Iterator[bytes]:
    """A document as a line per page and a last one that completes it."""
    for page in document.pages:
        yield to_line({"page": page})
    yield to_line({"outline": document.outline})


def decode_document(messages: Iterator[Mapping[str, Any]]) -> LoadedDocument:
    """The document that these messages tell."""
    pages: list[Page] = []
    while "page" in (message := next(messages)):
        pages.append(from_json(Page, message["page"]))
    return LoadedDocument(tuple(pages), from_json(tuple[Heading, ...], message["outline"]))


def decode_failure(message: Mapping[str, Any]) -> errors.DocumentError:
    """The error that a message reports."""
    kinds = {kind.key: kind for kind in errors.DocumentError.__subclasses__()}
    return kinds[message["error"]](**message["values"])
