"""The knowledge base whose rows are in SQLite, whatever index is derived from them."""

import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from functools import cache, partial
from threading import Event

import numpy as np

from rag.embeddings.check import Vector
from rag.knowledge.base import STILL_FILLING
from rag.knowledge.catalog import Catalog
from rag.knowledge.deletions import Deletions
from rag.knowledge.dense_routes import DenseRoutes
from rag.knowledge.document_states import DocumentStates
from rag.knowledge.encoders import Encoders
from rag.knowledge.fusion import best_of, fuse, ranked
from rag.knowledge.passages import Passages
from rag.knowledge.questions import Questions
from rag.knowledge.request import CHUNK_DENSE, CHUNK_SPARSE, QUESTIONS_DENSE, SearchRequest
from rag.knowledge.search_index import Bounds, Scores, SearchIndex, Space
from rag.knowledge.similarities import similarities
from rag.knowledge.texts import chunks_by_id, words_text
from rag.knowledge.tokenizer import Tokenizer
from rag.knowledge.vectors import Vectors, VectorsByKey
from rag.knowledge.words import cut_beside
from rag.types import (
    EVERYTHING,
    DocumentStatus,
    Hit,
    LoadedDocument,
    Message,
    RouteTrace,
    Scope,
    SearchResult,
    SearchTrace,
    Section,
    Similarity,
    TermGains,
)

# Terms of a question: what a page of text asks for is asked for by its first terms.
_TERMS = 1000
# And of so many it is told what they give: each is a search of its own.
_TERMS_TOLD = 50


