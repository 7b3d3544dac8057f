from typing import Literal

import pytest

from rag.knowledge.fusion import Route, best_of, reciprocal_rank, weighted
from rag.knowledge.request import (
    CHUNK_DENSE,
    CHUNK_SPARSE,
    QUESTIONS_DENSE,
    FusionSpec,
    SearchRequest,
    SingleSearchRequest,
)

EVERYTHING = range(100)


def test_reciprocal_ranks_are_added_and_compared_with_the_best_possible() -> None:
    routes = [Route({1: 0.9, 2: 0.8}, EVERYTHING), Route({2: 5.0, 3: 4.0}, EVERYTHING)]
    # The most is 1/61 + 1/61; chunk 2 has 1/62 + 1/61, chunk 1 has 1/61, chunk 3 has 1/62.
    assert reciprocal_rank(routes, k=60) == {
        1: pytest.approx((1 / 61) / (2 / 61)),
        2: pytest.approx((1 / 62 + 1 / 61) / (2 / 61)),
        3: pytest.approx((1 / 62) / (2 / 61)),
    }


def test_only_scores_above_zero_get_a_rank() -> None:
    assert reciprocal_rank([Route({1: 2.0, 2: 0.0, 3: -1.0}, EVERYTHING)], k=60) == {1: 1.0}


def test_weighted_fusion_weighs_normalised_scores() -> None:
    dense = Route({1: 0.9, 2: 0.85, 3: 0.8}, EVERYTHING, weight=0.7)
    sparse = Route({2: 12.0, 4: 4.0}, EVERYTHING, weight=0.3)
    assert weighted([dense, sparse]) == {
        1: pytest.approx(0.7),
        2: pytest.approx(0.7 * 0.5 + 0.3),
        3: pytest.approx(0.0),
        4: pytest.approx(0.0),
    }


def test_weights_need_not_add_up_to_one() -> None:
    assert weighted([Route({1: 1.0}, EVERYTHING, 7), Route({1: 3.0}, EVERYTHING, 3)]) == {1: 1.0}


def test_a_route_that_cannot_know_a_chunk_does_not_judge_it() -> None:
    dense = Route({1: 0.9, 2: 0.8}, covered={1, 2}, weight=0.7)
    sparse = Route({3: 9.0, 1: 6.0, 2: 3.0}, EVERYTHING, weight=0.3)
    assert weighted([dense, sparse]) == {
        1: pytest.approx(0.7 + 0.3 * 0.5),
        2: pytest.approx(0.0),
        3: pytest.approx(1.0),
    }
    assert reciprocal_rank([dense, sparse], k=1)[3] == pytest.approx(1.0)


def test_a_single_hit_is_the_best_of_its_route() -> None:
    assert weighted([Route({5: 0.3}, EVERYTHING)]) == {5: 1.0}


def test_a_route_of_no_weight_alone_gives_zero() -> None:
    assert weighted([Route({5: 0.3}, EVERYTHING, 0.0)]) == {5: 0.0}


def test_phrasings_are_joined_by_each_hits_best() -> None:
    assert best_of([{1: 0.5, 2: 0.4}, {2: 0.9, 3: 0.1}]) == {1: 0.5, 2: 0.9, 3: 0.1}
    assert best_of([]) == {}


@pytest.mark.parametrize("method", ["weighted", "rrf"])
@pytest.mark.parametrize(
    ("fields", "weights"),
    [
        ((CHUNK_DENSE, CHUNK_SPARSE), (0.7, 0.3)),
        ((CHUNK_SPARSE, CHUNK_DENSE), (0.3, 0.7)),
        ((CHUNK_SPARSE,), (0.3,)),
        ((CHUNK_DENSE, QUESTIONS_DENSE, CHUNK_SPARSE), (0.55, 0.15, 0.3)),
    ],
)
def test_routes_whose_weights_are_not_said_weigh_what_they_do_by_default(
    method: Literal["weighted", "rrf"], fields: tuple[str, ...], weights: tuple[float, ...]
) -> None:
    assert SearchRequest([*map(SingleSearchRequest, fields)], FusionSpec(method)).fuse.weights == weights
