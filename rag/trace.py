"""A turn's events folded into what the reader may see of how its answer came about. Derived, never a second log."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from loaders.health import ranges
from rag.events import Budgeted, Condensed, Decided, Recalled, Retrieved, Thinking, ThoughtsEnded, Token, TurnEvent
from rag.page_names import kind_of_page
from rag.retrieval.reading import IN_PLACE
from rag.types import Candidate, Evidence, Message, SearchTrace, Span, TurnTrace

# The steps of a turn in the order that they are taken; those of a route are called by its field.
DECIDE, CONDENSE, RECALL = "decide", "condense", "recall"
EMBED, FUSE, RERANK, ASSEMBLE = "embed", "fuse", "rerank", "assemble"
READ, THINK, WRITE = "read", "think", "write"
_MODEL = (READ, THINK, WRITE)
_NO_ROOM = {"page": "search.no_room", "sheet": "search.no_room_sheet", "slide": "search.no_room_slide"}


def fold(trace: TurnTrace, event: TurnEvent, now: float) -> TurnTrace:
    """The trace after one more event, which came `now` seconds after the question."""
    match event:
        case Decided():
            return _with(trace, Span(DECIDE, now - event.seconds, now))
        case Condensed():
            return _with(trace, Span(CONDENSE, now - event.seconds, now))
        case Recalled():
            return _with(trace, Span(RECALL, now - event.seconds, now))
        case Retrieved(trace=search) if search.seconds:
            return _searched(_with(trace, *_spans(search, now - event.seconds)), search)
        case Budgeted():
            return _with(_without_room(trace, event.left_out), Span(READ, now, now))
        case Thinking():
            return _went_on(trace, THINK, now)
        case ThoughtsEnded():
            return _renamed(trace, WRITE, THINK)
        case Token():
            return _went_on(trace, WRITE, now)
        case _:
            return trace


def judged(candidates: Iterable[Candidate]) -> Mapping[int, float | None]:
    """What a turn's search made of each chunk: how probably it answers the turn's question, None without a judge."""
    return {item.chunk_id: item.relevance for item in candidates}


def _with(trace: TurnTrace, *spans: Span) -> TurnTrace:
    return replace(trace, spans=(*trace.spans, *spans))


def _searched(trace: TurnTrace, search: SearchTrace) -> TurnTrace:
    found = {route.field: len(route.found) for route in search.routes}
    return replace(trace, found=found, candidates=search.candidates, notes=search.notes)


def _without_room(trace: TurnTrace, left_out: Iterable[Evidence]) -> TurnTrace:
    """The trace with what had no room of a place that was read. A search tells that of each of its candidates."""
    if IN_PLACE not in trace.notes:
        return trace
    of_each: dict[str, list[Evidence]] = defaultdict(list)
    for item in left_out:
        of_each[item.document_name].append(item)
    told = (
        Message(_NO_ROOM[kind_of_page(name)], {"name": name, "count": len(items), "pages": ranges(_pages(items))})
        for name, items in of_each.items()
    )
    # A prompt that was too long has less room the second time.
    return replace(trace, notes=(*(note for note in trace.notes if note.key not in _NO_ROOM.values()), *told))


def _pages(passages: Iterable[Evidence]) -> set[int]:
    return {page for item in passages for page in item.pages}


def _spans(search: SearchTrace, begin: float) -> Iterator[Span]:
    """The steps of a search, one after the other. What belongs to none, reading rows above all, counts as fusing."""
    seconds, begun = search.seconds, begin
    steps = [*_taken(seconds, EMBED), *((route.field, route.seconds) for route in search.routes)]
    for step, taken in steps:
        yield Span(step, begin, begin + taken)
        begin += taken
    end = max(begin, begun + seconds.get("search", 0.0))
    if search.routes:
        yield Span(FUSE, begin, end)
    for step, taken in (*_taken(seconds, RERANK), *_taken(seconds, ASSEMBLE)):
        yield Span(step, end, end + taken)
        end += taken


def _taken(seconds: Mapping[str, float], step: str) -> Iterator[tuple[str, float]]:
    """A step with its seconds, where it was taken."""
    if step in seconds:
        yield step, seconds[step]


def _renamed(trace: TurnTrace, step: str, name: str) -> TurnTrace:
    spans = (replace(span, step=name) if span.step == step else span for span in trace.spans)
    return replace(trace, spans=tuple(spans))


def _went_on(trace: TurnTrace, step: str, now: float) -> TurnTrace:
    """The model's step, which lasts until it gives a piece of the next one."""
    *before, last = trace.spans or (Span(step, now, now),)
    if last.step not in _MODEL:
        return _with(trace, Span(step, now, now))
    spans = (*before, replace(last, end=now))
    return replace(trace, spans=spans if last.step == step else (*spans, Span(step, now, now)))
