"""Deciding without a model: how often right on dialogues that the fit has not seen, and on a source it has not seen.

Only turns after a dialogue's first are scored. `rules` are five folds over whole dialogues; `leave_SOURCE` is fitted on
the other sources; `shipped` are the weights in the repository, an honest figure only on data they were not fitted on.
`hit5_…` is whether the right document is in hand at the turn; see `bench/decision_evidence.py`.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from bench.decision_data import Sample, read_samples, without_search
from bench.decision_evidence import evidence_in_hand
from bench.fit_decision import fit
from bench.harness import NotMeasured, Outcome, fold_of
from rag.decision.base import Verdict
from rag.decision.rules import CERTAIN, RulesDecider
from rag.types import Decision

_FOLDS = 5
_BINS = 10
# Reference 004's list: a question with one of these is a follow-up and reuses what is there.
_KEYWORDS = (
    "它 这个 那个 上述 前面 第一点 第二点 详细 举例 为什么 怎么 如何 能不能 还有 另外 其他 更多".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Judged:
    """A turn with what was decided for it, and how certain that was."""

    sample: Sample
    decision: Decision
    certainty: float

    @property
    def right(self) -> bool:
        """Whether it is the decision the turn should get."""
        return self.decision is self.sample.gold


def measure(data: Path) -> Outcome:
    """Accuracy and macro-F1 of keywords and rules, by folds and by source left out; certainty; milliseconds a turn."""
    samples = read_samples(data)
    rules = _by_folds(samples)
    if not rules:
        raise NotMeasured(f"{data / 'decision'} has too few dialogues to fit on some of them and judge the others")
    unsearched = _by_folds([replace(sample, situation=without_search(sample.situation)) for sample in samples])
    figures = {
        "turns": float(len(samples)),
        "accuracy_keywords": accuracy([_by_keywords(sample) for sample in samples]),
        **_scores("rules", rules),
        **_scores("rules_without_search", unsearched),
        **_scores("shipped", _judge(samples, RulesDecider())),
        **_certainty(rules),
        "ms_per_turn_rules": _milliseconds(samples),
    }
    figures |= evidence_in_hand(data, [(turn.sample, turn.decision) for turn in rules])
    for source in sorted({sample.source for sample in samples}):
        figures |= _scores(f"within_{source}", [turn for turn in rules if turn.sample.source == source])
        figures |= _scores(f"leave_{source}", _without_source(samples, source))
        if f"accuracy_leave_{source}" not in figures:
            print(f"leave_{source} is left out: there is no other source to fit on")
    return Outcome(figures, [_row(turn) for turn in rules if not turn.right])


def accuracy(judged: Sequence[Judged]) -> float:
    """The share of right decisions."""
    return sum(turn.right for turn in judged) / len(judged)


def macro_f1(judged: Sequence[Judged]) -> float:
    """The mean F1 of the decisions that the turns should get."""
    wanted = {turn.sample.gold for turn in judged}
    return sum(_f1(judged, decision) for decision in wanted) / len(wanted)


def calibration_error(judged: Sequence[Judged]) -> float:
    """Expected calibration error: how far certainty and accuracy lie apart, the mean over ten bins by their turns."""
    bins: dict[int, list[Judged]] = {}
    for turn in judged:
        bins.setdefault(min(_BINS - 1, int(turn.certainty * _BINS)), []).append(turn)
    gaps = [abs(sum(turn.certainty - turn.right for turn in turns)) for turns in bins.values()]
    return sum(gaps) / len(judged)


def _f1(judged: Sequence[Judged], decision: Decision) -> float:
    right = sum(turn.right for turn in judged if turn.decision is decision)
    said = sum(turn.decision is decision for turn in judged)
    wanted = sum(turn.sample.gold is decision for turn in judged)
    return 2 * right / (said + wanted)


def _scores(name: str, judged: Sequence[Judged]) -> dict[str, float]:
    return {f"accuracy_{name}": accuracy(judged), f"macro_f1_{name}": macro_f1(judged)} if judged else {}


def _certainty(judged: Sequence[Judged]) -> dict[str, float]:
    """How many turns `auto` would ask a model about, and how right the rules are on the others."""
    certain = [turn for turn in judged if turn.certainty >= CERTAIN]
    return {
        "share_uncertain": 1 - len(certain) / len(judged),
        "accuracy_certain": accuracy(certain) if certain else 0.0,
        "calibration_error": calibration_error(judged),
    }


def _judge(samples: Sequence[Sample], decider: RulesDecider) -> list[Judged]:
    def judged(sample: Sample, verdict: Verdict) -> Judged:
        return Judged(sample, verdict.decision, verdict.certainty)

    return [judged(sample, decider.decide(sample.situation)) for sample in samples]


def _split(samples: Sequence[Sample], held_out: Callable[[Sample], bool]) -> list[Judged]:
    """The held out turns, judged by a fit on the others; none where nothing is left to fit."""
    rest = [sample for sample in samples if not held_out(sample)]
    return _judge([sample for sample in samples if held_out(sample)], RulesDecider(fit(rest))) if rest else []


def _by_folds(samples: Sequence[Sample]) -> list[Judged]:
    return [turn for number in range(_FOLDS) for turn in _split(samples, partial(_in_fold, number))]


def _without_source(samples: Sequence[Sample], source: str) -> list[Judged]:
    return _split(samples, lambda sample: sample.source == source)


def _in_fold(number: int, sample: Sample) -> bool:
    return fold_of(sample.dialogue, _FOLDS) == number


def _by_keywords(sample: Sample) -> Judged:
    follows_up = any(keyword in sample.situation.question for keyword in _KEYWORDS)
    reuses = follows_up and sample.situation.in_hand
    return Judged(sample, Decision.REUSE if reuses else Decision.RETRIEVE, 1.0)


def _milliseconds(samples: Sequence[Sample]) -> float:
    """The mean time of a decision, its search by words included."""
    decider = RulesDecider()
    begun = time.perf_counter()
    for sample in samples:
        decider.decide(sample.situation)
    deciding = time.perf_counter() - begun
    return 1000 * (deciding + sum(sample.search_seconds for sample in samples)) / len(samples)


def _row(turn: Judged) -> dict[str, object]:
    """Where to find the turn; its text stays with the data."""
    return {
        "dialogue": turn.sample.dialogue,
        "turn": turn.sample.turn,
        "gold": turn.sample.gold,
        "decision": turn.decision,
        "certainty": round(turn.certainty, 3),
    }
