"""Whether it says that nothing relevant was found where there is nothing, and only there: no model is asked.

`false_refusals` is the share of answerable questions that would be refused, `found_nothing` that of unanswerable
ones: questions over PDFs that their file does not answer, RGB's with negative documents alone, and questions of
one corpus asked to another. `<set>.refused` has each. Questions whose passages were taken out of their own corpus
(`removed`) are told apart: many of them other passages answer. So are everyday questions in other words than their
passage (`paraphrase_alone`, `_together`, `_among`; see bench/paraphrases.py): those of the documents held out of fits.
"""

import tempfile
import time
from pathlib import Path

from bench.harness import ROOT, Outcome, figure
from bench.paraphrases import read_paraphrases
from bench.rerank_data import Sample, read_samples, sentence_cosines
from bench.rerank_scores import order, refusals
from rag.knowledge.tokenizer import Tokenizer
from rag.rerank.features import FeatureReranker
from rag.settings import read_settings


def measure(data: Path) -> Outcome:
    """Refusals by the shipped weights and threshold, order before and after, milliseconds a question."""
    threshold = read_settings(ROOT / "config.yaml").rerank.score_threshold
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as cache:
        tokenizer = Tokenizer(Path(cache))
        corpora = read_samples(data, tokenizer)
        samples = [*corpora, *read_paraphrases(data, tokenizer, fitted=False)]
        reranker = FeatureReranker(tokenizer.words, sentence_cosines(tokenizer))
        begun = time.perf_counter()
        judged = [(sample, _relevances(reranker, sample)) for sample in samples]
        seconds = time.perf_counter() - begun
    refused = [max(relevances, default=0.0) < threshold for _, relevances in judged]
    of_corpora = list(zip(corpora, refused, strict=False))
    figures = {
        **figure("false_refusals", [said for sample, said in of_corpora if sample.answerable]),
        **figure("found_nothing", [said for sample, said in of_corpora if _is_foreign(sample)]),
        "ms_per_question": 1000 * seconds / len(samples),
        **refusals(judged, threshold),
        **order(judged),
    }
    wrong = [sample for sample, said in zip(samples, refused, strict=True) if said is sample.answerable]
    return Outcome(figures, [{"question_id": sample.question_id, "set": sample.group} for sample in wrong])


def _relevances(reranker: FeatureReranker, sample: Sample) -> list[float]:
    """Each hit's relevance, in the order of the search; 1 for hits that are not judged, which are never refused."""
    ranked = reranker.rank(sample.question, sample.hits)
    found = {hit.chunk.chunk_id: 1.0 if hit.relevance is None else hit.relevance for hit in ranked}
    return [found[hit.chunk.chunk_id] for hit in sample.hits]


def _is_foreign(sample: Sample) -> bool:
    return not sample.answerable and not sample.group.endswith(">removed")
