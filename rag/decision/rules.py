"""The decider without a model call: a few plain cases, otherwise a logistic model over the signals."""

import math
import tomllib
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from rag.decision.base import Situation, Verdict
from rag.decision.signals import Signals, measure, speaks_of_something_else
from rag.language import lead, talk, words
from rag.language.follow_up import asks_the_same
from rag.language.meta_questions import ABOUT_THE_ASSISTANT, about_abilities
from rag.language.place import named_place
from rag.language.words import PlainQuestion
from rag.types import Decision, Message

# Below this certainty a model's opinion is worth its call: one turn in sixteen. Above it the rules are right on 97 of a
# hundred turns, and on 92 where they are hardly more certain (`python -m bench decision`).
CERTAIN = 0.8
# One search too many costs seconds; an answer from the wrong passages is wrong: one in ten of these changes the topic.
_PERHAPS = 0.5
WEIGHTS = Path(__file__).parent / "weights.toml"
# The reason of a question about what can be done here, which the program answers itself.
ABILITIES = "decision.abilities"
Weight = Mapping[Decision, float]


@dataclass(frozen=True, slots=True)
class Weights:
    """Each decision's bias, and what a signal of 1 adds to it."""

    bias: Weight
    signals: Mapping[str, Weight]


class RulesDecider:
    """Takes the decision with the highest probability, which is the verdict's certainty."""

    def __init__(self, weights: Weights | None = None) -> None:
        """Defaults to the fitted weights of `weights.toml`."""
        self._weights = weights or shipped_weights()

    def decide(self, situation: Situation) -> Verdict:
        """The verdict. REUSE only where there is evidence in hand."""
        plain = plain_case(
            situation.question,
            bool(situation.earlier),
            bool(situation.in_hand),
            [asked for asked, _ in situation.earlier],
        )
        if plain is not None:
            return plain
        signals = measure(situation)
        scores = self._scores(signals)
        if not situation.in_hand:
            del scores[Decision.REUSE]
        best = max(scores, key=lambda decision: scores[decision])
        if best is Decision.REUSE and speaks_of_something_else(situation):
            return Verdict(Decision.RETRIEVE, Message("decision.not_covered"), _PERHAPS)
        certainty = 1 / sum(math.exp(score - scores[best]) for score in scores.values())
        # 那管理费用呢？ names a part of what was talked of.
        names_subject = signals.names_elsewhere > 0 and not (signals.points_back or asks_the_same(situation.question))
        return Verdict(best, self._reason(signals, best, scores.keys() - {best}), certainty, names_subject)

    def _scores(self, signals: Signals) -> dict[Decision, float]:
        values = asdict(signals)
        return {
            decision: bias + sum(weight[decision] * values[name] for name, weight in self._weights.signals.items())
            for decision, bias in self._weights.bias.items()
        }

    def _reason(self, signals: Signals, best: Decision, others: Set[Decision]) -> Message:
        """The signal that favours the best decision most over each of the others."""
        values = asdict(signals)
        leads = {
            name: min((weight[best] - weight[other]) * values[name] for other in others)
            for name, weight in self._weights.signals.items()
        }
        strongest = max(leads, key=lambda name: leads[name])
        if leads[strongest] <= 0:
            return Message("decision.signal.none")
        # That a question is asked speaks for documents, whichever: it reads as a reason for these only in other words.
        ending = "_in_hand" if strongest == "asks" and best is Decision.REUSE else ""
        return Message(f"decision.signal.{strongest}" + ("_against" if values[strongest] < 0 else ending))


def plain_case(
    question: str, has_history: bool, in_hand: bool, told: Sequence[str] = (), refused: bool = False
) -> Verdict | None:
    """The verdict where nothing needs weighing: small talk, a request about the talk itself, a first question.

    `told` is what its speaker said before; `refused`: the last question found no answer, of which nothing is in hand.
    """
    question = words.plainly(question)
    if beside := _beside_documents(question, alone=not has_history):
        return beside
    if not has_history:
        return Verdict(Decision.RETRIEVE, Message("decision.first_question"), 1.0)
    doubts_refusal = refused and talk.DOUBT.match(question)
    if lead.SEARCH_AGAIN.match(question) or lead.CORRECTS.match(question) or doubts_refusal:
        return Verdict(Decision.RETRIEVE, Message("decision.search_again"), 0.95)
    was_told_who = talk.asks_who_speaks(question) and talk.telling_of_speaker(told)
    of_the_talk = any(said.match(question) for said in (talk.GO_ON, talk.RETELL, lead.RECALLS))
    if was_told_who or of_the_talk or talk.asks_about_the_talk(question):
        return Verdict(Decision.NO_RETRIEVE, Message("decision.about_the_talk"), 0.95)
    if named_place(question, alone=False):
        return Verdict(Decision.RETRIEVE, Message("decision.names_place"), 0.95)
    if in_hand and talk.REWORK.match(question):
        return Verdict(Decision.REUSE, Message("decision.about_the_answer"), 0.9)
    return None


def _beside_documents(question: PlainQuestion, alone: bool) -> Verdict | None:
    """The verdict on a message that no document has to do with, whatever was said before."""
    cases = (
        (about_abilities(question, alone), ABILITIES, 0.95),
        (ABOUT_THE_ASSISTANT.match(question), "decision.about_me", 0.95),
        (not question or talk.SMALL_TALK.match(question), "decision.small_talk", 0.98),
        (talk.tells_of_speaker(question), "decision.tells_of_speaker", 0.9),
        (talk.MAKE_SOMETHING_UP.match(question), "decision.make_something_up", 0.9),
        (lead.WILL_ASK.match(question), "decision.will_ask", 0.95),
    )
    return next((Verdict(Decision.NO_RETRIEVE, Message(key), sure) for holds, key, sure in cases if holds), None)


@cache
def shipped_weights() -> Weights:
    """The weights of `weights.toml`, which `python -m bench.fit_decision` writes."""
    with WEIGHTS.open("rb") as file:
        tables = tomllib.load(file)
    return Weights(
        bias=_by_decision(tables["bias"]),
        signals={name: _by_decision(weight) for name, weight in tables["signals"].items()},
    )


def _by_decision(values: Mapping[str, float]) -> dict[Decision, float]:
    return {decision: values[decision] for decision in Decision}
