"""Which model makes the vectors of each dense field: for the chunks of a collection, the one chosen for it, if any; and
how a session chooses: models are offered, tried, and from then on that of its collection."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, bindparam, select, update

from rag.database import change, transaction, values_of
from rag.embeddings.encoder import Encoder
from rag.embeddings.offered import OfferedEmbeddings
from rag.errors import ModelError, ModelMissing
from rag.knowledge.catalog import ensure_collection
from rag.knowledge.request import CHUNK_DENSE
from rag.knowledge.schema import collections
from rag.types import Message

_CHOSEN = (
    select(collections.c.model_id)
    .where(collections.c.model_id.is_not(None))
    .distinct()
    .order_by(collections.c.model_id)
)
# Put together once: every search runs it.
_CHOSEN_AMONG = _CHOSEN.where(collections.c.collection_id.in_(bindparam("among", expanding=True)))


class Encoders:
    """The models in use. Which one was chosen is told by the collection's row. Every method raises StoreError."""

    def __init__(
        self,
        engine: Engine,
        configured: Mapping[str, Encoder],
        named: Callable[[str], Encoder | None] = lambda _: None,
    ) -> None:
        """`configured` are the server's own models, by field; `named` gives another by its id, if it may be chosen.

        What was chosen and may no longer be is forgotten.
        """
        self.configured = configured
        self._engine = engine
        self._named = named
        # One that several fields or collections have is one object: it is large.
        self._known = {own.model_id: own for own in configured.values()}
        own_id = configured[CHUNK_DENSE].model_id
        gone = [model_id for model_id in self._chosen() if model_id == own_id or named(model_id) is None]
        if gone:
            change(engine, update(collections).where(collections.c.model_id.in_(gone)).values(model_id=None))

    def encoder(self, model_id: str) -> Encoder | None:
        """A model by its id, if it may be chosen."""
        encoder = self._known.get(model_id) or self._named(model_id)
        return encoder and self._known.setdefault(model_id, encoder)

    def of(self, searched: Sequence[str]) -> Mapping[str, Encoder]:
        """The models by which collections are searched together, by field: a session's own decides for the others."""
        chosen = [encoder for model_id in self._chosen(searched) if (encoder := self.encoder(model_id))]
        return {**self.configured, CHUNK_DENSE: chosen[0]} if chosen else self.configured

    def to_fill(self) -> list[tuple[str, Encoder]]:
        """The fields, and the models that they have vectors of: chunks first, by the server's own model."""
        chosen = [encoder for model_id in self._chosen() if (encoder := self.encoder(model_id))]
        further = [(field, own) for field, own in self.configured.items() if field != CHUNK_DENSE]
        return [(CHUNK_DENSE, encoder) for encoder in (self.configured[CHUNK_DENSE], *chosen)] + further

    def chosen(self, collection_id: str) -> str:
        """The id of the model that was chosen for a collection; empty where it has the server's own."""
        return next(iter(self._chosen([collection_id])), "")

    def choose(self, collection_id: str, model_id: str) -> None:
        """Have a collection's vectors made by a model from now on; by the server's own if its id is empty."""
        own = update(collections).where(collections.c.collection_id == collection_id)
        with transaction(self._engine) as connection:
            # Who chooses may have no document, and so no collection, yet.
            ensure_collection(connection, collection_id)
            connection.execute(own.values(model_id=model_id or None))

    def _chosen(self, among: Sequence[str] | None = None) -> list[str]:
        """The ids of models that were chosen, for any collection or for some."""
        return list(values_of(self._engine, _CHOSEN if among is None else _CHOSEN_AMONG, {"among": among}))


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddingChoice:
    """An id that is empty stands for the server's own model. Methods with a session raise StoreError.

    `begin_again` has the vectors of a session's collection made by another model.
    """

    offers: OfferedEmbeddings
    encoders: Encoders
    begin_again: Callable[[str], None]

    def of(self, session_id: str) -> str:
        """The model that a session has chosen."""
        return self.encoders.chosen(session_id)

    def problem(self, session_id: str, model_id: str) -> Message | None:
        """Why a session cannot have a model: it has to make a vector."""
        if model_id in ("", self.of(session_id)):
            return None
        encoder = self.encoders.encoder(model_id)
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
            self.encoders.choose(session_id, model_id)
            self.begin_again(session_id)
