"""Turns, sources and their trace as HTML. Pure functions; every foreign text is escaped by `rag.web.markup`."""

from collections.abc import Sequence
from datetime import date
from html import escape

from rag import i18n
from rag.i18n import Language
from rag.types import Conversation, Decision, Evidence, Message, Turn, TurnStatus
from rag.web.markup import markdown, plain, said
from rag.web.render_foot import foot, other_ways, retry
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


def notice(message: Message, language: Language, action: str = "") -> str:
    """A sentence on what is the matter, with what can be done."""
    return f'<p class="notice" role="alert"><span>{escape(i18n.sentence(language, message))}</span>{action}</p>'


def refusal(message: Message, language: Language) -> str:
    """Why a question was not taken; the question itself stays in its field."""
    return f'<div class="turn">{notice(message, language)}</div>'


def sources(evidence: Sequence[Evidence], earlier: Sequence[Evidence], language: Language) -> str:
    """The cards of a turn's evidence; what earlier turns had brought in stands folded below."""
    if not evidence and not earlier:
        return f'<p class="empty">{said(language, "source.none")}</p>'
    best = max(item.score for item in (*evidence, *earlier)) or 1.0
    cards = "".join(_card(item, best, language) for item in evidence)
    if not earlier:
        return cards
    older = "".join(_card(item, best, language) for item in earlier)
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


def conversations(entries: Sequence[Conversation], present: str | None, today: date, language: Language) -> str:
    """The session's conversations by day, newest first; those never spoken in are left out."""
    groups: dict[str, list[str]] = {}
    for entry in entries:
        if entry.turns:
            days = (today - entry.updated_at.astimezone().date()).days
            day = "today" if days <= 0 else "yesterday" if days == 1 else "earlier"
            groups.setdefault(day, []).append(_conversation(entry, entry.conversation_id == present, language))
    return "".join(
        f"<h2>{said(language, f'sidebar.{day}')}</h2><ul>{''.join(items)}</ul>" for day, items in groups.items()
    )


def _conversation(entry: Conversation, present: bool, language: Language) -> str:
    identity, title = escape(entry.conversation_id), escape(entry.title)
    current = ' aria-current="true"' if present else ""
    confirm = said(language, "sidebar.confirm_delete", title=entry.title)
    return (
        f'<li{current}><button type="button" class="open" data-act="open" data-id="{identity}" title="{title}">'
        f'<span>{title}</span><small>{entry.turns}</small></button><button type="button" class="remove" '
        f'data-act="remove" data-id="{identity}" data-confirm="{confirm}" '
        f'aria-label="{said(language, "sidebar.delete")}">×</button></li>'
    )


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


def _card(item: Evidence, best: float, language: Language) -> str:
    share = max(0.0, min(1.0, item.score / best))
    return (
        f'<article class="source" data-source="{item.number}" tabindex="0"><header><b>{item.number}</b>'
        f'<span class="file">{escape(item.document_name)}</span>'
        f'<span class="score" title="{said(language, "source.score")}">{item.score:.2f}</span></header>'
        f'<p class="place">{place(item, language)}</p><div class="bar"><i style="width:{share:.0%}"></i></div>'
        f'<p class="text">{plain(item.text)}</p></article>'
    )
