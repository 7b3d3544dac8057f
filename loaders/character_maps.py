"""The maps from the characters of a PDF to text, as macOS writes them: pdfium drops what it should read of them."""

import io
import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

_log = logging.getLogger(__name__)
# It warns of each crooked entry of a file, of which the reader of that knows nothing.
logging.getLogger("pypdf").setLevel(logging.ERROR)
# Each range of a hostile map may become 256, and a real one of ten thousand characters has 100 KB.
_LONGEST_MAP = 256_000
_CODE = r"<([\dA-Fa-f]{4})>\s*"
_RANGE = re.compile(f"{_CODE}{_CODE}{_CODE}".encode())
_RANGES = re.compile(rb"\d+\s+beginbfrange\s+((?:%b)+)endbfrange" % re.sub(rb"[()]", b"", _RANGE.pattern))


def with_whole_maps(path: Path) -> bytes | None:
    """A PDF whose maps have no range that crosses a byte; None where there is nothing to mend, or it cannot be.

    The standard wants the last byte alone to count up. With one <19ff><1a00><63cf> pdfium drops all fifty ranges around
    it, and 是 or 数据 are read as ᱟ and ᮠᦞ.
    """
    from pypdf import PdfReader, PdfWriter

    try:
        with PdfReader(path) as reader:
            if reader.is_encrypted or not any(_mended(data) != data for _, data in _maps(reader)):
                return None
        writer, mended = PdfWriter(clone_from=path), io.BytesIO()
        for stream, data in _maps(writer):
            if (whole := _mended(data)) != data:
                stream.set_data(whole)
        writer.write(mended)
        return mended.getvalue()
    except Exception as error:  # noqa: BLE001 - damaged files make pypdf raise almost anything; pdfium's reading stands
        _log.info("the character maps of %s stay as they are: %r", path.name, error)
        return None


def _maps(pdf: Any) -> Iterator[tuple[Any, bytes]]:
    """The maps of the fonts that pages name, each once."""
    seen = dict[int, Any]()
    for page in pdf.pages:
        for font in page.get("/Resources", {}).get_object().get("/Font", {}).get_object().values():
            stream = font.get_object().get("/ToUnicode")
            if stream is not None and id(stream := stream.get_object()) not in seen:
                seen[id(stream)] = stream
                yield stream, stream.get_data()


def _mended(data: bytes) -> bytes:
    if len(data) > _LONGEST_MAP:
        return data
    return _RANGES.sub(lambda block: _block(block[0], _RANGE.findall(block[1])), data)


def _block(block: bytes, ranges: Sequence[tuple[bytes, ...]]) -> bytes:
    """Ranges cut where the last byte of their codes would be carried over; the same where there are none such."""
    told = [tuple(int(part, 16) for part in one) for one in ranges]
    if all(low | 0xFF == high | 0xFF for low, high, _ in told):
        return block
    parts = [
        b"<%04x><%04x><%04x>\n" % (start, min(start | 0xFF, high), text + start - low)
        for low, high, text in told
        for start in (low, *range((low | 0xFF) + 1, high + 1, 0x100))
    ]
    # The number before a block is checked, and the standard allows 100.
    blocks = (parts[at : at + 100] for at in range(0, len(parts), 100))
    return b"".join(b"%d beginbfrange\n%bendbfrange\n" % (len(one), b"".join(one)) for one in blocks)
