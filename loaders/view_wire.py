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
    and where `[start, end)` of its cleaned text stands (None: nothing is to be found)."""

    path: Path
    name: str
    page: int
    width: int | None
    text: str = ""
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen: the page's image, its passage's boxes."""

    image: PageImage | None
    boxes: tuple[Box, ...]


def encode_look(look: Look, memory_limit_mb: int) -> bytes:
    """A request as one line."""
    return to_line({**asdict(look), "path": str(look.path), "memory_limit_mb": memory_limit_mb})


def decode_look(line: bytes) -> tuple[Look, int]:
    """A request and its memory limit from its line."""
    values = json.loads(line)
    limit = values.pop("memory_limit_mb")
    span = values.pop("span")
    return Look(**{**values, "path": Path(values["path"]), "span": tuple(span) if span else None}), limit


def encode_sight(sight: Sight) -> bytes:
    """A reply as one line."""
    image = sight.image and {**asdict(sight.image), "data": base64.b64encode(sight.image.data).decode("ascii")}
    return to_line({"image": image, "boxes": [asdict(box) for box in sight.boxes]})


def decode_sight(message: Mapping[str, Any]) -> Sight:
    """A reply from its message."""
    image = message["image"]
    decoded = PageImage(**{**image, "data": base64.b64decode(image["data"])}) if image else None
    return Sight(decoded, tuple(Box(**box) for box in message["boxes"]))
