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


class ModelMissing(ModelError):
    """Values: model."""


class TooManyModelsComing(ModelError):
    """As many models as are allowed at once are being downloaded already. No values."""


class ModelRefused(ModelError):
    """The server answered with an error. Values: model, status, detail: a line without control characters."""

    def __init__(self, *, detail: object, **values: object) -> None:
        printable = "".join(sign if sign.isprintable() else " " for sign in str(detail))
        super().__init__(detail=" ".join(printable.split())[:300], **values)


class ModelKeyRefused(_ServerFails):
    """The server does not let in whoever has the key that is set, or none. Values: base_url, status, variable."""


class OwnKeyRefused(ModelKeyRefused):
    """The key is one that a session has set. Values: base_url, status."""


class ModelsNotListed(ModelError):
    """What answers at an address does not say what models it has. Values: base_url."""


class NoOllama(_ServerFails):
    """What answers at Ollama's address does not tell its models as Ollama does, or not in time. Values: base_url."""


class NoModel(ModelError):
    """None of the models that were looked for can be had. Values: first, rest: why not, each a message."""


class ModelStreamBroken(ModelError):
    """The answer broke off. Values: model."""


class ModelGaveNothing(ModelError):
    """Values: model."""


class ModelNotLoaded(ModelError):
    """Values: model, detail."""


class PromptTooLong(ModelError):
    """Values: tokens, limit."""


class EmbeddingFailed(ModelError):
    """Values: model, detail."""


class EmbeddingReplaced(EmbeddingFailed):
    """What has the name now makes vectors of another dimension than before. Values: model, dimension, stored."""


class RerankFailed(ModelError):
    """What judges passages did not, or not in a form that can be read. Values: model, detail."""


class PackageMissing(ModelError):
    """An optional package is not installed. Values: package, command."""


class ModelFileError(ModelError):
    """A model file cannot be had, or is not what it should be. Values: file, detail."""

    key = "model_file"
