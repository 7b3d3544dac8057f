"""Evidence as HTML. Pure functions; every foreign text is escaped by `rag.web.markup`."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from rag.i18n import Language
from rag.types import Evidence, Turn
from rag.web.chat.render_leaf import Spot, page_name
from rag.web.markup import plain, said

_TITLE_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Source:
    """A passage, and where to look it up: None where its document is no more.

    `is_cited` is None while the answer is being written; the passage bears out `bears` sentences of it, and
    `is_doubted` where it is cited for what it does not say.
    """

    evidence: Evidence
    spot: Spot | None = None
    is_cited: bool | None = None
    bears: int = 0
    is_doubted: bool = False


def cards(sources: Sequence[Source], others: Sequence[Turn], language: Language, of: str = "") -> str:
    """The cards of a turn's evidence, what it cites first; below them the way to the `others`, newest first.

    `of` is the turn's question, to be told where it is not the newest turn.
    """
    if not sources and not others:
        return f'<p class="empty">{said(language, "source.none")}</p>'
    best = max((source.evidence.score for source in sources), default=0.0) or 1.0
    title = f'<p class="of">{said(language, "source.of", question=_short(of))}</p>' if of else ""
    ordered = sorted(sources, key=lambda source: source.is_cited is False)
    drawn = "".join(_card(source, best, language) for source in ordered)
    return f"{title}{drawn}{_others(others, language)}"


def place(item: Evidence, language: Language) -> str:
    """Where a passage stands: physical pages, the label printed on the first where it differs, headings."""
    page = page_name(item.page, item.page_label, language, item.last_page)
    return " · ".join([page, *([escape(" › ".join(item.heading_path))] if item.heading_path else [])])


def _card(source: Source, best: float, language: Language) -> str:
    item = source.evidence
    kind = "source uncited" if source.is_cited is False else "source"
    way = source.spot.attributes if source.spot else ""
    share = max(0.0, min(1.0, item.score / best))
    return (
        f'<article class="{kind}" data-source="{item.number}" {way}>'
        f'<button type="button" class="head"><b>{item.number}</b><span class="file">{escape(item.document_name)}</span>'
        f'<span class="score" title="{said(language, "source.score")}"><span class="bar"><i style="width:{share:.0%}">'
        f"</i></span>{item.score:.2f}</span></button>"
        f'<p class="place"><span>{place(item, language)}</span>{_bears(source, language)}</p>'
        f"{_remark(source, language)}{_text(source)}</article>"
    )


def _bears(source: Source, language: Language) -> str:
    """What the answer's check found of it."""
    if source.is_cited and source.bears:
        return f"<small>{said(language, 'source.bears', count=source.bears)}</small>"
    if source.is_cited and source.is_doubted:
        return f'<small class="doubt">{said(language, "source.bears_nothing")}</small>'
    return ""


def _text(source: Source) -> str:
    """The passage; what says what it is about, such as a table's header, stands above it."""
    text = source.evidence.text
    span = source.spot.span if source.spot else None
    cut = len(text) - (span[1] - span[0]) if span else 0
    context = f'<span class="context">{plain(text[:cut])}</span>' if text[:cut].strip() else ""
    return f'<p class="text">{context}{plain(text[cut:])}</p>'


def _remark(source: Source, language: Language) -> str:
    remarks = []
    if source.spot is None:
        remarks.append("gone")
    if not source.evidence.relevant:
        remarks.append("nearest")
    elif source.is_cited is False:
        remarks.append("uncited")
    return "".join(f'<p class="remark {name}">{said(language, f"source.{name}")}</p>' for name in remarks)


def _others(turns: Sequence[Turn], language: Language) -> str:
    if not turns:
        return ""
    items = "".join(
        f'<li><button type="button" data-turn-sources="{escape(turn.turn_id)}"><span>{escape(turn.question)}</span>'
        f"<small>{said(language, 'chat.sources', count=len(turn.sources))}</small></button></li>"
        for turn in turns
    )
    title = said(language, "source.others", count=len(turns))
    return f'<details class="earlier"><summary>{title}</summary><ul>{items}</ul></details>'


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TITLE_LENGTH else f"{line[:_TITLE_LENGTH]}…"
