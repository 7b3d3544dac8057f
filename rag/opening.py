"""The prompt of a conversation opened, and made to fit."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rag.prompts import Prompts
from rag.recall import without_evidence
from rag.tokens import Estimator, cut_text, message_tokens
from rag.transcript import Transcript
from rag.types import EVERYTHING, Scope, Summary, Turn


def open_transcript(
    path: Sequence[Turn],
    summaries: Sequence[Summary],
    prompts: Prompts,
    budget: int,
    estimate: Estimator,
    *,
    thinking_in_context: bool = False,
    scope: Scope = EVERYTHING,
) -> Transcript:
    """The transcript of a conversation's path: its latest summary, and the turns that this does not cover.

    Where the last prompt began, this one begins too. What is over `budget` tokens even so leaves the prompt.
    Turns that brought no answer are not part of it.
    """
    place = {turn.turn_id: number for number, turn in enumerate(path)}
    told = max(
        (item for item in summaries if item.last_turn_id in place),
        key=lambda item: place[item.last_turn_id],
        default=None,
    )
    # A turn that ended while it was queued never had a prompt.
    began = next((turn.first_turn_in_prompt for turn in reversed(path) if turn.first_turn_in_prompt), None)
    start = max(place[told.last_turn_id] + 1 if told else 0, place.get(began, 0) if began else 0)
    window = tuple(turn for turn in path[start:] if turn.answer)
    before = tuple(turn for turn in path[:start] if turn.answer)
    last_number = max((item.number for turn in path for item in turn.sources), default=0)
    whole = Transcript(prompts, window, told, last_number, thinking_in_context, before, scope=scope)
    return fitted(whole, budget, estimate)


def fitted(transcript: Transcript, budget: int, estimate: Estimator) -> Transcript:
    """The transcript without what is over `budget` tokens: turns, and at last the end of the summary."""
    before, window = transcript.older, transcript.turns
    for kept in _shorter_and_shorter(window):
        left = window[: len(window) - len(kept)]
        transcript = _counted(replace(transcript, turns=kept, older=before + left), estimate)
        if transcript.tokens <= budget:
            return transcript
    while transcript.tokens > budget and (told := transcript.summary) and told.text:
        room = estimate(told.text) - (transcript.tokens - budget)
        cut = replace(told, text=cut_text(told.text, room, estimate, anywhere=True))
        transcript = _counted(replace(transcript, summary=cut), estimate)
    return transcript


def _shorter_and_shorter(turns: tuple[Turn, ...]) -> Iterator[tuple[Turn, ...]]:
    """The turns, of which the older half goes each time; of the newest its evidence first."""
    while len(turns) > 1:
        yield turns
        turns = turns[(len(turns) + 1) // 2 :]
    yield turns
    yield tuple(map(without_evidence, turns))
    yield ()


def _counted(transcript: Transcript, estimate: Estimator) -> Transcript:
    return replace(transcript, tokens=sum(message_tokens(message, estimate) for message in transcript.prefix()))
