"""What the reading process and its parent say to each other: one JSON object a line, in both directions."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rag import errors
from rag.types import Box, Heading, LoadedDocument, Page, PageHealth, PlacedLine


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be read. The password travels here, never on a command line."""

    path: Path
    name: str
    password: str | None
    max_pages: int
    memory_limit_mb: int


def encode_job(job: Job) -> bytes:
    """A job as one line."""
    return to_line({**asdict(job), "path": str(job.path)})


def decode_job(line: bytes) -> Job:
    """A job from its line."""
    values = json.loads(line)
    return Job(**{**values, "path": Path(values["path"])})


def progress(done: int, total: int) -> bytes:
    """The line that reports pages read."""
    return to_line({"done": done, "total": total})


def failure(error: errors.DocumentError) -> bytes:
    """The line that reports an error."""
    return to_line({"error": error.key, "values": error.values})


def encode_document(document: LoadedDocument) -> Iterator[bytes]:
    """A document as a line per page and a last one that completes it."""
    for page in document.pages:
        yield to_line({"page": [page.number, page.label, page.text, page.health]})
    yield to_line({"outline": [asdict(heading) for heading in document.outline]})


def decode_page(message: Mapping[str, Any]) -> Page:
    """A page from its message."""
    number, label, text, health = message["page"]
    return Page(number, label, text, PageHealth(health))


def decode_document(message: Mapping[str, Any], pages: list[Page]) -> LoadedDocument:
    """The document from the message that completes it and the pages that came before."""
    return LoadedDocument(tuple(pages), tuple(Heading(**heading) for heading in message["outline"]))


def decode_failure(message: Mapping[str, Any]) -> errors.DocumentError:
    """The error that a message reports."""
    kinds = {kind.key: kind for kind in errors.DocumentError.__subclasses__()}
    return kinds[message["error"]](**message["values"])


def decode_lines(lines: Iterable[Mapping[str, Any]]) -> tuple[PlacedLine, ...]:
    """The lines of recognised text from what JSON has of them."""
    return tuple(PlacedLine(line["start"], line["end"], Box(**line["box"])) for line in lines)


def to_line(message: Mapping[str, Any]) -> bytes:
    """A message as one line."""
    # ASCII only: file names that are no valid Unicode survive as escapes.
    return json.dumps(message).encode("ascii") + b"\n"
