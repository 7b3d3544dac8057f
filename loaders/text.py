"""TXT, CSV and Markdown: hard-wrapped lines joined, form feeds taken as page breaks."""

import re
from pathlib import Path, PurePath

from loaders.decoding import decode
from loaders.delimited import rows_of_csv, with_cell_borders
from loaders.headings import bare
from loaders.health import numbered_pages
from loaders.lines import TextLine
from loaders.markdown import parse_markdown
from loaders.outline import complete_outline
from loaders.paragraphs import join_lines
from loaders.typed import placed, typed_line
from rag.errors import TooManyPages
from rag.types import Heading, LoadedDocument

_PAGE_BREAK = "\f"
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
    return LoadedDocument(pages, complete_outline(outline, pages))


def _parse(text: str) -> tuple[list[TextLine], list[tuple[int, str]]]:
    rows = with_cell_borders(text.split("\n"))
    return [line for index, row in enumerate(rows) if (line := typed_line(row, index))], []


def _parse_csv(text: str) -> tuple[list[TextLine], list[tuple[int, str]]]:
    return [placed(row, index, verbatim=True) for index, row in enumerate(rows_of_csv(text))], []


_PARSERS = {".md": parse_markdown, ".markdown": parse_markdown, ".csv": _parse_csv}
