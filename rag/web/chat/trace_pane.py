"""How an answer came about: what was decided, searched for, put into the prompt, and how long it took."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import gradio as gr

from rag.i18n import Language
from rag.turn.reformulating import OTHER_WORDS
from rag.types import Decision, Span, Turn, TurnStatus
from rag.web.chat.render_candidates import candidates, known_as
from rag.web.chat.render_foot import other_ways, overrule
from rag.web.markup import as_html, bar, duration, model_name, said, shortened
from rag.web.parts import EACH, Changes, event_texts, scripted_part
from rag.web.readers import Readers, Scene

# Only what the model does has a colour of its own: it is what takes long.
_OF_MODEL = ("read", "think", "write")


class TracePane:
    """The folded account of a turn; `part` reports another one that is asked about, and a decision overruled in it."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self.part = scripted_part("trace", "look", "retry")
        self.outputs = [self.part]
        self.part.look(self._look, [readers.browser], self.outputs, **EACH)

    def shown(self, scene: Scene) -> Changes:
        """The account of the newest turn of the branch in view."""
        return {self.part: _account(scene.turns[-1], scene) if scene.turns else {"turn": "", "html": ""}}

    def _look(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        """The account of one turn; of the newest one where that is not in the branch in view.

        The script is told whose answer it is, as by now another one may have been asked for.
        """
        scene = self._readers.scene(stored, request)
        turn_id, opens, asked = event_texts(event, ["id", "opens", "asked"])
        turn = next((turn for turn in scene.turns if turn.turn_id == turn_id), None)
        value = self.shown(scene)[self.part] if turn is None else {**_account(turn, scene), "opens": opens}
        return {self.part: {**value, "asked": asked}}


def _account(turn: Turn, scene: Scene) -> dict[str, str]:
    return {"turn": turn.turn_id, "html": trace(turn, scene.turns, scene.language)}


def trace(turn: Turn, branch: Sequence[Turn], language: Language) -> str:
    """The folded account of a turn of the branch in view."""
    earlier = branch[: branch.index(turn)]
    recalled = [before for before in earlier if before.turn_id in turn.recalled]
    parts = [
        ("decision", _decision(turn, other_ways(turn, earlier), language)),
        ("question", _question(turn, language)),
        ("understood", _understood(turn)),
        ("search", candidates(turn, language)),
        ("recalled", questions(recalled)),
        ("budget", _budget(turn, language)),
        ("time", _time(turn, language)),
        ("tokens", _tokens(turn, language)),
        ("model", model_name(turn.model, language)),
    ]
    items = "".join(
        f'<dt>{said(language, f"trace.{name}")}</dt><dd class="of-{name}">{value}</dd>'
        for name, value in parts
        if value
    )
    of = (
        ""
        if turn is branch[-1]
        else f'<p class="of">{said(language, "trace.of", question=shortened(turn.question))}</p>'
    )
    total = said(language, "trace.total", time=duration(turn.timing.total, language))
    return (
        f"<details><summary>{said(language, 'trace.title')}<small>{total}</small></summary>{of}"
        f"<dl>{items}</dl></details>"
    )


def questions(turns: Sequence[Turn]) -> str:
    """The questions of some turns, one below the other."""
    if not turns:
        return ""
    return f'<ol class="questions">{"".join(f"<li>{escape(turn.question)}</li>" for turn in turns)}</ol>'


def _decision(turn: Turn, ways: Sequence[Decision], language: Language) -> str:
    certainty = ""
    if turn.certainty is not None:
        sure = said(language, "trace.certainty", share=f"{turn.certainty:.0%}")
        certainty = f'<span class="certainty">{bar(turn.certainty)}{sure}</span>'
    reason = f"<p>{as_html(language, turn.reason)}</p>" if turn.reason else ""
    others = "".join(overrule(turn, way, language) for way in ways)
    choice = f'<p class="ways">{others}</p>' if others else ""
    return f"<p><b>{said(language, f'decision.{turn.decision}')}</b>{certainty}</p>{reason}{choice}"


def _question(turn: Turn, language: Language) -> str:
    read_in_place = not turn.trace.found and bool(turn.trace.notes)
    if turn.decision is not Decision.RETRIEVE or read_in_place:
        return ""
    if turn.generated_question in ("", turn.question):
        if any(note.key in OTHER_WORDS for note in turn.trace.notes):
            return ""
        return f'<span class="quiet">{said(language, "trace.as_asked")}</span>'
    return escape(turn.generated_question)


def _understood(turn: Turn) -> str:
    """What a question means whose answer comes from evidence in hand; nothing where it says so itself."""
    is_meant_otherwise = turn.decision is Decision.REUSE and turn.generated_question not in ("", turn.question)
    return escape(turn.generated_question) if is_meant_otherwise else ""


def _budget(turn: Turn, language: Language) -> str:
    """The prompt by its parts, of all that there is room for."""
    if turn.budget is None:
        return ""
    budget = turn.budget
    parts = [
        _Part(name, getattr(budget, name), said(language, f"budget.{name}"))
        for name in ("system", "summary", "history", "recalled", "evidence", "question", "answer")
    ]
    used = sum(part.amount for part in parts)
    sentence = said(language, "trace.budget_used", used=used, limit=budget.limit, answer=budget.answer)
    return f"<p>{sentence}</p>{_stacked(parts, budget.limit)}"


def _time(turn: Turn, language: Language) -> str:
    first = ""
    if turn.timing.first_token is not None:
        first = f"<p>{said(language, 'chat.first_token', seconds=f'{turn.timing.first_token:.1f}')}</p>"
    return f"{first}{_timeline(turn.trace.spans, turn.timing.total, language)}"


def _tokens(turn: Turn, language: Language) -> str:
    """What the model counted; of an answer that did not come to its end it had no time to tell."""
    usage, was_asked = turn.usage, turn.budget is not None
    is_halted = was_asked and turn.status in (TurnStatus.STOPPED, TurnStatus.FAILED)
    if not usage.prompt:
        return said(language, "trace.unknown_tokens" if was_asked else "trace.no_tokens")
    values = {"prompt": usage.prompt, "cached": usage.cached, "completion": usage.completion}
    sentence = said(language, "trace.usage", share=f"{usage.cached / usage.prompt:.0%}", **values)
    parts = [
        _Part(name, amount, said(language, f"trace.{name}"))
        for name, amount in (
            ("cached", usage.cached),
            ("fresh", usage.prompt - usage.cached),
            ("completion", usage.completion),
        )
    ]
    rest = f"<p>{said(language, 'trace.more_tokens')}</p>" if is_halted else ""
    return f"<p>{sentence}</p>{_stacked(parts, usage.prompt + usage.completion)}{rest}"


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a whole; `label` is HTML, `name` names its colour."""

    name: str
    amount: int
    label: str


def _stacked(parts: Sequence[_Part], whole: int) -> str:
    """The parts beside each other in one bar, and what each of them is; empty ones are left out."""
    present = [part for part in parts if part.amount > 0]
    total = max(whole, sum(part.amount for part in present), 1)
    bar = "".join(f'<i class="for-{part.name}" style="width:{part.amount / total:.2%}"></i>' for part in present)
    legend = "".join(f'<li><i class="for-{part.name}"></i>{part.label}<b>{part.amount:,}</b></li>' for part in present)
    return f'<div class="bar stacked" aria-hidden="true">{bar}</div><ul class="legend">{legend}</ul>'


def _timeline(spans: Sequence[Span], total: float, language: Language) -> str:
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
