"""Amounts and times as bars, with their legends."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from rag import i18n
from rag.i18n import Language
from rag.types import Span
from rag.web.markup import said

# Only what the model does has a colour of its own: it is what takes long.
_OF_MODEL = ("read", "think", "write")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a whole; `label` is HTML, `name` names its colour."""

    name: str
    amount: int
    label: str


def stacked(parts: Sequence[Part], whole: int) -> str:
    """The parts beside each other in one bar, and what each of them is; empty ones are left out."""
    present = [part for part in parts if part.amount > 0]
    total = max(whole, sum(part.amount for part in present), 1)
    bar = "".join(f'<i class="for-{part.name}" style="width:{part.amount / total:.2%}"></i>' for part in present)
    legend = "".join(f'<li><i class="for-{part.name}"></i>{part.label}<b>{part.amount:,}</b></li>' for part in present)
    return f'<div class="bar stacked" aria-hidden="true">{bar}</div><ul class="legend">{legend}</ul>'


def timeline(spans: Sequence[Span], total: float, language: Language) -> str:
    """Each step on its own line, at its place between the question and the end."""
    whole = max([total, *(span.end for span in spans)], default=0.0)
    if not spans or whole <= 0:
        return ""
    rows = "".join(
        f'<li><span>{known_as(span.step, language, "step")}</span><span class="track" aria-hidden="true">'
        f'<i class="for-{span.step if span.step in _OF_MODEL else "stage"}" '
        f'style="left:{max(0.0, span.begin) / whole:.2%};width:{span.seconds / whole:.2%}"></i></span>'
        f"<b>{escape(duration(span.seconds, language))}</b></li>"
        for span in spans
    )
    return f'<ol class="timeline">{rows}</ol>'


def duration(seconds: float, language: Language) -> str:
    """A time as people read it."""
    if seconds < 0.0005:
        return "<1 ms"
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    return i18n.text(language, "web.trace.seconds", seconds=f"{seconds:.1f}")


def known_as(name: str, language: Language, kind: str = "route") -> str:
    """A step, a column or a route as the reader knows it; of a field that has no name here, the field."""
    for key in (f"{kind}.{name}", f"route.{name}"):
        if f"web.{key}" in i18n.catalogue(language):
            return said(language, key)
    return escape(name)
