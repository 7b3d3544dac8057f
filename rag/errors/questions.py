"""A question that cannot be answered as it is."""

from rag.errors.base import WenquError


class QuestionError(WenquError):
    """A question that cannot be answered as it is."""


class EmptyQuestion(QuestionError):
    """No values."""

    key = "empty_question"


class QuestionCalledOff(QuestionError):
    """It was stopped before the turns in front of it had ended. No values."""

    key = "question_called_off"


class QuestionTooLong(QuestionError):
    """Values: length, limit."""

    key = "question_too_long"


class UnknownTurn(QuestionError):
    """The session has no such turn. No values."""

    key = "unknown_turn"


class UnknownConversation(QuestionError):
    """The session has no such conversation. No values."""

    key = "unknown_conversation"


class UnknownSummary(QuestionError):
    """The session has no such summary. No values."""

    key = "unknown_summary"


class OutdatedSummary(QuestionError):
    """The next prompt has another summary in its place, or none. No values."""

    key = "outdated_summary"


class UnfitSummary(QuestionError):
    """Values: length, limit."""

    key = "unfit_summary"


class UnfitTitle(QuestionError):
    """Values: length, limit."""

    key = "unfit_title"
