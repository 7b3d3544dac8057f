"""Questions with what a search finds for them, and which of it answers: what rerankers are fitted to and judged by.

Every corpus is searched for its own questions and for those of the others, which nothing in it answers; RGB's
questions among their negative documents alone, and with positive ones; the questions over PDFs in their own file;
patients' questions, in their own words, among doctors' answers.
"""

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.corpora import Question, in_words, present, read_questions
from bench.harness import ROOT, local_knowledge, read_if_there, read_jsonl, settings_for
from bench.pdfs import gold_pages, pdf_of
from bench.splitting import sections_of
from bench.vectors import kept_encoder
from loaders import load
from rag.database import open_database
from rag.knowledge.catalog import Catalog
from rag.knowledge.request import from_settings
from rag.knowledge.similarities import similarities
from rag.knowledge.tokenizer import Tokenizer
from rag.knowledge.vectors import Vectors
from rag.rerank.sentences import SentenceCosines
from rag.settings import read_settings
from rag.types import Hit, LoadedDocument, Page, PageHealth

# Questions taken of each corpus, and passages beside those that answer them. Two cores embed some five a second.
_CORPORA = {"retrieval": (110, 60), "retrieval_drcd": (90, 40), "domainrag_ruc": (90, 60)}
_ASKED_ELSEWHERE = 25
_RGB_QUESTIONS, _RGB_NEGATIVE, _RGB_POSITIVE = 16, 6, 2
_MEDICAL_QUESTIONS = 60
_LONGEST = 1000  # characters of a passage; the longest web pages have nine thousand
_MANY = 1_000_000
_FOUND = 50
_SEED = 1


@dataclass(frozen=True, slots=True)
class Sample:
    """A question and its hits. `labels` tell which of them answer it; None for another part of a passage that does."""

    group: str  # what is asked, and of what
    corpus: str  # where the hits are from
    question_id: str
    question: str
    hits: tuple[Hit, ...]
    labels: tuple[bool | None, ...]

    @property
    def answerable(self) -> bool:
        """Whether the documents searched hold the answer, found or not."""
        return ">" not in self.group


@dataclass(frozen=True, slots=True)
class Document:
    """What a library is given: a document's name, its pages, and the key that golds call it by."""

    name: str
    loaded: LoadedDocument
    key: str


def read_samples(data: Path, tokenizer: Tokenizer) -> list[Sample]:
    """The samples of all the sets that a folder has."""
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as folder:
        library = Library(Path(folder), tokenizer)
        return [*_corpora(data, library), *_rgb(data, library), *_medical(data, library), *_pdf(data, library)]


def sentence_cosines(tokenizer: Tokenizer) -> SentenceCosines:
    """The comparison of hits' sentences by the shipped model."""
    encoder = kept_encoder(read_settings(ROOT / "config.yaml"))
    return SentenceCosines(lambda question, texts, _: similarities(question, texts, encoder, tokenizer.words))


class Library:
    """Collections of documents, with complete vectors."""

    def __init__(self, folder: Path, tokenizer: Tokenizer) -> None:
        settings = settings_for(folder)
        self._splitter = settings.splitter
        self._request = replace(from_settings(settings), limit=_FOUND)
        self._encoder = kept_encoder(settings)
        self._catalog = Catalog(open_database(f"sqlite:///{folder / 'bench.sqlite3'}"), self._encoder.model_id)
        self._knowledge = local_knowledge(self._catalog, self._encoder, tokenizer, settings)
        self._keys: dict[str, str] = {}
        self._texts: dict[str, list[str]] = {}

    def put(self, collection: str, documents: Sequence[Document]) -> None:
        """Add documents and embed what has no vector."""
        for item in documents:
            content = hashlib.sha256(f"{item.key}\0{item.loaded.text}".encode("utf-8", "ignore")).hexdigest()
            document = self._catalog.register(collection, item.name, content, len(item.loaded.text))
            sections = sections_of(item.loaded, self._splitter)
            self._knowledge.add(document.document_id, sections, item.loaded)
            self._keys[document.document_id] = item.key
            for section in sections:
                for child in section.children:
                    self._texts.setdefault(_place(item.key, child.page), []).append(child.text)
                    self._texts.setdefault(item.key, []).append(child.text)
        pending = Vectors(self._catalog.engine, self._catalog.model_id).pending(0, _MANY)
        vectors = self._encoder.passages([text.text for text in pending]) if pending else []
        self._knowledge.add_vectors(
            {text.text_hash: vector for text, vector in zip(pending, vectors, strict=True)}, self._catalog.model_id
        )

    def ask(self, group: str, collection: str, asked: Question) -> Sample:
        """What a collection has for a question."""
        hits = self._knowledge.search([asked.text], [collection], self._request).hits
        labels = tuple(self._label(hit, asked) for hit in hits)
        return Sample(group, collection, asked.question_id, asked.text, hits, labels)

    def _label(self, hit: Hit, asked: Question) -> bool | None:
        """Whether a hit is of a passage that answers, and has the answer in words where any part of it has."""
        key = self._keys[hit.chunk.document_id]
        gold = next((one for one in (key, _place(key, hit.chunk.passage.page)) if one in asked.gold), None)
        if gold is None:
            return False
        literal = any(answer in text for answer in asked.answers for text in self._texts[gold])
        return True if not literal or any(answer in hit.chunk.passage.text for answer in asked.answers) else None


