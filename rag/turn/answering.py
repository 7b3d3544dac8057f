"""The last stage of a turn: the answer, streamed, on a prompt whose parts are accounted for."""

from collections.abc import Generator, Iterator, Sequence
from functools import partial

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from rag import events, i18n
from rag.citations import check, cited_numbers, sources_of
from rag.errors import ModelGaveNothing, ModelOnlyThought, PromptTooLong
from rag.language import talk, words
from rag.llm.constraint import by_markers, thinking
from rag.llm.stream import Done, Heartbeat, Part, PromptProgress, stream_parts
from rag.llm.think import NoThoughts, Text, Thought, ThoughtsEnd
from rag.turn.built_in_answers import built_in_answer, nearest, refusal, still_coming
from rag.turn.context import Stage, TurnContext
from rag.turn.draft import Draft
from rag.turn.output_filters import NearestInstead, StopTexts, WithoutDenial, WithoutPlace, before_stop, filtered
from rag.turn.pending_files import coming
from rag.turn.prompt_budget import budget, ever_shorter, limit, question_message, with_quotable
from rag.turn.repetition import first_round
from rag.turn.said_before import said_before, without_talk
from rag.turn.trimming import AnswerTrimmer
from rag.types import Decision, Evidence, Message, Provider, Support, TurnStatus, Usage, only_nearest


def answer_stage(draft: Draft, context: TurnContext) -> Stage:
    """Stream the model's answer; no model is asked where nothing relevant was found, or about the files themselves.

    Where the model finds the prompt too long, once more with half the new evidence and no older turns told again, then
    with ever less of the history.
    Raises ModelError, StoreError.
    """
    found = bool(draft.evidence) and not only_nearest(draft.evidence)
    if only_nearest(draft.evidence) and context.has_model and _was_told(draft, context):
        draft.evidence = ()  # the prompt says that the documents are silent; the talk is not
    elif draft.decision is Decision.RETRIEVE and not found and (missing := coming(draft, context)):
        yield from _say(draft, still_coming(missing, context.language))
        return
    if only_nearest(draft.evidence):
        yield from _say(draft, refusal(draft, context))
        return
    if own := built_in_answer(draft, context):
        yield from _say(draft, own)
        return
    told = draft.evidence
    for within in ever_shorter(draft, context):
        if draft.evidence != told:
            yield events.EvidenceShortened(draft.evidence)
        try:
            yield from _answer_with_room(draft, within)
            return
        except PromptTooLong as error:
            refused, told = error, draft.evidence
    raise refused


def _answer_with_room(draft: Draft, context: TurnContext) -> Iterator[events.TurnEvent]:
    """The answer; once more where a model's thoughts took all that it was given, and nobody knew that it has any."""
    habits, (provider, name, _) = context.profile.habits, context.answering
    had_room = habits.thinks_beside(name) or draft.options.max_tokens is not None
    try:
        yield from _answer(draft, context)
    except ModelOnlyThought:
        if provider is not Provider.OPENAI or had_room:
            raise
        habits.thought_beside(name)
        yield from _answer(draft, context)


def _was_told(draft: Draft, context: TurnContext) -> bool:
    """Whether the reader has told something of themselves that the question may be about."""
    told = talk.telling_of_speaker(turn.question for turn in context.transcript.recent())
    return talk.asks_of_speaker(words.plainly(draft.question), "\n".join(told))


def _say(draft: Draft, answer: str) -> Iterator[events.TurnEvent]:
    """Give an answer that no model was asked for."""
    draft.answer = before_stop(answer, draft.options.stop)
    yield events.Token(draft.answer)


def _answer(draft: Draft, context: TurnContext) -> Iterator[events.TurnEvent]:
    """The answer, its thoughts apart; what it cites of the evidence in hand is the turn's from then on."""
    draft.answer, draft.thinking, draft.first_token = "", "", None  # of an attempt before
    draft.budget = budget(draft, context)
    yield events.Budgeted(draft.budget, draft.left_out)
    known = (*context.transcript.in_hand(), *draft.evidence)
    prompt = [*context.transcript.prefix(), question_message(draft, context)]
    said = _said(draft, prompt, known, context)
    if context.has_model:
        said = filtered(said, NearestInstead(draft, partial(_nearest, known, draft, context)))
        said = filtered(said, WithoutDenial(draft, partial(_is_borne_out, known, draft)))
    stopping = StopTexts(draft.options.stop)
    for part in filtered(_sourced(said, known, draft, context), stopping):
        match part:
            case PromptProgress(processed, total):
                yield events.Reading(processed, total)
            case Heartbeat():
                yield events.Waiting()
            case Thought(text):
                draft.thinking += text
                yield events.Thinking(text)
            case NoThoughts():
                draft.thinking = ""
            case ThoughtsEnd():
                context.profile.habits.began_inside(context.answering.name)
                draft.thinking, draft.answer, draft.first_token = draft.thinking + draft.answer, "", None
                yield events.ThoughtsEnded()
            # After an answer that was ended for its repetitions, nothing more of it counts.
            case Text(text) if not draft.trouble:
                draft.first_token = draft.first_token or draft.elapsed
                draft.answer += text
                draft.evidence += _cited_besides(draft, known)
                yield events.Token(text)
                _end_repetition(draft)
            case Done():
                draft.evidence += _borne_out_besides(draft, known)
                _end(draft, part, context)
    if stopping.is_refused:  # a model counts what it read and wrote only at its end
        written = context.estimate(draft.thinking + draft.answer)
        draft.add_usage(Usage(draft.budget.limit - draft.budget.left, 0, written))


