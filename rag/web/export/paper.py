"""A conversation as a PDF.

With reportlab and WenQuanYi Micro Hei, of which a file has the characters that it uses: it looks the same everywhere,
and its text can be copied and searched.
"""

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo
from functools import cache, partial
from html import escape, unescape
from io import BytesIO
from pathlib import Path
from typing import Any
from unicodedata import category, name, normalize

from rag import export
from rag.errors import PackageMissing
from rag.i18n import Language
from rag.types import Turn
from rag.web.export.page import answer
from rag.web.export.tree import ACCENT, Block, blocks
from rag.web.markup import said
from rag.web.passage import passage

_FONT = "WenQuanYi Micro Hei"
_FILE = Path(__file__).parents[3] / "data" / "fonts" / "wqy-microhei.ttc"
# A font that takes another's place while a file is written would leave that file without half of its characters.
_REGISTERING = threading.Lock()
_INK, _SOFT, _LINE = "#1f2523", "#5c6461", "#ddd8cd"
_MARGIN = 56.0  # points
_INDENT = 16.0
_NARROWEST = 26.0  # a column of one character
_PADDING = 13.0  # of a cell, on both sides
_CELL_SIZE = 9.5
_LONGEST_REPEATED = 200  # characters of a cell
_BEGINS_NO_LINE = "，；：！？》"
_TAG = re.compile(r"<[^>]*>")


def to_pdf(title: str, turns: Sequence[Turn], language: Language, zone: tzinfo | None = None) -> bytes:
    """The whole file. Raises PackageMissing."""
    with _REGISTERING:
        _glyphs()
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import SimpleDocTemplate

    target = BytesIO()
    margins = dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), _MARGIN)
    about = {"title": title, "author": "问渠 Wenqu", "initialFontName": _FONT}
    paper = SimpleDocTemplate(target, pagesize=A4, **about, **margins)
    story = [_paragraph(escape(title), size=17, after=6)]
    story.append(_paragraph(escape(export.about(turns, language, zone)), size=9, color=_SOFT, after=10))
    for turn in turns:
        story.append(_paragraph(escape(turn.question), size=12.5, color=ACCENT, before=12, after=5, keep=True))
        story += [_drawn(block, paper.width) for block in blocks(answer(turn, language))]
    paper.build([*story, *_notes(turns, language, paper.width)], onFirstPage=_number, onLaterPages=_number)
    return target.getvalue()


@cache
def _glyphs() -> Mapping[int, int]:
    """The characters that the font has, which is registered. Raises PackageMissing."""
    try:
        from reportlab.pdfbase.pdfmetrics import registerFont
        from reportlab.pdfbase.ttfonts import TTFont
    except ModuleNotFoundError as error:
        raise PackageMissing(package="reportlab", command="pip install reportlab") from error
    from reportlab.lib import textsplit
    from reportlab.platypus import paragraph

    # It knows what begins no line of Japanese.
    for splitting in (paragraph, textsplit):
        splitting.ALL_CANNOT_START += _BEGINS_NO_LINE
    font = TTFont(_FONT, str(_FILE))
    registerFont(font)
    glyphs: Mapping[int, int] = font.face.charToGlyph
    return glyphs


def _shown(char: str, glyphs: Mapping[int, int]) -> str:
    """A character of a markup; one that the font lacks in a plainer form, or as its number: it would be a gap."""
    plain = char if ord(char) in glyphs else " " if char.isspace() else escape(normalize("NFKC", char))
    if all(ord(piece) in glyphs for piece in plain):
        return plain
    unseen = category(char) in ("Cc", "Cf") or "VARIATION SELECTOR" in name(char, "")
    return "" if unseen else f"[U+{ord(char):04X}]"


