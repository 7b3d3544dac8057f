"""What the services stand on: the databases, the knowledge base over them, and the models."""

from dataclasses import dataclass
from functools import partial

from sqlalchemy import Engine

from rag.database import open_database
from rag.embeddings.build import build_embeddings
from rag.embeddings.encoder import Encoder
from rag.embeddings.offered import OfferedEmbeddings
from rag.knowledge.catalog import Catalog
from rag.knowledge.contents import Contents
from rag.knowledge.encoders import EmbeddingChoice, Encoders
from rag.knowledge.filler import VectorFiller
from rag.knowledge.local import LocalIndex
from rag.knowledge.milvus.index import MilvusIndex, Reconciler
from rag.knowledge.request import CHUNK_DENSE, dense_settings
from rag.knowledge.similarities import similarities
from rag.knowledge.stored import StoredKnowledgeBase
from rag.knowledge.tokenizer import Tokenizer
from rag.llm.current import Habits
from rag.llm.gate import Gate
from rag.llm.manager import ModelManager
from rag.llm.pool import ModelPool
from rag.llm.replier import Replier
from rag.model_store import ModelStore
from rag.preferences.fields import may_choose_embedding
from rag.settings import Settings

DATABASE = "wenqu.sqlite3"


@dataclass(frozen=True, slots=True)
class SharedParts:
    """The parts that several services share. `encoder` makes the vectors of chunks."""

    settings: Settings
    database: Engine
    # Perhaps the same one.
    conversation_database: Engine
    encoder: Encoder
    tokenizer: Tokenizer
    catalog: Catalog
    contents: Contents
    knowledge: StoredKnowledgeBase
    reconciler: Reconciler | None
    gate: Gate
    filler: VectorFiller
    embedding: EmbeddingChoice
    models: ModelManager
    pool: ModelPool
    habits: Habits

    def replier(self) -> Replier:
        """Who is asked at present for short replies that no session wants."""
        return Replier.of(self.models.current(), self.habits)


def build_shared_parts(settings: Settings) -> SharedParts:
    """The shared parts, nothing started. Raises WenquError."""
    folder, url = settings.store.path, settings.conversation.url
    database = open_database(f"sqlite:///{folder / DATABASE}")
    configured, offers = _build_encoders(settings), OfferedEmbeddings(settings)
    catalog, tokenizer = Catalog(database, configured[CHUNK_DENSE].model_id), Tokenizer(folder / "jieba")
    encoders = Encoders(database, configured, offers.encoder if may_choose_embedding(settings) else lambda _: None)
    knowledge, reconciler = _build_knowledge(catalog, encoders, tokenizer, settings)
    files = ModelStore(settings.models)
    near = partial(similarities, encoder=configured[CHUNK_DENSE], words=tokenizer.words)
    models = ModelManager(settings, files, near)
    # llama.cpp on this machine serves one after the other; only a server has more to give.
    gate = Gate(lambda: settings.llm.concurrency if models.current().provider.is_served else 1)
    filler = VectorFiller(catalog, knowledge, gate.idle)
    return SharedParts(
        settings=settings,
        database=database,
        conversation_database=open_database(url) if url else database,
        encoder=configured[CHUNK_DENSE],
        tokenizer=tokenizer,
        catalog=catalog,
        contents=Contents(database),
        knowledge=knowledge,
        reconciler=reconciler,
        gate=gate,
        filler=filler,
        embedding=EmbeddingChoice(offers, encoders, filler.begin_again),
        models=models,
        pool=ModelPool(settings, files, models),
        habits=Habits(),
    )


def _build_knowledge(
    catalog: Catalog, encoders: Encoders, tokenizer: Tokenizer, settings: Settings
) -> tuple[StoredKnowledgeBase, Reconciler | None]:
    """The knowledge base, and what keeps the server that it searches at what SQLite holds, where there is one."""
    match settings.milvus.uri:
        case "":
            local = LocalIndex(catalog.engine, tokenizer, settings.sparse_fields.chunk)
            return StoredKnowledgeBase(catalog, encoders, tokenizer, local), None
        case _:
            index = MilvusIndex(catalog.engine, encoders.configured, tokenizer, settings)
            return StoredKnowledgeBase(catalog, encoders, tokenizer, index), Reconciler(index)


def _build_encoders(settings: Settings) -> dict[str, Encoder]:
    """The models of the dense fields that are switched on. One that several of them name is one object: it is large."""
    made = {field: build_embeddings(own, settings.llm) for field, own in dense_settings(settings).items()}
    models = {encoder.model_id: encoder for encoder in made.values()}
    return {field: models[encoder.model_id] for field, encoder in made.items()}
