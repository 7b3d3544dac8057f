"""What the process that splits documents and its parent say to each other: one JSON object a line."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from loaders import ocr_wire, wire
from rag.types import LoadedDocument, Page, PageHealth, Passage, RecognisedPage, Section

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
    yield wire.to_line(asdict(job))
    yield from wire.encode_document(document)
    yield from map(ocr_wire.encode_page, recognised)


def decode_job(line: bytes) -> Job:
    """The job from the first of these lines."""
    values = json.loads(line)
    return Job(**{**values, "recognised": tuple(values["recognised"]), "lengths": Lengths(**values["lengths"])})


def decode_document(lines: Iterator[bytes]) -> LoadedDocument:
    """The document from the lines behind that."""
    pages: list[Page] = []
    while "page" in (message := json.loads(next(lines))):
        pages.append(wire.decode_page(message))
    return wire.decode_document(message, pages)


def decode_recognised(job: Job, lines: Iterator[bytes]) -> dict[int, RecognisedPage]:
    """What was recognised, by page, from the lines behind that."""
    return {number: ocr_wire.decode_page(json.loads(next(lines))) for number in job.recognised}


def encode_pages(pages: Iterable[Page]) -> Iterator[bytes]:
    """A line for each page that has got its text only now, with the places of its lines."""
    for page in pages:
        yield wire.to_line({"read": asdict(page)})


def encode_sections(sections: Sequence[Section]) -> Iterator[bytes]:
    """A line for each section, and a last one. The text stays where it came from: passages tell where theirs lies."""
    for section in sections:
        yield wire.to_line({"passages": [_place(passage) for passage in (section.parent, *section.children)]})
    yield wire.to_line({"sections": len(sections)})


def decode_split(
    document: LoadedDocument, messages: Iterator[Mapping[str, Any]]
) -> tuple[LoadedDocument, tuple[Section, ...]]:
    """A document with those pages, and its sections, from these messages."""
    read = dict[int, Page]()
    while "read" in (message := next(messages)):
        page = _page(message["read"])
        read[page.number] = page
    document = replace(document, pages=tuple(read.get(page.number, page) for page in document.pages))
    text, sections, paths = document.text, list[Section](), dict[Path, Path]()
    while "passages" in message:
        parent, *children = (_passage(text, paths, *place) for place in message["passages"])
        sections.append(Section(parent, tuple(children)))
        message = next(messages)
    return document, tuple(sections)


def _page(values: Mapping[str, Any]) -> Page:
    own = {"health": PageHealth(values["health"]), "lines": wire.decode_lines(values["lines"])}
    return Page(**{**values, **own})


def _place(passage: Passage) -> list[Any]:
    where = [passage.start, passage.end, passage.page, passage.last_page, passage.page_label]
    return [*where, passage.context, *passage.heading_path]


def _passage(text: str, paths: dict[Path, Path], start: int, end: int, *told: Any) -> Passage:
    """`paths` are those that are known: thousands of passages may stand under one."""
    page, last_page, label, context, *titles = told
    path = paths.setdefault(tuple(titles), tuple(titles))
    return Passage(text[start:end], start, end, page, last_page, label, path, context)
