"""Embedding models behind LangChain's `Embeddings`, each with the id under which its vectors are kept."""

from rag.embeddings.build import build_embeddings

__all__ = ["build_embeddings"]
