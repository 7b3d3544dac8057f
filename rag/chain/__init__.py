"""LangChain's conversational retrieval chain, over the same stages as the engine.

`stream` and `astream` yield dictionaries: first pieces of the answer alone under `output_key`, then one with all
the other keys. Their sum is what `invoke` returns. The rewritten question is never among the pieces.
"""

from rag.chain.conversational import ConversationalRetrievalChain

__all__ = ["ConversationalRetrievalChain"]
