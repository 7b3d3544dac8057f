"""What processes of this program say to each other: one JSON object a line, in both directions."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import repeat
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from rag import errors
from rag.types import Heading, LoadedDocument, Page, Passage, RecognisedPage, Section

Value = TypeVar("Value")
Titles = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadJob:
    """What is to be read. The password travels here, never on a command line."""

    path: Path
    name: str
    password: str | None
    max_pages: int
    memory_limit_mb: int


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long passages may be, in characters: searched ones, what two of them share, and those that are read."""

    max_len: int
    overlap: int
    parent_max_len: int


@dataclass(frozen=True, slots=True)
class SplitJob:
    """How a document is to be split, and what that may come to. Of `recognised` pages, text was recognised."""

    name: str
    recognised: tuple[int, ...]
    lengths: Lengths
    max_chunks: int
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


def encode_job(job: SplitJob, document: LoadedDocument, recognised: Iterable[RecognisedPage]) -> Iterator[bytes]:
    """The lines that ask for a document to be split, with what was recognised of the job's pages."""
    yield to_line(job)
    yield from encode_document(document)
    yield from map(to_line, recognised)


def encode_split(read: Iterable[Page], sections: Sequence[Section]) -> Iterator[bytes]:
    """A line for each page that has got its text only now, for each section, and a last one.

    The text stays where it came from: passages tell where theirs lies.
    """
    for page in read:
        yield to_line({"read": page})
    for section in sections:
        yield to_line({"passages": [_place(passage) for passage in (section.parent, *section.children)]})
    yield to_line({"sections": len(sections)})


def decode_split(
    document: LoadedDocument, messages: Iterator[Mapping[str, Any]]
) -> tuple[LoadedDocument, tuple[Section, ...]]:
    """A document with those pages, and its sections, from these messages."""
    read = dict[int, Page]()
    while "read" in (message := next(messages)):
        page = from_json(Page, message["read"])
        read[page.number] = page
    document = replace(document, pages=tuple(read.get(page.number, page) for page in document.pages))
    text, sections, paths = document.text, list[Section](), dict[Titles, Titles]()
    while "passages" in message:
        parent, *children = (_passage(text, paths, *place) for place in message["passages"])
        sections.append(Section(parent, tuple(children)))
        message = next(messages)
    return document, tuple(sections)


def _place(passage: Passage) -> list[Any]:
    where = [passage.start, passage.end, passage.page, passage.last_page, passage.page_label]
    return [*where, passage.context, *passage.heading_path]


def _passage(text: str, paths: dict[Titles, Titles], start: int, end: int, *told: Any) -> Passage:
    """`paths` are those that are known: thousands of passages may stand under one."""
    page, last_page, label, context, *titles = told
    path = paths.setdefault(tuple(titles), tuple(titles))
    return Passage(text[start:end], start, end, page, last_page, label, path, context)


def decode_failure(message: Mapping[str, Any]) -> errors.DocumentError:
    """The error that a message reports."""
    kinds = {kind.key: kind for kind in errors.DocumentError.__subclasses__()}
    return kinds[message["error"]](**message["values"])
