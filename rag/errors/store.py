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

    key = "disk_full"


class QuotaExceeded(StoreError):
    """A session stores more than it may. Values: limit_mb."""

    key = "quota_exceeded"


class StoreFull(StoreError):
    """All sessions together store as much as they may. Values: limit_mb."""

    key = "store_full"


class KnowledgeUnavailable(StoreError):
    """The server that is searched does not answer, or not as it should; the log says what it said. Values: address."""

    key = "knowledge_unavailable"


class StoreUnavailable(_PlaceRefuses):
    """Values: path, reason."""

    key = "store_unavailable"


class StoreInUse(_PlaceRefuses):
    """Another process works in the store. Values: path."""

    key = "store_in_use"


class InvalidRecord(StoreError):
    """A line of an imported file is not a turn's record. Values: file, line, detail."""

    key = "invalid_record"
