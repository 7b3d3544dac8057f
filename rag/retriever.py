"""Retrieval as a LangChain retriever."""

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, PositiveInt

from rag.language.place import named_place
from rag.retrieval import Retrieval
from rag.types import EVERYTHING, Hit, Scope


class KnowledgeBaseRetriever(BaseRetriever):
    """The best passages of some collections: at most `k`; without it as many as are configured."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    retrieval: Retrieval
    collections: tuple[str, ...]
    scope: Scope = EVERYTHING
    k: PositiveInt | None = None

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 LangChain passes it by name
        k: int | None = None,
    ) -> list[Document]:
        result = self.retrieval.find(
            [query], self.collections, scope=self.scope, limit=k or self.k, place=named_place(query)
        )
        return [_to_document(hit) for hit in result.hits]


def _to_document(hit: Hit) -> Document:
    passage = hit.chunk.passage
    metadata = {
        "source": hit.chunk.document_name,
        "page": passage.page,
        "page_label": passage.page_label,
        "score": hit.score,
        "heading_path": list(passage.heading_path),
    }
    return Document(id=str(hit.chunk.chunk_id), page_content=passage.text_in_context, metadata=metadata)