def _notes(turns: Sequence[Turn], language: Language, width: float) -> Iterator[Any]:
    """The footnotes: where each passage stands, and what it says."""
    notes = export.footnotes(turns)
    if notes:
        yield _paragraph(said(language, "export.sources"), size=12.5, color=ACCENT, before=18, after=5, keep=True)
    for item in notes:
        where = f'<a name="source-{item.number}"/>[{item.number}] {escape(export.place(item, language))}'
        yield _paragraph(where, size=9.5, before=4, after=1, keep=True)
        for block in blocks(passage(item.text)):
            is_text = not block.rows
            yield _paragraph(block.markup, size=9, color=_SOFT, indent=_INDENT) if is_text else _drawn(block, width)


def _drawn(block: Block, width: float) -> Any:
    match block.kind:
        case "table" if width / max(map(len, block.rows)) >= _NARROWEST:
            return _table(block.rows, width)
        case "table":
            return _paragraph("<br/>".join(" | ".join(row) for row in block.rows), size=_CELL_SIZE)
        case "heading":
            return _paragraph(block.markup, size=11.5, before=6, keep=True)
        case "code":
            return _paragraph(block.markup, size=9, indent=_INDENT, color=_SOFT)
        case "quote":
            return _paragraph(block.markup, indent=_INDENT * block.depth, color=_SOFT)
        case _:
            return _paragraph(block.markup, indent=_INDENT * block.depth, bullet=block.bullet)


def _paragraph(
    markup: str,
    *,
    size: float = 10.5,
    color: str = _INK,
    before: float = 0,
    after: float = 5,
    indent: float = 0,
    bullet: str = "",
    keep: bool = False,
) -> Any:
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    style = ParagraphStyle(
        "own",
        fontName=_FONT,
        bulletFontName=_FONT,
        fontSize=size,
        bulletFontSize=size,
        leading=size * 1.6,
        textColor=color,
        spaceBefore=before,
        spaceAfter=after,
        leftIndent=indent,
        bulletIndent=max(0.0, indent - _INDENT + 2),
        keepWithNext=keep,
        wordWrap="CJK",
    )
    shown = "".join(map(partial(_shown, glyphs=_glyphs()), markup))
    return Paragraph(shown, style, bulletText=bullet or None)


def _table(rows: Sequence[Sequence[str]], width: float) -> Any:
    from reportlab.platypus import Table

    columns = max(map(len, rows))
    # A first row as high as a page could not stand on every page.
    repeated = int(max(map(len, rows[0])) < _LONGEST_REPEATED)
    full = [[*row, *[""] * (columns - len(row))] for row in rows]
    cells = [[_paragraph(cell, size=_CELL_SIZE, after=0) for cell in row] for row in full]
    all_cells = (0, 0), (-1, -1)
    return Table(
        cells,
        colWidths=_widths([max(map(_length, column)) for column in zip(*full, strict=True)], width),
        hAlign="LEFT",
        style=[("FONT", *all_cells, _FONT), ("GRID", *all_cells, 0.5, _LINE), ("VALIGN", *all_cells, "TOP")],
        spaceBefore=4,
        spaceAfter=8,
        repeatRows=repeated,
        splitInRow=1,
    )


def _length(cell: str) -> float:
    """How much room a cell takes in one line."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    lines = (unescape(_TAG.sub("", line)) for line in cell.split("<br/>"))
    return _PADDING + max(float(stringWidth(line, _FONT, _CELL_SIZE)) for line in lines)


def _widths(needed: Sequence[float], width: float) -> list[float]:
    """Columns as wide as they need; those that need more than is left for each have equal parts of it."""
    widths, left = list(needed), width
    for done, place in enumerate(sorted(range(len(needed)), key=needed.__getitem__)):
        widths[place] = min(needed[place], left / (len(needed) - done))
        left -= widths[place]
    return widths


def _number(canvas: Any, _paper: object) -> None:
    canvas.setFont(_FONT, 9)
    canvas.setFillColor(_SOFT)
    canvas.drawCentredString(canvas._pagesize[0] / 2, _MARGIN / 2, str(canvas.getPageNumber()))
