"""Evidence as HTML. Pure functions; every foreign text is escaped by `rag.web.markup`."""

from collections.abc import Sequence
from html import escape

from rag.i18n import Language
from rag.types import Evidence
from rag.web.markup import plain, said


def sources(
    evidence: Sequence[Evidence], earlier: Sequence[Evidence], language: Language, shown: int | None = None
) -> str:
    """The cards of a turn's evidence, one of them `shown` in full; what other turns had stands folded below."""
    if not evidence and not earlier:
        return f'<p class="empty">{said(language, "source.none")}</p>'
    best = max(item.score for item in (*evidence, *earlier)) or 1.0
    cards = "".join(_card(item, best, language, item.number == shown) for item in evidence)
    if not earlier:
        return cards
    older = "".join(_card(item, best, language, item.number == shown) for item in earlier)
    opened = "" if evidence else " open"
    title = said(language, "source.earlier", count=len(earlier))
    return f'{cards}<details class="earlier"{opened}><summary>{title}</summary>{older}</details>'


def place(item: Evidence, language: Language) -> str:
    """Where a passage stands: physical page, the label printed on it where it differs, headings."""
    if item.page_label and item.page_label != str(item.page):
        page = said(language, "source.page_and_label", page=item.page, label=item.page_label)
    else:
        page = said(language, "source.page", page=item.page)
    return " · ".join([page, *([escape(" › ".join(item.heading_path))] if item.heading_path else [])])


def _card(item: Evidence, best: float, language: Language, shown: bool) -> str:
    share = max(0.0, min(1.0, item.score / best))
    return (
        f'<article class="source{" shown" if shown else ""}" data-source="{item.number}" tabindex="0">'
        f"<header><b>{item.number}</b>"
        f'<span class="file">{escape(item.document_name)}</span>'
        f'<span class="score" title="{said(language, "source.score")}">{item.score:.2f}</span></header>'
        f'{_remark(item, language)}<p class="place">{place(item, language)}</p>'
        f'<div class="bar"><i style="width:{share:.0%}"></i></div>'
        f'<p class="text">{plain(item.text)}</p></article>'
    )


def _remark(item: Evidence, language: Language) -> str:
    return "" if item.relevant else f'<p class="quiet">{said(language, "source.nearest")}</p>'
