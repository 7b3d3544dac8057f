"""A reader's own files beside the guide that everybody shares: which is searched, and which speaks."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from rag.knowledge.base import STILL_FILLING
from rag.retrieval.query import Query
from rag.retrieval.relevant import Ranked, in_turns, own_first, speaking
from rag.types import SearchResult
from tests.knowledge import open_store
from tests.samples import hit, ids
from tests.scripted import FixedKnowledgeBase, FixedReranker, retrieval_over

Relevances = Sequence[float | None]


def found(collection: str, relevances: Relevances, first: int = 1) -> Ranked:
    hits = tuple(
        replace(hit(number, collection_id=collection), relevance=value)
        for number, value in enumerate(relevances, start=first)
    )
    return Ranked(Query(("问",), (collection,)), SearchResult(hits), hits, is_reranked=True)


def used(own: Relevances, guide: Relevances | None = None, threshold: float = 0.1) -> list[int]:
    groups = [found("mine", own)] + ([found("shared", guide, first=11)] if guide is not None else [])
    return ids(in_turns(speaking(groups, threshold)))


@pytest.mark.parametrize(
    ("own", "searched"),
    [
        ((), [("mine",), ("shared",)]),
        ((0.05,), [("mine",), ("shared",)]),
        ((0.4,), [("mine",), ("shared",)]),
        ((0.6, 0.05), [("mine",)]),
        # What nobody judges, a reader's own files answer alone.
        ((None,), [("mine",)]),
    ],
)
def test_the_guide_is_searched_where_a_readers_own_files_answer_little(
    own: Relevances, searched: list[tuple[str, ...]]
) -> None:
    seen: list[tuple[str, ...]] = []

    def search(query: Query) -> Ranked:
        seen.append(tuple(query.collections))
        return found(query.collections[0], own if seen[-1] == ("mine",) else (0.9,))

    groups = own_first(Query(("问",), ("mine", "shared")), search)
    assert seen == searched
    assert [tuple(group.query.collections) for group in groups] == searched


def test_of_one_collection_all_are_searched_together() -> None:
    (group,) = own_first(Query(("问",), ("mine",)), lambda query: found(query.collections[0], (0.05,)))
    assert group.query.collections == ("mine",)


def test_beside_own_files_the_guide_answers_what_it_is_likely_to() -> None:
    assert used((0.05,), (0.6,)) == [11]
    assert used((0.05,), (0.4,)) == []
    assert used((0.3,), (0.4,)) == [1]
    assert used((0.3, 0.02), (0.7, 0.1)) == [11, 1, 12, 2]
    # Alone it answers as any document, as it does beside files in which nothing is found.
    assert used((0.4,)) == [1]
    assert used((), (0.4,)) == [11]


def test_the_best_hit_speaks_for_those_behind_it() -> None:
    assert used((0.6, 0.05)) == [1, 2]
    assert used((0.6, None)) == [1, 2]
    assert used((None,)) == [1]
    assert used((0.05,)) == []
    assert used(()) == []
    assert used((0.6, 0.0)) == [1]


def test_what_was_not_judged_beside_others_does_not_switch_off_the_refusal() -> None:
    assert used((0.05, None)) == []
    assert used((0.05, None), threshold=0.0) == [1, 2]


def test_where_nothing_is_relevant_the_readers_own_come_nearest_and_both_are_told_of() -> None:
    own, guide = hit(1, "年假为十天。"), hit(2, "年假在手册里。", collection_id="shared")
    retrieval = retrieval_over(FixedKnowledgeBase(guide, own), reranker=FixedReranker({1: 0.02, 2: 0.04}))
    result = retrieval.find(["宠物"], ["mine", "shared"])
    assert (ids(result.hits), ids(result.nearest)) == ([], [1, 2])
    assert [candidate.chunk_id for candidate in result.trace.candidates] == [1, 2]


def test_that_a_readers_own_files_have_few_vectors_yet_is_told_beside_what_the_guide_answers(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.put("shared", "guide.txt", "The guide tells how many days of annual leave there are.")
    store.put("mine", "手册.txt", "年假为十天。", embed=False)
    found = retrieval_over(store.knowledge).find(["How many days of annual leave?"], ["mine", "shared"])
    assert [hit.chunk.collection_id for hit in found.hits] == ["shared"]
    assert STILL_FILLING in found.trace.notes
