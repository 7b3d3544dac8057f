"""The line under an answer as HTML: the decision and its alternatives, figures, and the reader's opinion."""

from collections.abc import Sequence
from html import escape

from rag.i18n import Language
from rag.types import Decision, Rating, Turn, TurnStatus
from rag.web.markup import model_name, said

_THUMB = (
    '<svg viewBox="0 0 20 20"><path d="M6.5 8.8v7.7h7.6a1.6 1.6 0 0 0 1.6-1.3l1.1-5.3a1.6 1.6 0 0 0-1.6-1.9h-4V4.6'
    'A1.9 1.9 0 0 0 9.3 2.7zM6.5 16.5h-2a1 1 0 0 1-1-1V9.8a1 1 0 0 1 1-1h2"/></svg>'
)


def other_ways(turn: Turn, earlier: Sequence[Turn]) -> tuple[Decision, ...]:
    """What could be decided for a turn instead; evidence is reused only where earlier turns have some."""
    in_hand = any(before.sources for before in earlier)
    return tuple(way for way in Decision if way is not turn.decision and (in_hand or way is not Decision.REUSE))


def foot(turn: Turn, ways: Sequence[Decision], language: Language) -> str:
    """The line under an answer. Only the newest one has other `ways`, and only it can be answered again."""
    parts = [f'<span class="chip">{said(language, f"decision.{turn.decision}")}</span>']
    parts += [_overrule(turn, way, language) for way in ways]
    if turn.sources:
        label = said(language, "chat.sources", count=len(turn.sources))
        parts.append(f'<button type="button" class="chip" data-sheet>{label}</button>')
    if turn.timing.first_token is not None:
        parts.append(f"<span>{said(language, 'chat.first_token', seconds=f'{turn.timing.first_token:.1f}')}</span>")
    parts.append(f"<span>{model_name(turn.model, language)}</span>")
    tools = [f'<button type="button" class="tool" data-copy>{said(language, "chat.copy")}</button>']
    if ways and turn.status is TurnStatus.FINISHED:
        tools.append(retry(turn, language))
    if turn.answer:
        tools += [_thumb(turn, rating, language) for rating in (Rating.GOOD, Rating.BAD)]
    return f'<footer>{"".join(parts)}<span class="tools">{"".join(tools)}</span></footer>'


def retry(turn: Turn, language: Language) -> str:
    """The button that asks a turn's question again."""
    label = said(language, "chat.retry")
    return f'<button type="button" class="tool" data-act="retry" data-id="{escape(turn.turn_id)}">{label}</button>'


def _overrule(turn: Turn, way: Decision, language: Language) -> str:
    return (
        f'<button type="button" class="chip way" data-act="retry" data-id="{escape(turn.turn_id)}" '
        f'data-decision="{way}" title="{said(language, "overrule.hint")}">{said(language, f"overrule.{way}")}</button>'
    )


def _thumb(turn: Turn, rating: Rating, language: Language) -> str:
    """A thumb; pressing it once more takes the opinion back."""
    pressed = turn.feedback is rating
    name = rating.name.lower()
    label = said(language, f"rating.{name}")
    return (
        f'<button type="button" class="thumb {name}" data-act="rate" data-id="{escape(turn.turn_id)}" '
        f'data-rating="{"none" if pressed else name}" aria-pressed="{str(pressed).lower()}" '
        f'aria-label="{label}" title="{label}">{_THUMB}</button>'
    )
