"""The line under an answer as HTML: the decision and its alternatives, figures, and the reader's opinion."""

from collections.abc import Sequence
from html import escape

from rag.evidence import evidence_used, is_unanswered
from rag.i18n import Language
from rag.types import Decision, Provider, Rating, Turn, Verification, only_nearest
from rag.web import icons
from rag.web.markup import as_html, model_name, said, tool

REASONS = {
    Rating.GOOD: ("right", "clear", "sourced"),
    Rating.BAD: ("false", "missed", "citation", "partial", "unclear"),
}
MAX_REASON_LENGTH = 500


def other_ways(turn: Turn, earlier: Sequence[Turn]) -> tuple[Decision, ...]:
    """What could be decided for a turn instead; evidence is reused only where earlier turns have some.

    A search that found nothing relevant can be insisted on: the model then answers from what came nearest.
    """
    in_hand = any(map(evidence_used, earlier))
    taken = None if only_nearest(turn.sources) else turn.decision
    return tuple(way for way in Decision if way is not taken and (in_hand or way is not Decision.REUSE))


def foot(turn: Turn, ways: Sequence[Decision], verification: Verification, language: Language) -> str:
    """The line under an answer; `ways` are what else could be decided for it."""
    parts = [_decision(turn, language), *(overrule(turn, way, language) for way in ways)]
    if turn.answer and turn.sources and turn.model == Provider.EXTRACTIVE:
        parts.append(f'<span class="chip">{model_name(turn.model, language)}</span>')
    if turn.sources:
        label = said(language, "chat.sources", count=len(turn.sources))
        chip = f'<button type="button" class="chip count" data-turn-sources="{escape(turn.turn_id)}" data-sheet>'
        parts.append(f"{chip}{label}</button>")
    if turn.timing.first_token is not None:
        parts.append(f"<span>{said(language, 'chat.first_token', seconds=f'{turn.timing.first_token:.1f}')}</span>")
    # What is quoted behind an answer that says it knows none bears out no answer.
    right = 0 if is_unanswered(turn) else sum(len(sentence.verified) for sentence in verification.sentences)
    parts += _verified(verification, right, language)
    tools = [tool(icons.AGAIN, said(language, "chat.retry"), _again(turn))]
    if turn.answer:
        copy = tool(icons.COPY, said(language, "chat.copy"), "data-copy")
        tools = [copy, *tools, *(_thumb(turn, rating, language) for rating in (Rating.GOOD, Rating.BAD))]
    return f'<footer><span class="facts">{"".join(parts)}</span><span class="tools">{"".join(tools)}</span></footer>'


def retry(turn: Turn, language: Language) -> str:
    """The button that asks a turn's question again."""
    return f'<button type="button" class="tool" {_again(turn)}>{said(language, "chat.retry")}</button>'


def why(turn: Turn, language: Language) -> str:
    """The form that asks for the reason of an opinion, where one was just given."""
    if turn.feedback not in REASONS:
        return ""
    choices = "".join(
        f'<label><input type="radio" name="reason" value="{said(language, f"reason.{name}")}">'
        f"<span>{said(language, f'reason.{name}')}</span></label>"
        for name in REASONS[turn.feedback]
    )
    name = turn.feedback.name.lower()
    return (
        f'<form class="why" data-act="rate" data-id="{escape(turn.turn_id)}" data-rating="{name}">'
        f"<fieldset><legend>{said(language, f'reason.ask_{name}')}</legend>{choices}</fieldset>"
        f'<input type="text" name="detail" maxlength="{MAX_REASON_LENGTH}" autocomplete="off" '
        f'placeholder="{said(language, "reason.detail")}" aria-label="{said(language, "reason.detail")}">'
        f'<button type="submit">{said(language, "reason.send")}</button></form>'
    )


def _again(turn: Turn) -> str:
    return f'data-act="retry" data-id="{escape(turn.turn_id)}"'


def _decision(turn: Turn, language: Language) -> str:
    """What was decided and why; pressing it shows how the answer came about."""
    label, hint = said(language, f"decision.{turn.decision}"), said(language, "trace.show")
    reason = as_html(language, turn.reason) if turn.reason else ""
    title = f"{reason} · {hint}" if reason else hint
    inside = f"{label}<small>{reason}</small>" if reason else label
    return (
        f'<button type="button" class="chip decided" data-process="{escape(turn.turn_id)}" data-sheet '
        f'title="{title}">{inside}</button>'
    )


def overrule(turn: Turn, way: Decision, language: Language) -> str:
    """The button that asks a turn's question again, to be decided otherwise."""
    label, hint = ("anyway", "anyway_hint") if way is turn.decision else (way, "hint")
    tip, text = said(language, f"overrule.{hint}"), said(language, f"overrule.{label}")
    return f'<button type="button" class="chip way" {_again(turn)} data-decision="{way}" title="{tip}">{text}</button>'


def _verified(verification: Verification, right: int, language: Language) -> list[str]:
    """How many markers are borne out, put right and amber, and how many facts nothing is named for."""
    wrong = sum(len(sentence.unverified) for sentence in verification.sentences)
    corrected = sum(len(sentence.corrected) for sentence in verification.sentences)
    bare = sum(sentence.is_bare for sentence in verification.sentences)
    parts = [f'<span class="right">{said(language, "chat.verified", count=right)}</span>'] if right else []
    if corrected:
        parts.append(f"<span>{said(language, 'chat.corrected', count=corrected)}</span>")
    if wrong:
        parts.append(f'<span class="wrong">{said(language, "chat.doubtful", count=wrong)}</span>')
    if verification.unsourced:
        parts.append(f'<span class="wrong">{said(language, "chat.unsourced")}</span>')
    elif bare:
        parts.append(f'<span class="wrong">{said(language, "chat.bare", count=bare)}</span>')
    return parts


def _thumb(turn: Turn, rating: Rating, language: Language) -> str:
    """A thumb; pressing it once more takes the opinion back."""
    pressed = turn.feedback is rating
    name = rating.name.lower()
    rates = (
        f'data-act="rate" data-id="{escape(turn.turn_id)}" data-rating="{"none" if pressed else name}" '
        f'aria-pressed="{str(pressed).lower()}"'
    )
    return tool(icons.THUMB, said(language, f"rating.{name}"), rates, f"thumb {name}")
