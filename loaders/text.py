"""TXT and Markdown: the encoding found, hard-wrapped lines joined, form feeds taken as page breaks."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from pathlib import Path, PurePath

from loaders.cleaning import clean_typed, ends_sentence, has_columns, normalise
from loaders.headings import bare
from loaders.health import page_health, require_text
from loaders.lines import TextLine
from loaders.outline import complete_outline
from loaders.paragraphs import join_lines
from loaders.rows import is_row
from rag.errors import NotText, TooManyPages
from rag.types import Heading, LoadedDocument, Page

_ENCODINGS = ["gb18030", "big5"]
_DETECTION_BYTES = 20_000
_DAMAGE = "\ufffd"
# Of the characters that are not ASCII: Chinese text in another encoding is damaged as UTF-8 more often than not.
_DAMAGED_SHARE = 0.2
_ASCII = bytes(range(0x20, 0x7F)) + b"\t\n\r"
_OTHER_BYTES_SHARE = 0.1
_UTF16_TEXT = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef -~\s]")
_HEADING = re.compile(r"(#{1,6})\s+(\S.*)")
_UNDERLINE = re.compile(r" {0,3}(?:(=)=*|--+)\s*")
# What an underlined title does not begin with: marks of lists, quotations, tables and code.
_UNDERLINED = re.compile(r" {0,3}(?![-+*>|] ?|\d+[.)] |```|~~~|[-=]+\s*$)\S[^|]*$")
_FRONT_MATTER = re.compile(r"---[ \t]*\n[\w-]+[ \t]*:(?:.*\n){1,60}?(?:---|\.\.\.)[ \t]*\n")
_TITLE = re.compile(r"^title[ \t]*:[ \t]*[\"']?(.*?)[\"']?[ \t]*$", re.MULTILINE)
# Backticks that are closed on their line are code within the text.
_FENCE = re.compile(r"\s*(`{3,}(?=[^`]*$)|~{3,})(.*)")
_PAGE_BREAK = "\f"


def read_text(path: Path, name: str, max_pages: int) -> LoadedDocument:
    """The pages of a text file: one, or as many as form feeds part. Markdown headings make the outline."""
    markdown = PurePath(name).suffix.lower() in (".md", ".markdown")
    text = re.sub(r"\r\n?|[\v\x85\u2028\u2029]", "\n", decode(path.read_bytes(), name))
    parts = text.split(_PAGE_BREAK)
    if len(parts) > max_pages:
        raise TooManyPages(name=name, pages=len(parts), limit=max_pages)
    pages: list[Page] = []
    outline: list[Heading] = []
    for number, part in enumerate(parts, start=1):
        lines, headings = _parse_markdown(part) if markdown else (_parse(part), [])
        clean = join_lines(lines, {bare(title) for _, title in headings}, typed=True)
        pages.append(Page(number, str(number), clean, page_health(clean)))
        outline.extend(Heading(level, title, number) for level, title in headings)
    require_text(pages, name)
    told = _TITLE.search(_front_matter(parts[0])) if markdown else None
    return LoadedDocument(tuple(pages), complete_outline(outline, pages), clean_typed(told[1]) if told else "")


def decode(data: bytes, name: str) -> str:
    """Bytes as text: UTF-8, UTF-16, GB18030 or Big5. Raises NotText for bytes in none of these."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # A file cut off within its last character is still UTF-8.
        if error.start >= len(data) - 3 and error.start > 0:
            return data[: error.start].decode("utf-8-sig")
    if text := _damaged_utf8(data):
        return text
    if order := _utf16_order(data):
        return data.decode(order, errors="replace")
    from charset_normalizer import from_bytes

    # Lines of ASCII tell nothing. Cut after a line, not inside a character: neither encoding uses this byte in one.
    telling = b"".join(line + b"\n" for line in data.split(b"\n") if not line.isascii())
    best = from_bytes(telling[: telling.find(b"\n", _DETECTION_BYTES)], cp_isolation=_ENCODINGS).best()
    if best is None:
        # Damaged bytes: no encoding fits all of them, so the commonest one takes what it can.
        text = data.decode("gb18030", errors="replace")
        if text.count(_DAMAGE) > len(text) // 20:
            raise NotText(name=name)
        return text
    return data.decode(best.encoding, errors="replace")


def _damaged_utf8(data: bytes) -> str | None:
    """Bytes as UTF-8 in which few characters are damaged; None where they are of another encoding."""
    text = data.decode("utf-8-sig", errors="replace")
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


def _parse(text: str) -> list[TextLine]:
    return [line for index, row in enumerate(text.split("\n")) if (line := _line(row, index))]


def _parse_markdown(text: str) -> tuple[list[TextLine], list[tuple[int, str]]]:
    """A page's lines, and its headings with their levels: their lines lose their hashes, or what underlines them."""
    lines: list[TextLine] = []
    headings: list[tuple[int, str]] = []
    rows = text.split("\n")
    front = len(_front_matter(text).split("\n")) - 1
    fence, underlined = "", False
    for index, row in enumerate(rows):
        before, fence = fence, _fence(row, fence)
        is_verbatim = bool(before or fence) or index < front
        heading = None if is_verbatim else _heading(rows, index)
        if heading:
            headings.append(heading)
            lines.append(_placed(heading[1], index, verbatim=True))
        elif is_verbatim:
            lines.append(_placed(row.rstrip(), index, verbatim=True))
        elif not underlined and not _HEADING.match(row) and (line := _line(row, index)):
            lines.append(line)
        underlined = heading is not None and not _HEADING.match(row)
    return lines, headings


def _fence(row: str, fence: str) -> str:
    """The marks that enclose code behind a row, given those before it; none where it is no code."""
    marks = _FENCE.match(row)
    if marks is None:
        return fence
    if not fence:
        return marks[1]
    return "" if marks[1].startswith(fence) and not marks[2].strip() else fence


def _front_matter(text: str) -> str:
    """What stands before a Markdown text and says what it is, with the lines that enclose it."""
    match = _FRONT_MATTER.match(text)
    return match[0] if match else ""


def _heading(rows: Sequence[str], index: int) -> tuple[int, str] | None:
    """The level and the title of a heading that begins with hashes, or is a paragraph of one line, underlined."""
    if match := _HEADING.match(rows[index]):
        title = _title(match[2])
        return (len(match[1]), title) if title else None
    underline = _UNDERLINE.fullmatch(rows[index + 1]) if index + 1 < len(rows) else None
    if underline is None or (index and rows[index - 1].strip()) or not _UNDERLINED.match(rows[index]):
        return None
    title = clean_typed(rows[index])
    return (1 if underline[1] == "=" else 2, title) if title and not ends_sentence(title) else None


def _line(row: str, index: int) -> TextLine | None:
    clean = clean_typed(row)
    verbatim = is_row(clean) or has_columns(row)
    return _placed(clean if verbatim else row.rstrip(), index, verbatim) if clean else None


def _title(text: str) -> str:
    """A heading's text as it will stand among the lines, without the hashes that may close it."""
    text = text.rstrip()
    opened = text.rstrip("#")
    return clean_typed(opened if opened.endswith((" ", "\t")) else text)


def _placed(row: str, index: int, verbatim: bool) -> TextLine:
    """A line as a terminal would set it: a Chinese character is one em wide, a Latin one half."""
    text = row.lstrip()
    left = _width(row[: len(row) - len(text)])
    right = left + _width(text)
    return TextLine(normalise(row) if verbatim else text, left, right, -2.0 * index - 1, -2.0 * index, 1.0, verbatim)


def _width(text: str) -> float:
    return len(text) - 0.5 * sum(map(str.isascii, text))
