"""A program's request that cannot be served as it is."""

from rag.errors.base import WenquError


class RequestError(WenquError):
    """A program's request that cannot be served as it is."""


class KeyNeeded(RequestError):
    """No key, or none of ours. No values."""


class HostRefused(RequestError):
    """The request is for a name that may not be this server's. Values: host."""


class ForeignPage(RequestError):
    """A page of another site asks for a change on a server that only this machine reaches. No values."""


class UnknownAssistant(RequestError):
    """There is no model of this name. Values: model, known."""


class UnsupportedParameter(RequestError):
    """Values: parameter."""


class NoQuestion(RequestError):
    """The last message is not the user's. No values."""


class InvalidRequest(RequestError):
    """Its fields are not what they should be. Values: parameter, detail."""


class NoSuchAddress(RequestError):
    """No values."""


class OutdatedPage(RequestError):
    """A page that was opened before the program was replaced asks for what there is no longer. No values."""


class WrongMethod(RequestError):
    """The address does not take requests of this kind. Values: method."""


class RequestTooLarge(RequestError):
    """Values: limit_mb."""


class ServerBusy(RequestError):
    """No values."""


class UploadRoomFull(RequestError):
    """What programs have uploaded before naming it takes up as much as it may. Values: limit_mb."""


class TooManyQuestions(RequestError):
    """One session asks more at once than it may. Values: limit."""


class TooManyHere(RequestError):
    """One network asks more at once than it may, in however many sessions. Values: limit."""


class TooManyRequests(RequestError):
    """One session, or all together, have the page do more at once than it may. No values."""


class NotUploaded(RequestError):
    """A path or an address in place of a file. No values."""
