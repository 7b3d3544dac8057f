"""Turns as HTML. Pure functions; every foreign text is escaped, an answer by `rag.web.markdown`."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from rag.citations import verify
from rag.errors import NoDocumentUsed
from rag.i18n import Language
from rag.knowledge.base import STILL_FILLING
from rag.retrieval.reading import NO_SUCH_PAGE
from rag.retrieval.versions import OTHER_VERSIONS
from rag.trace import THINK
from rag.types import Decision, Message, Turn
from rag.web import icons
from rag.web.chat.render_foot import foot, retry, why
from rag.web.chat.render_marks import checked, places_of
from rag.web.markdown import markdown
from rag.web.markup import as_html, bar, duration, notice, plain, said, tool
from rag.web.view import Stage, TurnView

_STEPS = (Stage.DECIDING, Stage.SEARCHING, Stage.READING, Stage.WRITING)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a turn stands: the turns in its place in other branches, itself among them; what else could be decided.

    `ways` are offered for the newest turn only; `asks_why` right after the reader's opinion of it.
    """

    versions: tuple[str, ...] = ()
    ways: tuple[Decision, ...] = ()
    asks_why: bool = False


def article(turn: Turn, place: Place, language: Language) -> str:
    """A turn that has ended."""
    verification = verify(turn)
    cite = checked(places_of(turn.sources, language), verification, language)
    body = markdown(turn.answer, cite, verification.sentences)
    opinion = why(turn, language) if place.asks_why else ""
    return (
        f'<article class="turn" data-turn="{escape(turn.turn_id)}">{_asked(turn, place.versions, language)}'
        f'<div class="answer">{_thinking(turn, language)}<div class="prose">{body}</div>'
        f"{_ending(turn, language)}{foot(turn, place.ways, verification, language)}{opinion}</div></article>"
    )


def welcome(language: Language, is_gone: bool = False, ephemeral: bool = False) -> str:
    """What stands in an empty conversation; `is_gone` where another one should stand there.

    `ephemeral` where a restart of the server empties the store.
    """
    gone = notice(Message("web.chat.gone"), language) if is_gone else ""
    lost = f'<p class="quiet"><strong>{said(language, "chat.ephemeral")}</strong></p>' if ephemeral else ""
    return (
        f'<section class="welcome">{gone}<p class="verse" lang="zh">{said(language, "chat.verse")}</p>'
        f"<h1>{said(language, 'chat.welcome')}</h1>"
        f'<p class="of-guide">{said(language, "chat.welcome_hint")}</p>'
        f'<p class="of-files">{said(language, "chat.welcome_files")}</p>'
        f'<p class="quiet">{said(language, "chat.privacy")}</p>{lost}</section>'
    )


def question(text: str) -> str:
    """What was asked: a heading, by which one can go from turn to turn."""
    return f'<div class="question" role="heading" aria-level="2">{plain(text)}</div>'


def steps(view: TurnView, language: Language) -> str:
    """Where a turn stands: each step in its place, the present one with what is known of its progress."""
    if view.stage is Stage.QUEUED:
        waiting = said(language, "stage.queued", count=view.waiting)
        return f'<ol class="steps"><li class="now">{waiting}</li></ol>'
    searches = view.decided is None or view.decided.decision is Decision.RETRIEVE
    shown = [step for step in _STEPS if searches or step is not Stage.SEARCHING]
    present = shown.index(view.stage)
    items = []
    for place, step in enumerate(shown):
        kind = "done" if place < present else "now" if place == present else "later"
        share = f" {view.read:.0%}" if step is Stage.READING and place == present and view.read is not None else ""
        items.append(f'<li class="{kind}">{said(language, f"stage.{step}")}{share}</li>')
    return f'<ol class="steps">{"".join(items)}</ol>{bar(view.read) if view.read is not None else ""}'


def _asked(turn: Turn, versions: Sequence[str], language: Language) -> str:
    """The question, what can be done with it, and a field to put it differently."""
    identity, label = escape(turn.turn_id), said(language, "chat.edit")
    return (
        f'<div class="asked">{question(turn.question)}<div class="tools">{_switch(turn.turn_id, versions, language)}'
        f"{tool(icons.PENCIL, label, 'data-edit')}"
        f'</div><form class="edit" data-act="edit" data-id="{identity}" hidden><textarea name="text" required '
        f'aria-label="{label}">\n{escape(turn.question)}</textarea><div>'
        f'<button type="button" data-cancel>{said(language, "bar.cancel")}</button>'
        f'<button type="submit">{said(language, "chat.send_again")}</button></div></form></div>'
    )


def _switch(turn_id: str, versions: Sequence[str], language: Language) -> str:
    """‹ 2/3 ›: the way to the same place in other branches."""
    if len(versions) < 2:
        return ""
    place = versions.index(turn_id)
    sides = ((place - 1, "before", icons.BEFORE), (place + 1, "after", icons.AFTER))
    buttons = []
    for other, name, icon in sides:
        target = f'data-id="{escape(versions[other])}"' if 0 <= other < len(versions) else "disabled"
        label = said(language, f"chat.version_{name}")
        buttons.append(f'<button type="button" data-act="branch" {target} aria-label="{label}">{icon}</button>')
    return f'<span class="switch">{buttons[0]}<span>{place + 1}/{len(versions)}</span>{buttons[1]}</span>'


def _thinking(turn: Turn, language: Language) -> str:
    """A model's thoughts, folded, and how long they took."""
    if not turn.thinking:
        return ""
    seconds = sum(span.seconds for span in turn.trace.spans if span.step == THINK)
    taken = f"<small>{escape(duration(seconds, language))}</small>" if seconds else ""
    summary = f"<summary>{said(language, 'chat.thinking')}{taken}</summary>"
    return f'<details class="thinking">{summary}<p>{plain(turn.thinking)}</p></details>'


def _ending(turn: Turn, language: Language) -> str:
    """How an answer that is not whole ended; what to do where nothing was found for it."""
    if (halted := turn.halted) is not None:
        unused = _way_to_files("to_choice", language) if halted == NoDocumentUsed().message else ""
        return notice(halted, language, unused + retry(turn, language), is_new=False)
    notes = turn.trace.notes
    if STILL_FILLING in notes:
        return _hint(as_html(language, STILL_FILLING), retry(turn, language))
    if others := next((note for note in notes if note.key == OTHER_VERSIONS), None):
        return _hint(as_html(language, others))
    if turn.decision is Decision.RETRIEVE and not turn.sources:
        way = _way_to_files("to_files", language)
        is_missing = NO_SUCH_PAGE in notes
        return _hint(as_html(language, NO_SUCH_PAGE) if is_missing else said(language, "chat.nothing_found"), way)
    return ""


def _hint(told: str, way: str = "") -> str:
    return f'<p class="hint"><span>{told}</span>{way}</p>'


def _way_to_files(key: str, language: Language) -> str:
    return f'<button type="button" data-page="files">{said(language, f"chat.{key}")}</button>'