def _cited_besides(draft: Draft, known: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """What the answer so far cites of the evidence that is known, beside the turn's own."""
    others = _besides(draft, known)
    return tuple(others[number] for number in cited_numbers(draft.answer) if number in others) if others else ()


def _borne_out_besides(draft: Draft, known: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """What bears out a sentence of the answer that what it cites does not: a model may tell what it read before."""
    others = _besides(draft, known)
    if not (others and draft.evidence and cited_numbers(draft.answer)):
        return ()
    checked = check(draft.answer, known, (draft.question, draft.generated_question), draft.decision)
    added = {number for sentence in checked for number in sentence.added}
    return tuple(item for number, item in others.items() if number in added)


def _besides(draft: Draft, known: Sequence[Evidence]) -> dict[int, Evidence]:
    """The evidence that is known beside the turn's own, by its numbers."""
    own = {item.number for item in draft.evidence}
    return {item.number: item for item in known if item.number not in own}


def _end(draft: Draft, end: Done, context: TurnContext) -> None:
    draft.add_usage(end.usage)
    if draft.thinking:
        context.profile.habits.thought_beside(context.answering.name)
    if end.cut:
        draft.ending = TurnStatus.CUT
    elif draft.answer and not draft.thinking and not draft.cancel.is_set():
        context.profile.habits.answered_plainly(context.answering.name)


def _nearest(known: Sequence[Evidence], draft: Draft, context: TurnContext, answer: str) -> str:
    """What comes nearest to an answer; "" where the one given is borne out: 没有规定要求缴纳押金 may be just that."""
    return "" if _sources(answer, known, draft) else nearest(draft, context)


def _is_borne_out(known: Sequence[Evidence], draft: Draft, answer: str) -> bool:
    """Whether the evidence bears out what an answer says, or the passages it cites do."""
    last = check(answer, known, (draft.question, draft.generated_question), draft.decision)[-1:]
    return bool(_sources(answer, known, draft)) or any(one.support is Support.SUPPORTED for one in last)


def _sources(answer: str, known: Sequence[Evidence], draft: Draft) -> Sequence[int]:
    return sources_of(answer, known, (draft.question, draft.generated_question)) if draft.evidence else ()


def _sourced(
    parts: Iterator[Part], known: Sequence[Evidence], draft: Draft, context: TurnContext
) -> Generator[Part, None, None]:
    """The parts, with the markers that a model forgot behind an answer that it ended itself, where they are clear.

    A model goes on as it began: one answer without markers in its prompt, and the next ones have none.
    """
    for part in parts:
        is_whole = isinstance(part, Done) and not part.cut and not draft.cancel.is_set()
        if is_whole and context.has_model and (numbers := _sources(draft.answer, known, draft)):
            yield Text("".join(f"[{number}]" for number in numbers))
        yield part


def _said(
    draft: Draft, prompt: list[BaseMessage], known: Sequence[Evidence], context: TurnContext
) -> Generator[Part, None, None]:
    """The parts of the model's answer to a prompt, which may cite the evidence that is known.

    One that only tells another question's answer again is asked without what was said before. A model that only
    repeats the question is told so once, and knows no answer where it does so again. Raises ModelGaveNothing.
    """
    numbers = {item.number for item in known}

    def parts(messages: list[BaseMessage], least: int = 0) -> Generator[Part, None, None]:
        provider, name, model = context.answering
        markers = by_markers(provider, numbers, least)
        begins_inside = context.profile.habits.begins_inside(name)
        thoughts = {**thinking(provider, draft.options.thinking), **limit(draft, context, begins_inside)}
        arguments = {**context.arguments, **thoughts, **markers}
        told = stream_parts(model, messages, draft.cancel, inside=begins_inside, **arguments)
        return filtered(told, WithoutPlace(known)) if known else told

    if context.answering.provider is Provider.EXTRACTIVE:
        yield from parts([*prompt[:-1], with_quotable(prompt[-1], draft)])
        return
    before = said_before(draft, context)
    # What is doubted or to be put otherwise is said again.
    says_again = any(asked.match(words.plainly(draft.asked)) for asked in (talk.DOUBT, talk.REWORK))
    is_watched = draft.evidence and context.transcript.turns and not says_again
    repeated = yield from _trimmed(filtered(parts(prompt), before) if is_watched else parts(prompt), draft)
    if before.is_refused and not draft.cancel.is_set():
        prompt = without_talk(draft, context)
        repeated = yield from _trimmed(parts(prompt), draft)
    if repeated:
        told = HumanMessage(context.transcript.prompts.fill("only_repeated", question=draft.prompt_question))
        # Even so it may say the same once more: more than that has to stand before its marker.
        if (yield from _trimmed(parts([*prompt, AIMessage(repeated), told], len(repeated)), draft)):
            if draft.answer or not draft.evidence:
                draft.answer = ""
                raise ModelGaveNothing(model=context.answering.name)
            # It knows none: what comes nearest is told instead.
            yield from (Text(i18n.text(context.language, "extractive.unknown")), Done(Usage()))


def _trimmed(parts: Generator[Part, None, None], draft: Draft) -> Generator[Part, None, str]:
    """The parts without what the answer repeats of the question, and without words that only announce a marker.

    Returns what was said where that was all.
    """
    put = (draft.question, draft.whole_question, draft.prompt_question)
    trimmer = AnswerTrimmer(put, draft.answer, may_echo=not draft.evidence)
    yield from filtered(parts, trimmer)
    return "" if draft.cancel.is_set() else trimmer.only_repeated


def _end_repetition(draft: Draft) -> None:
    """Stop a model that says the same thing over and over, and keep what it said once."""
    if (once := first_round(draft.answer)) is not None:
        draft.answer, draft.trouble = once.rstrip("，,、；; "), Message("web.chat.repeats")
        draft.cancel.set()
