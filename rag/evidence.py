"""What a search found as evidence of a conversation, and what of it counts for later turns."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath

from rag.language.words import by_cover
from rag.quoting import knew_nothing
from rag.rerank.contents_list import asks_where, below_parts, lists_contents
from rag.types import Decision, Evidence, Hit, Turn, TurnStatus, only_nearest

# Every token of a passage's place is read by the model before it can begin to answer.
_PLACE_LENGTH = 24


def evidence_of(number: int, hit: Hit, question: str) -> Evidence:
    """A hit as evidence: numbered, and found for a question."""
    chunk = hit.chunk
    return Evidence(
        number=number,
        chunk_id=chunk.chunk_id,
        document_id=chunk.document_id,
        document_name=chunk.document_name,
        page=chunk.passage.page,
        page_label=chunk.passage.page_label,
        heading_path=chunk.passage.heading_path,
        text=chunk.passage.text_in_context,
        score=hit.score,
        last_page=chunk.passage.last_page,
        chunk_ids=(chunk.chunk_id, *hit.joined),
        use=hit.use,
        found_for=question,
        opening=hit.opening,
    )


def brief_name(evidence: Evidence) -> str:
    """What a prompt calls the document of a passage."""
    return _brief(PurePath(evidence.document_name).stem)


def brief_heading(evidence: Evidence) -> str:
    """The heading that a prompt puts a passage under; "" where it has none."""
    return _brief(evidence.heading_path[-1]) if evidence.heading_path else ""


def _brief(name: str) -> str:
    """A name without its middle, where it is long: the year or the edition that tells two apart stands at its end."""
    if len(name) <= _PLACE_LENGTH:
        return name
    half = _PLACE_LENGTH // 2
    return f"{name[:half]}…{name[1 - half :]}"


def that_may_answer(question: str, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The evidence without lists of contents: these have all words, and tell nothing but where it stands."""
    return tuple(item for item in evidence if asks_where(question) or not lists_contents(item.text))


def said_by(evidence: Evidence) -> str:
    """What a passage says itself, without what was put above it."""
    return below_parts(evidence.text)


def most_covering(question: str, groups: Iterable[Iterable[Evidence]]) -> tuple[Evidence, ...]:
    """The group that has most of a question's terms, of equal ones the first, less what may not answer it."""
    answering = [that_may_answer(question, group) for group in groups]
    ranked = by_cover(question, answering, lambda item: "\n".join((*item.heading_path, said_by(item))))
    return next((tuple(group) for group in ranked if group), ())


def highest(found: Mapping[int, float] | None, among: Iterable[int] | None = None) -> float:
    """How probable the most probable of the chunks found is, or of those `among` some; 0 where there is none."""
    known = found or {}
    return max((known.get(chunk, 0.0) for chunk in (known if among is None else among)), default=0.0)


def is_unanswered(turn: Turn) -> bool:
    """Whether the documents had no answer to a turn: no model was asked, or it found none in the passages."""
    refused = turn.budget is None and only_nearest(turn.sources)
    asked = bool(turn.sources) or turn.decision is Decision.RETRIEVE
    return refused or (asked and turn.status is not TurnStatus.STOPPED and knew_nothing(turn.answer))


def without_deleted(path: tuple[Turn, ...], left_of: Callable[[Collection[str]], Collection[str]]) -> tuple[Turn, ...]:
    """The turns, of whose evidence nothing counts that is from a document deleted since. Raises StoreError."""
    read = {item.document_id for turn in path for item in turn.sources}
    gone = read - set(left_of(read))
    return path if not gone else tuple(replace(turn, sources=_as_shown(turn, gone)) for turn in path)


def _as_shown(turn: Turn, gone: Collection[str]) -> tuple[Evidence, ...]:
    return tuple(replace(item, relevant=False) if item.document_id in gone else item for item in turn.sources)


def evidence_used(turn: Turn) -> tuple[Evidence, ...]:
    """The evidence that a turn was answered from, less what was only shown to the reader; none without an answer."""
    return () if is_unanswered(turn) else tuple(item for item in turn.sources if item.relevant)
