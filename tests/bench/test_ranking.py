"""Metrics of rankings, by hand-computed numbers, and what is asked of a corpus."""

import json
from pathlib import Path

import pytest

from bench.corpora import FIRST, TRADITIONAL, read_corpus
from bench.ranking import means, metrics, p_value


def test_a_gold_passage_on_the_second_place_counts_half_and_not_at_one() -> None:
    found = metrics(["a", "gold", "b"], frozenset({"gold", "other"}))
    assert found["r1"] == 0.0
    assert found["r5"] == found["r10"] == 1.0
    assert found["mrr10"] == 0.5
    assert found["ndcg10"] == pytest.approx(0.6309, abs=1e-4)


def test_a_gold_passage_beyond_the_tenth_place_is_not_found() -> None:
    assert set(metrics([str(i) for i in range(10)] + ["gold"], frozenset({"gold"})).values()) == {0.0}


def test_the_interval_of_a_mean_holds_the_mean_and_shrinks_to_it_without_variance() -> None:
    mixed = means([{"r1": float(i % 2)} for i in range(100)])
    assert mixed["r1.low"] < mixed["r1"] == 0.5 < mixed["r1.high"]
    same = means([{"r1": 1.0}] * 5)
    assert same["r1.low"] == same["r1.high"] == 1.0


def test_a_system_that_is_better_on_most_questions_is_significantly_better_and_not_the_other_way() -> None:
    ours, theirs = [1.0] * 40 + [0.0] * 10, [1.0] * 20 + [0.0] * 30
    assert p_value(ours, theirs) < 0.01
    assert p_value(theirs, ours) > 0.99
    assert p_value(ours, ours) == 1.0
    # So many resamplings do not tell that there is no chance at all.
    assert 0 < p_value([1.0] * 50, [0.0] * 50) < 0.001


@pytest.mark.parametrize(
    ("limit", "asked"), [(4, "aaab"), (10, "aaaaaabbbb"), (99, "aaaaaabbbb"), (None, "aaaaaabbbb")]
)
def test_fewer_questions_are_spread_over_all_sources(tmp_path: Path, limit: int | None, asked: str) -> None:
    (tmp_path / "set").mkdir()
    rows = [{"id": str(i), "question": "?", "passage_id": "p", "kind": "a" if i < 6 else "b"} for i in range(10)]
    (tmp_path / "set" / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "set" / "passages.jsonl").write_text('{"id": "p", "text": "年假为十天。"}', encoding="utf-8")
    corpus = read_corpus(tmp_path, "set", limit)
    assert "".join(question.kind for question in corpus.questions) == asked
    assert len({question.question_id for question in corpus.questions}) == len(asked)


def test_the_set_in_both_scripts_is_asked_in_the_one_that_its_passages_are_not_in(tmp_path: Path) -> None:
    (tmp_path / "retrieval_drcd").mkdir()
    row = {"id": "q", "question": "注册资本", "question_trad": "註冊資本", "passage_id": "p"}
    (tmp_path / "retrieval_drcd" / "questions.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (tmp_path / "retrieval_drcd" / "passages.jsonl").write_text('{"id": "p", "text": "注册资本。"}', encoding="utf-8")
    asked = {name: read_corpus(tmp_path, name) for name in ("retrieval_drcd", TRADITIONAL)}
    assert [corpus.questions[0].text for corpus in asked.values()] == ["注册资本", "註冊資本"]
    assert asked[TRADITIONAL].texts == asked["retrieval_drcd"].texts
    assert asked[TRADITIONAL].name == TRADITIONAL


def test_a_question_has_its_golds_copies_and_its_answers_in_words(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    answers: list[object] = [["十天", " "], "10 天 "]
    row = {"id": "q", "question": "年假？", "answers": answers, "gold_passage_ids": ["p"], "near_dup_ids": ["copy"]}
    (tmp_path / "set" / "questions.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (tmp_path / "set" / "passages.jsonl").write_text('{"id": "p", "text": "年假为十天。"}', encoding="utf-8")
    (question,) = read_corpus(tmp_path, "set").questions
    assert question.gold == frozenset({"p", "copy"})
    assert question.answers == ("十天", "10 天")


def test_the_questions_that_the_target_was_set_by_are_the_first_of_their_set(tmp_path: Path) -> None:
    (tmp_path / "retrieval").mkdir()
    rows = [{"id": str(number), "question": "?", "passage_id": "p"} for number in range(10)]
    (tmp_path / "retrieval" / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "retrieval" / "passages.jsonl").write_text('{"id": "p", "text": "年假为十天。"}', encoding="utf-8")
    asked = {name: read_corpus(tmp_path, name, 3).questions for name in ("retrieval", FIRST)}
    assert [question.question_id for question in asked[FIRST]] == ["0", "1", "2"]
    assert [question.question_id for question in asked["retrieval"]] == ["0", "3", "6"]
