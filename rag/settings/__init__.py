"""The configuration: `config.yaml`, read once."""

from rag.settings.base import Section
from rag.settings.dialogue import LEAST_EVIDENCE, DialogueSettings, LLMSettings
from rag.settings.faults import explained, plain
from rag.settings.models import HubSource, ModelFile, ModelSettings, PackageSource
from rag.settings.reader import Settings, language_of, read_settings
from rag.settings.retrieval import (
    DenseFields,
    DenseFieldSettings,
    FuseSettings,
    MilvusSettings,
    RerankSettings,
    RouteSettings,
    SparseFieldSettings,
)
from rag.settings.server import SplitterSettings
