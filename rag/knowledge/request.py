"""What a search asks for: routes, how they are fused, and how much of them."""

from dataclasses import dataclass
from typing import Literal

from rag.settings import Settings

CHUNK_DENSE = "chunk_dense"
CHUNK_SPARSE = "chunk_sparse"


@dataclass(frozen=True, slots=True)
class SingleSearchRequest:
    """One route: the field searched, and the most hits taken from it."""

    anns_field: str
    limit: int = 50


@dataclass(frozen=True, slots=True)
class FusionSpec:
    """How routes become one list: `k` is of RRF, `weights` (one per route, in order) of weighted fusion."""

    method: Literal["weighted", "rrf"] = "weighted"
    k: int = 60
    weights: tuple[float, ...] = (0.7, 0.3)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search: every route gives at most `top_k` hits, their fusion `limit`. Raises ValueError."""

    requests: tuple[SingleSearchRequest, ...] = (SingleSearchRequest(CHUNK_DENSE), SingleSearchRequest(CHUNK_SPARSE))
    fuse: FusionSpec = FusionSpec()
    top_k: int = 50
    limit: int = 5

    def __post_init__(self) -> None:
        fields = [request.anns_field for request in self.requests]
        if unknown := set(fields) - {CHUNK_DENSE, CHUNK_SPARSE}:
            raise ValueError(f"unknown field: {', '.join(sorted(unknown))}")
        if len(set(fields)) != len(fields):
            raise ValueError("a field is searched once")
        if self.fuse.method == "weighted" and len(self.fuse.weights) != len(fields):
            raise ValueError(f"{len(self.fuse.weights)} weights for {len(fields)} routes")


def from_settings(settings: Settings) -> SearchRequest:
    """The search that the configuration describes."""
    return SearchRequest(
        requests=tuple(SingleSearchRequest(field, settings.top_k) for field in (CHUNK_DENSE, CHUNK_SPARSE)),
        fuse=FusionSpec(settings.fuse.method, settings.fuse.k, settings.fuse.weights),
        top_k=settings.top_k,
        limit=settings.limit,
    )
