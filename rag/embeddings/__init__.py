"""Embedding models behind LangChain's `Embeddings`, each with the id under which its vectors are kept."""
