"""Turns as HTML. Pure functions; every foreign text is escaped by `rag.web.markup`."""

from collections.abc import Sequence
from html import escape

from rag.i18n import Language
from rag.types import Decision, Message, Turn, TurnStatus
from rag.web.chat.render_foot import foot, other_ways, retry
from rag.web.markup import markdown, notice, plain, said
from rag.web.view import Stage, TurnView

_STEPS = (Stage.DECIDING, Stage.SEARCHING, Stage.READING, Stage.WRITING)
SUGGESTIONS = ("first", "second", "third")


def thread(turns: Sequence[Turn], language: Language) -> str:
    """A conversation's turns, or the welcome where there is none."""
    if not turns:
        return welcome(language)
    known = {item.number for turn in turns for item in turn.sources}
    *earlier, newest = turns
    shown = [*((turn, ()) for turn in earlier), (newest, other_ways(newest, earlier))]
    return "".join(_turn(turn, known, ways, language) for turn, ways in shown)


def welcome(language: Language) -> str:
    """What stands in an empty conversation."""
    return (
        f'<section class="welcome"><p class="verse">{said(language, "chat.verse")}</p>'
        f"<h1>{said(language, 'chat.welcome')}</h1><p>{said(language, 'chat.welcome_hint')}</p>"
        f'<p class="quiet">{said(language, "chat.privacy")}</p></section>'
    )


def suggestions(language: Language) -> str:
    """Three questions that the sample document answers."""
    questions = [said(language, f"suggestion.{name}") for name in SUGGESTIONS]
    return "".join(f'<button type="button" data-act="ask" data-id="{text}">{text}</button>' for text in questions)


def live(view: TurnView, language: Language) -> str:
    """A turn that goes on."""
    numbers = {item.number for item in view.evidence}
    body = f'<div class="prose">{markdown(view.answer, numbers, language)}</div>' if view.answer else ""
    state = "" if view.answer else steps(view, language)
    thinking = _thinking(view.thinking, language, is_open=not view.answer)
    return (
        f'<article class="turn live" aria-live="polite">{_question(view.question)}'
        f'<div class="answer">{thinking}{body}{state}</div></article>'
    )


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
    bar = f'<div class="bar"><i style="width:{view.read:.0%}"></i></div>' if view.read is not None else ""
    return f'<ol class="steps">{"".join(items)}</ol>{bar}'


def refusal(message: Message, language: Language) -> str:
    """Why a question was not taken; the question itself stays in its field."""
    return f'<div class="turn">{notice(message, language)}</div>'


def _turn(turn: Turn, known: set[int], ways: Sequence[Decision], language: Language) -> str:
    body = markdown(turn.answer, known, language)
    return (
        f'<article class="turn" data-turn="{escape(turn.turn_id)}">{_question(turn.question)}'
        f'<div class="answer">{_thinking(turn.thinking, language)}<div class="prose">{body}</div>'
        f"{_ending(turn, language)}{foot(turn, ways, language)}</div></article>"
    )


def _ending(turn: Turn, language: Language) -> str:
    """How an answer that is not whole ended."""
    if turn.status is TurnStatus.FINISHED:
        return ""
    message = turn.message or Message(f"web.chat.{turn.status}")
    return notice(message, language, retry(turn, language))


def _question(question: str) -> str:
    return f'<div class="question">{plain(question)}</div>'


def _thinking(text: str, language: Language, is_open: bool = False) -> str:
    if not text:
        return ""
    opened = " open" if is_open else ""
    summary = said(language, "chat.thinking")
    return f'<details class="thinking"{opened}><summary>{summary}</summary><p>{plain(text)}</p></details>'
