"""The characters of a PDF page with their boxes as the page is displayed: turned, and cut to its crop box."""

from ctypes import byref, c_int
from typing import Any

import pypdfium2.raw as pdfium

from loaders.font_codes import character_codes
from loaders.page_boxes import Glyph
from loaders.rotation import font_size

# Whatever the page's size: enough for exact boxes, and far from the limits of pdfium's integers.
_DEVICE = 1_000_000
_SURROGATES = range(0xD800, 0xE000)
_LOW_SURROGATES = range(0xDC00, 0xE000)
_MOST = 50_000
# A font of sums and large brackets says of all its characters that they are three times its size or more, others at
# most 1.7 times: such a box would lie on the next line.
_HIGHEST = 2.0  # em


def glyphs(page: Any, text_page: Any) -> list[Glyph]:
    """The visible characters of a `PdfPage` in the order of the file; of endless ones, the first."""
    place = _Display(page)
    found: list[Glyph] = []
    count = min(text_page.count_chars(), _MOST)
    codes = character_codes(text_page, count)
    for index, code in enumerate(codes):
        if code in _LOW_SURROGATES:
            continue
        if code in _SURROGATES:
            low = codes[index + 1] if index + 1 < count else 0
            if low not in _LOW_SURROGATES:
                continue
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)  # noqa: PLW2901 - the whole character
        character = chr(code)
        if character.isprintable() and not character.isspace():
            found.append(Glyph(character, *place.box(text_page, index)))
    return found


class _Display:
    """How a page's own coordinates become points from its upper left corner as it is displayed."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._width, self._height = page.get_size()
        self._x, self._y = self._device(0, 0)
        step = max(self._width, self._height)
        right, up = self._device(step, 0), self._device(0, step)
        # What one point to the right and one upwards become.
        self._right = (right[0] - self._x) / step, (right[1] - self._y) / step
        self._up = (up[0] - self._x) / step, (up[1] - self._y) / step

    def box(self, text_page: Any, index: int) -> tuple[float, float, float, float]:
        """A character's left, top, right and bottom: as high as its font, or as it is drawn where that says nothing."""
        rectangle = pdfium.FS_RECTF()
        pdfium.FPDFText_GetLooseCharBox(text_page, index, rectangle)
        left, bottom, right, top = rectangle.left, rectangle.bottom, rectangle.right, rectangle.top
        if max(right - left, top - bottom) > _HIGHEST * font_size(text_page, index):
            left, bottom, right, top = text_page.get_charbox(index)
        corners = [self._shown(left, bottom), self._shown(right, top)]
        xs, ys = zip(*corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def _shown(self, x: float, y: float) -> tuple[float, float]:
        return (
            self._x + x * self._right[0] + y * self._up[0],
            self._y + x * self._right[1] + y * self._up[1],
        )

    def _device(self, x: float, y: float) -> tuple[float, float]:
        across, down = c_int(), c_int()
        pdfium.FPDF_PageToDevice(self._page, 0, 0, _DEVICE, _DEVICE, 0, x, y, byref(across), byref(down))
        return across.value / _DEVICE * self._width, down.value / _DEVICE * self._height
