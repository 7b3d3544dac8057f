"""Evidence as HTML. Pure functions; every foreign text is escaped."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from rag.i18n import Language
from rag.page_names import place_in_file
from rag.types import CheckedSentence, Evidence, Turn
from rag.web.chat.render_marks import doubted
from rag.web.markup import bar, named, said, shortened
from rag.web.passage import in_context
from rag.web.render_leaf import Spot


@dataclass(frozen=True, slots=True)
class Source:
    """A passage, and where to look it up: None where its document is no more.

    `is_cited` is None while the answer is being written, and where there is none; the passage bears out `bears`
    sentences of it, and `doubts` are those, with their text, that cite it for what it does not say.
    `relevance` is how probably it answers the question that it was found for, None where nothing judged that;
    `found_for` is that question, where the present turn only goes on with what an earlier one found.
    `leads` gives for checked sentences, by their place, the page that says it, and the span of the document's text that
    bears it out.
    """

    evidence: Evidence
    spot: Spot | None = None
    is_cited: bool | None = None
    bears: int = 0
    doubts: tuple[tuple[str, CheckedSentence], ...] = ()
    relevance: float | None = None
    found_for: str = ""
    leads: Mapping[int, tuple[int, ...]] = field(default_factory=dict)


def cards(sources: Sequence[Source], others: Sequence[Turn], language: Language, of: str = "") -> str:
    """The cards of a turn's evidence, what it cites first; below them the way to the `others`, newest first.

    `of` is the turn's question, to be told where it is not the newest turn.
    """
    if not sources and not others:
        return f'<p class="empty">{said(language, "source.none")}</p>'
    title = f'<p class="of">{said(language, "source.of", question=shortened(of))}</p>' if of else ""
    ordered = sorted(sources, key=lambda source: source.is_cited is False)
    drawn = "".join(_card(source, language) for source in ordered)
    return f"{title}{drawn}{_others(others, language)}"


def _card(source: Source, language: Language) -> str:
    item, name = source.evidence, escape(source.evidence.document_name)
    kind = "source uncited" if source.is_cited is False else "source"
    way = source.spot.attributes if source.spot else ""
    if source.leads:
        way += f' data-leads="{escape(json.dumps(source.leads))}"'
    is_borne = source.is_cited and source.bears
    bears = f"<small>{said(language, 'source.bears', count=source.bears)}</small>" if is_borne else ""
    return (
        f'<article class="{kind}" data-source="{item.number}" {way}>'
        f'<button type="button" class="head"><b>{item.number}</b><span class="file" title="{name}">{name}</span>'
        f"{_relevance(source, language)}</button>"
        f'<p class="place"><span>{escape(place_in_file(item, language))}</span>{bears}</p>'
        f"{_remark(source, language)}{_text(source)}</article>"
    )


def _relevance(source: Source, language: Language) -> str:
    """How probably it answers the question, as the account of the search has it; empty where nothing judged that."""
    if source.relevance is None:
        return ""
    label = said(language, "source.relevance", share=f"{source.relevance:.0%}")
    return f'<span class="score" {named(label)}>{bar(source.relevance)}{source.relevance:.0%}</span>'


def _text(source: Source) -> str:
    """The passage; what says what it is about, such as a table's header, stands above it."""
    text = source.evidence.text
    span = source.spot.span if source.spot else None
    cut = len(text) - (span[1] - span[0]) if span else 0
    shown = in_context(text[:cut], _below_heading(text[cut:], source.evidence.heading_path))
    return f'<div class="text">{shown}</div>'


def _below_heading(text: str, path: Sequence[str]) -> str:
    """A passage without the heading that it begins with, where the line above tells that already."""
    first, _, rest = text.lstrip().partition("\n")
    is_told = bool(path) and "".join(first.split()) == "".join(path[-1].split())
    return rest if is_told and rest.strip() else text


def _remark(source: Source, language: Language) -> str:
    remarks = []
    if source.spot is None:
        remarks.append("gone")
    if not source.evidence.relevant:
        remarks.append("nearest")
    elif source.is_cited is False:
        remarks.append("uncited")
    told = [f'<p class="remark {name}">{said(language, f"source.{name}")}</p>' for name in remarks]
    if source.found_for:
        question = said(language, "source.found_for", question=shortened(source.found_for))
        told.append(f'<p class="remark">{question}</p>')
    if use := source.evidence.use:
        usable = said(language, "source.usable_because" if use.reason else "source.usable", reason=use.reason)
        told.append(f'<p class="remark">{usable}<q>{escape(use.key_passage)}</q></p>')
    number = source.evidence.number
    told += [
        f'<p class="remark doubted">{doubted(sentence, number, language)}<q>{escape(shortened(text))}</q></p>'
        for text, sentence in source.doubts
    ]
    return "".join(told)


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
