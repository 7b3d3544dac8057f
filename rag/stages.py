"""The stages of a turn, each a generator of events that fills in the draft: decide, condense, retrieve, answer."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from rag import events
from rag.citations import CitationTracker
from rag.condense import leans_on_history, stand_alone
from rag.decision.base import Decider
from rag.decision.rules import CERTAIN, plain_case
from rag.decision.situation import situation_of
from rag.draft import Draft
from rag.errors import ModelGaveNothing
from rag.knowledge.base import KnowledgeBase
from rag.llm.stream import Done, PromptProgress, stream_parts
from rag.llm.think import Text, Thought
from rag.tokens import Estimator, fit_evidence
from rag.transcript import Transcript
from rag.types import Decision, Message

_CONDENSE_TOKENS = 80
Stage = Iterator[events.TurnEvent]


def decide_stage(
    draft: Draft, transcript: Transcript, decider: Decider, knowledge: KnowledgeBase, collections: Sequence[str]
) -> Stage:
    """Settle whether the turn searches, does with the evidence in hand, or needs none."""
    begun = time.perf_counter()
    verdict = plain_case(draft.question, bool(transcript.turns)) or decider.decide(
        situation_of(draft.question, transcript, knowledge, collections)
    )
    if verdict.decision is Decision.REUSE and verdict.certainty < CERTAIN:
        # To search for nothing costs seconds; to answer from the wrong passages costs the answer.
        verdict = replace(verdict, decision=Decision.RETRIEVE, reason=Message("decision.rather_search"))
    draft.decision = verdict.decision
    yield events.Decided(verdict.decision, verdict.reason, verdict.certainty, time.perf_counter() - begun)


def condense_stage(draft: Draft, transcript: Transcript, model: BaseChatModel | None) -> Stage:
    """Make a follow-up stand alone. Without a model, or with a reply that cannot be right, by joining questions."""
    if draft.decision is not Decision.RETRIEVE or not transcript.turns or not leans_on_history(draft.question):
        return
    begun = time.perf_counter()
    earlier = tuple(turn.question for turn in transcript.turns)
    reply = ""
    if model is not None:
        messages = [*transcript.prefix(), transcript.condense(draft.question)]
        try:
            for part in stream_parts(model, messages, draft.cancel, max_tokens=_CONDENSE_TOKENS, temperature=0.0):
                match part:
                    case PromptProgress(processed, total):
                        yield events.Reading(processed, total)
                    case Text(text):
                        reply += text
                    case Done(usage):
                        draft.add_usage(usage)
        except ModelGaveNothing:
            reply = ""  # only thoughts: the question is searched for without a rewrite
    draft.generated_question = stand_alone(reply, draft.question, earlier, transcript.told())
    rewritten = draft.generated_question != draft.question
    yield events.Condensed(draft.generated_question, rewritten, time.perf_counter() - begun)


def retrieve_stage(
    draft: Draft,
    transcript: Transcript,
    knowledge: KnowledgeBase,
    collections: Sequence[str],
    *,
    budget: int,
    estimate: Estimator,
) -> Stage:
    """Search for the question and its rewrite together; evidence that is new must fit into `budget` tokens.

    A turn that reuses evidence goes on with that of the newest turn that had any.
    """
    if draft.decision is Decision.NO_RETRIEVE:
        return
    begun = time.perf_counter()
    if draft.decision is Decision.REUSE:
        draft.evidence = transcript.latest()
        yield events.Retrieved(draft.evidence, time.perf_counter() - begun)
        return
    questions = tuple(dict.fromkeys((draft.generated_question or draft.question, draft.question)))
    found = transcript.number(knowledge.search_all(questions, collections))
    fitting = {item.number: item for item in fit_evidence(transcript.fresh(found), budget, estimate)}
    held = {item.number for item in transcript.in_hand().values()}
    draft.evidence = tuple(
        fitting.get(item.number, item) for item in found if item.number in held or item.number in fitting
    )
    yield events.Retrieved(draft.evidence, time.perf_counter() - begun)


def answer_stage(draft: Draft, transcript: Transcript, model: BaseChatModel) -> Stage:
    """Stream the model's answer, its thoughts apart, and tell each evidence when it is first cited."""
    ask = transcript.ask(draft.question, draft.decision, transcript.fresh(draft.evidence), found=bool(draft.evidence))
    messages: list[BaseMessage] = [*transcript.prefix(), ask]
    citations = CitationTracker(draft.evidence + tuple(transcript.in_hand().values()))
    for part in stream_parts(model, messages, draft.cancel):
        match part:
            case PromptProgress(processed, total):
                yield events.Reading(processed, total)
            case Thought(text):
                draft.thinking += text
                yield events.Thinking(text)
            case Text(text):
                draft.first_token = draft.first_token or draft.elapsed
                draft.answer += text
                yield events.Token(text)
                for evidence in citations.feed(text):
                    if evidence not in draft.evidence:
                        draft.evidence += (evidence,)
                    yield events.Citation(evidence)
            case Done(usage):
                draft.add_usage(usage)
