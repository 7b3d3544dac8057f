"""Fusion of several routes' scores into one score between 0 and 1. Pure functions over score maps."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from rag.knowledge.request import SearchRequest
from rag.knowledge.search_index import Scores


@dataclass(frozen=True, slots=True)
class Route:
    """What one route found: scores by chunk, and the chunks that it could have found at all.

    A chunk whose vector is still to come is not covered by the dense route, and not judged by it.
    """

    scores: Mapping[int, float]
    covered: Container[int]
    weight: float = 1.0


def reciprocal_rank(routes: Sequence[Route], k: int) -> dict[int, float]:
    """Reciprocal rank fusion, Σ 1 / (k + rank), as a share of the most that the covering routes can give.

    Only scores above 0 get a rank. Source: Cormack, Clarke and Büttcher, SIGIR 2009.
    """
    found = [[chunk for chunk, score in ranked(route.scores) if score > 0] for route in routes]
    shares = [{chunk: (k + 1) / (k + rank) for rank, chunk in enumerate(chunks, start=1)} for chunks in found]
    return _combine(routes, shares)


def weighted(routes: Sequence[Route]) -> dict[int, float]:
    """The weighted mean of the scores, each route's brought to 0..1 by the least and greatest of its list."""
    return _combine(routes, [_normalised(route.scores) for route in routes])


def ranked(scores: Mapping[int, float]) -> list[tuple[int, float]]:
    """Chunks with their scores, the best first; of equal ones, that with the lowest id."""
    return sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))


def best_of(fused: Sequence[Mapping[int, float]]) -> dict[int, float]:
    """Each chunk's best score among several phrasings of a question."""
    return {chunk: max(scores.get(chunk, 0.0) for scores in fused) for scores in fused for chunk in scores}


def fuse(
    found: Mapping[str, Sequence[Scores]], covered: Mapping[str, set[int]], request: SearchRequest
) -> dict[int, float]:
    """The score of each chunk found: its best of all phrasings."""
    by_rank = request.fuse.method == "rrf"
    weights = [1.0] * len(found) if by_rank else request.fuse.weights
    fused = []
    for phrasing in zip(*found.values(), strict=True):
        each = zip(found, phrasing, weights, strict=True)
        routes = [Route(scores, covered[field], weight) for field, scores, weight in each]
        fused.append(reciprocal_rank(routes, request.fuse.k) if by_rank else weighted(routes))
    return best_of(fused)


def _normalised(scores: Mapping[int, float]) -> dict[int, float]:
    if not scores:
        return {}
    least, greatest = min(scores.values()), max(scores.values())
    if least == greatest:
        return dict.fromkeys(scores, 1.0)
    return {chunk: (score - least) / (greatest - least) for chunk, score in scores.items()}


def _combine(routes: Sequence[Route], shares: Sequence[Mapping[int, float]]) -> dict[int, float]:
    """The weighted mean of what each route gives a chunk, over the routes that cover it."""
    fused = {}
    for chunk in {chunk for share in shares for chunk in share}:
        total = sum(route.weight for route in routes if chunk in route.covered)
        score = sum(route.weight * share.get(chunk, 0.0) for route, share in zip(routes, shares, strict=True))
        fused[chunk] = score / total if total > 0 else 0.0
    return fused
