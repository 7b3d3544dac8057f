"""Markdown: its lines and its headings; code, tables and what stands before the text keep their lines."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from operator import itemgetter

from loaders.cleaning import CJK, clean_typed, ends_sentence
from loaders.html_tables import with_rows_of_html
from loaders.lines import TextLine
from loaders.rows import CELL_BORDER
from loaders.typed import placed, typed_line

# Without a blank, one hash marks a topic or a comment.
_HEADING = re.compile(rf"(#{{1,6}}(?=\s)|#{{2,6}}(?=[{CJK}\d]))\s*(\S.*)")
_UNDERLINE = re.compile(r" {0,3}(?:(=)=*|--+)\s*")
# What an underlined title does not begin with: marks of lists, quotations, tables and code.
_UNDERLINED = re.compile(r" {0,3}(?![-+*>|] ?|\d+[.)] |```|~~~|[-=]+\s*$)\S[^|]*$")
_FRONT_MATTER = re.compile(r"---[ \t]*\n[\w-]+[ \t]*:(?:.*\n){1,60}?(?:---|\.\.\.)[ \t]*\n")
# What a title is set in or refers by, and is no part of what it says: links, marks of emphasis, an anchor, inline HTML.
_LINK = re.compile(r"!?\[([^\[\]]{1,200})\]\([^()\n]{0,500}\)")
_EMPHASIS = re.compile(r"(\*\*\*|\*\*|~~|==|(?<!\w)\*(?=[^\s*]{1,100}\*(?!\w)))(?=[^\s*~=])(.{1,200}?)(?<=\S)\1")
_ANCHOR = re.compile(r"\{[#.:][^{}]{0,200}\}$")
# Attributes alone stand behind a tag's name: `a<b 且 c>d` compares.
_ATTRIBUTES = (
    r"""(?:[ \t]+(?:open|hidden|[a-z][a-z\d:_-]*[ \t]*=[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^\s<>"']+))){0,20}[ \t]*"""
)
_INLINE_TAG = re.compile(
    rf"</?(?:a|abbr|b|br|center|em|font|i|img|kbd|small|span|strong|sub|sup|u){_ATTRIBUTES}/?>", re.I
)
# HTML that only lays a text out, outside of code, and comments, which nobody is shown.
_LAYOUT = re.compile(
    rf"`[^`\n]*`|(<br{_ATTRIBUTES}/?>)|<!--(?:[^<-]|-(?!->)|<(?!!--))*+-->"
    rf"|</?(?:b|center|details|div|em|font|i|p|small|span|strong|summary|u){_ATTRIBUTES}/?>",
    re.I,
)
_LOOSE_RULE = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?")
# Backticks that are closed on their line are code within the text.
_FENCE = re.compile(r"\s*(`{3,}(?=[^`]*$)|~{3,})(.*)")


def parse_markdown(text: str) -> tuple[list[TextLine], list[tuple[int, str]]]:
    """A page's lines, and its headings with their levels: their lines lose their hashes, or what underlines them."""
    lines: list[TextLine] = []
    headings: list[tuple[int, str]] = []
    marked = list(_marked(text))
    rows = [row for row, _ in marked]
    underlined = False
    for index, (row, is_verbatim) in enumerate(marked):
        heading = None if is_verbatim else _heading(rows, index)
        if heading:
            headings.append(heading)
            lines.append(placed(heading[1], index, verbatim=True))
        elif is_verbatim:
            lines.append(placed(row.rstrip(), index, verbatim=True))
        elif not underlined and not _HEADING.match(row) and (line := typed_line(row, index)):
            lines.append(line)
        underlined = heading is not None and not _HEADING.match(row)
    return lines, headings


def _marked(text: str) -> Iterator[tuple[str, bool]]:
    """The rows of a text, those of HTML tables a line each, and whether each is to stay as it is."""
    rows = text.split("\n")
    front = len(_front_matter(text).split("\n")) - 1
    fences = accumulate(rows, lambda fence, row: _fence(row, fence), initial="")
    verbatim = [bool(before or fence) or index < front for index, (before, fence) in enumerate(pairwise(fences))]
    for is_verbatim, group in groupby(zip(rows, verbatim, strict=True), key=itemgetter(1)):
        part = "\n".join(row for row, _ in group)
        rows = (
            part.split("\n")
            if is_verbatim
            else list(_spaced(_LAYOUT.sub(_laid_out, with_rows_of_html(part)).split("\n")))
        )
        yield from ((row, is_verbatim) for row in rows)


def _laid_out(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith("`") else " " if found[1] else ""


def _spaced(rows: Sequence[str]) -> Iterator[str]:
    """Rows, those of a table with blanks beside its bars: below a rule, any line with a bar is one."""
    in_table = False
    for row, below in pairwise([*rows, ""]):
        in_table = "|" in row and (in_table or _LOOSE_RULE.fullmatch(below.strip()) is not None)
        yield CELL_BORDER.join(map(str.strip, row.replace(r"\|", "/").split("|"))).strip() if in_table else row


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
    title = _title(rows[index])
    return (1 if underline[1] == "=" else 2, title) if title and not ends_sentence(title) else None


def _title(text: str) -> str:
    """A heading's text as it will stand among the lines, without marks and the hashes that may close it."""
    text = text.rstrip()
    opened = text.rstrip("#")
    text = _ANCHOR.sub("", opened.rstrip() if opened.endswith((" ", "\t")) else text)
    return clean_typed(_INLINE_TAG.sub("", _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", text))))
