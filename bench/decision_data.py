"""The dialogues of `decision/` as situations, each with what a search by words finds at that turn."""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.harness import read_if_there, read_jsonl
from rag.decision.base import Material, Situation
from rag.decision.signals import search_words
from rag.knowledge.bm25 import Corpus
from rag.knowledge.postings import build
from rag.knowledge.tokenizer import Tokenizer
from rag.types import Decision

Search = Callable[[str], dict[str, float]]
# As many as the app looks at when it decides.
_FOUND = 50


@dataclass(frozen=True, slots=True)
class Sample:
    """A turn after the first, with the decision it should get.

    `in_hand` are the ids of its evidence in hand, `right` those of the documents that its answer is taken from; of a
    turn that should search, only those that it had not in hand.
    """

    source: str
    dialogue: str
    turn: int
    situation: Situation
    gold: Decision
    search_seconds: float
    in_hand: tuple[str, ...] = ()
    right: frozenset[str] = frozenset()


def read_samples(data: Path) -> list[Sample]:
    """The scored turns of all dialogues that have something before them."""
    with searching(data) as (materials, search):
        dialogues = read_jsonl(data / "decision" / "decision.jsonl")
        in_hand = {str(name) for one in dialogues for turn in one["turns"] for name in turn["context_before"] or ()}
        if unknown := in_hand - materials.keys():
            print(f"{len(unknown)} of {len(in_hand)} documents in hand are no documents of {data}: they are left out")
        return [sample for dialogue in dialogues for sample in _samples(dialogue, materials, search)]


@contextmanager
def searching(data: Path) -> Iterator[tuple[dict[str, Material], Search]]:
    """The documents by id, and their search by words: scores by id, best first."""
    materials = _materials(data)
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as cache:
        yield materials, _Search(materials, Tokenizer(Path(cache)))


def without_search(situation: Situation) -> Situation:
    """The situation where nothing was searched for."""
    in_hand = tuple(replace(material, score=0.0) for material in situation.in_hand)
    return replace(situation, in_hand=in_hand, elsewhere=())


class _Search:
    """BM25 over titles and texts."""

    def __init__(self, materials: Mapping[str, Material], tokenizer: Tokenizer) -> None:
        self._names = list(materials)
        self._tokenizer = tokenizer
        tokens = [tokenizer.tokens("\n".join((*one.titles, one.text))) for one in materials.values()]
        self._corpus = Corpus([build(range(len(tokens)), tokens)])

    def __call__(self, text: str) -> dict[str, float]:
        """The scores of the best documents, best first."""
        found = self._corpus.search(self._tokenizer.tokens(text), _FOUND)
        return {self._names[number]: score for number, score in found.items()}


def _materials(data: Path) -> dict[str, Material]:
    """The documents by id. Cards are whole documents; university pages are in several passages."""
    cards = read_if_there(data / "decision" / "docs.jsonl")
    passages = read_if_there(data / "domainrag_ruc" / "passages.jsonl")
    return {str(row["id"]): _material(row) for row in (*cards, *passages)}


def _material(row: Mapping[str, Any]) -> Material:
    title = row.get("title") or ""
    return Material(str(row.get("url") or row["id"]), (title,), row["text"].removeprefix(title).strip())


def _samples(dialogue: Mapping[str, Any], materials: Mapping[str, Material], search: Search) -> Iterator[Sample]:
    earlier: list[tuple[str, str]] = [("", dialogue["opening"])] if dialogue.get("opening") else []
    for number, turn in enumerate(dialogue["turns"]):
        if number and turn["gold"]:
            in_hand = [name for name in map(str, turn["context_before"] or ()) if name in materials]
            begun = time.perf_counter()
            situation = _situation(turn["question"], earlier, in_hand, materials, search)
            seconds = time.perf_counter() - begun
            source = dialogue["source"].split("_")[0]
            gold, right = Decision(turn["gold"]), frozenset(map(str, turn.get("entities") or ())) & materials.keys()
            if gold is Decision.RETRIEVE:
                right = right - set(in_hand) or right
            yield Sample(source, dialogue["id"], number, situation, gold, seconds, tuple(in_hand), right)
        earlier.append((turn["question"], turn["answer"]))


def _situation(
    question: str,
    earlier: Sequence[tuple[str, str]],
    in_hand: Sequence[str],
    materials: Mapping[str, Material],
    search: Search,
) -> Situation:
    scores = search(search_words(question, [materials[name] for name in in_hand]))
    return Situation(
        question,
        tuple(earlier),
        tuple(replace(materials[name], score=scores.get(name, 0.0)) for name in in_hand),
        tuple(replace(materials[name], score=score) for name, score in scores.items() if name not in in_hand),
    )
