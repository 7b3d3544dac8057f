"""Ours, and ours with each part taken away once, put together from what the app has."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from bench.corpora import Text
from bench.ours import Filing, OurSearch, Sections
from bench.peers import Search
from rag.knowledge.request import (
    CHUNK_DENSE,
    CHUNK_SPARSE,
    FusionSpec,
    SearchRequest,
    SingleSearchRequest,
    from_settings,
)
from rag.knowledge.tokenizer import Tokenizer
from rag.types import Passage, Section

_LETTERS = str.maketrans("0123456789", "ghijklmnop")


class WithoutBigrams(Tokenizer):
    """jieba's words and codes alone."""

    def tokens(self, text: str) -> list[str]:
        """The terms of a text without the pairs of characters that are no words."""
        words = set(self.words(text))
        return [term for term in super().tokens(text) if term in words or term.isascii()]


class WithoutFolding(Tokenizer):
    """Texts as they are written: width, case and script tell terms apart."""

    def tokens(self, text: str) -> list[str]:
        """The terms of a text as it stands."""
        return self._terms_of(text)


def without_headings(sections: Sections) -> Sections:
    """Sections and their passages under no heading."""
    return tuple(Section(_bare(section.parent), tuple(map(_bare, section.children))) for section in sections)


def without_parents(sections: Sections) -> Sections:
    """Every child a section of its own: nothing stands beside it that it could be joined with or judged by."""
    return tuple(Section(child, (child,)) for section in sections for child in section.children)


def nameless(text: Text) -> str:
    """A document's name that is one term, which nobody asks for."""
    return hashlib.sha256(text.text_id.encode()).hexdigest().translate(_LETTERS)


def _same(request: SearchRequest) -> SearchRequest:
    return request


def _only(field: str) -> Callable[[SearchRequest], SearchRequest]:
    def alone(request: SearchRequest) -> SearchRequest:
        routes = (SingleSearchRequest(field, request.top_k),)
        return replace(request, requests=routes, fuse=FusionSpec(weights=(1.0,)))

    return alone


def _by_ranks(request: SearchRequest) -> SearchRequest:
    return replace(request, fuse=FusionSpec("rrf", k=request.fuse.k))


@dataclass(frozen=True, slots=True)
class Ours:
    """Our search in one composition, and what that is in a sentence."""

    told: str
    filing: Filing = Filing()
    request: Callable[[SearchRequest], SearchRequest] = _same
    rerank: bool = True

    def search(self, ours: OurSearch) -> Search:
        """The search over a knowledge base that was filled with this `filing`."""
        return ours.way(self.request(from_settings(ours.settings)), rerank=self.rerank)


OURS = {
    "ours": Ours("as shipped"),
    "ours_without_reranker": Ours("in the order of the fused scores", rerank=False),
    "ours_without_words": Ours("vectors alone, reranked", request=_only(CHUNK_DENSE)),
    "ours_without_vectors": Ours("BM25 alone, reranked", request=_only(CHUNK_SPARSE)),
    "ours_by_ranks": Ours("routes fused by reciprocal ranks in place of weighted scores", request=_by_ranks),
    "ours_without_bigrams": Ours("BM25 over jieba's words and codes, no pairs of characters", Filing(WithoutBigrams)),
    "ours_without_folding": Ours(
        "BM25 over texts as written: width, case and script differ; reranker and embedder as they are",
        Filing(WithoutFolding),
    ),
    "ours_without_headings": Ours(
        "neither headings nor the document's name searched, embedded or shown to the reranker",
        Filing(name=nameless, sections=without_headings),
    ),
    "ours_without_parents": Ours(
        "each passage a section of its own: not joined, and not judged by what its siblings say",
        Filing(sections=without_parents),
    ),
}


def _bare(passage: Passage) -> Passage:
    return replace(passage, heading_path=())
