"""The process that draws pages: `python -m loaders.view_worker`, requests on standard input, replies on standard output
until the input ends.
"""

import io
import json
import math
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from loaders.glyphs import glyphs
from loaders.page_boxes import boxes_of_glyphs
from loaders.pdfium import opened_page
from loaders.process import limit_memory, serve
from loaders.viewer import Look, Sight
from loaders.wire import from_json, to_line
from rag.types import Box, PageImage

# A page as narrow as a hair would be endless; a JPEG has at most 65,535 pixels in one direction.
_MOST_PIXELS = 8_000_000
_LONGEST_SIDE = 16_000
# Ten times faster than PNG and WebP on text, and at this quality as sharp.
_FORMAT, _MEDIA_TYPE, _QUALITY = "JPEG", "image/jpeg", 88


def main() -> None:
    """Looks at what it is asked to look at."""
    serve(_reply)


def _reply(line: bytes) -> bytes:
    request = json.loads(line)
    limit_memory(request["memory_limit_mb"])
    return to_line(see(from_json(Look, request["look"])))


def see(look: Look) -> Sight:
    """The page and the boxes that are asked for. Raises PasswordNeeded, DamagedFile."""
    with opened_page(look.path, look.name, look.page) as page:
        boxes = _boxes(page, look.text, look.spans) if look.spans else ()
        return Sight(_drawn(page, look.width) if look.width else None, boxes)


def _boxes(page: Any, text: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[Box, ...], ...]:
    with closing(page.get_textpage()) as text_page:
        return boxes_of_glyphs(text, spans, glyphs(page, text_page), page.get_size())


def _drawn(page: Any, width: int) -> PageImage:
    """The page as wide as asked for, or as its many pixels allow."""
    across, down = page.get_size()
    scale = min(width / across, _LONGEST_SIDE / max(across, down), math.sqrt(_MOST_PIXELS / (across * down)))
    with closing(page.render(scale=scale, rev_byteorder=True)) as bitmap:
        image = bitmap.to_pil().convert("RGB")
    encoded = io.BytesIO()
    image.save(encoded, _FORMAT, quality=_QUALITY, subsampling=0)
    return PageImage(encoded.getvalue(), _MEDIA_TYPE, image.width, image.height)


if __name__ == "__main__":
    main()
