"""The second stage of a turn: a follow-up made to stand alone."""

import time
from collections.abc import Sequence
from functools import partial

from rag import events
from rag.condense import alternatives, by_rules, joined, most_probable, own_words, points_back, stand_alone
from rag.language import words
from rag.language.follow_up import asks_the_same
from rag.transcript import Transcript
from rag.turn.context import Stage, TurnContext
from rag.turn.draft import Draft
from rag.turn.pointing import leans, questions_before
from rag.turn.short_reply import short_reply
from rag.types import Decision


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
