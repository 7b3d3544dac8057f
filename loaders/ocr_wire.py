"""What the recognising process and its parent say to each other: one JSON object a line, in both directions."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from loaders.wire import to_line
from rag.types import Box, RecognisedLine, RecognisedPage


@dataclass(frozen=True, slots=True)
class OcrJob:
    """The page to recognise, counted from 1. The password travels here, never on a command line."""

    path: Path
    name: str
    password: str | None
    page: int
    dpi: int
    memory_limit_mb: int


def encode_job(job: OcrJob) -> bytes:
    """A job as one line."""
    return to_line({**asdict(job), "path": str(job.path)})


def decode_job(line: bytes) -> OcrJob:
    """A job from its line."""
    values = json.loads(line)
    return OcrJob(**{**values, "path": Path(values["path"])})


def encode_page(page: RecognisedPage) -> bytes:
    """A recognised page as one line."""
    return to_line(asdict(page))


def decode_page(message: Mapping[str, Any]) -> RecognisedPage:
    """A recognised page from its message."""
    lines = tuple(RecognisedLine(line["text"], Box(**line["box"])) for line in message["lines"])
    return RecognisedPage(**{**message, "lines": lines})
