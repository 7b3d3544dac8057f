"""The knowledge base on this machine: rows in SQLite, FAISS and BM25 in memory."""

import logging
import time
from collections.abc import Mapping, Sequence
from itertools import islice
from threading import Lock

import numpy as np
from langchain_core.embeddings import Embeddings

from rag.errors import EmbeddingFailed, ModelError
from rag.knowledge.bm25 import Corpus
from rag.knowledge.catalog import Catalog
from rag.knowledge.dense import Ids, Vector
from rag.knowledge.fusion import Route, best_of, reciprocal_rank, weighted
from rag.knowledge.index import CollectionIndex, IndexCache
from rag.knowledge.passages import Passages
from rag.knowledge.postings import Segment
from rag.knowledge.request import CHUNK_DENSE, CHUNK_SPARSE, SearchRequest, from_settings
from rag.knowledge.tokenizer import Tokenizer
from rag.knowledge.vectors import Vectors
from rag.settings import Settings
from rag.types import (
    Document,
    Hit,
    LoadedDocument,
    Message,
    RouteTrace,
    Scope,
    SearchResult,
    SearchTrace,
    Section,
)

_CORPORA = 64
_log = logging.getLogger(__name__)


class LocalKnowledgeBase:
    """A `KnowledgeBase` over the catalog's database."""

    def __init__(self, catalog: Catalog, embeddings: Embeddings, tokenizer: Tokenizer, settings: Settings) -> None:
        self._catalog = catalog
        self._embeddings = embeddings
        self._tokenizer = tokenizer
        self._request = from_settings(settings)
        self._sparse = settings.sparse_fields.chunk
        self._passages = Passages(catalog.engine, tokenizer)
        self._vectors = Vectors(catalog.engine, catalog.model_id)
        self._indexes = IndexCache(self._build)
        self._corpora: dict[tuple[str, ...], Corpus] = {}
        self._corpora_lock = Lock()

    def search(
        self,
        question: str,
        collections: Sequence[str],
        request: SearchRequest | None = None,
        scope: Scope | None = None,
    ) -> SearchResult:
        """What there is to a question, best first. Raises StoreError."""
        return self.search_all([question], collections, request, scope)

    def search_all(
        self,
        questions: Sequence[str],
        collections: Sequence[str],
        request: SearchRequest | None = None,
        scope: Scope | None = None,
    ) -> SearchResult:
        """What there is to several phrasings of one question. Without vectors it searches words. Raises StoreError."""
        request = request or self._request
        asked = list(dict.fromkeys(question for question in questions if question.strip()))
        begun = time.perf_counter()
        within = self._passages.within(scope) if scope else None
        by_word = self._search_words(asked, collections, request, within)
        words_done = time.perf_counter()
        by_vector, embedded, notes = self._search_vectors(asked, collections, request, within, set().union(*by_word))
        seconds = {CHUNK_SPARSE: words_done - begun, CHUNK_DENSE: time.perf_counter() - words_done}
        found = {CHUNK_DENSE: by_vector, CHUNK_SPARSE: by_word}
        phrasings = [{field: found[field][place] for field in found} for place in range(len(asked))]
        scores = best_of([_fuse(each, embedded, request) for each in phrasings])
        best = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))[: request.limit]
        stored = self._passages.chunks(best)
        best_scores = {route.anns_field: best_of(found[route.anns_field]) for route in request.requests}
        hits = tuple(
            Hit(
                stored[chunk],
                scores[chunk],
                {field: by_chunk[chunk] for field, by_chunk in best_scores.items() if chunk in by_chunk},
            )
            for chunk in best
            if chunk in stored
        )
        routes = tuple(RouteTrace(field, _ranked(by_chunk), seconds[field]) for field, by_chunk in best_scores.items())
        return SearchResult(hits, SearchTrace(routes, notes, {"search": time.perf_counter() - begun}))

    def check(self, request: SearchRequest) -> None:
        """Raises ValueError for a field that is not configured."""

    def sections(self, parent_ids: Sequence[int]) -> dict[int, Section]:
        """Parent passages with all their children. Raises StoreError."""
        return self._passages.sections(list(dict.fromkeys(parent_ids)))

    def add(self, document_id: str, sections: tuple[Section, ...], loaded: LoadedDocument) -> Document:
        """Store a registered document's content, in place of what it had. Raises UnknownDocument, StoreError."""
        collection_id = self._catalog.known_document(document_id).collection_id
        # Cutting words takes seconds for a long document: before anything is locked.
        words = self._passages.tokenize(sections)
        with self._indexes.open(collection_id) as index:
            before = self._passages.chunk_ids(document_id)
            segment = self._passages.write(document_id, sections, loaded, words)
            index.remove(before)
            index.add(segment, self._vectors.of_document(document_id))
        self._vectors.finish_documents()
        return self._catalog.known_document(document_id)

    def add_vectors(self, new: Mapping[str, Sequence[float]]) -> None:
        """Store vectors by text hash, and search them from now on. Raises EmbeddingFailed, StoreError."""
        for collection_id, vectors in self._vectors.add(new).items():
            with self._indexes.open(collection_id) as index:
                index.add_vectors(vectors)
        self._vectors.finish_documents()

    def delete(self, document_id: str) -> None:
        """Remove a document with all that is derived from it; nothing where there is none. Raises StoreError."""
        document = self._catalog.document(document_id)
        if document is None:
            return
        with self._indexes.open(document.collection_id) as index:
            chunk_ids = self._passages.chunk_ids(document_id)
            self._passages.delete(document_id)
            index.remove(chunk_ids)

    def delete_collection(self, collection_id: str) -> None:
        """Remove a collection with its documents. Raises StoreError."""
        with self._indexes.open(collection_id) as index:
            self._passages.delete_collection(collection_id)
            index.clear()

    def _build(self, collection_id: str) -> CollectionIndex:
        return CollectionIndex(self._passages.segments(collection_id), self._vectors.of_collection(collection_id))

    def _search_words(
        self, questions: Sequence[str], collections: Sequence[str], request: SearchRequest, within: Ids | None
    ) -> list[dict[int, float]]:
        limit = _limit(request, CHUNK_SPARSE)
        if not limit:
            return [{} for _ in questions]
        corpus = self._corpus_of(collections)
        if within is None:
            return [corpus.search(self._tokenizer.tokens(question), limit) for question in questions]
        allowed = frozenset(within.tolist())
        everything = sum(len(segment.chunk_ids) for segment in corpus.segments)
        found = (corpus.search(self._tokenizer.tokens(question), everything) for question in questions)
        return [
            dict(islice(((chunk, score) for chunk, score in hits.items() if chunk in allowed), limit)) for hits in found
        ]

    def _corpus_of(self, collections: Sequence[str]) -> Corpus:
        """The chunks of some collections; a corpus keeps its statistics until its chunks change."""
        segments: tuple[Segment, ...] = ()
        for collection_id in collections:
            with self._indexes.open(collection_id) as index:
                segments += index.segments
        key = tuple(collections)
        with self._corpora_lock:
            corpus = self._corpora.pop(key, None)
            if corpus is None or corpus.segments != segments:
                corpus = Corpus(segments, self._sparse.k1, self._sparse.b)
            self._corpora[key] = corpus
            while len(self._corpora) > _CORPORA:
                del self._corpora[next(iter(self._corpora))]
        return corpus

    def _search_vectors(
        self,
        questions: Sequence[str],
        collections: Sequence[str],
        request: SearchRequest,
        within: Ids | None,
        candidates: set[int],
    ) -> tuple[list[dict[int, float]], set[int], tuple[Message, ...]]:
        """Each question's hits by vector, those of the candidates that have a vector, and what was not searched."""
        limit = _limit(request, CHUNK_DENSE)
        found: list[dict[int, float]] = [{} for _ in questions]
        try:
            vectors = [self._embed(question) for question in questions] if limit else []
        except ModelError as error:
            return found, set(), (_words_only(error),)
        covered: set[int] = set()
        for collection_id in collections if vectors else ():
            with self._indexes.open(collection_id) as index:
                covered |= candidates & index.dense.covered
                if (stored := index.dense.dimension) not in (0, len(vectors[0])):
                    detail = f"dimension {len(vectors[0])}, stored {stored}"
                    other = EmbeddingFailed(model=self._catalog.model_id, detail=detail)
                    return [{} for _ in questions], set(), (_words_only(other),)
                for hits, vector in zip(found, vectors, strict=True):
                    hits.update(index.dense.search(vector, limit, within))
        best = [dict(sorted(hits.items(), key=lambda hit: -hit[1])[:limit]) for hits in found]
        return best, covered.union(*best), ()

    def _embed(self, question: str) -> Vector:
        """A question's vector of length 1. Raises ModelError."""
        vector = np.asarray(self._embeddings.embed_query(question), np.float32)
        length = float(np.linalg.norm(vector))
        if not np.isfinite(length) or length == 0:
            raise EmbeddingFailed(model=self._catalog.model_id, detail="a vector that is zero or not finite")
        return vector / np.float32(length)


def _words_only(error: ModelError) -> Message:
    _log.warning("searching by words only: %s", error)
    return Message("search.words_only", {"reason": error.message})


def _limit(request: SearchRequest, field: str) -> int:
    """The most hits of a route; 0 for one that is not asked for."""
    return next((min(route.limit, request.top_k) for route in request.requests if route.anns_field == field), 0)


def _fuse(found: Mapping[str, dict[int, float]], embedded: set[int], request: SearchRequest) -> dict[int, float]:
    everything = {chunk for scores in found.values() for chunk in scores}
    covered = {CHUNK_DENSE: embedded, CHUNK_SPARSE: everything}
    fields = [route.anns_field for route in request.requests]
    if request.fuse.method == "rrf":
        return reciprocal_rank([Route(found[field], covered[field]) for field in fields], request.fuse.k)
    weights = zip(fields, request.fuse.weights, strict=True)
    return weighted([Route(found[field], covered[field], weight) for field, weight in weights])


def _ranked(scores: Mapping[int, float]) -> tuple[tuple[int, float], ...]:
    return tuple(sorted(scores.items(), key=lambda hit: (-hit[1], hit[0])))
