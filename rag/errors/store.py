"""The disk or the database refuses."""

from rag.errors.base import WenquError


class StoreError(WenquError):
    """The disk or the database refuses."""


class DiskFull(StoreError):
    """Values: path."""

    key = "disk_full"


class QuotaExceeded(StoreError):
    """A session stores more than it may. Values: limit_mb."""

    key = "quota_exceeded"


class KnowledgeUnavailable(StoreError):
    """The server that is searched does not answer, or not as it should. Values: address, reason."""

    key = "knowledge_unavailable"


class StoreUnavailable(StoreError):
    """Values: path, reason."""

    key = "store_unavailable"


class InvalidRecord(StoreError):
    """A line of an imported file is not a turn's record. Values: file, line, detail."""

    key = "invalid_record"
