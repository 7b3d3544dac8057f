"""LangChain's conversational retrieval chain, which decides, rewrites, searches and reuses by the engine's rules.

`stream` and `astream` yield dictionaries: first pieces of the answer alone under `output_key`, then one with all
the other keys. Their sum is what `invoke` returns. The rewritten question is never among the pieces.
"""

from rag.chain.conversational import ConversationalRetrievalChain

__all__ = ["ConversationalRetrievalChain"]