def _corpora(data: Path, library: Library) -> Iterator[Sample]:
    asked: dict[str, list[Question]] = {}
    for name in present(data, [*_CORPORA]):
        asked[name] = _sample_corpus(data, name, *_CORPORA[name], library)
    for name, own in asked.items():
        for one in own:
            sample = library.ask(name, name, one)
            yield sample
            yield _without_answer(sample)
        for other in (other for other in asked if other != name):
            strangers = [replace(one, gold=frozenset()) for one in asked[other][:_ASKED_ELSEWHERE]]
            yield from (library.ask(f"{other}>{name}", name, one) for one in strangers)


def _without_answer(sample: Sample) -> Sample:
    """The same search in a corpus that lacks the passages which answer."""
    kept = [hit for hit, label in zip(sample.hits, sample.labels, strict=True) if label is False]
    return replace(sample, group=f"{sample.group}>removed", hits=tuple(kept), labels=(False,) * len(kept))


def _sample_corpus(data: Path, name: str, questions: int, others: int, library: Library) -> list[Question]:
    random = np.random.RandomState(_SEED)
    all_asked = read_questions(data, name)
    asked = [all_asked[number] for number in random.permutation(len(all_asked))[:questions]]
    gold = frozenset().union(*(one.gold for one in asked))
    # Empty ones among them, which other measurements leave out: the shipped weights are fitted to this draw.
    passages = read_jsonl(data / name / "passages.jsonl")
    rest = [row for row in passages if str(row["id"]) not in gold]
    kept = [row for row in passages if str(row["id"]) in gold]
    kept += [rest[number] for number in random.permutation(len(rest))[:others]]
    library.put(name, [text_document(str(row["id"]), row.get("title") or "", row["text"]) for row in kept])
    return asked


def _rgb(data: Path, library: Library) -> Iterator[Sample]:
    rows = read_if_there(data / "rgb" / "zh_refine.jsonl")
    for number in np.random.RandomState(_SEED).permutation(len(rows))[:_RGB_QUESTIONS]:
        row = rows[number]
        negative = [text_document(f"n{place}", "", text) for place, text in enumerate(row["negative"][:_RGB_NEGATIVE])]
        positive = [text_document(f"p{place}", "", text) for place, text in enumerate(row["positive"][:_RGB_POSITIVE])]
        gold = frozenset(document.key for document in positive)
        asked = Question(f"rgb-{row['id']}", row["query"], gold, tuple(in_words(row["answer"])))
        for group, documents in (("rgb>negative", negative), ("rgb", negative + positive)):
            library.put(f"{group}-{row['id']}", documents)
            yield replace(library.ask(group, f"{group}-{row['id']}", asked), corpus="rgb")


def _medical(data: Path, library: Library) -> Iterator[Sample]:
    rows = read_if_there(data / "medical_qa" / "medical_qa.jsonl")
    chosen = [rows[number] for number in np.random.RandomState(_SEED).permutation(len(rows))[:_MEDICAL_QUESTIONS]]
    library.put("medical", [text_document(str(row["id"]), "", row["text"]) for row in chosen])
    for row in chosen:
        key = str(row["id"])
        yield library.ask("medical", "medical", Question(key, row["question"], frozenset({key})))


def _pdf(data: Path, library: Library) -> Iterator[Sample]:
    rows = read_if_there(data / "pdf" / "qa.jsonl")
    for file in sorted({row["file"] for row in rows}):
        library.put(file, [Document(file, load(pdf_of(data, file)), file)])
        for row in rows:
            if row["file"] == file:
                gold = frozenset(_place(file, page) for page in gold_pages(row))
                answers = tuple(in_words(row.get("evidence")))
                asked = Question(row["id"], row["question"], gold, answers)
                yield replace(library.ask("pdf" if gold else "pdf>nothing", file, asked), corpus="pdf")


def text_document(key: str, title: str, text: str) -> Document:
    """A passage of a corpus as a document of one page."""
    page = Page(1, "1", text[:_LONGEST], PageHealth.TEXT)
    return Document(title, LoadedDocument((page,)), key)


def _place(key: str, page: int) -> str:
    return f"{key}#{page}"
