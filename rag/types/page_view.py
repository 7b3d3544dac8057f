"""Where text stands on a page, and a page as it can be shown."""

from dataclasses import dataclass

from rag.types.message import Message


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page as it is displayed: shares of its width and height, from its upper left corner."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A line of a page: `[start, end)` counts characters of `Page.text`."""

    start: int
    end: int
    box: Box


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page as an encoded image of that many pixels."""

    data: bytes
    media_type: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A page's text around a passage; without one, all is `after`. `cut`: there is more of it at that end.

    `key` is what of the passage, as `[start, end)`, bears out the sentence that led here.
    """

    before: str
    passage: str
    after: str
    cut_before: bool
    cut_after: bool
    key: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class PageView:
    """A page with a passage marked: always as text; as boxes on an image of `size` pixels where there is one.

    `note` says why a page has no image though its file is made of pages. `key_boxes` are those of `text.key`.
    """

    document_id: str
    document_name: str
    page: int
    page_label: str
    page_count: int
    text: MarkedText
    boxes: tuple[Box, ...] = ()
    size: tuple[int, int] | None = None
    note: Message | None = None
    key_boxes: tuple[Box, ...] = ()
