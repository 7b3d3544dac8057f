"""The model cannot answer."""

import re

from rag.errors.base import WenquError

_SECRET = re.compile(r"^([a-z]+://)?.*@|\?.*", re.IGNORECASE | re.DOTALL)


def told_address(address: str) -> str:
    """A server's address without credentials or query, which may hold a key."""
    return _SECRET.sub(r"\1", address)


class ModelError(WenquError):
    """The model cannot answer."""


class _ServerFails(ModelError):
    """Its address is shown without credentials or query."""

    def __init__(self, *, base_url: object, **values: object) -> None:
        super().__init__(base_url=told_address(str(base_url)), **values)


class ModelUnreachable(_ServerFails):
    """Values: base_url."""

    key = "model_unreachable"


class ModelMissing(ModelError):
    """Values: model."""

    key = "model_missing"


class TooManyModelsComing(ModelError):
    """As many models as are allowed at once are being downloaded already. No values."""

    key = "too_many_models_coming"


class ModelRefused(ModelError):
    """The server answered with an error. Values: model, status, detail."""

    key = "model_refused"


class ModelKeyRefused(_ServerFails):
    """The server does not let in whoever has the key that is set, or none. Values: base_url, status, variable."""

    key = "model_key_refused"


class OwnKeyRefused(ModelKeyRefused):
    """The key is one that a session has set. Values: base_url, status."""

    key = "own_key_refused"


class ModelsNotListed(ModelError):
    """What answers at an address does not say what models it has. Values: base_url."""

    key = "models_not_listed"


class NoOllama(_ServerFails):
    """What answers at Ollama's address does not tell its models as Ollama does, or not in time. Values: base_url."""

    key = "no_ollama"


class NoModel(ModelError):
    """None of the models that were looked for can be had. Values: first, rest: why not, each a message."""

    key = "no_model"


class ModelStreamBroken(ModelError):
    """The answer broke off. Values: model."""

    key = "model_stream_broken"


class ModelGaveNothing(ModelError):
    """Values: model."""

    key = "model_gave_nothing"


class ModelNotLoaded(ModelError):
    """Values: model, detail."""

    key = "model_not_loaded"


class PromptTooLong(ModelError):
    """Values: tokens, limit."""

    key = "prompt_too_long"


class EmbeddingFailed(ModelError):
    """Values: model, detail."""

    key = "embedding_failed"


class EmbeddingReplaced(EmbeddingFailed):
    """What has the name now makes vectors of another dimension than before. Values: model, dimension, stored."""

    key = "embedding_replaced"


class RerankFailed(ModelError):
    """What judges passages did not, or not in a form that can be read. Values: model, detail."""

    key = "rerank_failed"


class PackageMissing(ModelError):
    """An optional package is not installed. Values: package, command."""

    key = "package_missing"


class ModelFileError(ModelError):
    """A model file cannot be had, or is not what it should be. Values: file, detail."""

    key = "model_file"
