"""What the cards of a turn's evidence tell of it: how relevant it is, what it bears out, and where."""

import re
from collections.abc import Iterable, Mapping, Sequence

from loaders.sentences import sentence_spans
from rag.citations import MARKER, best_part, cited_by, verify
from rag.evidence import is_unanswered
from rag.pages import Pages
from rag.trace import judged
from rag.types import Candidate, CheckedSentence, Evidence, Turn, Verification
from rag.web.chat.render_sources import Source
from rag.web.render_leaf import Spot

# Of a sentence's Markdown, what is no word of it.
_FORM = re.compile(r"\*\*|`+|^\s*(?:#+|>|[-*])\s+", re.MULTILINE)


def of_live(
    evidence: Iterable[Evidence], candidates: Iterable[Candidate], earlier: Sequence[Turn], spots: Mapping[int, Spot]
) -> list[Source]:
    """The sources of an answer that is being written: what it cites is not known yet.

    `spots` are where their passages are looked up, by number; those whose document is no more have none.
    """
    found, sources = judged(candidates), []
    for item in evidence:
        relevance, found_for = _relevance(item, found, earlier)
        sources.append(Source(item, spots.get(item.number), relevance=relevance, found_for=found_for))
    return sources


def of_turn(turn: Turn, earlier: Sequence[Turn], spots: Mapping[int, Spot], pages: Pages) -> list[Source]:
    """The sources of a turn that has ended, in the order of their numbers; `spots` likewise."""
    verification, found = verify(turn), judged(turn.trace.candidates)
    cited = cited_by(turn)

    def plain(sentence: CheckedSentence) -> str:
        return _FORM.sub("", MARKER.sub("", turn.answer[sentence.start : sentence.end]))

    return [
        Source(
            item,
            spot := spots.get(item.number),
            item.number in cited if turn.answer else None,
            0 if is_unanswered(turn) else verification.borne_out_by(item.number),
            tuple((plain(sentence), sentence) for sentence in verification.doubted(item.number)),
            *_relevance(item, found, earlier),
            _leads(turn, verification, item, spot, pages),
        )
        for item in sorted(turn.sources, key=lambda item: item.number)
    ]


def opened(turn: Turn, sources: Iterable[Source]) -> int | None:
    """The number of the source that is opened by itself: the first that says what it is cited for, else the first that
    is cited, else the most relevant one.
    """
    best = sorted(sources, key=lambda source: source.relevance or 0.0, reverse=True)
    numbers = [source.evidence.number for source in best]
    verified = [number for sentence in verify(turn).sentences for number in sentence.verified]
    return next((number for number in (*verified, *cited_by(turn), *numbers) if number in numbers), None)


def first_sentence(turn: Turn, number: int | None) -> str:
    """The place of the first checked sentence that a number stands in; empty where it stands in none."""
    places = (place for place, item in enumerate(verify(turn).sentences) if number in (*item.numbers, *item.added))
    return str(next(places, ""))


def _relevance(item: Evidence, found: Mapping[int, float | None], earlier: Sequence[Turn]) -> tuple[float | None, str]:
    """How probably a passage answers, and the question that it was found for where the turn's own search did not."""
    if item.chunk_id not in found:
        for turn in earlier:
            if any(item.number == own.number for own in turn.sources):
                before = judged(turn.trace.candidates)
                return before.get(item.chunk_id), turn.question
    return found.get(item.chunk_id), ""


def _leads(
    turn: Turn, verification: Verification, item: Evidence, spot: Spot | None, pages: Pages
) -> dict[int, tuple[int, ...]]:
    """The page of a passage that says what a sentence cites it for, and what there bears the sentence out."""
    citing = {
        place: sentence
        for place, sentence in enumerate(verification.sentences)
        if item.number in (*sentence.numbers, *sentence.added)
    }
    if spot is None or spot.span is None or not citing:
        return {}
    start, end = spot.span
    text = item.text[start - end :]
    spans = list(sentence_spans(text, 0, len(text), len(text)))
    parts = [text[first:last] for first, last in spans]
    numbers = pages.numbers(turn.session_id, item.document_id, (start + first for first, _ in spans))
    leads: dict[int, tuple[int, ...]] = {}
    for place, sentence in citing.items():
        best = best_part(turn.answer[sentence.start : sentence.end], parts)
        if best is not None:
            key = [start + offset for offset in spans[best]] if sentence.bears_out(item.number) else ()
            leads[place] = (numbers[best], *key)
    return leads
