"""Pages of documents as a reader sees them: the page's image with a passage's boxes, or its text with it marked."""

import logging
import re
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from cachetools import LRUCache

from loaders.kind import is_pdf
from loaders.page_boxes import boxes_of_lines
from loaders.viewer import Look, Viewer
from rag.database import store_errors
from rag.errors import DocumentError, PasswordNeeded, UnknownDocument
from rag.files import MEGABYTE, FileStore
from rag.knowledge.catalog import Catalog
from rag.knowledge.contents import Contents
from rag.settings import Settings
from rag.types import Box, Document, Evidence, MarkedText, Message, Page, PageImage, PageView, Passage

# More of a text without pages than this, on either side of a passage, is no longer its surroundings.
_SURROUNDINGS = 4000
_BOXES_KEPT = 2000
_log = logging.getLogger(__name__)
_Boxes = tuple[Box, ...]
_Span = tuple[int, int]


class Pages:
    """Shows pages of the session's own documents and of the shared ones. Keeps recent images in memory."""

    def __init__(self, settings: Settings, catalog: Catalog, contents: Contents, viewer: Viewer) -> None:
        self._width = settings.pages.image_width
        self._catalog = catalog
        self._contents = contents
        self._files = FileStore(settings.store.path)
        self._viewer = viewer
        self._images: LRUCache[tuple[str, int], PageImage] = LRUCache(
            settings.pages.cache_mb * MEGABYTE, getsizeof=lambda image: len(image.data)
        )
        self._boxes: LRUCache[tuple[object, ...], _Boxes] = LRUCache(_BOXES_KEPT)
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the process that draws."""
        self._viewer.close()

    def view(
        self, session_id: str, document_id: str, page: int, span: _Span | None = None, key: _Span | None = None
    ) -> PageView:
        """A page by its physical number, with what a span of the document's text covers of it marked.

        What `key` covers of that is marked again. A page that cannot be drawn comes as text, with the reason. Raises
        UnknownDocument, StoreError.
        """
        document = self._catalog.visible(session_id, document_id)
        begins, stored = self._contents.placed(document_id, page)
        span, key = _span_on(stored, begins, span), _span_on(stored, begins, key)
        text = _marked(stored.text, span, key)
        plain = PageView(document_id, document.name, page, stored.label, document.pages, text)
        try:
            if not self._is_pdf(document):
                return plain
            image, (boxes, key_boxes) = self._seen(document, stored, span, key)
        except PasswordNeeded:
            # A password is used once, to read the file, and kept nowhere.
            return replace(plain, note=Message("page.locked"))
        except DocumentError as error:
            _log.info("page %d of %r is shown as text: %s", page, document.name, error)
            return replace(plain, note=error.message)
        return replace(plain, boxes=boxes, key_boxes=key_boxes, size=(image.width, image.height))

    def image(self, document_id: str, page: int) -> PageImage:
        """A page's image, for whomever `view` has shown the page. Raises DocumentError, StoreError."""
        document = self._catalog.document(document_id)
        _, stored = self._contents.placed(document_id, page)
        if not self._is_pdf(document):
            raise UnknownDocument
        return self._seen(document, stored)[0]

    def spans(self, session_id: str, evidence: Sequence[Evidence]) -> dict[int, _Span | None]:
        """Where passages stand in their documents' texts, by number; None: nowhere. Raises StoreError.

        What stands above them, such as a table's header, is left out, as are those whose document is no more.
        """
        known = self._contents.known(session_id, [chunk_id for item in evidence for chunk_id in item.chunk_ids])
        spans = {}
        for item in evidence:
            whole = _whole([known[chunk_id].passage for chunk_id in item.chunk_ids if chunk_id in known], item.text)
            with suppress(UnknownDocument):
                spans[item.number] = whole or self._look_for(session_id, item.document_id, item.page, item.text)
        return spans

    def numbers(self, session_id: str, document_id: str, places: Iterable[int]) -> tuple[int, ...]:
        """The pages that some places in a document's text stand on. Raises UnknownDocument, StoreError."""
        self._catalog.visible(session_id, document_id)
        return self._contents.at(document_id, places)

    def _look_for(self, session_id: str, document_id: str, page: int, passage: str) -> _Span | None:
        """Where a passage stands on a page and its neighbours: a document that was read anew has other chunks.

        First lines that stand elsewhere are left out. Raises UnknownDocument, StoreError.
        """
        self._catalog.visible(session_id, document_id)
        beginning, found = self._contents.around(document_id, page)
        text = found.text
        while passage and passage not in text:
            passage = passage.partition("\n")[2]
        if not passage:
            return None
        starts = zip(found.pages, found.starts, strict=False)
        low, high = next(((start, start + len(near.text)) for near, start in starts if near.number == page), (0, 0))
        places = [match.start() for match in re.finditer(f"(?={re.escape(passage)})", text)]
        # Of several, the one that lies most on the page.
        start = max(places, key=lambda place: min(place + len(passage), high) - max(place, low))
        return beginning + start, beginning + start + len(passage)

    def _is_pdf(self, document: Document) -> bool:
        with store_errors(document.name):
            return is_pdf(self._files.path(document.document_id), document.name)

    def _seen(self, document: Document, page: Page, *spans: _Span | None) -> tuple[PageImage, list[_Boxes]]:
        """A page's image and the boxes of each span: what is not in memory is looked at, in one look."""
        key = document.document_id, page.number
        # The text belongs to the key: a document that is read anew may have another.
        places = {span: (*key, hash(page.text), span) for span in spans if span is not None}
        boxes: dict[_Span | None, _Boxes] = {None: ()}
        with self._lock:
            image = self._images.get(key)
            boxes |= {span: self._boxes[place] for span, place in places.items() if place in self._boxes}
        if page.lines:
            boxes |= {span: boxes_of_lines(page.text, *span, page.lines) for span in places}
        missing = tuple(span for span in places if span not in boxes)
        if image is None or missing:
            path, width = self._files.path(document.document_id), self._width if image is None else None
            text = page.text if missing else ""
            sight = self._viewer.see(Look(path, document.name, page.number, width, text, missing))
            image = image or sight.image
            assert image is not None
            boxes.update(zip(missing, sight.boxes, strict=True))
            with self._lock:
                self._boxes.update({places[span]: boxes[span] for span in missing})
                if len(image.data) <= self._images.maxsize:
                    self._images[key] = image
        return image, [boxes[span] for span in spans]


def _span_on(page: Page, beginning: int, span: _Span | None) -> _Span | None:
    """What part of a page's text a span of the document's text covers, if any."""
    if span is None:
        return None
    first, last = max(span[0] - beginning, 0), min(span[1] - beginning, len(page.text))
    return (first, last) if first < last else None


def _whole(chunks: Sequence[Passage], text: str) -> _Span | None:
    """The span of the chunks that a text is made of, all and whole; None where it says less or more than they do."""
    if not chunks:
        return None
    first, end = min(chunks, key=lambda chunk: chunk.start), max(chunk.end for chunk in chunks)
    above = len(first.text_in_context) - len(first.text)
    return (first.start, end) if above + end - first.start == len(text) else None


def _marked(text: str, span: _Span | None, key: _Span | None) -> MarkedText:
    """A page's text with a span of it marked, and of a long one only the surroundings."""
    start, end = span or (0, 0)
    first, last = (min(max(place, start), end) - start for place in key or (0, 0))
    low, high = max(0, start - _SURROUNDINGS), min(len(text), end + _SURROUNDINGS)
    parts = text[low:start], text[start:end], text[end:high]
    return MarkedText(*parts, low > 0, high < len(text), (first, last))
