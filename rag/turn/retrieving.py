"""The stages of a turn that find what its answer is made from: older turns that it comes back to, and evidence."""

import time
from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from rag import events
from rag.errors import NoDocumentUsed
from rag.evidence import highest, that_may_answer
from rag.knowledge.base import SHARED_COLLECTION, WORDS_ONLY
from rag.knowledge.request import CHUNK_DENSE
from rag.language import lead
from rag.language.parted import narrowed
from rag.language.words import plainly
from rag.llm.replier import Replier
from rag.memory import FORM_TOKENS
from rag.rerank.judge import InsertBlock
from rag.rewriting.condense import own_words
from rag.settings import LEAST_EVIDENCE
from rag.tokens import fit_evidence
from rag.turn.context import Stage, TurnContext
from rag.turn.draft import Draft
from rag.turn.pending_files import file_came, vectors_came
from rag.turn.references import documents_spoken_of, is_follow_up, place_of
from rag.turn.reformulating import NARROWED, REWORDED, TRANSLATED, reworded, translated
from rag.types import Decision, Evidence, Message, Provider, SearchResult, SearchTrace

# Of 45 everyday questions that are refused, .91 have a passage above this; of 226 foreign ones refused, .27.
_LEAST_OF_THRESHOLD = 1 / 3
# As many passages as are read of a search at most.
_MOST_REUSED = 5


def recall_stage(draft: Draft, context: TurnContext) -> Stage:
    """Bring back older turns that the question comes back to; what evidence in hand covers needs none."""
    if draft.decision is Decision.REUSE or not context.transcript.older:
        return
    begun = time.perf_counter()
    draft.recalled = context.profile.memory.recall(draft.whole_question, context.transcript)
    searches = draft.decision is Decision.RETRIEVE
    needed = FORM_TOKENS + min(LEAST_EVIDENCE, context.evidence_tokens) if searches else 0
    while draft.recalled and context.left(draft) < needed:
        draft.recalled = draft.recalled[1:]
    if draft.recalled:
        yield events.Recalled(draft.recalled, time.perf_counter() - begun)


def retrieve_stage(draft: Draft, context: TurnContext) -> Stage:
    """Search for the question and its rewrite together, or take what covers the question of the evidence in hand.

    Raises NoDocumentUsed.
    """
    if draft.decision is Decision.NO_RETRIEVE:
        return
    if draft.scope.document_ids == frozenset():
        raise NoDocumentUsed
    begun = time.perf_counter()
    if draft.decision is Decision.REUSE:
        draft.evidence = _in_hand(draft, context)
        yield events.Retrieved(draft.evidence, time.perf_counter() - begun)
        return
    draft.place = place_of(draft, context)
    result, begun, is_found = yield from _search(draft, context)
    draft.compared, draft.asked_of_each = result.compared, result.asked
    found = context.transcript.number(result.hits or result.nearest, draft.phrasings[0])
    if found and not is_found:
        draft.evidence = tuple(replace(item, relevant=False) for item in found)
        draft.nearly_relevant = _nearly_relevant(result, context)
        yield events.Retrieved(draft.evidence, time.perf_counter() - begun, result.trace)
        return
    taken = {**_take(draft, context, found), **context.transcript.held()}
    if result.prompt != "question":
        draft.place_read = result.prompt
    yield events.Retrieved(draft.evidence, time.perf_counter() - begun, _placed(result.trace, taken))


def _in_hand(draft: Draft, context: TurnContext) -> tuple[Evidence, ...]:
    """The evidence in hand that covers a question or probably answers it, the most probable first."""
    covering = context.transcript.covering(draft.asked)
    if not draft.found_alone:
        return covering
    answering = that_may_answer(draft.asked, context.transcript.in_hand())
    likely = [item for item in answering if highest(draft.found_alone, item.chunks) >= context.retrieval.threshold]
    of_number = {item.number: item for item in (*covering, *likely)}
    best = sorted(of_number.values(), key=lambda item: -highest(draft.found_alone, item.chunks))
    return tuple(best[: max(_MOST_REUSED, len(covering))])


def _search(draft: Draft, context: TurnContext) -> Generator[events.TurnEvent, None, tuple[SearchResult, float, bool]]:
    """What is found, when that search began, and whether it may answer the question.

    Where the question's own words find nothing, a pending file or missing vectors are waited for; then it is searched
    for translated, narrowed to the clauses that passages speak of, or reworded. A translation by a small model is
    judged leniently: of 31 questions to two PDFs, put in English, .32 would be refused by the threshold, and .10 are;
    of 22 foreign ones 1.0 and .68. A reader who insists on a search has read what came nearest; the model sees it.
    """
    questions, find = draft.phrasings, partial(_find, draft, context, documents_spoken_of(draft.path, context))
    begun, result = time.perf_counter(), find(questions)
    while not _has_answer(result) and (yield from file_came(draft, context)):
        begun, result = time.perf_counter(), find(questions)
    if not result.hits and _is_by_meaning(result) and (yield from vectors_came(draft, context)):
        begun, result = time.perf_counter(), find(questions)
    insists = draft.overruled is Decision.RETRIEVE
    if put := (yield from translated(questions[0], result, draft, context)):
        begun, result = time.perf_counter(), find((put, *questions))
        is_found = insists or bool(result.hits or _nearly_relevant(result, context))
        return result.noted(Message(TRANSLATED, {"question": put})), begun, is_found
    if insists or is_follow_up(draft, context):
        return result, begun, insists or _is_told_of(draft, context)
    if result.hits:
        return result, begun, True
    narrow = narrowed(questions[0], (hit.chunk.passage.text for hit in result.nearest))
    if narrow and (found_again := find((narrow, *questions))).hits:
        return found_again.noted(Message(NARROWED, {"question": narrow})), begun, True
    if _nearly_relevant(result, context) and (put := (yield from reworded(draft, context))):
        searched, found_again = time.perf_counter(), find((put,))
        if found_again.hits:
            return found_again.noted(Message(REWORDED, {"question": put})), searched, True
    return result, begun, False


