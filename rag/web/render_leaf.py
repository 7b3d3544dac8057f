"""A page of a document as HTML: its image with the passage's boxes, or its text with the passage marked."""

from dataclasses import dataclass, replace
from html import escape

from rag.i18n import Language
from rag.page_names import page_name
from rag.types import Box, MarkedText, PageView
from rag.web import icons
from rag.web.markup import as_html, said, tool
from rag.web.passage import Mark, passage


@dataclass(frozen=True, slots=True)
class Spot:
    """A page to look at: of a document, with `span` of its text marked, which begins on the page `home`.

    `key` is what of the span is marked again: it bears out the sentence that led there. `is_browsing`: no passage is
    looked for.
    """

    document_id: str
    home: int
    page: int
    span: tuple[int, int] | None = None
    is_browsing: bool = False
    key: tuple[int, int] | None = None

    @property
    def attributes(self) -> str:
        """The spot as attributes of an element; the page's script reports them to look there."""
        start, end = self.span or ("", "")
        key_start, key_end = self.key or ("", "")
        return (
            f'data-document="{escape(self.document_id)}" data-home="{self.home}" data-page-number="{self.page}" '
            f'data-start="{start}" data-end="{end}" data-key-start="{key_start}" data-key-end="{key_end}"'
        )


def leaf(view: PageView, spot: Spot, url: str | None, language: Language, name: str = "leaf") -> str:
    """A page, where it stands among the others, and the way to them; `url` is its image's, None without one.

    `name` begins the ids of its parts, which are there once, as two leaves may be.
    """
    labelled = f'tabindex="0" role="region" aria-labelledby="{name}-name {name}-page"'
    body = _text(view.text, labelled, language) if url is None else _image(view, url, spot, labelled, language)
    head = f"<header>{_title(view, name, language)}{_ways(view, spot, language)}</header>"
    return f"{head}{_note(view, spot, language)}{body}"


def _title(view: PageView, name: str, language: Language) -> str:
    file = escape(view.document_name)
    where = escape(page_name(view.document_name, view.page, view.page_label, language))
    return (
        f'<p class="file" id="{name}-name" title="{file}">{file}</p>'
        f'<p class="where" aria-live="polite" id="{name}-page">{where}</p>'
    )


def _ways(view: PageView, spot: Spot, language: Language) -> str:
    """‹ 27 / 55 ›, the way back to the passage, and the page in full size."""
    home = ""
    if spot.page != spot.home and not view.text.passage:
        back = replace(spot, page=spot.home).attributes
        home = f'<button type="button" class="home" data-look {back}>{said(language, "leaf.home")}</button>'
    pager = ""
    if view.page_count > 1:
        before, after = (_step(view, spot, by, language) for by in (-1, 1))
        pager = f'<span class="pager">{before}<span>{view.page} / {view.page_count}</span>{after}</span>'
    enlarge, shrink = said(language, "leaf.enlarge"), said(language, "leaf.shrink")
    return (
        f"<nav>{pager}{home}{tool(icons.ENLARGE, enlarge, 'data-enlarge', 'enlarge')}"
        f"{tool(icons.CROSS, shrink, 'data-shrink', 'shrink')}</nav>"
    )


def _step(view: PageView, spot: Spot, by: int, language: Language) -> str:
    """A button to the next page. At the end it stays a button: one that is disabled would lose the keyboard's focus."""
    name, icon = ("before", icons.BEFORE) if by < 0 else ("after", icons.AFTER)
    number = view.page + by
    way = (
        f"data-look {replace(spot, page=number).attributes}"
        if 1 <= number <= view.page_count
        else 'aria-disabled="true"'
    )
    return tool(icon, said(language, f"leaf.{name}"), way, name)


def _note(view: PageView, spot: Spot, language: Language) -> str:
    """Why a page is shown as text, or without its passage marked."""
    if view.note is not None:
        return f'<p class="quiet">{as_html(language, view.note)}</p>'
    unmarked = not (view.boxes if view.size else view.text.passage)
    if spot.page == spot.home and unmarked and not spot.is_browsing:
        return f'<p class="quiet">{said(language, "leaf.unmarked")}</p>'
    return ""


def _image(view: PageView, url: str, spot: Spot, labelled: str, language: Language) -> str:
    assert view.size is not None
    width, height = view.size
    name = said(language, "leaf.image", name=view.document_name, page=view.page)
    marks = "".join([*(_mark(box, "mark") for box in view.boxes), *(_mark(box, "key") for box in view.key_boxes)])
    again = f'<button type="button" data-look {spot.attributes}>{said(language, "leaf.again")}</button>'
    return (
        f'<div class="view" {labelled}><div class="paper">'
        f'<img src="{escape(url)}" width="{width}" height="{height}" alt="{name}">{marks}</div></div>'
        f'<p class="notice broken" role="alert"><span>{said(language, "leaf.broken")}</span>{again}</p>'
    )


def _mark(box: Box, name: str) -> str:
    size = f"width:{box.right - box.left:.3%};height:{box.bottom - box.top:.3%}"
    return f'<i class="{name}" style="left:{box.left:.3%};top:{box.top:.3%};{size}"></i>'


def _text(text: MarkedText, labelled: str, language: Language) -> str:
    before, after = ("…\n" if text.cut_before else ""), ("\n…" if text.cut_after else "")
    start, end = len(text.before), len(text.before) + len(text.passage)
    first, last = (start + place for place in text.key)
    spans = (Mark(start, end), Mark(first, last, '<u class="key">', "</u>"))
    body = passage(f"{text.before}{text.passage}{text.after}", [mark for mark in spans if mark.start < mark.end])
    whole = f"{before}{body}{after}" if body.strip() else said(language, "leaf.blank")
    return f'<div class="view words" {labelled}><div class="paper">{whole}</div></div>'
