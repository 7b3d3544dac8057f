"""The small pieces of the page's HTML. Foreign text is escaped in each; what has to be HTML already is said to be."""

from html import escape

from rag import i18n
from rag.i18n import Language
from rag.types import Message, Provider

_TITLE_LENGTH = 60
# Characters of a table's cell that is kept in one line, and of one that is given room for a sentence.
_SHORT_CELL, _LONG_CELL = 6, 16


def said(language: Language, key: str, **values: object) -> str:
    """A sentence of the interface as HTML, its values escaped with it."""
    return escape(i18n.text(language, f"web.{key}", **values))


def worded(language: Language, key: str, **values: object) -> str:
    """A sentence about preferences as HTML."""
    return escape(i18n.text(language, f"preference.{key}", **values))


def as_html(language: Language, message: Message) -> str:
    """What a message says, likewise."""
    return escape(i18n.sentence(language, message))


def plain(text: str) -> str:
    """A document's or person's text as HTML, its line breaks kept."""
    return escape(text.strip()).replace("\n", "<br>")


def model_name(model: str, language: Language) -> str:
    """A model's name; where answers are quotations, that."""
    return said(language, "model.extractive") if model == Provider.EXTRACTIVE else escape(model)


def notice(message: Message, language: Language, action: str = "", *, is_new: bool = True) -> str:
    """A sentence on what is the matter, with what can be done; what is not new is told to nobody but who reads it."""
    role = ' role="alert"' if is_new else ""
    return f'<p class="notice"{role}><span>{as_html(language, message)}</span>{action}</p>'


def named(label: str) -> str:
    """The attributes that name a button without words; `label` is HTML already."""
    return f'title="{label}" aria-label="{label}"'


def tool(icon: str, label: str, attributes: str, kind: str = "") -> str:
    """A button that shows an icon alone; all that tells of it is HTML already. `kind` is for the style sheet."""
    return f'<button type="button" class="{f"tool {kind}".rstrip()}" {attributes} {named(label)}>{icon}</button>'


def cell_kind(length: int) -> str:
    """What the style sheet calls a table's cell of so many characters."""
    return "long" if length > _LONG_CELL else "short" if length <= _SHORT_CELL else "middling"


def bar(share: float) -> str:
    """A share of one as a bar, beside words that tell it."""
    return f'<span class="bar" aria-hidden="true"><i style="width:{max(0.0, min(1.0, share)):.1%}"></i></span>'


def duration(seconds: float, language: Language) -> str:
    """A time as people read it."""
    if seconds < 0.0005:
        return "<1 ms"
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    return i18n.text(language, "web.trace.seconds", seconds=f"{seconds:.1f}")


def shortened(text: str) -> str:
    """A text in one line that is no longer than a title."""
    line = " ".join(text.split())
    return line if len(line) <= _TITLE_LENGTH else f"{line[:_TITLE_LENGTH]}…"
