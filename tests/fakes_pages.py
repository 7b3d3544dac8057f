"""Pages for the web's tests: drawn on the spot, any document of twelve pages but those that a test takes away."""

import io
from dataclasses import dataclass, field

from PIL import Image, ImageDraw

from rag.errors import DiskFull, UnknownDocument
from rag.types import Box, MarkedText, Message, PageImage, PageView

SIZE = (600, 848)
PAGES = 12
BOXES = (Box(0.1, 0.2, 0.9, 0.23), Box(0.1, 0.24, 0.5, 0.27))


@dataclass
class FakePages:
    """A page's passage is boxed on it; 加密 in a document's id leaves its text only, 磁盘 a full disk."""

    deleted: set[str] = field(default_factory=set)
    drawn: int = 0

    def view(
        self, session_id: str, document_id: str, page: int, start: int | None = None, end: int | None = None
    ) -> PageView:
        self._check(document_id, page)
        text = MarkedText("前文。", "这一段。" if start is not None else "", "后文。", False, False)
        plain = PageView(document_id, "员工手册.pdf", page, str(page), PAGES, text)
        if "加密" in document_id:
            return PageView(*_values(plain), note=Message("page.locked"))
        return PageView(*_values(plain), boxes=BOXES if start is not None else (), size=SIZE)

    def span(self, session_id: str, document_id: str, page: int, passage: str) -> tuple[int, int] | None:
        self._check(document_id, page)
        return (0, len(passage)) if passage else None

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
        if document_id in self.deleted or not 1 <= page <= PAGES:
            raise UnknownDocument


def _values(view: PageView) -> tuple[str, str, int, str, int, MarkedText]:
    return view.document_id, view.document_name, view.page, view.page_label, view.page_count, view.text
