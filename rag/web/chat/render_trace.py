"""How an answer came about, as HTML: what was decided, searched for and spent."""

from html import escape

from rag import i18n
from rag.i18n import Language
from rag.types import Turn, Usage
from rag.web.markup import model_name, said
from rag.web.view import TurnView


def trace(turn: Turn | None, view: TurnView | None, language: Language) -> str:
    """The folded account of a turn: from the stored turn, with what only its events told while they are at hand."""
    if turn is None:
        return ""
    rows = [
        ("decision", _decision(turn, view, language)),
        ("question", escape(turn.generated_question or turn.question)),
        ("evidence", _evidence(turn, view, language)),
        ("time", _time(turn, language)),
        ("tokens", _tokens(turn.usage, language)),
        ("model", model_name(turn.model, language)),
    ]
    items = "".join(f"<dt>{said(language, f'trace.{name}')}</dt><dd>{value}</dd>" for name, value in rows)
    return f"<details><summary>{said(language, 'trace.title')}</summary><dl>{items}</dl></details>"


def _decision(turn: Turn, view: TurnView | None, language: Language) -> str:
    label = said(language, f"decision.{turn.decision}")
    if view is None or view.decided is None:
        return label
    decided = view.decided
    reason = escape(i18n.sentence(language, decided.reason))
    certainty = said(language, "trace.certainty", share=f"{decided.certainty:.0%}")
    return f"{label} · {reason}<small>{certainty} · {_duration(decided.seconds)}</small>"


def _evidence(turn: Turn, view: TurnView | None, language: Language) -> str:
    count = said(language, "chat.sources", count=len(turn.sources))
    if view is None or view.retrieved is None:
        return count
    return f"{count}<small>{_duration(view.retrieved.seconds)}</small>"


def _time(turn: Turn, language: Language) -> str:
    total = said(language, "trace.total", seconds=f"{turn.timing.total:.1f}")
    if turn.timing.first_token is None:
        return total
    return f"{said(language, 'chat.first_token', seconds=f'{turn.timing.first_token:.1f}')} · {total}"


def _tokens(usage: Usage, language: Language) -> str:
    if not usage.prompt:
        return said(language, "trace.no_tokens")
    cached, whole = usage.cached / usage.prompt, usage.prompt + usage.completion
    parts = (
        ("cached", usage.cached / whole),
        ("fresh", (usage.prompt - usage.cached) / whole),
        ("completion", usage.completion / whole),
    )
    bar = "".join(f'<i class="{name}" style="width:{share:.1%}"></i>' for name, share in parts)
    sentence = said(
        language,
        "trace.usage",
        prompt=usage.prompt,
        cached=usage.cached,
        share=f"{cached:.0%}",
        completion=usage.completion,
    )
    return f'{sentence}<div class="bar tokens">{bar}</div>'


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
