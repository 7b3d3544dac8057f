import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from rag.knowledge.bm25 import Corpus
from rag.knowledge.postings import Segment, build, merge, without
from rag.knowledge.request import CHUNK_SPARSE
from rag.knowledge.search_index import Scores
from rag.knowledge.tokenizer import Tokenizer
from tests.knowledge import Store, search

words = st.sampled_from("甲乙丙丁戊己庚辛壬癸")
corpora = st.lists(st.lists(words, min_size=1, max_size=12), min_size=1, max_size=12)


def segments_of(corpus: list[list[str]], cuts: int) -> list[Segment]:
    """A corpus in up to `cuts` segments; chunk ids count from 0."""
    parts = np.array_split(np.arange(len(corpus)), cuts)
    return [build(part.tolist(), [corpus[i] for i in part]) for part in parts if len(part)]


@settings(max_examples=150, deadline=None)
@given(corpora, st.lists(words, max_size=6), st.integers(1, 4))
def test_scores_are_those_of_rank_bm25(corpus: list[list[str]], query: list[str], cuts: int) -> None:
    # With words that few chunks have, as texts do: else its mean idf may be below 0, and its order reversed.
    corpus = [[*chunk, f"词{place}"] for place, chunk in enumerate(corpus)] + [["其"], ["他"], ["的"]]
    library = BM25Okapi(corpus)
    assume(library.average_idf > 0)
    found = Corpus(segments_of(corpus, cuts)).search(query, len(corpus))
    ours = [found.get(place, 0.0) for place in range(len(corpus))]
    assert ours == pytest.approx(library.get_scores(query), abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(corpora, st.data())
def test_what_was_removed_or_merged_leaves_no_trace(corpus: list[list[str]], data: st.DataObject) -> None:
    gone = data.draw(st.sets(st.sampled_from(range(len(corpus))), max_size=len(corpus) - 1))
    changed = without(merge(segments_of(corpus, 3)), sorted(gone))
    kept = [i for i in range(len(corpus)) if i not in gone]
    fresh = build(kept, [corpus[i] for i in kept])
    for name in ("chunk_ids", "lengths", "terms", "offsets", "slots", "frequencies"):
        assert getattr(changed, name).tolist() == getattr(fresh, name).tolist()


@given(corpora)
def test_a_segment_survives_as_bytes(corpus: list[list[str]]) -> None:
    segment = build(range(len(corpus)), corpus)
    again = Segment.from_bytes(segment.to_bytes())
    assert Corpus([again]).search(["甲"], 20) == Corpus([segment]).search(["甲"], 20)


def test_a_score_is_what_the_formula_says() -> None:
    corpus = Corpus([build([1, 2, 3], [["甲", "乙"], ["乙", "丙"], ["丁", "戊"]])])
    # idf of a term in 1 of 3 chunks is ln(2.5 / 1.5); frequency 1 in a chunk of mean length scores it once.
    assert corpus.search(["甲"], 5) == {1: pytest.approx(math.log(2.5 / 1.5))}


def test_only_scores_above_zero_are_found_and_no_more_than_asked_for() -> None:
    corpus = Corpus([build(range(20), [["甲"] * (i % 3) + ["乙", f"词{i}"] for i in range(20)])])
    assert list(corpus.search(["词7", "词9"], 5)) == [9, 7]
    assert len(corpus.search(["甲"], 4)) == 4
    assert corpus.search(["没有"], 5) == {}
    assert Corpus([]).search(["甲"], 5) == {}


@pytest.mark.parametrize("cuts", [1, 3])
def test_the_best_are_those_of_all_scores(cuts: int) -> None:
    random = np.random.default_rng(7)
    # Words as frequent as in a language: the first stands in most chunks, most stand in few.
    corpus = [[f"词{word}" for word in np.minimum(random.zipf(1.3, 30), 900)] for _ in range(900)]
    ours = Corpus(segments_of(corpus, cuts))
    within = np.arange(0, 900, 3)
    for _ in range(60):
        query = [f"词{word}" for word in [*random.integers(1, 4, 3), *random.integers(5, 300, 4)]]
        every = ours.search(query, 900)
        scores = np.array([every.get(place, 0.0) for place in range(900)])
        for allowed, chosen in ((None, np.arange(900)), (ours.slots(within), within)):
            found = ours.search(query, 5, allowed)
            assert list(found.values()) == pytest.approx(np.sort(scores[chosen])[::-1][:5], abs=1e-9)
            assert [scores[chunk] for chunk in found] == pytest.approx(list(found.values()), abs=1e-9)
            assert set(found) <= set(chosen)


@settings(max_examples=100, deadline=None)
@given(corpora, st.lists(words, min_size=1, max_size=6))
def test_every_chunk_that_holds_a_word_is_found_however_small_the_corpus(
    corpus: list[list[str]], query: list[str]
) -> None:
    found = Corpus(segments_of(corpus, 2)).search(query, 20)
    assert set(found) == {i for i, chunk in enumerate(corpus) if not set(query).isdisjoint(chunk)}
    assert all(score > 0 for score in found.values())


def test_a_word_of_exactly_half_of_the_chunks_scores_nothing_and_still_finds() -> None:
    corpus = Corpus([build(range(4), [["甲", "乙"], ["甲", "丙"], ["丁", "戊"], ["己", "庚"]])])
    assert corpus.search(["甲"], 5) == {0: pytest.approx(0, abs=1e-9), 1: pytest.approx(0, abs=1e-9)}
    assert list(corpus.search(["甲", "丙"], 5)) == [1, 0]


def test_the_only_chunk_of_a_corpus_can_be_found() -> None:
    assert list(Corpus([build([7], [["甲", "乙"]])]).search(["甲"], 5)) == [7]


@pytest.mark.filterwarnings("error")
def test_chunks_without_terms_are_harmless() -> None:
    assert Corpus([build([1, 2], [[], []])]).search(["甲"], 5) == {}
    assert list(Corpus([build([1, 2], [["甲"], []])], b=1.0).search(["甲"], 5)) == [1]


def test_terms_that_tell_a_reader_something_are_words_and_pairs_of_what_stands_single(tmp_path: Path) -> None:
    telling = Tokenizer(tmp_path).telling("LLSync 的报文结构，年假")
    assert {"llsync", "报文", "结构", "年假"} <= set(telling)
    assert not {"的报", "文结"} & set(telling)


def test_what_words_gave_a_hit_is_told_of_those_that_were_searched_for(store: Store) -> None:
    store.put("me", "手册.pdf", "员工每年有十天年假。", "服务器每天备份。", "密码至少十二位。", "工资每月发放。")
    question = "密码至少几位？" * 600
    (hit,) = [hit for hit in search(store.knowledge, question, ["me"]).hits if "密码" in hit.chunk.passage.text]
    told = store.knowledge.explain(question, ["me"], [hit.chunk.chunk_id])[hit.chunk.chunk_id]
    assert told.total == pytest.approx(hit.routes[CHUNK_SPARSE])


def test_of_a_page_of_text_each_term_is_no_search_of_its_own(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put("me", "手册.pdf", "员工每年有十天年假。", "服务器每天备份。", "密码至少十二位。")
    question = "密码、" + "、".join(map(str, range(100, 400)))
    (hit,) = [hit for hit in search(store.knowledge, question, ["me"]).hits if "密码" in hit.chunk.passage.text]
    asked, words = list[int](), store.knowledge._index.words

    def counted(questions: Sequence[Sequence[str]], *others: Any) -> list[Scores]:
        asked.append(len(questions))
        return words(questions, *others)

    monkeypatch.setattr(store.knowledge._index, "words", counted)
    told = store.knowledge.explain(question, ["me"], [hit.chunk.chunk_id])[hit.chunk.chunk_id]
    assert asked[0] <= 51 and "密码" in told.terms
    assert told.total == pytest.approx(hit.routes[CHUNK_SPARSE])
