"""The stages of a turn before its answer, generators of events that fill in the draft."""

import logging
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from langchain_core.messages import BaseMessage

from rag import events
from rag.condense import (
    alternatives,
    by_rules,
    joined,
    leans_on_history,
    most_probable,
    own_words,
    points_back,
    stand_alone,
)
from rag.decision.base import Situation, Verdict
from rag.decision.opinion import Opinion, constraint, read_opinion
from rag.decision.situation import situation_of
from rag.errors import ModelError
from rag.language import lead, words
from rag.language.follow_up import asks_the_same
from rag.llm.replier import Replier
from rag.llm.stream import Done, Heartbeat, PromptProgress
from rag.llm.think import said_with
from rag.memory import FORM_TOKENS
from rag.settings import LEAST_EVIDENCE
from rag.transcript import Transcript
from rag.turn.context import TurnContext
from rag.turn.draft import Draft
from rag.turn.own_answer import TOLD_BY_THE_PROGRAM, clear_case
from rag.turn.pointing import questions_before
from rag.turn.reuse import (
    answers_too_little,
    asks_of_another,
    fits_better_elsewhere,
    may_cover,
    means_something_newer,
    rather_search,
)
from rag.types import Decision, Message

_SHORT_REPLY_TOKENS = 80
# From here on the rules' word for a search stands against a model that would do without.
_NOT_COVERED = 0.75
# Whoever lets a model overrule even certain rules holds it for as likely to be right.
_EVEN = 0.5
Stage = Iterator[events.TurnEvent]
_log = logging.getLogger(__name__)


def decide_stage(draft: Draft, transcript: Transcript, context: TurnContext) -> Stage:
    """Settle whether the turn searches, does with the evidence in hand, or needs none. Raises StoreError."""
    begun = time.perf_counter()
    verdict = _settled(draft, transcript, context)
    if verdict is None:
        situation = situation_of(
            draft.question, transcript, context.retrieval.knowledge, context.collections, draft.scope
        )
        verdict = context.decider.decide(situation)
        if context.asks(verdict):
            verdict = yield from _ask_opinion(draft, transcript, context, verdict, may_cover(situation))
        else:
            verdict = rather_search(verdict)
        if verdict.decision is Decision.REUSE and (
            means_something_newer(draft.question, transcript.covering)
            or _is_doubtful(draft, situation, transcript, context)
        ):
            verdict = replace(verdict, decision=Decision.RETRIEVE, reason=Message("decision.not_covered"))
    draft.decision, draft.reason, draft.certainty = verdict.decision, verdict.reason, verdict.certainty
    draft.names_subject = verdict.names_subject
    yield events.Decided(verdict.decision, verdict.reason, verdict.certainty, time.perf_counter() - begun)


def _settled(draft: Draft, transcript: Transcript, context: TurnContext) -> Verdict | None:
    """The verdict that takes no weighing: the reader's own, or a plain case. Raises StoreError."""
    if draft.overruled in (None, Decision.NO_RETRIEVE):
        told = [turn.question for turn in transcript.recent()]
        clear = clear_case(draft, context, told, bool(transcript.in_hand()))
        # What the program tells itself a model knows nothing of.
        if draft.overruled is None or (clear and clear.reason.key in TOLD_BY_THE_PROGRAM):
            return clear
    if draft.overruled is Decision.REUSE and not transcript.in_hand():
        return Verdict(Decision.RETRIEVE, Message("decision.nothing_in_hand"), 1.0)
    return Verdict(draft.overruled, Message("decision.overruled"), 1.0)


def _is_doubtful(draft: Draft, situation: Situation, transcript: Transcript, context: TurnContext) -> bool:
    """Whether a search would not give the evidence in hand to a question. A pronoun would be searched for in vain."""
    question, own = words.plainly(situation.question), words.PlainQuestion(own_words(situation.question))
    if points_back(own) and not (lead.names_another(question) or asks_of_another(question)):
        return False
    draft.found_alone = probable = context.retrieval.probable(own, context.collections, draft.scope)
    held = transcript.held()
    threshold, partly = context.retrieval.threshold, {item.chunk_id for item in transcript.in_hand()}
    if answers_too_little(probable, {*held, *partly}, threshold):
        return True
    return fits_better_elsewhere(situation, probable, held, threshold)


def _weigh(verdict: Verdict, opinion: Opinion | None, coverable: bool) -> Verdict:
    """The verdict of the rules with a model's opinion; REUSE only where evidence in hand may cover the question."""
    if opinion is None:
        return rather_search(verdict)
    if opinion.decision is verdict.decision:
        return replace(verdict, reason=Message("decision.model_agrees"))
    sure = verdict.decision is Decision.RETRIEVE and verdict.certainty >= _NOT_COVERED
    if opinion.decision is Decision.REUSE and (sure or not coverable):
        return replace(verdict, decision=Decision.RETRIEVE, reason=Message("decision.not_covered"))
    if opinion.decision is Decision.NO_RETRIEVE and sure:
        return verdict
    certainty = max(_EVEN, 1 - verdict.certainty)
    return replace(verdict, decision=opinion.decision, reason=Message("decision.model"), certainty=certainty)


