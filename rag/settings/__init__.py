"""The configuration: `config.yaml`, read once."""

from rag.settings.base import Section
from rag.settings.dialogue import LEAST_EVIDENCE, ConversationSettings, DialogueSettings, LLMSettings
from rag.settings.faults import explained
from rag.settings.models import HubSource, ModelFile, ModelSettings, PackageSource
from rag.settings.reader import Settings, language_of, read_settings
from rag.settings.retrieval import (
    DenseFields,
    DenseFieldSettings,
    FuseSettings,
    MilvusSettings,
    RerankSettings,
    RouteSettings,
    SparseFields,
    SparseFieldSettings,
)
from rag.settings.server import (
    LoaderSettings,
    OcrSettings,
    PageSettings,
    ServerSettings,
    SplitterSettings,
    StoreSettings,
)

__all__ = [
    "LEAST_EVIDENCE",
    "ConversationSettings",
    "DenseFieldSettings",
    "DenseFields",
    "DialogueSettings",
    "FuseSettings",
    "HubSource",
    "LLMSettings",
    "LoaderSettings",
    "MilvusSettings",
    "ModelFile",
    "ModelSettings",
    "OcrSettings",
    "PackageSource",
    "PageSettings",
    "RerankSettings",
    "RouteSettings",
    "Section",
    "ServerSettings",
    "Settings",
    "SparseFieldSettings",
    "SparseFields",
    "SplitterSettings",
    "StoreSettings",
    "explained",
    "language_of",
    "read_settings",
]
