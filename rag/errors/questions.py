"""A question that cannot be answered as it is."""

from rag.errors.base import WenquError


class QuestionError(WenquError):
    """A question that cannot be answered as it is."""


class EmptyQuestion(QuestionError):
    """No values."""


class QuestionCalledOff(QuestionError):
    """It was stopped before the turns in front of it had ended. No values."""


class QuestionTooLong(QuestionError):
    """Values: length, limit."""


class UnknownTurn(QuestionError):
    """The session has no such turn. No values."""


class UnknownConversation(QuestionError):
    """The session has no such conversation. No values."""


class UnknownSummary(QuestionError):
    """The session has no such summary. No values."""


class OutdatedSummary(QuestionError):
    """The next prompt has another summary in its place, or none. No values."""


class UnfitSummary(QuestionError):
    """Empty, or longer than a prompt has room for. Values: length, limit."""


class UnfitTitle(QuestionError):
    """Empty, or longer than a list has room for. Values: length, limit."""
