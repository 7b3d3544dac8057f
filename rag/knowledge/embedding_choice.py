"""Which model makes a session's vectors: offered, tried, and from then on that of its collection."""

from collections.abc import Mapping

from rag.embeddings.offered import OfferedEmbeddings
from rag.errors import ModelError, ModelMissing
from rag.knowledge.encoders import Encoders
from rag.knowledge.filler import VectorFiller
from rag.types import Message, OfferedModel


class EmbeddingChoice:
    """An id that is empty stands for the server's own model. Methods with a session raise StoreError."""

    def __init__(self, offers: OfferedEmbeddings, encoders: Encoders, filler: VectorFiller) -> None:
        self._offers = offers
        self._encoders = encoders
        self._filler = filler

    def offered(self) -> Mapping[str, OfferedModel]:
        """The models besides the server's own, by id."""
        return self._offers.models()

    def of(self, session_id: str) -> str:
        """The model that a session has chosen."""
        return self._encoders.chosen(session_id)

    def problem(self, session_id: str, model_id: str) -> Message | None:
        """Why a session cannot have a model: it has to make a vector."""
        if model_id in ("", self.of(session_id)):
            return None
        encoder = self._encoders.encoder(model_id)
        try:
            if encoder is None:
                raise ModelMissing(model=model_id)
            encoder.try_out()
        except ModelError as error:
            return error.message
        return None

    def choose(self, session_id: str, model_id: str) -> None:
        """Have a session's vectors made by a model; what it has not made yet is filled in."""
        if model_id != self.of(session_id):
            self._encoders.choose(session_id, model_id)
            self._filler.begin_again(session_id)
