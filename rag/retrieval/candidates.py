"""What became of the best chunks of a search, for those who want to see how it came to its passages."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rag.knowledge.fusion import best_of, ranked
from rag.types import Candidate, Hit, Message, RouteTrace, SearchResult, SearchTrace, TermGains

# As many as a reader looks through; those that were used are told of wherever they stood.
_SHOWN = 10
# As many as fit in a line.
_TERMS = 4


def candidates_of(
    result: SearchResult,
    reranked: Sequence[Hit],
    relevant: Sequence[Hit],
    passages: Sequence[Hit],
    copies: Mapping[int, Hit],
) -> tuple[Candidate, ...]:
    """The best chunks of a search as it fused them, and those that the `passages` were made of.

    `reranked` are its hits in the reranker's order, none without a reranker. A chunk of the `copies` is held by the
    passage of the hit that it is a copy of.
    """
    ranks = {
        route.field: {chunk_id: rank for rank, (chunk_id, _) in enumerate(route.found, start=1)}
        for route in result.trace.routes
    }
    order = {hit.chunk.chunk_id: (place, hit) for place, hit in enumerate(reranked, start=1)}
    judged = {hit.chunk.chunk_id for hit in relevant}
    candidates = []
    for place, hit in enumerate(result.hits, start=1):
        passage = _passage(copies.get(hit.chunk.chunk_id, hit), passages)
        if passage is None and place > _SHOWN:
            continue
        chunk = hit.chunk
        after, last = order.get(chunk.chunk_id, (None, hit))
        candidates.append(
            Candidate(
                chunk_id=chunk.chunk_id,
                document_name=chunk.document_name,
                page=chunk.passage.page,
                page_label=chunk.passage.page_label,
                ranks={field: own[chunk.chunk_id] for field, own in ranks.items() if chunk.chunk_id in own},
                fused=place,
                reranked=after,
                relevance=last.relevance,
                relevant=chunk.chunk_id in judged,
                passage=passage,
            )
        )
    return tuple(candidates)


def together(traces: Sequence[SearchTrace]) -> SearchTrace:
    """How several searches for one question came to what they found, as if they were one of several phrasings."""
    scores: dict[str, list[Mapping[int, float]]] = defaultdict(list)
    by_route: dict[str, float] = defaultdict(float)
    by_stage: dict[str, float] = defaultdict(float)
    notes: list[Message] = []
    for trace in traces:
        for route in trace.routes:
            scores[route.field].append(dict(route.found))
            by_route[route.field] += route.seconds
        for stage, seconds in trace.seconds.items():
            by_stage[stage] += seconds
        notes += [note for note in trace.notes if note not in notes]
    routes = (RouteTrace(field, tuple(ranked(best_of(own))), by_route[field]) for field, own in scores.items())
    return SearchTrace(tuple(routes), tuple(notes), dict(by_stage))


def with_terms(candidates: Sequence[Candidate], told: Mapping[int, TermGains]) -> tuple[Candidate, ...]:
    """The candidates with the terms of the question that words found them by, where these are `told` of a chunk."""
    return tuple(_explained(item, told.get(item.chunk_id, TermGains())) for item in candidates)


def _explained(candidate: Candidate, gains: TermGains) -> Candidate:
    """With the terms that gave most, without those that are part of a longer one: 年 says nothing beside 年假."""
    terms = gains.terms
    whole = [term for term in terms if not any(term != other and term in other for other in terms)]
    foremost = {term: round(terms[term], 2) for term in sorted(whole, key=terms.__getitem__, reverse=True)[:_TERMS]}
    return replace(candidate, terms=foremost, other_terms=round(gains.total - sum(foremost.values()), 2))


def _passage(hit: Hit, passages: Sequence[Hit]) -> int | None:
    """The chunk under whose id a passage was made of a hit, alone or with its neighbours."""
    chunk_id = hit.chunk.chunk_id
    return next((one.chunk.chunk_id for one in passages if chunk_id in (one.chunk.chunk_id, *one.joined)), None)
