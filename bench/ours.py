"""Our own search over the texts of a corpus: every text is an uploaded document."""

import hashlib
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.corpora import Text
from bench.harness import local_knowledge, settings_for
from bench.peers import Ranking, Search
from bench.splitting import sections_of
from bench.vectors import KeptEmbeddings
from rag.database import open_database
from rag.embeddings.encoder import Encoder
from rag.knowledge.catalog import Catalog
from rag.knowledge.request import SearchRequest, from_settings
from rag.knowledge.tokenizer import Tokenizer
from rag.knowledge.vectors import Vectors
from rag.rerank.features import FeatureReranker
from rag.rerank.sentences import SentenceCosines
from rag.retrieval import Retrieval
from rag.tokens import average_estimate
from rag.types import Hit, LoadedDocument, Page, PageHealth, Section

Sections = tuple[Section, ...]
_COLLECTION = "bench"
_MODEL = "bench"


def _title(text: Text) -> str:
    return text.title or text.text_id


def _as_split(sections: Sections) -> Sections:
    return sections


@dataclass(frozen=True, slots=True)
class Filing:
    """How texts are filed: their terms, their documents' names, and what is made of their sections."""

    tokenizer: type[Tokenizer] = Tokenizer
    name: Callable[[Text], str] = _title
    sections: Callable[[Sections], Sections] = _as_split


class OurSearch:
    """The knowledge base of a corpus, filled once, and searched in several ways."""

    def __init__(self, texts: Sequence[Text], embeddings: KeptEmbeddings, filing: Filing | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="wenqu-bench-")
        folder = Path(self._folder.name)
        self.settings = settings_for(folder)
        self._filing = filing or Filing()
        self._tokenizer = self._filing.tokenizer(folder / "jieba")
        self._catalog = Catalog(open_database(f"sqlite:///{folder / 'bench.sqlite3'}"), _MODEL)
        encoder = Encoder(embeddings, _MODEL)
        self.knowledge = local_knowledge(self._catalog, encoder, self._tokenizer, self.settings)
        self._owners: dict[str, str] = {}
        for text in texts:
            self._add(text)
        self._embed(encoder)

    def close(self) -> None:
        """Remove the store."""
        self._folder.cleanup()

    def way(self, request: SearchRequest | None = None, *, rerank: bool = True) -> Search:
        """A search as the app does it for a served model, with another request or without the reranker."""
        retrieval, limit = self.retrieval(request, rerank=rerank), self.settings.multi_dialogue_rag.limit_served

        def search(question: str) -> Ranking:
            result = retrieval.find([question], [_COLLECTION], limit=limit)
            # Where the app would say that nothing is relevant, it still shows what came nearest.
            return list(dict.fromkeys(self.owner(hit) for hit in (*result.hits, *result.nearest)))

        return search

    def hits(self, question: str, request: SearchRequest) -> tuple[Hit, ...]:
        """What the search finds before anything is reranked."""
        return self.knowledge.search([question], [_COLLECTION], request).hits

    def owner(self, hit: Hit) -> str:
        """The text that a hit is of."""
        return self._owners[hit.chunk.document_id]

    def words(self, text: str) -> list[str]:
        """A text cut into words, as the reranker has it."""
        return self._tokenizer.words(text)

    def retrieval(self, request: SearchRequest | None = None, *, rerank: bool = True) -> Retrieval:
        """What the app finds evidence with."""
        return Retrieval(
            self.knowledge,
            request or from_settings(self.settings),
            self.settings.rerank,
            FeatureReranker(self._tokenizer.words, SentenceCosines(self.knowledge.similarities)) if rerank else None,
            room=self.settings.multi_dialogue_rag.evidence_tokens,
            estimate=average_estimate,
        )

    def _add(self, text: Text) -> None:
        page = Page(1, "1", text.text, PageHealth.TEXT)
        loaded = LoadedDocument((page,))
        sections = sections_of(loaded, self.settings.splitter)
        sha256 = hashlib.sha256(text.text_id.encode()).hexdigest()
        document = self._catalog.register(_COLLECTION, self._filing.name(text), sha256, len(text.text))
        self.knowledge.add(document.document_id, self._filing.sections(sections), loaded)
        self._owners[document.document_id] = text.text_id

    def _embed(self, encoder: Encoder) -> None:
        vectors, after = Vectors(self._catalog.engine, _MODEL), 0
        while pending := vectors.pending(after, 500):
            made = encoder.passages([item.text for item in pending])
            self.knowledge.add_vectors(
                {item.text_hash: vector for item, vector in zip(pending, made, strict=True)}, _MODEL
            )
