"""The second stage of a turn: a follow-up made to stand alone."""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial

from rag import events
from rag.evidence import highest
from rag.language import words
from rag.language.asked_again import is_proper
from rag.language.follow_up import asks_the_same, names_matter
from rag.language.segmentation import person_at_beginning
from rag.rewriting.condense import By, Rewrite, alternatives, own_words, points_back, stand_alone, without_model
from rag.turn.context import Stage, TurnContext
from rag.turn.draft import Draft
from rag.turn.references import is_follow_up, questions_before
from rag.turn.short_reply import short_reply
from rag.types import Decision

# A passage of this share of the threshold is nearly relevant.
_NEARLY = 1 / 3
_FAR_BETTER_ODDS = 4


def condense_stage(draft: Draft, context: TurnContext) -> Stage:
    """Make a follow-up stand alone: what is searched goes by that, and what is quoted without a model."""
    if draft.decision is Decision.REUSE and not context.has_model:
        yield from _understand(draft, context)
    elif draft.decision is Decision.RETRIEVE and is_follow_up(draft, context):
        begun, questions = time.perf_counter(), questions_before(context.transcript)
        rewrite = draft.rewrite or (yield from _rewrite(draft, context, questions))
        draft.generated_question = _best_found(draft, rewrite, questions, context)
        yield events.Condensed(draft.generated_question, time.perf_counter() - begun)


def understand_stage(draft: Draft, context: TurnContext) -> Stage:
    """Settle what a follow-up meant that was answered from evidence in hand: its checks and later turns need that.

    It takes searches, so it comes after the answer, whose first word is not to wait; the model has understood the
    follow-up from the conversation.
    """
    if draft.decision is Decision.REUSE and context.has_model:
        yield from _understand(draft, context)


def _understand(draft: Draft, context: TurnContext) -> Stage:
    if is_follow_up(draft, context):
        begun = time.perf_counter()
        yield events.Condensed(understood(draft, context), time.perf_counter() - begun)


def understood(draft: Draft, context: TurnContext) -> str:
    """A follow-up on evidence in hand as it stands alone, by rules and searches. Raises StoreError."""
    if is_follow_up(draft, context) and not draft.generated_question:
        questions = questions_before(context.transcript)
        draft.generated_question = _best_found(draft, without_model(draft.asked, questions), questions, context)
    return draft.whole_question


def _rewrite(
    draft: Draft, context: TurnContext, questions: Sequence[str]
) -> Generator[events.TurnEvent, None, Rewrite]:
    """The rewrite: by rules where the follow-up only lacks a name, or where the model's reply cannot be right."""
    reply = ""
    # The rules know what the follow-up lacks, or what it may mean.
    rules_can = without_model(draft.asked, questions).by is By.RULES or bool(alternatives(draft.asked, questions))
    if context.rewrites(rules_can):
        reply = yield from short_reply(draft, context, context.transcript.condense(draft.asked))
    return stand_alone(reply, draft.asked, questions, context.transcript.told())


def _best_found(draft: Draft, rewrite: Rewrite, earlier: Sequence[str], context: TurnContext) -> str:
    """Of the rewrite and what else the question may mean, the one for which a search finds the most probable passage.

    日志文件怎么命名？ may be about what was talked of, or about something new. Raises StoreError.
    """
    search = partial(context.probable, draft)
    own, threshold = own_words(draft.asked), context.retrieval.threshold
    if asks_the_same(own):
        return _asked_again(draft, rewrite, earlier, own, context)
    draft.found_alone = _found_alone(draft, own, search)
    others = () if rewrite.by is By.MODEL else alternatives(draft.asked, earlier)
    if not others:
        is_put = rewrite.by is By.RULES and rewrite.text != own
        # 可以带吃的进去吗, behind a question on 外地人, is about anybody.
        only_alone = is_put and highest(draft.found_alone) >= threshold > highest(search(rewrite.text))
        return own if only_alone else rewrite.text
    known = {} if draft.found_alone is None else {own: draft.found_alone}
    # Of equally probable ones the first is taken: rules that can only join know nothing better.
    phrasings = (*others, rewrite.text) if rewrite.by is By.JOINED else (rewrite.text, *others)
    found = {phrasing: known[phrasing] if phrasing in known else search(phrasing) for phrasing in phrasings}
    if own in others and all(highest(one) < threshold for one in found.values()):
        # Nothing speaks for the subject; in documents of another language it would be translated with the question.
        return own
    alone = found.get(own, {})
    best = most_probable(found, alone, threshold)
    # A question that names a matter of its own has another subject before it only where that is far more probable.
    has_matter = own in others and names_matter(own) and not is_proper(best.removesuffix(own))
    if has_matter and best == rewrite.text != own:
        if clearly_more_probable(found[best], alone, threshold * _NEARLY):
            return best
        del found[best]
        return most_probable(found, alone, threshold)
    return best


def _found_alone(draft: Draft, own: str, search: Callable[[str], Mapping[int, float]]) -> Mapping[int, float] | None:
    """How probably each chunk answers a question's own words; None where these only point to the talk.

    A person that the documents tell of counts as found: 赵磊有哪些任务 is held for unlikely where a table has them.
    """
    if points_back(words.plainly(own)):
        return None
    found = search(own) if draft.found_alone is None else draft.found_alone
    person = person_at_beginning(own)
    named = search(person) if person else {}
    return {chunk: max(found.get(chunk, 0.0), named.get(chunk, 0.0)) for chunk in {**found, **named}}


def _asked_again(draft: Draft, rewrite: Rewrite, earlier: Sequence[str], own: str, context: TurnContext) -> str:
    """For "那病假呢？": the question before, asked of 病假, unless the documents only answer the two questions joined.

    Joined they mostly find what answers the question before. Raises StoreError.
    """
    draft.found_alone = None
    search = partial(context.probable, draft)
    of_document = context.retrieval.calls_document(own, context.collections, draft.scope)
    others = () if rewrite.by is By.MODEL else alternatives(draft.asked, earlier, of_document)
    if not others:
        return rewrite.text
    found = {other: search(other) for other in others}
    other = most_probable(found, search(own) if len(others) > 1 else {}, context.retrieval.threshold)
    told = highest(found[other])
    return other if told >= context.retrieval.threshold or told >= highest(search(rewrite.text)) else rewrite.text


def clearly_more_probable(found: Mapping[int, float], alone: Mapping[int, float], least: float) -> bool:
    """Whether what a question with another subject before it `found` is far more probable than what it finds `alone`.

    Only passages count that answer it alone, too: with 空调 before it 可以养宠物吗 finds what is told of 空调. Where it
    finds none by itself with `least` probability, it may say too little.
    """
    best = highest(alone)
    if best < least:
        return True
    joined = highest(found, (chunk for chunk, probability in alone.items() if 2 * probability >= best))
    return joined * (1 - best) >= _FAR_BETTER_ODDS * best * (1 - joined)


def most_probable(found: Mapping[str, Mapping[int, float]], alone: Mapping[int, float], threshold: float) -> str:
    """The phrasing for which a search `found` the most probable passage, by chunk; of equal ones the first.

    With a name before it a question finds the name's own passages, too. So where it finds any `alone`, only those count
    that it then holds for at least half as probable as its best.
    """
    best = highest(alone)
    fitting = {chunk for chunk, probability in alone.items() if 2 * probability >= best >= threshold}
    return max(found, key=lambda phrasing: highest(found[phrasing], fitting or None))
