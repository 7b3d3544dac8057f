"""The figures of deciding, by hand, and a fit on a handful of turns."""

import json
from pathlib import Path

import pytest

from bench.decision import Judged, accuracy, calibration_error, macro_f1, measure
from bench.decision_data import Sample, read_samples, without_search
from bench.fit_decision import fit
from bench.harness import NotMeasured, read_jsonl
from rag.decision.base import Material, Situation
from rag.decision.rules import RulesDecider
from rag.types import Decision

RETRIEVE, REUSE, NO_RETRIEVE = Decision.RETRIEVE, Decision.REUSE, Decision.NO_RETRIEVE
CARD = Material("故宫", ("故宫",), "门票：60元", 1.0)


def judged(gold: Decision, decision: Decision, certainty: float = 1.0) -> Judged:
    return Judged(Sample("source", "dialogue", 1, Situation("？"), gold, 0.0), decision, certainty)


def test_accuracy_and_macro_f1_count_what_the_turns_should_get() -> None:
    turns = [judged(REUSE, REUSE), judged(REUSE, REUSE), judged(REUSE, RETRIEVE), judged(RETRIEVE, RETRIEVE)]
    assert accuracy(turns) == 0.75
    assert macro_f1(turns) == pytest.approx((4 / 5 + 2 / 3) / 2)


def test_the_calibration_error_is_the_gap_between_certainty_and_accuracy() -> None:
    turns = [judged(REUSE, REUSE, 0.95), judged(REUSE, RETRIEVE, 0.95), judged(REUSE, REUSE, 0.55)]
    assert calibration_error(turns) == pytest.approx((abs(1.9 - 1) + abs(0.55 - 1)) / 3)


def test_a_fit_learns_from_the_turns_and_is_the_same_each_time() -> None:
    def sample(question: str, gold: Decision) -> Sample:
        return Sample("source", "dialogue", 1, Situation(question, (("故宫？", "好。"),), (CARD,)), gold, 0.0)

    samples = [sample("门票呢？", RETRIEVE), sample("门票我买过了呀", REUSE), sample("门票多少？", RETRIEVE)] * 40
    weights = fit(samples)
    assert weights == fit(samples)
    assert [RulesDecider(weights).decide(one.situation).decision for one in samples[:2]] == [RETRIEVE, REUSE]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    cards = [
        {"id": f"c{n}", "title": title, "text": f"{title}\n门票：{n}元"} for n, title in enumerate(("故宫", "天坛"))
    ]
    turns = [
        {"question": "故宫门票多少钱？", "answer": "0元。", "gold": "retrieve", "context_before": []},
        {"question": "门票贵吗？", "answer": "不贵。", "gold": "reuse", "context_before": ["c0"]},
        {"question": "我去过。", "answer": "哦。", "gold": None, "context_before": ["c0"]},
        {"question": "天坛门票呢？", "answer": "1元。", "gold": "retrieve", "context_before": ["c0", "gone"]},
    ]
    dialogues = [
        {"id": f"d{n}", "source": f"{source}_x", "opening": None, "turns": turns}
        for n, source in enumerate(("one", "two") * 8)
    ]
    (tmp_path / "decision").mkdir()
    for name, rows in (("docs", cards), ("decision", dialogues)):
        lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        (tmp_path / "decision" / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def test_scored_turns_after_the_first_are_read_with_what_a_search_finds(data: Path) -> None:
    reuse, retrieve = read_samples(data)[:2]
    assert (reuse.source, reuse.gold, len(reuse.situation.earlier)) == ("one", REUSE, 1)
    assert (retrieve.gold, len(retrieve.situation.earlier)) == (RETRIEVE, 3)
    assert [one.titles for one in retrieve.situation.in_hand] == [("故宫",)]
    assert [one.titles for one in retrieve.situation.elsewhere] == [("天坛",)]
    assert retrieve.situation.elsewhere[0].score > 0
    unsearched = without_search(retrieve.situation)
    assert (unsearched.elsewhere, unsearched.in_hand[0].score) == ((), 0.0)


def test_too_few_dialogues_to_fit_and_to_judge_are_told(data: Path) -> None:
    kept = (data / "decision" / "decision.jsonl").read_text(encoding="utf-8").splitlines()
    (data / "decision" / "decision.jsonl").write_text(kept[0], encoding="utf-8")
    with pytest.raises(NotMeasured, match="too few dialogues"):
        measure(data)


def test_documents_and_other_sources_that_are_not_there_are_told(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dialogues = [{**row, "source": "hotels", "opening": None} for row in read_jsonl(data / "decision/decision.jsonl")]
    del dialogues[0]["opening"]
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in dialogues)
    (data / "decision" / "decision.jsonl").write_text(lines, encoding="utf-8")
    (data / "decision" / "docs.jsonl").unlink()
    page = {"id": "c0", "title": None, "url": None, "text": "故宫\n门票：0元"}
    (data / "domainrag_ruc").mkdir()
    (data / "domainrag_ruc" / "passages.jsonl").write_text(json.dumps(page), encoding="utf-8")
    assert {"accuracy_rules", "accuracy_within_hotels"} <= measure(data).figures.keys()
    told = capsys.readouterr().out
    assert f"left out: {data / 'decision' / 'docs.jsonl'} is not there" in told
    assert "1 of 2 documents in hand are no documents" in told
    assert "leave_hotels is left out: there is no other source" in told


def test_the_figures_are_measured_on_any_folder_laid_out_like_this(data: Path) -> None:
    figures = measure(data).figures
    assert figures["turns"] == 32
    assert figures["accuracy_keywords"] == 0.5
    assert {"accuracy_rules", "macro_f1_rules", "accuracy_leave_one", "macro_f1_leave_two"} <= figures.keys()
    assert 0 < figures["ms_per_turn_rules"] < 1000
