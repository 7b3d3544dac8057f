"""What a search asks for: routes, how they are fused, and how much of them."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter
from pydantic.dataclasses import dataclass

from rag.errors import ConfigError
from rag.settings import DenseFieldSettings, FuseSettings, Settings
from rag.types import Message

CHUNK_DENSE = "chunk_dense"
PARENT_CHUNK_DENSE = "parent_chunk_dense"
QUESTIONS_DENSE = "questions_dense"
CHUNK_SPARSE = "chunk_sparse"
ALL_FIELDS = (CHUNK_DENSE, PARENT_CHUNK_DENSE, QUESTIONS_DENSE, CHUNK_SPARSE)
# What each further field of vectors takes from the chunks' own share: what was measured is how much vectors and words
# weigh together, so that stays; and a chunk's own vector, which alone tells it from its siblings, weighs most of all.
_FURTHER = 0.15
# A slip in a name must not leave a search as it was, without a word.
_CONFIG = ConfigDict(extra="forbid")
_Count = Annotated[int, Field(strict=True, ge=1)]
_FieldName = Annotated[str, Field(pattern=f"^({'|'.join(ALL_FIELDS)})$")]
_Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True, config=_CONFIG)
class SingleSearchRequest:
    """One route: the field searched, and the most chunks taken from it. Raises ValueError."""

    anns_field: _FieldName
    limit: _Count = 50


@dataclass(frozen=True, slots=True, config=_CONFIG)
class FusionSpec:
    """How routes become one list: `k` is of RRF, `weights` (one per route, in order) of weighted fusion.

    None are what each route weighs by default. Raises ValueError.
    """

    method: Literal["weighted", "rrf"] = "weighted"
    k: _Count = 60
    weights: Annotated[Sequence[_Weight], AfterValidator(tuple)] = ()

    def __post_init__(self) -> None:
        if self.method == "weighted" and self.weights and not any(self.weights):
            raise ValueError(f"weights: one of {list(self.weights)} has to be above 0")


@dataclass(frozen=True, slots=True, config=_CONFIG)
class SearchRequest:
    """A search: every route gives at most `top_k` chunks, their fusion `limit`. Raises ValueError."""

    requests: Annotated[Sequence[SingleSearchRequest], Field(min_length=1), AfterValidator(tuple)] = (
        SingleSearchRequest(CHUNK_DENSE),
        SingleSearchRequest(CHUNK_SPARSE),
    )
    fuse: FusionSpec = FusionSpec()
    top_k: _Count = 50
    limit: _Count = 5

    def __post_init__(self) -> None:
        fields = [request.anns_field for request in self.requests]
        if len(set(fields)) != len(fields):
            raise ValueError(f"requests: a field is searched once, not {', '.join(fields)}")
        if not self.fuse.weights:
            object.__setattr__(self, "fuse", replace(self.fuse, weights=default_weights(fields)))
        if self.fuse.method == "weighted" and len(self.fuse.weights) != len(fields):
            raise ValueError(f"weights: {len(self.fuse.weights)}, not one for each of {', '.join(fields)}")


_SEARCH_REQUEST = TypeAdapter(SearchRequest)


def search_request(request: SearchRequest | Mapping[str, Any]) -> SearchRequest:
    """A request as it is, or that of a mapping of the same names. Raises ValueError."""
    return _SEARCH_REQUEST.validate_python(request)


def from_settings(settings: Settings) -> SearchRequest:
    """The search that the configuration describes. Raises ConfigError."""
    on = configured_fields(settings)
    own = [SingleSearchRequest(route.anns_field, route.limit) for route in settings.requests]
    routes = own or [SingleSearchRequest(field, settings.top_k) for field in on]
    _refuse([route.anns_field for route in routes], on)
    fuse = FusionSpec(settings.fuse.method, settings.fuse.k, _weights(settings, routes))
    return SearchRequest(routes, fuse, settings.top_k, settings.limit)


def _refuse(fields: Sequence[str], on: Collection[str]) -> None:
    """Raises ConfigError for a route that is named twice, or whose field is off."""
    off = [field for field in fields if field not in on]
    twice = [field for field, count in Counter(fields).items() if count > 1]
    for key, wrong in (("search.field_off", off), ("search.field_twice", twice)):
        if wrong:
            raise ConfigError(file="config.yaml", problems=Message(key, {"fields": "、".join(wrong)}))


def _weights(settings: Settings, routes: Sequence[SingleSearchRequest]) -> Sequence[float]:
    """One weight for each route; their defaults where neither routes nor weights were chosen. Raises ConfigError."""
    weights, fields = settings.fuse.weights, [route.anns_field for route in routes]
    if not settings.requests and weights == FuseSettings().weights:
        return default_weights(fields)
    if settings.fuse.method == "weighted" and len(weights) != len(fields):
        values = {"weights": len(weights), "routes": len(fields), "fields": "、".join(fields)}
        raise ConfigError(file="config.yaml", problems=Message("search.weights_for_routes", values))
    return weights


def default_weights(fields: Sequence[str]) -> tuple[float, ...]:
    """What routes weigh where nobody says it: words as always, all vectors together what the chunks' have alone."""
    dense, words = FuseSettings().weights
    further = sum(field in (PARENT_CHUNK_DENSE, QUESTIONS_DENSE) for field in fields)
    own = {CHUNK_DENSE: round(dense - _FURTHER * further, 2), CHUNK_SPARSE: words}
    return tuple(own.get(field, _FURTHER) for field in fields)


def with_own(present: SearchRequest, own: SearchRequest, named: Collection[str]) -> SearchRequest:
    """`present` with what is `named` of `own`, by the path of its preference; weights come with their routes."""
    routes = own if "requests" in named else present
    fuse, weights = present.fuse, routes.fuse.weights
    limits = {route.anns_field: route.limit for route in own.requests} if "request_limits" in named else {}
    if len(weights) != len(routes.requests):  # by ranks they do not matter, and may be anything
        weights = ()
    return SearchRequest(
        [replace(route, limit=limits.get(route.anns_field, route.limit)) for route in routes.requests],
        FusionSpec(
            own.fuse.method if "fuse.method" in named else fuse.method,
            own.fuse.k if "fuse.k" in named else fuse.k,
            weights,
        ),
        own.top_k if "top_k" in named else present.top_k,
        own.limit if "limit" in named else present.limit,
    )


def configured_fields(settings: Settings) -> tuple[str, ...]:
    """The fields that the configuration has."""
    return (*dense_settings(settings), CHUNK_SPARSE)


def dense_settings(settings: Settings) -> dict[str, DenseFieldSettings]:
    """The settings of the dense fields that are switched on: those that have any."""
    dense = settings.dense_fields
    every = {CHUNK_DENSE: dense.chunk, PARENT_CHUNK_DENSE: dense.parent_chunk, QUESTIONS_DENSE: dense.questions}
    return {field: own for field, own in every.items() if own is not None}
