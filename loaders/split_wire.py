"""What the process that splits documents and its parent say to each other: one JSON object a line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from loaders.wire import encode_document, from_json, to_line
from rag.types import LoadedDocument, Page, Passage, RecognisedPage, Section

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long passages may be, in characters: searched ones, what two of them share, and those that are read."""

    max_len: int
    overlap: int
    parent_max_len: int


@dataclass(frozen=True, slots=True)
class Job:
    """How a document is to be split, and what that may come to. Of `recognised` pages, text was recognised."""

    name: str
    recognised: tuple[int, ...]
    lengths: Lengths
    max_chunks: int
    memory_limit_mb: int


def encode_job(job: Job, document: LoadedDocument, recognised: Iterable[RecognisedPage]) -> Iterator[bytes]:
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
    text, sections, paths = document.text, list[Section](), dict[Path, Path]()
    while "passages" in message:
        parent, *children = (_passage(text, paths, *place) for place in message["passages"])
        sections.append(Section(parent, tuple(children)))
        message = next(messages)
    return document, tuple(sections)


def _place(passage: Passage) -> list[Any]:
    where = [passage.start, passage.end, passage.page, passage.last_page, passage.page_label]
    return [*where, passage.context, *passage.heading_path]


def _passage(text: str, paths: dict[Path, Path], start: int, end: int, *told: Any) -> Passage:
    """`paths` are those that are known: thousands of passages may stand under one."""
    page, last_page, label, context, *titles = told
    path = paths.setdefault(tuple(titles), tuple(titles))
    return Passage(text[start:end], start, end, page, last_page, label, path, context)
