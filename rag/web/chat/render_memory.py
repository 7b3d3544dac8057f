"""What the next prompt knows of a conversation, as HTML. Pure functions."""

from collections.abc import Sequence
from html import escape

from rag.i18n import Language
from rag.memory import MAX_SUMMARY_LENGTH
from rag.types import Recollection, Summary, Turn
from rag.web.chat.render_trace import questions
from rag.web.markup import bar, notice, said


def memory(known: Recollection, recalled: Sequence[Turn], language: Language) -> str:
    """The turns in the prompt and their weight, those that the newest turn came back to, and the summary to edit."""
    count = said(language, "memory.count", count=len(known.held))
    back = f"<h3>{said(language, 'memory.recalled')}</h3>{questions(recalled)}" if recalled else ""
    trouble = notice(known.trouble, language) if known.trouble else ""
    return (
        f"<details><summary>{said(language, 'memory.title')}<small>{count}</small></summary>"
        f"{trouble}{_held(known, language)}{back}{_summary(known, language)}</details>"
    )


def _held(known: Recollection, language: Language) -> str:
    told = said(language, "memory.held", count=len(known.held), tokens=known.tokens, limit=known.limit)
    return f'<div class="held"><p>{told}</p>{bar(known.tokens / known.limit)}</div>'


def _summary(known: Recollection, language: Language) -> str:
    if known.summary is None:
        return "" if known.trouble else f'<p class="held">{said(language, "memory.no_summary")}</p>'
    edited = f"<em>{said(language, 'summary.edited')}</em>" if known.summary.edited else ""
    covers = said(language, "memory.covers", count=len(known.covered))
    return (
        f"<h3>{said(language, 'summary.title')}{edited}</h3>"
        f'<details class="earlier"><summary>{covers}</summary>{questions(known.covered)}</details>'
        f"{_form(known.summary, language)}"
    )


def _form(summary: Summary, language: Language) -> str:
    label, text = said(language, "summary.title"), escape(summary.text)
    # The page is changed in place. A field that was written in would keep its words for another conversation's
    # summary, were it not for the attribute: where that changes, the page's script sets the field's value too.
    return (
        f'<form data-act="edit" data-id="{escape(summary.summary_id)}"><p>{said(language, "summary.hint")}</p>'
        f'<textarea name="text" required maxlength="{MAX_SUMMARY_LENGTH}" aria-label="{label}" value="{text}">\n'
        f'{text}</textarea><button type="submit">{said(language, "summary.save")}</button></form>'
    )
