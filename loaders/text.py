"""TXT, CSV and Markdown: the encoding found, hard-wrapped lines joined, form feeds taken as page breaks."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from pathlib import Path, PurePath

from loaders.delimited import rows_of_csv, with_table_rows
from loaders.headings import bare
from loaders.health import numbered_pages
from loaders.legacy_codes import likelier_code
from loaders.lines import TextLine
from loaders.markdown import parse_markdown
from loaders.outline import complete_outline
from loaders.paragraphs import join_lines
from loaders.text_grids import with_grid_rows
from loaders.typed import placed, typed_line
from rag.errors import NotText, TooManyPages
from rag.types import Heading, LoadedDocument

_DETECTION_BYTES = 20_000
_DAMAGE = "\ufffd"
# Of the characters that are not ASCII: Chinese text in another encoding is damaged as UTF-8 more often than not.
_DAMAGED_SHARE = 0.2
_ASCII = bytes(range(0x20, 0x7F)) + b"\t\n\r"
_OTHER_BYTES_SHARE = 0.1
_UTF16_TEXT = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef -~\s]")
_PAGE_BREAK = "\f"
_ITEM = re.compile(r"\d+[.)]\s")
# A file written as text within another one, such as a picture: with what refers to it, or alone where it is long.
_DATA = r"data:[\w.+-]++/[\w.+-]++[\w;=.+-]*+"
_ADDRESS = rf"{_DATA},[^\s()\"'<>]*+"
_EMBEDDED = re.compile(
    rf"^ {{0,3}}\[[^\]\n]+\]:[ \t]*<?{_ADDRESS}.*$|\([ \t]*<?{_ADDRESS}>?(?:[ \t]+\"[^\"\n]*\")?[ \t]*\)"
    rf"|\ssrc[ \t]*=[ \t]*(?P<quote>[\"']){_DATA},(?:(?!(?P=quote))[^\n])*+(?P=quote)"
    rf"|{_DATA}(?<=;base64),[A-Za-z0-9+/=_%-]{{64,}}",
    re.MULTILINE,
)


def read_text(path: Path, name: str, max_pages: int) -> LoadedDocument:
    """The pages of a text file: one, or as many as form feeds part. Markdown headings make the outline."""
    parse = _PARSERS.get(PurePath(name).suffix.lower(), _parse)
    text = re.sub(r"\r\n?|[\v\x85\u2028\u2029]", "\n", decode(path.read_bytes(), name))
    parts = _EMBEDDED.sub("", text).split(_PAGE_BREAK)
    if len(parts) > max_pages:
        raise TooManyPages(name=name, pages=len(parts), limit=max_pages)
    texts: list[str] = []
    outline: list[Heading] = []
    for number, part in enumerate(parts, start=1):
        lines, headings = parse(part)
        texts.append(join_lines(lines, {bare(title) for _, title in headings}, typed=True))
        outline.extend(Heading(level, title, number) for level, title in headings)
    pages = numbered_pages(texts, name)
    return LoadedDocument(pages, _without_items(outline, complete_outline(outline, pages)))


def _without_items(own: Sequence[Heading], complete: tuple[Heading, ...]) -> tuple[Heading, ...]:
    """An outline without detected headings `1. …`: where Markdown has headings, these are items of lists."""
    titles = {bare(heading.title) for heading in own}
    return tuple(
        heading for heading in complete if not own or bare(heading.title) in titles or not _ITEM.match(heading.title)
    )


def decode(data: bytes, name: str) -> str:
    """Bytes as text: UTF-8, UTF-16, GB18030 or Big5. Raises NotText for bytes in none of these."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    # Some programs put it before text in another encoding.
    data = data.removeprefix(BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        # A file cut off within its last character is still UTF-8.
        if error.reason == "unexpected end of data" and error.start > 0:
            return data[: error.start].decode()
    if text := _damaged_utf8(data):
        return text
    if order := _utf16_order(data):
        return data.decode(order, errors="replace")
    # Lines of ASCII tell nothing. Cut after a line, not inside a character: neither encoding uses this byte in one.
    telling = b"".join(line + b"\n" for line in data.split(b"\n") if not line.isascii())
    text = data.decode(likelier_code(telling[: telling.find(b"\n", _DETECTION_BYTES)]), errors="replace")
    if text.count(_DAMAGE) > len(text) // 20:
        raise NotText(name=name)
    return text


def _damaged_utf8(data: bytes) -> str | None:
    """Bytes as UTF-8 in which few characters are damaged; None where they are of another encoding."""
    text = data.decode(errors="replace")
    damaged = text.count(_DAMAGE)
    others = len(text) - len(text.encode("ascii", errors="ignore")) - damaged
    return text if damaged <= _DAMAGED_SHARE * others else None


def looks_like_utf16(head: bytes) -> bool:
    """Whether bytes without a byte order mark read as Chinese or ASCII text in UTF-16."""
    return _utf16_order(head) is not None


def _utf16_order(data: bytes) -> str | None:
    sample = data[: _DETECTION_BYTES // 2 * 2]
    # Two letters of ASCII are a Chinese character in UTF-16.
    if len(sample.translate(None, _ASCII)) < _OTHER_BYTES_SHARE * len(sample):
        return None
    for order in ("utf-16-le", "utf-16-be"):
        text = sample.decode(order, errors="replace")
        if text and len(_UTF16_TEXT.findall(text)) >= 0.9 * len(text):
            return order
    return None


def _parse(text: str) -> tuple[list[TextLine], list[tuple[int, str]]]:
    rows = with_table_rows(with_grid_rows(text.split("\n")))
    return [line for index, row in enumerate(rows) if (line := typed_line(row, index))], []


def _parse_csv(text: str) -> tuple[list[TextLine], list[tuple[int, str]]]:
    return [placed(row, index, verbatim=True) for index, row in enumerate(rows_of_csv(text))], []


_PARSERS = {".md": parse_markdown, ".markdown": parse_markdown, ".csv": _parse_csv}
