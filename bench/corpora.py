"""The retrieval corpora of the data folder: passages, and questions with the passages that answer them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.harness import read_jsonl

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
    there = {name: (data / _KEPT_IN.get(name, name)).is_dir() for name in names}
    for name in (name for name, is_there in there.items() if not is_there):
        print(f"{name} is left out: {data / _KEPT_IN.get(name, name)} is not there")
    return [name for name, is_there in there.items() if is_there]


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
    return Corpus(name, read_texts(data, _KEPT_IN.get(name, name)), tuple(questions[place] for place in chosen))


def read_questions(data: Path, name: str) -> list[Question]:
    """The questions of a corpus that make sense without their passage, in the script asked for."""
    asked = _TRADITIONAL_QUESTION if name == TRADITIONAL else "question"
    rows: list[dict[str, Any]] = read_jsonl(data / _KEPT_IN.get(name, name) / "questions.jsonl")
    return [_question(row, asked) for row in rows if row.get(asked) and not row.get("context_bound")]


def read_texts(data: Path, name: str) -> tuple[Text, ...]:
    """The passages of a corpus; empty ones are left out."""
    rows: list[dict[str, Any]] = read_jsonl(data / name / "passages.jsonl")
    return tuple(Text(row["id"], row.get("title") or "", row["text"]) for row in rows if row["text"].strip())


def in_words(answers: Sequence[Any]) -> Iterator[str]:
    """Answers as sets give them, each a text or a list of such."""
    for answer in answers:
        if isinstance(answer, list):
            yield from in_words(answer)
        elif answer and answer.strip():
            yield answer.strip()


def _question(row: dict[str, Any], asked: str) -> Question:
    gold = {*(row.get("gold_passage_ids") or [row["passage_id"]]), *row.get("near_dup_ids", ())}
    kind = row.get("kind") or row.get("source") or ""
    return Question(row["id"], row[asked], frozenset(gold), tuple(in_words(row.get("answers", ()))), kind)
