"""A knowledge base as a LangChain retriever."""

from dataclasses import replace
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, PositiveInt

from rag.knowledge.base import KnowledgeBase
from rag.knowledge.request import SearchRequest
from rag.types import Hit


class KnowledgeBaseRetriever(BaseRetriever):
    """The `k` best passages of some collections."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    knowledge: Any  # a KnowledgeBase; pydantic cannot check a protocol's methods
    collections: tuple[str, ...]
    request: SearchRequest = SearchRequest()
    k: PositiveInt = 5

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 LangChain passes it by name
        k: int | None = None,
    ) -> list[Document]:
        knowledge: KnowledgeBase = self.knowledge
        request = replace(self.request, limit=k or self.k)
        return [_to_document(hit) for hit in knowledge.search(query, self.collections, request).hits]


def _to_document(hit: Hit) -> Document:
    passage = hit.chunk.passage
    metadata = {
        "source": hit.chunk.document_name,
        "page": passage.page,
        "page_label": passage.page_label,
        "score": hit.score,
        "heading_path": list(passage.heading_path),
    }
    return Document(id=str(hit.chunk.chunk_id), page_content=passage.text, metadata=metadata)
