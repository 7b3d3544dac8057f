"""What is in a document: its pages, its passages, and the report on both. Pure functions."""

from collections.abc import Sequence
from datetime import tzinfo
from html import escape

from rag.i18n import Language
from rag.page_names import page_name
from rag.types import Chunk, Document, Message, PageGroup, PageView, RetrievalCheck
from rag.web import icons
from rag.web.files.render_health import check_in_full, health, is_filling
from rag.web.markup import as_html, notice, said, tool
from rag.web.passage import in_context
from rag.web.render_leaf import Spot, leaf

VIEWS = ("page", "passages", "report")
PASSAGES_AT_ONCE = 50


def frame(document: Document, view: str, body: str, language: Language) -> str:
    """The name, the ways to look at it, and what is seen."""
    ways = "".join(
        f'<button type="button" data-act="inspect" data-id="{escape(document.document_id)}" data-view="{name}" '
        f'aria-current="{"true" if name == view else "false"}">{said(language, f"inspect.{name}")}</button>'
        for name in VIEWS
    )
    name = escape(document.name)
    inside = f'<nav class="ways" aria-label="{name}">{ways}</nav><div class="{view}">{body}</div>'
    return _closable(name, inside, language)


def failed(message: Message, language: Language) -> str:
    """Why nothing is seen, with the way back: on a phone this covers the screen."""
    return _closable(said(language, "files.inspect"), notice(message, language), language)


def nothing(language: Language) -> str:
    """Of what has not been read yet, nothing is seen."""
    return f'<p class="empty">{said(language, "inspect.nothing")}</p>'


def page(view: PageView, spot: Spot, url: str | None, language: Language) -> str:
    """A page, with a passage of it marked where one was asked for."""
    # The chat's own leaf stands on the same page.
    return f'<div class="leaf">{leaf(view, spot, url, language, name="look")}</div>'


def passages(chunks: Sequence[Chunk], document: Document, first: int, language: Language) -> str:
    """Passages in their order from number `first` (from 0) on; each leads to where it stands."""
    if not chunks:
        return nothing(language)
    items = "".join(_passage(chunk, number, language) for number, chunk in enumerate(chunks, first + 1))
    before = _step(document, first - PASSAGES_AT_ONCE, "inspect.before", language) if first else ""
    following = first + PASSAGES_AT_ONCE
    after = _step(document, following, "inspect.after", language) if following < document.chunks else ""
    where = said(language, "inspect.range", first=first + 1, last=first + len(chunks), count=document.chunks)
    pager = f'<p class="pager">{before}<span>{where}</span>{after}</p>' if before or after else ""
    return f'{pager}<ol class="passages">{items}</ol>{pager}'


def report(
    document: Document,
    groups: Sequence[PageGroup],
    check: RetrievalCheck | None,
    checking: bool,
    language: Language,
    zone: tzinfo | None = None,
) -> str:
    """Which pages can be searched, which not and why; and whether its own sentences find the document."""
    waiting = [group for group in groups if group.sentence.key == "page_report.waiting"]
    unrecognised = sum(int(str(group.sentence.values["count"])) for group in waiting)
    lines = "".join(
        f'<li class="{"" if group.searchable or group in waiting else "doubt"}">'
        f"{as_html(language, group.sentence)}</li>"
        for group in groups
    )
    label = said(language, "check.begin" if check is None else "check.again")
    own = f'data-id="{escape(document.document_id)}"'
    again = f'<button type="button" class="plain" data-act="check" {own}>{label}</button>'
    running = f'<p class="stage" data-again>{said(language, "check.running_long")}</p>' if checking else ""
    result = check_in_full(check, language, zone, filling=is_filling(document)) if check is not None else ""
    return (
        f"<h3>{said(language, 'inspect.pages')}</h3><p>{health(document, language, unrecognised)}</p><ul>{lines}</ul>"
        f"<h3>{said(language, 'check.title')}</h3>{result}{running or again}"
    )


def _step(document: Document, first: int, key: str, language: Language) -> str:
    return (
        f'<button type="button" data-act="inspect" data-id="{escape(document.document_id)}" data-view="passages" '
        f'data-first="{max(0, first)}">{said(language, key)}</button>'
    )


def _passage(chunk: Chunk, number: int, language: Language) -> str:
    passage = chunk.passage
    where = escape(page_name(chunk.document_name, passage.page, passage.page_label, language, passage.last_page))
    path = f" · {escape(' › '.join(passage.heading_path))}" if passage.heading_path else ""
    return (
        f'<li><button type="button" data-act="inspect" data-id="{escape(chunk.document_id)}" data-view="page" '
        f'data-page-number="{passage.page}" data-start="{passage.start}" data-end="{passage.end}">'
        f'<b>{number}</b><span class="place">{where}{path}</span></button>'
        f'<div class="text">{in_context(passage.context, passage.text)}</div></li>'
    )


def _closable(name: str, inside: str, language: Language) -> str:
    """A pane with its name and the button that closes it; `name` and `inside` are HTML already."""
    close = tool(icons.CROSS, said(language, "inspect.close"), "data-close")
    return (
        f'<section class="detail" aria-label="{name}"><header class="top"><h2>{name}</h2>{close}'
        f"</header>{inside}</section>"
    )
