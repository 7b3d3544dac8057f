"""A knowledge base over a Milvus Lite file in a temporary folder."""

from pathlib import Path

from milvus_lite.server_manager import server_manager_instance

from rag.database import open_database
from rag.embeddings.encoder import Encoder
from rag.knowledge.catalog import Catalog
from rag.knowledge.encoders import Encoders
from rag.knowledge.milvus.index import MilvusIndex
from rag.knowledge.request import CHUNK_DENSE
from rag.knowledge.stored import StoredKnowledgeBase
from rag.knowledge.tokenizer import Tokenizer
from rag.settings import MilvusSettings
from tests.fakes import FakeEmbeddings
from tests.knowledge import SETTINGS, TOKENIZER, Store


def open_milvus_store(
    folder: Path, *, model_id: str = "fake", tokenizer: Tokenizer = TOKENIZER, uri: str = ""
) -> Store:
    """The store in a folder, as a new process opens it: Milvus, by default Lite, is brought to what SQLite holds."""
    store, index = open_milvus(folder, model_id=model_id, tokenizer=tokenizer, uri=uri)
    index.reconcile()
    return store


def open_milvus(
    folder: Path, *, model_id: str = "fake", tokenizer: Tokenizer = TOKENIZER, uri: str = ""
) -> tuple[Store, MilvusIndex]:
    """The same before anything is compared, and its index."""
    catalog = Catalog(open_database(f"sqlite:///{folder / 'knowledge.db'}"), model_id)
    embeddings = FakeEmbeddings()
    encoders = {CHUNK_DENSE: Encoder(embeddings, model_id)}
    milvus = MilvusSettings(uri=uri or str(_file(folder)), timeout=3)
    settings = SETTINGS.model_copy(update={"milvus": milvus})
    index = MilvusIndex(catalog.engine, encoders, tokenizer, settings)
    knowledge = StoredKnowledgeBase(catalog, Encoders(catalog.engine, encoders), tokenizer, index)
    return Store(catalog, knowledge, embeddings), index


def release(folder: Path) -> None:
    """Free the Lite file of a folder: no other process can open it before."""
    server_manager_instance.release_server(str(_file(folder)))


def _file(folder: Path) -> Path:
    return folder / "milvus.db"
