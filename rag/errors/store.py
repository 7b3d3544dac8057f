"""The disk or the database refuses."""

from pathlib import PurePath

from rag import i18n
from rag.errors.base import WenquError
from rag.types import Message


class StoreError(WenquError):
    """The disk or the database refuses."""


class _PlaceRefuses(StoreError):
    """Of its path, readers are told the last part, which tells nothing of the machine; logs have the whole."""

    @property
    def message(self) -> Message:
        """The error as a sentence for the reader."""
        return Message(f"error.{self.key}", {**self.values, "path": PurePath(str(self.values["path"])).name})

    def __str__(self) -> str:
        return i18n.sentence(i18n.Language.ZH, Message(f"error.{self.key}", self.values))


class DiskFull(_PlaceRefuses):
    """Values: path."""


class QuotaExceeded(StoreError):
    """A session stores more than it may. Values: limit_mb."""


class StoreFull(StoreError):
    """All sessions together store as much as they may. Values: limit_mb."""


class KnowledgeUnavailable(StoreError):
    """The server that is searched does not answer, or not as it should; the log says what it said. Values: address."""


class StoreUnavailable(_PlaceRefuses):
    """Values: path, reason."""


class StoreDamaged(StoreUnavailable):
    """What its file holds is no longer a database. Values: path, reason."""


class DatabaseUnavailable(_PlaceRefuses):
    """A database server does not answer, or not as it should. Values: path, which is its database's name; reason."""

    @property
    def message(self) -> Message:
        """The error as a sentence for the reader, without the reason: that has the server's address."""
        return Message(f"error.{self.key}", {**super().message.values, "reason": Message("database.in_log")})


class StoreInUse(_PlaceRefuses):
    """Another process works in the store. Values: path."""


class InvalidRecord(StoreError):
    """A line of an imported file is not a turn's record. Values: file, line, detail."""