def _ask_opinion(
    draft: Draft, transcript: Transcript, context: TurnContext, verdict: Verdict, coverable: bool
) -> Generator[events.TurnEvent, None, Verdict]:
    """The verdict after asking the model, whose reply holds the stand-alone question too: no second call is made."""
    request = transcript.decide(draft.question)
    reply = yield from short_reply(draft, transcript, request, context, **constraint(context.provider))
    opinion = read_opinion(reply)
    verdict = _weigh(verdict, opinion, coverable)
    if verdict.decision is Decision.RETRIEVE and not verdict.names_subject and leans_on_history(draft.question):
        rewrite = opinion.question if opinion else ""
        draft.generated_question = stand_alone(rewrite, draft.question, questions_before(transcript), transcript.told())
    return verdict


def short_reply(
    draft: Draft, transcript: Transcript, request: BaseMessage, context: TurnContext, **arguments: Any
) -> Generator[events.TurnEvent, None, str]:
    """What the model says to a request on top of the conversation's prefix; nothing where it fails or only thinks.

    A turn can do without: not every server takes a schema. That the model is gone shows at the answer.
    """
    reply = ""
    replier = Replier.of((context.provider, draft.model, context.model), context.habits)
    try:
        for part in replier.parts([*transcript.prefix(), request], draft.cancel, _SHORT_REPLY_TOKENS, **arguments):
            match part:
                case PromptProgress(processed, total):
                    yield events.Reading(processed, total)
                case Heartbeat():
                    yield events.Waiting()
                case Done(usage, _):
                    draft.add_usage(usage)
                case _:
                    reply = said_with(reply, part)
    except ModelError as error:
        _log.warning("the rules do without the model: %s", error)
        return ""
    return reply


def condense_stage(draft: Draft, transcript: Transcript, context: TurnContext) -> Stage:
    """Make a follow-up stand alone: by rules where it lacks a name only or the model's reply cannot be right."""
    if draft.decision is not Decision.RETRIEVE or not leans(draft, transcript):
        return
    begun, questions = time.perf_counter(), questions_before(transcript)
    if not draft.generated_question:
        reply = ""
        if context.rewrites(_rules_can(draft.question, questions)):
            reply = yield from short_reply(draft, transcript, transcript.condense(draft.question), context)
        draft.generated_question = stand_alone(reply, draft.question, questions, transcript.told())
    draft.generated_question = _best_found(draft, questions, context)
    rewritten = draft.generated_question != draft.question
    yield events.Condensed(draft.generated_question, rewritten, time.perf_counter() - begun)


def _rules_can(question: str, earlier: Sequence[str]) -> bool:
    """Whether the rules know what a follow-up lacks, or what it may mean."""
    return by_rules(question, earlier) is not None or bool(alternatives(question, joined(question, earlier), earlier))


def _best_found(draft: Draft, earlier: Sequence[str], context: TurnContext) -> str:
    """The rewrite, or what else the question may mean, if the search knows a more probable passage for that.

    日志文件怎么命名？ may go on about what was talked of, or be about something new. Raises StoreError.
    """
    search = partial(context.retrieval.probable, collections=context.collections, scope=draft.scope)
    own = own_words(draft.question)
    if asks_the_same(own):
        return _asked_again(draft, earlier, own, context)
    if points_back(words.plainly(own)):
        draft.found_alone = None
    elif draft.found_alone is None:
        draft.found_alone = search(own)
    found = {} if draft.found_alone is None else {own: draft.found_alone}
    others = alternatives(draft.question, draft.generated_question, earlier)
    if not others:
        return draft.generated_question
    # The question before with the follow-up behind it is what the rules make of it where they know nothing better.
    is_joined = draft.generated_question == joined(draft.question, earlier)
    phrasings = (*others, draft.generated_question) if is_joined else (draft.generated_question, *others)
    found = {phrasing: found[phrasing] if phrasing in found else search(phrasing) for phrasing in phrasings}
    return most_probable(found, found.get(own, {}), context.retrieval.threshold)


def _asked_again(draft: Draft, earlier: Sequence[str], own: str, context: TurnContext) -> str:
    """The question before, asked of what "那病假呢？" names, unless the documents tell of the two joined alone.

    Joined they mostly find what answers the question before. Raises StoreError.
    """
    draft.found_alone = None
    search = partial(context.retrieval.probable, collections=context.collections, scope=draft.scope)
    of_document = context.retrieval.calls_document(own, context.collections, draft.scope)
    others = alternatives(draft.question, draft.generated_question, earlier, of_document)
    if not others:
        return draft.generated_question
    found = {other: search(other) for other in others}
    other = most_probable(found, search(own) if len(others) > 1 else {}, context.retrieval.threshold)
    told = max(found[other].values(), default=0.0)
    if told >= context.retrieval.threshold or told >= max(search(draft.generated_question).values(), default=0.0):
        return other
    return draft.generated_question


def recall_stage(draft: Draft, transcript: Transcript, context: TurnContext) -> Stage:
    """Bring back older turns that the question comes back to; what evidence in hand covers needs none."""
    if draft.decision is Decision.REUSE or not transcript.older:
        return
    begun = time.perf_counter()
    draft.recalled = context.recall(draft.whole_question, transcript)
    searches = draft.decision is Decision.RETRIEVE
    needed = FORM_TOKENS + min(LEAST_EVIDENCE, context.evidence_tokens) if searches else 0
    while draft.recalled and context.left(draft, transcript) < needed:
        draft.recalled = draft.recalled[1:]
    if draft.recalled:
        yield events.Recalled(draft.recalled, time.perf_counter() - begun)


def leans(draft: Draft, transcript: Transcript) -> bool:
    """Whether a turn's question may not be understood without the conversation, of which there is some."""
    return bool(transcript.recent()) and not draft.names_subject and leans_on_history(draft.question)
