"""What the viewing process and its parent say to each other: one JSON object a line, in both directions."""

import base64
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from loaders.wire import to_line
from rag.types import Box, PageImage


@dataclass(frozen=True, slots=True)
class Look:
    """What is to be seen: a page, counted from 1, as an image `width` pixels wide (None: no image is needed),
    and where each span `[start, end)` of its cleaned text stands."""

    path: Path
    name: str
    page: int
    width: int | None
    text: str = ""
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen: the page's image, and the boxes of each span."""

    image: PageImage | None
    boxes: tuple[tuple[Box, ...], ...]


def encode_look(look: Look, memory_limit_mb: int) -> bytes:
    """A request as one line."""
    return to_line({**asdict(look), "path": str(look.path), "memory_limit_mb": memory_limit_mb})


def decode_look(line: bytes) -> tuple[Look, int]:
    """A request and its memory limit from its line."""
    values = json.loads(line)
    limit = values.pop("memory_limit_mb")
    spans = tuple((start, end) for start, end in values["spans"])
    return Look(**{**values, "path": Path(values["path"]), "spans": spans}), limit


def encode_sight(sight: Sight) -> bytes:
    """A reply as one line."""
    image = sight.image and {**asdict(sight.image), "data": base64.b64encode(sight.image.data).decode("ascii")}
    return to_line({"image": image, "boxes": [[asdict(box) for box in own] for own in sight.boxes]})


def decode_sight(message: Mapping[str, Any]) -> Sight:
    """A reply from its message."""
    image = message["image"]
    decoded = PageImage(**{**image, "data": base64.b64decode(image["data"])}) if image else None
    return Sight(decoded, tuple(tuple(Box(**box) for box in own) for own in message["boxes"]))
