"""Pages for the web's tests: drawn on the spot, any document of 55 pages but those that a test takes away."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from PIL import Image, ImageDraw

from rag.errors import DiskFull, UnknownDocument
from rag.types import Box, Evidence, MarkedText, Message, PageImage, PageView
from tests.samples_web import HANDBOOK, HOSTILE

SIZE = (600, 848)
PAGES = 55
MARKED = (27, 28)
FIRST_LINE = "异常日志。"
ONE_PAGE = 10_000  # what stands from here on in a text is on the first of the pages
BOXES = (Box(0.1, 0.2, 0.9, 0.23), Box(0.1, 0.24, 0.5, 0.27))


def _printed(page: int) -> str:
    """What is printed on a page: two go before the first."""
    return str(page - 2) if page > 2 else "I" * page


@dataclass
class FakePages:
    """A passage on several pages stands on 27 and 28, with its first line on the former; any other on 27.

    加密 in a document's id leaves its text only, 磁盘 a full disk; 恶意 is a document without pages, of hostile text.
    """

    deleted: set[str] = field(default_factory=set)
    drawn: int = 0

    def view(
        self,
        session_id: str,
        document_id: str,
        page: int,
        span: tuple[int, int] | None = None,
        key: tuple[int, int] | None = None,
    ) -> PageView:
        self._check(document_id, page)
        has_passage = span is not None and page in MARKED
        inner = (0, 2) if has_passage and key else (0, 0)
        text = MarkedText("前文。", "这一段。" if has_passage else "", "后文。", False, False, inner)
        if "恶意" in document_id:
            return PageView(document_id, HOSTILE, 1, HOSTILE, 1, replace(text, before=HOSTILE, passage=HOSTILE))
        plain = PageView(document_id, HANDBOOK, page, _printed(page), PAGES, text)
        if "加密" in document_id:
            return replace(plain, note=Message("page.locked"))
        boxes = BOXES if has_passage else ()
        return replace(plain, boxes=boxes, key_boxes=boxes[1:] if key else (), size=SIZE)

    def spans(self, session_id: str, evidence: Sequence[Evidence]) -> dict[int, tuple[int, int] | None]:
        there = (item for item in evidence if self._is_there(item.document_id, item.page))
        starts = {item.number: (0 if len(item.pages) > 1 else ONE_PAGE, len(item.text)) for item in there}
        return {number: (start, start + length) for number, (start, length) in starts.items()}

    def numbers(self, session_id: str, document_id: str, places: Iterable[int]) -> tuple[int, ...]:
        return tuple(MARKED[len(FIRST_LINE) < place < ONE_PAGE] for place in places)

    def image(self, document_id: str, page: int) -> PageImage:
        self._check(document_id, page)
        if "磁盘" in document_id:
            raise DiskFull(path="store")
        self.drawn += 1
        picture = Image.new("RGB", SIZE, "white")
        pen = ImageDraw.Draw(picture)
        for line in range(16):
            pen.rectangle((60, 100 + 34 * line, 540, 118 + 34 * line), fill="#c8c8c8")
        encoded = io.BytesIO()
        picture.save(encoded, "JPEG")
        return PageImage(encoded.getvalue(), "image/jpeg", *SIZE)

    def _check(self, document_id: str, page: int) -> None:
        if not self._is_there(document_id, page):
            raise UnknownDocument

    def _is_there(self, document_id: str, page: int) -> bool:
        return document_id not in self.deleted and 1 <= page <= PAGES