class StoredKnowledgeBase:
    """A `KnowledgeBase` over the catalog's database and an index of it."""

    def __init__(self, catalog: Catalog, encoders: Encoders, tokenizer: Tokenizer, index: SearchIndex) -> None:
        """`encoders` are the models of the dense fields that are searched."""
        self.encoders = encoders
        self._catalog = catalog
        self._tokenizer = tokenizer
        self._passages = Passages(catalog.engine, tokenizer)
        self._deletions = Deletions(catalog.engine)
        self._states = DocumentStates(catalog.engine, catalog.model_id)
        self._questions = Questions(catalog.engine)
        self._index = index

    def search(
        self,
        questions: Sequence[str],
        collections: Sequence[str],
        request: SearchRequest,
        scope: Scope = EVERYTHING,
    ) -> SearchResult:
        """The best matches for several phrasings of one question. Without vectors it searches words.

        Raises StoreError, ValueError for a field that is off.
        """
        self.check(request)
        # Punctuation has a vector as well, and something is always the nearest to it.
        asked = list(dict.fromkeys(question for question in questions if any(map(str.isalnum, question))))
        result, is_whole = self._search(asked, collections, request, scope)
        # A document that was read anew meanwhile has other chunks.
        return result if is_whole else self._search(asked, collections, request, scope)[0]

    def explain(self, question: str, collections: Sequence[str], chunk_ids: Sequence[int]) -> dict[int, TermGains]:
        """What the terms of a question add to the BM25 scores of some chunks. Raises StoreError.

        A score is the sum over the terms: what one adds is the score of a question of this term alone.
        """
        counts, telling = Counter(self._terms(question)), set(self._tokenizer.telling(question))
        told = [term for term in counts if term in telling][:_TERMS_TOLD]
        asked = [list(counts.elements()), *([term] * counts[term] for term in told)]
        named = np.unique(np.fromiter(chunk_ids, np.int64))
        bounds = Bounds(collections, Scope(chunk_ids=frozenset(chunk_ids)), lambda: named)
        total, *found = self._index.words(asked, len(chunk_ids), bounds)
        each = list(zip(told, found, strict=True))
        gains = {key: {term: own[key] for term, own in each if key in own} for key in chunk_ids}
        return {key: TermGains(own, total.get(key, 0.0)) for key, own in gains.items()}

    def similarities(self, question: str, texts: Sequence[str], collections: Sequence[str]) -> list[Similarity]:
        """How near each text is to a question, by the model that searches the collections. Raises StoreError."""
        return similarities(question, texts, self.encoders.of(collections)[CHUNK_DENSE], self._tokenizer.words)

    def lacking(self, collections: Sequence[str], scope: Scope = EVERYTHING) -> int:
        """About how many passages have no vector yet: of many, some are looked at. Raises StoreError."""
        dense = self._dense_routes(collections, scope)
        have = dense.have_vectors()
        return round(len(dense.bounds.chunk_ids()) * (1 - sum(have) / len(have))) if have else 0

    def check(self, request: SearchRequest) -> None:
        """Raises ValueError for a field that is not configured."""
        fields = (*self.encoders.configured, CHUNK_SPARSE)
        if off := [route.anns_field for route in request.requests if route.anns_field not in fields]:
            raise ValueError(f"anns_field: {', '.join(off)} is off; it is switched on by dense_fields in config.yaml")

    def sections(self, parent_ids: Sequence[int]) -> dict[int, Section]:
        """Parent passages with all their children. Raises StoreError."""
        return self._passages.sections(list(dict.fromkeys(parent_ids)))

    def add(
        self,
        document_id: str,
        sections: tuple[Section, ...],
        loaded: LoadedDocument,
        cancel: Event | None = None,
        before: Collection[DocumentStatus] = tuple(DocumentStatus),
        on_progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Store the content of a registered document, which stands at one of `before`, in place of what it had.

        `on_progress` is told how many passages are prepared for it, of how many: nearly all the time goes into that.
        Raises UnknownDocument, ReaderCrashed, StoreError, and CancelledError if `cancel` is set during that.
        """
        document = self._catalog.document(document_id)
        # Cutting words takes minutes for a long document: before anything is locked.
        texts = [words_text(child, document.name) for section in sections for child in section.children]
        words = cut_beside(self._tokenizer, texts, document.name, cancel, on_progress)
        with self._index.changing(document.collection_id) as index:
            keys = self._passages.keys(document_id)
            segment = self._passages.write(document_id, sections, loaded, words, before)
            index.remove(keys)
            index.add(segment)
            for space in index.spaces:
                for known in Vectors(self._catalog.engine, space.model_id).of_document(document_id, space.field):
                    index.add_vectors(space, known)
        self._states.finish(document_id)

    def add_vectors(self, new: Mapping[str, Vector], model_id: str) -> None:
        """Store a model's vectors by text hash, and search them from now on. Raises EmbeddingReplaced, StoreError."""
        vectors = Vectors(self._catalog.engine, model_id)
        # Where the store refuses it for one collection, its index is made anew: none of the others is to lack them.
        with ExitStack() as each:
            for (collection_id, field), owned in vectors.add(new).items():
                each.callback(self._index_vectors, vectors, collection_id, Space(field, model_id), owned)
        self._states.finish()

    def add_questions(self, chunk_id: int, texts: Sequence[str]) -> None:
        """Store what a chunk answers, perhaps nothing; one that is gone is passed over. Raises StoreError."""
        for chunk in chunks_by_id(self._catalog.engine, [chunk_id]).values():
            with self._index.changing(chunk.collection_id) as index:
                keys = self._questions.add(chunk_id, texts)
                # Another chunk may answer the same: such a question has its vector already.
                for space in index.spaces:
                    if space.field == QUESTIONS_DENSE:
                        for known in Vectors(self._catalog.engine, space.model_id).of_keys(keys, space.field):
                            index.add_vectors(space, known)

    def delete(self, document_id: str) -> None:
        """Delete a document; nothing where there is none. `clear_deleted` removes what it leaves. Raises StoreError."""
        for document in self._catalog.known((document_id,)):
            with self._index.changing(document.collection_id) as index:
                keys = self._passages.keys(document_id)
                self._deletions.delete(document_id)
                index.remove(keys)

    def delete_collection(self, collection_id: str) -> None:
        """Delete a collection with its documents. `clear_deleted` removes what they leave. Raises StoreError."""
        with self._index.changing(collection_id) as index:
            self._deletions.delete_collection(collection_id)
            index.clear()

    def clear_deleted(self) -> None:
        """Remove from the store what is deleted, slowly enough for others to write meanwhile. Raises StoreError."""
        self._deletions.clear()

    def _index_vectors(self, vectors: Vectors, collection_id: str, space: Space, owned: VectorsByKey) -> None:
        with self._index.changing(collection_id) as index:
            if space in index.spaces:
                present = vectors.present(owned, space.field)
                index.add_vectors(space, {key: vector for key, vector in owned.items() if key in present})

    def _terms(self, question: str) -> Sequence[str]:
        """What words are searched for."""
        return self._tokenizer.tokens(question)[:_TERMS]

    def _dense_routes(self, collections: Sequence[str], scope: Scope) -> DenseRoutes:
        bounds = Bounds(collections, scope, cache(partial(self._passages.within, scope, collections)))
        return DenseRoutes(self._catalog.engine, self.encoders.of(collections), self._index, bounds)

    def _search(
        self, asked: Sequence[str], collections: Sequence[str], request: SearchRequest, scope: Scope
    ) -> tuple[SearchResult, bool]:
        """The best matches, and whether all of what was found is still there."""
        begun = time.perf_counter()
        dense = self._dense_routes(collections, scope)
        found, seconds, notes = self._search_routes(asked, request, dense)
        searched = time.perf_counter()
        judged = dense.judged(found)
        if not notes and dense.is_filling(found, judged):
            notes = (STILL_FILLING,)
        scores = fuse(found, judged, request)
        best = [chunk for chunk, _ in ranked(scores)[: request.limit]]
        by_route = {field: best_of(each) for field, each in found.items()}
        stored = chunks_by_id(self._catalog.engine, best, collections)
        hits = tuple(
            Hit(stored[chunk], scores[chunk], {field: own[chunk] for field, own in by_route.items() if chunk in own})
            for chunk in best
            # A collection may be deleted while it is searched, and an index be of another time than the rows.
            if chunk in stored
        )
        routes = tuple(RouteTrace(field, tuple(ranked(own)), seconds[field]) for field, own in by_route.items())
        now = time.perf_counter()
        stages = {"embed": seconds["embed"], "fuse": now - searched, "search": now - begun}
        return SearchResult(hits, SearchTrace(routes, notes, stages)), len(hits) == len(best)

    def _search_routes(
        self, asked: Sequence[str], request: SearchRequest, dense: DenseRoutes
    ) -> tuple[dict[str, list[Scores]], dict[str, float], tuple[Message, ...]]:
        """What each route found for each phrasing, the seconds that it took, and what was not searched."""
        begun = time.perf_counter()
        fields = [route.anns_field for route in request.requests if route.anns_field != CHUNK_SPARSE]
        vectors = dense.embed(asked, fields)
        seconds = {"embed": time.perf_counter() - begun}
        terms = [self._terms(question) for question in asked]
        found: dict[str, list[Scores]] = {}
        notes: list[Message] = []
        for route in request.requests:
            begun, field, limit = time.perf_counter(), route.anns_field, min(request.top_k, route.limit)
            if field == CHUNK_SPARSE:
                result: list[Scores] | Message = self._index.words(terms, limit, dense.bounds)
            else:
                result = dense.search(field, vectors[field], limit)
            if isinstance(result, Message):
                notes += [] if result in notes else [result]
                result = [{} for _ in asked]
            found[field] = result
            seconds[field] = time.perf_counter() - begun
        return found, seconds, tuple(notes)
