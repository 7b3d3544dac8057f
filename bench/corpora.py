"""The retrieval corpora of the data folder: passages, and questions with the passages that answer them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.harness import read_if_there, read_jsonl

RETRIEVAL = ("retrieval", "retrieval_drcd", "domainrag_ruc")
# DRCD's questions as they were written, over passages that the set has in Simplified characters.
TRADITIONAL = "retrieval_drcd_traditional"
_TRADITIONAL_QUESTION = "question_trad"
# The questions that a set begins with: those which the figure to reach was set by. They are of its first source alone.
FIRST = "retrieval_first"
_KEPT_IN = {TRADITIONAL: "retrieval_drcd", FIRST: "retrieval"}


@dataclass(frozen=True, slots=True)
class Text:
    """A passage of a corpus; to the systems measured it is a document of its own, named by its title."""

    text_id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the keys of what answers it, any of which does, and the answers in words."""

    question_id: str
    text: str
    gold: frozenset[str]
    answers: tuple[str, ...] = ()
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is searched, and what for."""

    name: str
    texts: tuple[Text, ...]
    questions: tuple[Question, ...]


def present(data: Path, names: Sequence[str]) -> list[str]:
    """Those of some sets that a folder has, in their order; each of the others is told."""
    there = []
    for name in names:
        passages = data / _KEPT_IN.get(name, name) / "passages.jsonl"
        if passages.exists():
            there.append(name)
        else:
            print(f"{name} is left out: {passages} is not there")
    return there


def required(data: Path, names: Sequence[str]) -> list[str]:
    """The same for what can't be measured on none of them. Raises FileNotFoundError."""
    there = present(data, names)
    if not there:
        raise FileNotFoundError(f"{data} has none of {', '.join(names)}")
    return there


def read_corpus(data: Path, name: str, limit: int | None = None) -> Corpus:
    """A corpus, with `limit` questions spread evenly over all, where they are more: sources stand one after another."""
    questions = read_questions(data, name)
    taken = min(limit or len(questions), len(questions))
    chosen = range(taken) if name == FIRST else [place * len(questions) // taken for place in range(taken)]
    texts, asked = read_texts(data, _KEPT_IN.get(name, name)), tuple(questions[place] for place in chosen)
    there = {text.text_id for text in texts}
    if lost := sum(there.isdisjoint(question.gold) for question in asked):
        print(f"{name}: of {lost} of {len(asked)} questions no passage that answers is there; nothing can find it")
    return Corpus(name, texts, asked)


def read_questions(data: Path, name: str) -> list[Question]:
    """The questions of a corpus that make sense without their passage, in the script asked for; there may be none."""
    asked = _TRADITIONAL_QUESTION if name == TRADITIONAL else "question"
    rows = read_if_there(data / _KEPT_IN.get(name, name) / "questions.jsonl")
    return [_question(row, asked) for row in rows if row.get(asked) and not row.get("context_bound")]


def read_texts(data: Path, name: str) -> tuple[Text, ...]:
    """The passages of a corpus; empty ones are left out."""
    rows = read_jsonl(data / name / "passages.jsonl")
    return tuple(Text(str(row["id"]), row.get("title") or "", row["text"]) for row in rows if row["text"].strip())


def in_words(answers: Any) -> Iterator[str]:
    """Answers as sets give them: a text, or a list of such or of lists."""
    if isinstance(answers, str):
        if answer := answers.strip():
            yield answer
    else:
        for answer in answers or ():
            yield from in_words(answer)


def _question(row: dict[str, Any], asked: str) -> Question:
    gold = (*(row.get("gold_passage_ids") or [row["passage_id"]]), *(row.get("near_dup_ids") or ()))
    kind = row.get("kind") or row.get("source") or ""
    return Question(str(row["id"]), row[asked], frozenset(map(str, gold)), tuple(in_words(row.get("answers"))), kind)
