"""HTML: the text of a page's main part, its headings, lists, tables and code; nothing that it refers to is fetched."""

import codecs
import re
from collections import Counter
from pathlib import Path
from typing import Any

from lxml.etree import HTMLParser, XMLSyntaxError, fromstring

from loaders.decoding import decode
from loaders.headings import DEEPEST, bare
from loaders.health import numbered_pages
from loaders.html_blocks import Block, blocks_of
from loaders.outline import complete_outline
from loaders.rows import joined
from rag.errors import DamagedFile, EmptyFile
from rag.types import Heading, LoadedDocument

# Among the first bytes of a page, as browsers look for it: `<meta charset=gbk>`, `<?xml encoding="gbk"?>`.
_DECLARED = re.compile(rb"(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z][\w.:-]{1,30})", re.IGNORECASE)
_DECLARED_WITHIN = 4096
# What browsers take for a declared encoding, and what writes its characters.
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "euc-kr": "cp949"}
# It is declared by templates for pages of any language.
_LATIN = ("iso8859-1", "cp1252", "ascii")
_UNMARKED_WIDE = ("utf-16", "utf-32", "utf-7")
_DAMAGE = "\ufffd"
_UNREAD_SHARE = 0.02
# What is no text of the page, or is not shown.
_LEFT_OUT = re.compile(
    "script|style|noscript|template|svg|canvas|iframe|object|embed|audio|video|map|select|textarea|button|datalist"
    "|dialog|nav|footer|aside|rp|rt|del|s|annotation|annotation-xml|frameset|head"
)
_LEFT_OUT_ROLES = ("navigation", "contentinfo", "complementary", "search", "banner", "menu", "menubar", "dialog")
# Of generators of documentation: the way to other pages, and numbers beside code.
_LEFT_OUT_CLASSES = frozenset(("navheader", "navfooter", "navbar", "breadcrumb", "breadcrumbs", "linenos", "lineno"))
_HIDDEN_STYLE = re.compile(r"display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden", re.IGNORECASE)
# A link to a heading's own place.
_ANCHOR_MARKS = ("¶", "#", "§", "🔗", "\uf0c1")
_MOST = 0.5
_TITLE_AMONG = 3  # headings
_CONTENTS = ("目录", "目錄", "目次", "contents")


def read_html(path: Path, name: str) -> LoadedDocument:
    """A page of HTML as one page. Its title is its first heading, unless it only says what that says."""
    root = _parse(_decoded(path.read_bytes(), name), name)
    title = " ".join((root.findtext(".//title") or "").split())
    blocks = _with_title(title, _without_contents(blocks_of(_main(root))))
    pages = numbered_pages([joined([block.text for block in blocks])], name)
    headings = [Heading(block.level, block.text, 1) for block in blocks if block.level]
    return LoadedDocument(pages, complete_outline(headings, pages))


def _decoded(data: bytes, name: str) -> str:
    """Bytes as text: UTF-8 where they are that, else by what they declare, else as those of a text file."""
    declared = _DECLARED.search(data[:_DECLARED_WITHIN])
    encoding = _known(declared[1].decode("ascii")) if declared else ""
    if encoding and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not _is_utf8(data):
        text = data.decode(encoding, errors="replace")
        if text.count(_DAMAGE) <= _UNREAD_SHARE * len(text):
            return text
    return decode(data, name)


def _known(label: str) -> str:
    """Python's name of an encoding that can be trusted to be the page's; empty for others."""
    try:
        encoding = codecs.lookup(_WIDER.get(label.lower(), label)).name
        "".encode(encoding)
    except LookupError:
        return ""
    return "" if encoding in _LATIN or encoding.startswith(_UNMARKED_WIDE) else encoding


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    # Escape sequences of another encoding are ASCII, too.
    return not (data.isascii() and b"\x1b" in data)


def _parse(text: str, name: str) -> Any:
    """The tree of a page. Raises DamagedFile where what follows too deep a nesting was not read."""
    parser = HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        root = fromstring(text.replace("\0", "").encode("utf-8", "replace"), parser)
    except XMLSyntaxError:  # as older versions say that there is nothing
        root = None
    if parser.error_log.filter_from_fatals():
        raise DamagedFile(name=name)
    if root is None:
        raise EmptyFile(name=name)
    return root


def _main(root: Any) -> Any:
    """The part of a page that holds most of its text, where it says which; what is left out is emptied in it."""
    body = root.find("body") if root.find("body") is not None else root
    for element in list(body.iter()):
        if _is_left_out(element):
            element.clear(keep_tail=True)
    whole = _length(body)
    for path in ("main", "*[@role='main']", "article"):
        found = body.findall(f".//{path}")
        if len(found) == 1 and _length(found[0]) > _MOST * whole:
            return found[0]
    return body


def _is_left_out(element: Any) -> bool:
    if _LEFT_OUT.fullmatch(element.tag) or element.get("role", "").lower() in _LEFT_OUT_ROLES:
        return True
    if "hidden" in element.attrib or element.get("aria-hidden", "").lower() == "true":
        return True
    if not _LEFT_OUT_CLASSES.isdisjoint(element.get("class", "").split()):
        return True
    if element.tag == "header" and element.getparent().tag == "body":  # of the site, unless it has the page's title
        return next(element.iter("h1", "h2"), None) is None
    if element.tag == "a" and (element.text or "").strip() in _ANCHOR_MARKS:
        return True
    return _HIDDEN_STYLE.search(element.get("style", "")) is not None


def _length(element: Any) -> int:
    return sum(len(bare(text)) for text in element.itertext())


def _without_contents(blocks: list[Block]) -> list[Block]:
    """The blocks without a list of headings that come below it: a passage would be placed by its line there."""
    below = Counter(bare(block.text) for block in blocks if block.level)
    kept: list[Block] = []
    for block in blocks:
        text = bare(block.text)
        if block.level:
            below[text] -= 1
        elif below[text] > 0:
            if kept and bare(kept[-1].text).lower() in _CONTENTS:
                kept.pop()
            continue
        kept.append(block)
    return kept


def _with_title(title: str, blocks: list[Block]) -> list[Block]:
    """The blocks below a page's title; without it where it is, or holds, one of its first headings."""
    if not title:
        return blocks
    first = [bare(block.text) for block in blocks if block.level][:_TITLE_AMONG]
    if any(heading in bare(title) or bare(title) in heading for heading in first):
        return blocks
    deeper = [Block(block.text, min(block.level + 1, DEEPEST) if block.level else 0) for block in blocks]
    return [Block(title, 1), *deeper] if blocks else []
