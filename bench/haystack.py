"""What is lost where the documents of others lie around those asked about: news, doctors' answers, judgments."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bench.arms import ask
from bench.corpora import Corpus, Text, present, read_corpus, read_texts
from bench.harness import ROOT, Outcome, read_if_there, wanted
from bench.ours import OurSearch
from bench.ranking import means
from bench.vectors import KeptEmbeddings, kept_embeddings
from rag.settings import read_settings

_CORPUS = "retrieval"
_OTHERS = ("retrieval_drcd", "cjrc_law")
_FILES = ("medical_qa/medical_qa.jsonl", "news_distractors/news_distractors.jsonl")


def measure(data: Path) -> Outcome:
    """R@1, R@5 and the rest over the corpus alone and among the others, and the R@1 that is lost among them."""
    settings = read_settings(ROOT / "config.yaml")
    embeddings = kept_embeddings(settings)
    corpus = read_corpus(data, _CORPUS, wanted(1000, "QUESTIONS"))
    texts = (*corpus.texts, *_others(data))
    alone, among = (_search(corpus, searched, embeddings) for searched in (corpus.texts, texts))
    figures = {
        **{f"alone.ours.{name}": value for name, value in alone.items()},
        **{f"haystack.ours.{name}": value for name, value in among.items()},
        "passages": len(texts),
        "r1_loss": alone["r1"] - among["r1"],
    }
    return Outcome(figures)


def _search(corpus: Corpus, texts: Sequence[Text], embeddings: KeptEmbeddings) -> dict[str, float]:
    ours = OurSearch(texts, embeddings)
    try:
        return means(ask(ours.way(), corpus))
    finally:
        ours.close()


def _others(data: Path) -> Iterator[Text]:
    """The passages of the other sets that a folder has. Their ids name the set: another's may be a gold passage's."""
    for name in present(data, _OTHERS):
        yield from (replace(text, text_id=f"{name}:{text.text_id}") for text in read_texts(data, name))
    for file in _FILES:
        for row in read_if_there(data / file):
            yield Text(f"{Path(file).stem}:{row['id']}", "", str(row["text"]))
