"""A program's request that cannot be served as it is."""

from rag.errors.base import WenquError


class RequestError(WenquError):
    """A program's request that cannot be served as it is."""


class KeyNeeded(RequestError):
    """No key, or none of ours. No values."""

    key = "key_needed"


class HostRefused(RequestError):
    """The request is for a name that may not be this server's. Values: host."""

    key = "host_refused"


class ForeignPage(RequestError):
    """A page of another site asks for a change on a server that only this machine reaches. No values."""

    key = "foreign_page"


class UnknownAssistant(RequestError):
    """There is no model of this name. Values: model, known."""

    key = "unknown_assistant"


class UnsupportedParameter(RequestError):
    """Values: parameter."""

    key = "unsupported_parameter"


class NoQuestion(RequestError):
    """The last message is not the user's. No values."""

    key = "no_question"


class InvalidRequest(RequestError):
    """Values: parameter, detail."""

    key = "invalid_request"


class NoSuchAddress(RequestError):
    """No values."""

    key = "no_such_address"


class WrongMethod(RequestError):
    """The address does not take requests of this kind. Values: method."""

    key = "wrong_method"


class RequestTooLarge(RequestError):
    """Values: limit_mb."""

    key = "request_too_large"


class ServerBusy(RequestError):
    """No values."""

    key = "server_busy"


class UploadRoomFull(RequestError):
    """What programs have uploaded before naming it takes up as much as it may. Values: limit_mb."""

    key = "upload_room_full"


class TooManyQuestions(RequestError):
    """One session asks more at once than it may. Values: limit."""

    key = "too_many_questions"


class TooManyHere(RequestError):
    """One network asks more at once than it may, in however many sessions. Values: limit."""

    key = "too_many_here"


class NotUploaded(RequestError):
    """A path or an address in place of a file. No values."""

    key = "not_uploaded"