def _has_answer(result: SearchResult) -> bool:
    """Whether what is found may answer: not the shared guide alone, where no reranker judged it."""
    return any(hit.relevance is not None or hit.chunk.collection_id != SHARED_COLLECTION for hit in result.hits)


def _is_by_meaning(result: SearchResult) -> bool:
    """Whether the search was by vectors, too."""
    has_failed = any(note.key == WORDS_ONLY for note in result.trace.notes)
    return not has_failed and any(route.field == CHUNK_DENSE for route in result.trace.routes)


def _find(draft: Draft, context: TurnContext, spoken_of: Collection[str], questions: Sequence[str]) -> SearchResult:
    return context.retrieval.find(
        questions,
        context.collections,
        scope=draft.scope,
        limit=draft.options.rerank_top_n,
        provider=context.answering.provider,
        held=context.transcript.held(),
        room=context.room(draft),
        insert_block=_insert_block(draft, context),
        place=draft.place,
        spoken_of=spoken_of,
        alone=draft.found_alone if len(draft.phrasings) > 1 else None,
    )


def _nearly_relevant(result: SearchResult, context: TurnContext) -> frozenset[int]:
    """Of what came nearest where nothing was relevant, the chunks that are not far from relevant."""
    least = _LEAST_OF_THRESHOLD * context.retrieval.threshold
    return frozenset(hit.chunk.chunk_id for hit in result.nearest if (hit.relevance or 0.0) >= least)


def _is_told_of(draft: Draft, context: TurnContext) -> bool:
    """Whether a passage may answer the own words of a follow-up.

    With the name before it any follow-up finds that name's passages; so it is judged without, and leniently: of 107
    short questions to a passage none was refused, and of those whose passage was not there .71. Words that only point
    to the talk cannot be judged. One that is searched by its own words is judged as a first question, unless it sums
    up: of everyday questions that no document answers .53 are so refused after another, and .36 leniently.
    """
    if not draft.found_alone or draft.place:
        return True
    alone = draft.generated_question == own_words(draft.asked) and not lead.SUMS_UP.match(plainly(draft.asked))
    return highest(draft.found_alone) >= context.retrieval.threshold * (1.0 if alone else _LEAST_OF_THRESHOLD)


def _take(draft: Draft, context: TurnContext, found: Sequence[Evidence]) -> dict[int, Evidence]:
    """Make evidence of what was found, as far as there is room; by each chunk found, the evidence that it is in."""
    in_hand, fresh = context.transcript.in_hand(), context.transcript.fresh(found)
    fitting = {item.number: item for item in fit_evidence(fresh, context.room(draft), context.estimate)}
    draft.left_out = tuple(item for item in fresh if item.number not in fitting)
    taken = (fitting.get(item.number, item) for item in found if item not in draft.left_out)
    # A passage that would be cut where it was cut before adds nothing.
    known = {
        item.chunk_id: next((replace(held, use=item.use) for held in in_hand if _is_part(item, held)), item)
        for item in taken
    }
    draft.evidence = tuple({item.number: item for item in known.values()}.values())
    return known


def _is_part(item: Evidence, held: Evidence) -> bool:
    """Whether all of a passage stands in one in hand, of the same document: two versions have the same words."""
    return item.document_id == held.document_id and item.text in held.text


def _placed(trace: SearchTrace, held: Mapping[int, Evidence]) -> SearchTrace:
    """The trace, which tells of each chunk that was in hand by which passage in hand it is."""
    own = {chunk: item.chunk_id for chunk, item in held.items()}
    candidates = (
        item if item.passage is None else replace(item, passage=own.get(item.passage, item.passage))
        for item in trace.candidates
    )
    return replace(trace, candidates=tuple(candidates))


def _insert_block(draft: Draft, context: TurnContext) -> InsertBlock | None:
    """The filter by which the model drops useless passages, where this turn wants it; it ends with the turn."""
    wanted = draft.options.use_insert_block or context.retrieval.has_insert_block
    if not wanted or context.judging.provider is Provider.EXTRACTIVE:
        return None
    judge = context.retrieval.judge(lambda: Replier.of(context.judging, context.profile.habits), draft.cancel)
    return InsertBlock(judge, context.transcript.prompts)
