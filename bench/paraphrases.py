"""Everyday questions about small documents of our own, `paraphrases.toml`: few share a word with what answers them.

Each is asked of its document `alone`, of the documents of its half `together`, and of these `among` passages of the
data folder. One half is fitted to (`bench/fit_sense.py`); the figures are those of the other.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bench.corpora import Question, present, read_texts
from bench.everyday_cases import Case, read_cases, write_case
from bench.rerank_data import Document, Library, Sample, text_document
from loaders import load
from rag.knowledge.tokenizer import Tokenizer

_OTHERS, _AMONG = "retrieval", 200


def read_paraphrases(data: Path, tokenizer: Tokenizer, *, fitted: bool) -> list[Sample]:
    """The samples of one half of the documents."""
    cases = [case for case in read_cases() if case["fitted"] is fitted]
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as folder:
        library = Library(Path(folder), tokenizer)
        documents = [_document(Path(folder), case) for case in cases]
        samples: list[Sample] = []
        for case, document in zip(cases, documents, strict=True):
            library.put(document.key, [document])
            samples += _ask(library, "alone", document.key, [case])
        library.put("together", documents)
        samples += _ask(library, "together", "together", cases)
        if present(data, [_OTHERS]):
            others = [text_document(one.text_id, one.title, one.text) for one in read_texts(data, _OTHERS)[:_AMONG]]
            library.put("among", [*documents, *others])
            samples += _ask(library, "among", "among", cases)
    return samples


def _document(folder: Path, case: Case) -> Document:
    path = write_case(case, folder)
    return Document(path.name, load(path), case["name"])


def _ask(library: Library, size: str, collection: str, cases: Sequence[Case]) -> Iterator[Sample]:
    for case in cases:
        name = case["name"]
        asked = [Question(f"{name}: {text}", text, frozenset({name}), (answer,)) for text, answer in case["answered"]]
        strangers = [Question(f"{name}: {text}", text, frozenset()) for text in case["unanswered"]]
        for one in (*asked, *strangers):
            group = f"paraphrase_{size}" if one.gold else f"paraphrase_{size}>nothing"
            yield replace(library.ask(group, collection, one), corpus=name)
