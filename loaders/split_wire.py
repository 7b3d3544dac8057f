"""What the process that splits documents and its parent say to each other: one JSON object a line."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from loaders import wire
from rag.types import LoadedDocument, Page, Passage, Section

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long passages may be, in characters: searched ones, what two of them share, and those that are read."""

    max_len: int
    overlap: int
    parent_max_len: int


@dataclass(frozen=True, slots=True)
class Job:
    """How a document is to be split, and what that may come to."""

    name: str
    lengths: Lengths
    max_chunks: int
    memory_limit_mb: int


def encode_job(job: Job, document: LoadedDocument) -> Iterator[bytes]:
    """The lines that ask for a document to be split."""
    yield wire.to_line(asdict(job))
    yield from wire.encode_document(document)


def decode_job(line: bytes) -> Job:
    """The job from the first of these lines."""
    values = json.loads(line)
    return Job(**{**values, "lengths": Lengths(**values["lengths"])})


def decode_document(lines: Iterator[bytes]) -> LoadedDocument:
    """The document from the lines behind that."""
    pages: list[Page] = []
    while "page" in (message := json.loads(next(lines))):
        pages.append(wire.decode_page(message))
    return wire.decode_document(message, pages)


def encode_sections(sections: Sequence[Section]) -> Iterator[bytes]:
    """A line for each section, and a last one. The text stays where it came from: passages tell where theirs lies."""
    for section in sections:
        yield wire.to_line({"passages": [_place(passage) for passage in (section.parent, *section.children)]})
    yield wire.to_line({"sections": len(sections)})


def decode_sections(document: LoadedDocument, messages: Iterator[Mapping[str, Any]]) -> tuple[Section, ...]:
    """The sections of a document from these messages."""
    text, sections, paths = document.text, list[Section](), dict[Path, Path]()
    while "passages" in (message := next(messages)):
        parent, *children = (_passage(text, paths, *place) for place in message["passages"])
        sections.append(Section(parent, tuple(children)))
    return tuple(sections)


def _place(passage: Passage) -> list[Any]:
    where = [passage.start, passage.end, passage.page, passage.last_page, passage.page_label]
    return [*where, passage.context, *passage.heading_path]


def _passage(text: str, paths: dict[Path, Path], start: int, end: int, *told: Any) -> Passage:
    """`paths` are those that are known: thousands of passages may stand under one."""
    page, last_page, label, context, *titles = told
    path = paths.setdefault(tuple(titles), tuple(titles))
    return Passage(text[start:end], start, end, page, last_page, label, path, context)
