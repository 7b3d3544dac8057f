"""The documents that a chain has found before, by what they were found for."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from langchain_core.documents import Document

from rag.chain.history import Exchange

_EXCHANGES = 512  # remembered; older ones are searched for again


class HeldEvidence:
    """Knows a conversation by its exchanges, so that histories may come and go, be cut short or branch."""

    def __init__(self) -> None:
        self._documents: OrderedDict[Exchange, tuple[Document, ...]] = OrderedDict()
        self._lock = Lock()

    def keep(self, exchange: Exchange, documents: Sequence[Document]) -> None:
        """Remember what an exchange was answered from."""
        if not documents:
            return
        with self._lock:
            self._documents[exchange] = tuple(documents)
            self._documents.move_to_end(exchange)
            if len(self._documents) > _EXCHANGES:
                self._documents.popitem(last=False)

    def of(self, exchanges: Sequence[Exchange]) -> tuple[Document, ...]:
        """Each document of a conversation once: those of its newest exchange first."""
        with self._lock:
            found = [document for exchange in reversed(exchanges) for document in self._documents.get(exchange, ())]
        unique: dict[str, Document] = {}
        for document in found:
            # The same passage scores differently in each search, so whole documents are not compared.
            unique.setdefault(document.id or document.page_content, document)
        return tuple(unique.values())
