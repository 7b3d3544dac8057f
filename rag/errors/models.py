"""The model cannot answer."""

import re
from ssl import SSLCertVerificationError

from rag.errors.base import WenquError
from rag.types import Message

_SECRET = re.compile(r"^([a-z]+://)?.*@|\?.*", re.IGNORECASE | re.DOTALL)
# Where a server is, and what it says of itself: an address inside a network, a path, an account's number.
_PLACES = ("base_url", "address")
_SAYS = frozenset({"error.model_refused", "error.embedding_failed", "error.rerank_failed"})


def told_address(address: str) -> str:
    """A server's address without credentials or query, which may hold a key."""
    return _SECRET.sub(r"\1", address)


def for_visitors(message: Message) -> Message:
    """What visitors of a public server are told: not where other servers are, nor what these say, which the log has."""
    told = {
        name: for_visitors(value) if isinstance(value, Message) else value for name, value in message.values.items()
    }
    told |= {name: Message("server.unnamed") for name in _PLACES if name in told}
    if message.key in _SAYS:
        told["detail"] = Message("database.in_log")
    return Message(message.key, told)


def veiled(error: WenquError) -> WenquError:
    """An error as visitors of a public server are told of it."""
    told = type(error).__new__(type(error))
    told.__dict__.update(error.__dict__)
    told.values, told.__cause__ = dict(for_visitors(error.message).values), error.__cause__
    return told


def _in_a_line(said: object) -> str:
    """What somebody else said, without control characters, and not at any length."""
    printable = "".join(sign if sign.isprintable() else " " for sign in str(said))
    return " ".join(printable.split())[:300]


def _of_system(error: BaseException) -> OSError | None:
    """What the system said of a connection: the first of what led to an error, which the libraries tell once more."""
    said, cause = None, error.__cause__
    while cause is not None:
        said = cause if isinstance(cause, OSError) else said
        cause = cause.__cause__ or cause.__context__
    return said


class ModelError(WenquError):
    """The model cannot answer."""


class _ServerFails(ModelError):
    """Its address is shown without credentials or query. The log tells why, too: what the server `said`, or the system
    of a connection that was not made."""

    def __init__(self, *, base_url: object, said: object = "", **values: object) -> None:
        super().__init__(base_url=told_address(str(base_url)), **values)
        self._said = said

    def __str__(self) -> str:
        why = _in_a_line(self._said or _of_system(self) or "")
        return f"{super().__str__()}{f' [{why}]' if why else ''}"


class ModelUnreachable(_ServerFails):
    """Values: base_url."""

    @property
    def message(self) -> Message:
        """The error as a sentence for the reader; a server whose certificate is not trusted does run."""
        is_untrusted = isinstance(_of_system(self), SSLCertVerificationError)
        return Message("error.model_certificate", self.values) if is_untrusted else super().message


class ModelMissing(ModelError):
    """Values: model."""


class TooManyModelsComing(ModelError):
    """As many models as are allowed at once are being downloaded already. No values."""


class ModelRefused(ModelError):
    """The server answered with an error. Values: model, status, detail: a line without control characters."""

    def __init__(self, *, detail: object, **values: object) -> None:
        super().__init__(detail=_in_a_line(detail), **values)


class ModelKeyRefused(_ServerFails):
    """The server does not let in whoever has the key that is set, or none. Values: base_url, status, variable."""


class OwnKeyRefused(ModelKeyRefused):
    """The key is one that a session has set. Values: base_url, status."""


class NoModelService(_ServerFails):
    """What answers at an address does not do so by OpenAI's protocol, as where a page does. Values: base_url."""


class ModelsNotListed(ModelError):
    """What answers at an address does not say what models it has. Values: base_url."""


class NoOllama(_ServerFails):
    """What answers at Ollama's address does not tell its models as Ollama does, or not in time. Values: base_url."""


class NoModel(ModelError):
    """None of the models that were looked for can be had. Values: first, rest: why not, each a message."""


class ModelStreamBroken(ModelError):
    """The answer broke off. Values: model."""


class AnswerFiltered(ModelError):
    """The server held back a question, or an answer or the rest of it, for its content. Values: model."""


class ModelGaveNothing(ModelError):
    """Values: model."""


class ModelOnlyThought(ModelGaveNothing):
    """It had reached the limit before it began to answer. Values: model."""


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
