"""Keeping a prompt within its limit: what is left out, in which order, and what its parts take."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from langchain_core.messages import AIMessage, BaseMessage, SystemMessage

from rag.llm.extractive import quotable
from rag.opening import fitted
from rag.tokens import fit_evidence, message_tokens
from rag.turn.context import TurnContext
from rag.turn.draft import Draft
from rag.types import Budget, Decision, Evidence, Provider

# The estimate of a prompt may be too low by this part of it.
_MISJUDGED = 8


def ever_shorter(draft: Draft, context: TurnContext) -> Iterator[TurnContext]:
    """The context with its prompt's transcript, then with shorter ones, as far as there is anything to leave out.

    A place is read by itself. Turns that are told again go with the first half of the new evidence: what they say may
    be in it too.
    """
    if draft.place_read:
        role = SystemMessage(context.transcript.system()[0])
        context = context.on(context.transcript.alone(message_tokens(role, context.estimate)))
    context = _within(draft, context)
    yield context
    fresh = context.transcript.fresh(draft.evidence)
    if fresh or draft.recalled:
        draft.recalled = ()
        _shorten_evidence(draft, fresh, context, _cost(fresh, context) // 2)
        yield context
    while shorter := _less_history(draft, context):
        context = shorter
        yield context


def _within(draft: Draft, context: TurnContext) -> TurnContext:
    """The context of a prompt within the limit: room was left by rule of thumb for what stands around the parts.

    What is over is left out of the new evidence, then of the turns that are told again, then of the older ones that a
    summary of the talk would name, the older half at a time, then of the turns.
    """
    while (over := _prompt(draft, context) + context.answer_tokens - context.limit) > 0:
        transcript = context.transcript
        if fresh := transcript.fresh(draft.evidence):
            _shorten_evidence(draft, fresh, context, _cost(fresh, context) - over)
        elif draft.recalled:
            draft.recalled = draft.recalled[1:]
        elif transcript.older:
            context = context.on(replace(transcript, older=transcript.older[(len(transcript.older) + 1) // 2 :]))
        elif transcript.turns:
            context = context.on(fitted(transcript, transcript.tokens - over, context.estimate))
            draft.first_turn_in_prompt = context.transcript.recent()[0].turn_id
        else:
            break
    return context


def _less_history(draft: Draft, context: TurnContext) -> TurnContext | None:
    """The context with half the history, from which later prompts go on; None where there is nothing to leave out.

    Evidence that left with those turns is sent again, in half the freed room or half its own size, whichever is larger.
    """
    transcript = context.transcript
    role = message_tokens(SystemMessage(transcript.system()[0]), context.estimate)
    shorter = fitted(transcript, (transcript.tokens + role) // 2, context.estimate)
    if shorter.tokens == transcript.tokens:
        return None
    draft.first_turn_in_prompt = shorter.recent()[0].turn_id
    fresh = shorter.fresh(draft.evidence)
    _shorten_evidence(draft, fresh, context, max(_cost(fresh, context), transcript.tokens - shorter.tokens) // 2)
    return context.on(shorter)


def _cost(evidence: Iterable[Evidence], context: TurnContext) -> int:
    return sum(context.estimate(item.text) for item in evidence)


def _shorten_evidence(draft: Draft, fresh: tuple[Evidence, ...], context: TurnContext, room: int) -> None:
    """Leave out of the new evidence what does not fit into `room` tokens."""
    fitting = {item.number: item for item in fit_evidence(fresh, room, context.estimate)}
    given_up = [item for item in fresh if item.number not in fitting]
    draft.left_out = (*given_up, *draft.left_out)
    draft.evidence = tuple(fitting.get(item.number, item) for item in draft.evidence if item not in given_up)


def question_message(draft: Draft, context: TurnContext) -> BaseMessage:
    """The message of the question, on what is left of its evidence."""
    # What had no room was found all the same.
    found = bool(draft.evidence or draft.left_out)
    fresh = context.transcript.fresh(draft.evidence)
    asked = (draft.prompt_question, draft.decision, fresh, found, draft.recalled, draft.place_read)
    return context.transcript.ask(*asked, reader=draft.options.language)


def with_quotable(asked: BaseMessage, draft: Draft) -> BaseMessage:
    """The message of a question with what may be quoted where there is no model; talk as it is."""
    if draft.decision is Decision.NO_RETRIEVE:
        return asked
    phrasings = (draft.asked_of_each,) if draft.compared else () if draft.place_read else draft.phrasings
    return quotable(asked, phrasings, draft.evidence or draft.left_out, draft.compared)


def _prompt(draft: Draft, context: TurnContext) -> int:
    """The tokens of the whole prompt: a chat template begins the answer's message too."""
    messages = question_message(draft, context), AIMessage("")
    return context.transcript.tokens + sum(message_tokens(message, context.estimate) for message in messages)


def budget(draft: Draft, context: TurnContext) -> Budget:
    """The parts add up to what the prompt is estimated at; what stands around the parts counts for the question."""
    head = message_tokens(context.transcript.prefix()[0], context.estimate)
    told = context.transcript.system()[1]
    summary = context.estimate(told) if told else 0
    evidence = _cost(context.transcript.fresh(draft.evidence), context)
    recalled = context.estimate(context.transcript.repeat(draft.recalled)) if draft.recalled else 0
    asked = _prompt(draft, context) - context.transcript.tokens
    return Budget(
        limit=context.limit,
        system=head - summary,
        summary=summary,
        history=context.transcript.tokens - head,
        recalled=recalled,
        evidence=evidence,
        question=max(0, asked - evidence - recalled),
        answer=context.answer_tokens,
    )


def limit(draft: Draft, context: TurnContext, begins_inside: bool) -> Mapping[str, object]:
    """The argument by which thoughts take no tokens from an answer, but what is left of the context.

    Where a model of a server begins inside them, or has them beside its answers, a client's own limit is that of both.
    """
    provider, name, _ = context.answering
    left = context.answer_tokens
    if draft.budget:
        prompt = draft.budget.limit - draft.budget.left
        left = max(left, draft.budget.left - prompt // _MISJUDGED)
    if begins_inside or (provider is Provider.OPENAI and context.profile.habits.thinks_beside(name)):
        return {"max_tokens": left} if draft.options.max_tokens is None else {}
    return {"max_tokens_thinking": left} if provider is Provider.OLLAMA else {}
