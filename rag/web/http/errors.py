"""Errors as programs expect them: OpenAI's shape and HTTP's status. The page's visitor reads them in their language."""

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from rag import errors
from rag.errors import WenquError
from rag.i18n import Language, sentence
from rag.language.folding import encodable
from rag.settings import plain
from rag.types import Message
from rag.web.session import language_of

# The first that fits.
_STATUS: tuple[tuple[int, tuple[type[WenquError], ...]], ...] = (
    (401, (errors.KeyNeeded,)),
    (403, (errors.HostRefused, errors.ForeignPage)),
    (404, (errors.UnknownDocument, errors.UnknownTurn, errors.UnknownConversation)),
    (404, (errors.UnknownAssistant, errors.NoSuchAddress)),
    (405, (errors.WrongMethod,)),
    (413, (errors.RequestTooLarge, errors.FileTooLarge, errors.QuotaExceeded)),
    (429, (errors.TooManyQuestions, errors.TooManyHere, errors.TooManyRequests)),
    (503, (errors.ServerBusy, errors.ModelUnreachable)),
    (507, (errors.UploadRoomFull, errors.StoreFull)),
    (400, (errors.PromptTooLong, errors.DocumentError, errors.QuestionError, errors.RequestError)),
    (500, (errors.InternalError,)),
    (502, (errors.ModelError,)),
    (503, (WenquError,)),
)
# What pydantic calls it when something else stands in an object's place.
_NO_OBJECT = ("model_type", "model_attributes_type", "dict_type")


class ErrorDetail(BaseModel):
    """What happened, in a sentence; `code` is the error's key."""

    message: str
    type: str
    param: str | None
    code: str


class ErrorBody(BaseModel):
    """An error as OpenAI's clients read it."""

    error: ErrorDetail


# Says so in the OpenAPI document, in place of FastAPI's own 422.
RESPONSES: dict[int | str, dict[str, Any]] = {"4XX": {"model": ErrorBody}, "5XX": {"model": ErrorBody}}


def status_of(error: WenquError) -> int:
    """The HTTP status of an error."""
    return next(status for status, kinds in _STATUS if isinstance(error, kinds))


def error_body(error: WenquError, language: Language) -> ErrorBody:
    """The body of an error's reply."""
    status = status_of(error)
    kind = "authentication_error" if status == 401 else "invalid_request_error" if status < 500 else "server_error"
    # An error repeats what it was sent.
    param = encodable(str(error.values["parameter"])) if "parameter" in error.values else None
    message = encodable(sentence(language, error.message))
    return ErrorBody(error=ErrorDetail(message=message, type=kind, param=param, code=error.key))


def error_response(error: WenquError, connection: HTTPConnection, default: Language) -> JSONResponse:
    """The reply that tells of an error, in the language that was chosen on the page, if any was."""
    status = status_of(error)
    headers = {401: {"WWW-Authenticate": "Bearer"}, 429: {"Retry-After": "5"}, 503: {"Retry-After": "5"}}.get(status)
    return JSONResponse(error_body(error, language_of(connection, default)).model_dump(), status, headers)


def add_error_handlers(app: FastAPI, language: Language) -> None:
    """Let every route's errors be told in OpenAI's shape."""

    @app.exception_handler(WenquError)
    def ours(request: Request, error: WenquError) -> JSONResponse:
        return error_response(error, request, language)

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return error_response(_invalid(error, request.headers.get("content-type", "")), request, language)

    @app.exception_handler(HTTPException)
    def frameworks(request: Request, error: HTTPException) -> JSONResponse:
        told = error_body(_frameworks(error, request.method), language_of(request, language))
        return JSONResponse(told.model_dump(), error.status_code, error.headers)


def _invalid(error: RequestValidationError, content_type: str) -> WenquError:
    """What is wrong with a request's fields: the first problem."""
    first, *others = [(_place(problem, error.body), problem) for problem in error.errors()]
    # Of a list where text may stand too, what is wrong in it says more than that it is no text.
    of_list = [other for other in others if _says_more(other, first)]
    place, problem = (of_list or [first])[0]
    kind = problem["type"]
    if kind == "json_invalid":
        # The place is a count of characters.
        detail, place = Message("request.no_json", {"place": int(problem["loc"][-1]) + 1}), "body"
    elif kind in _NO_OBJECT and place == "body" and "json" not in content_type:
        detail = Message("request.content_type")  # curl's own, and then nothing was read as JSON
    elif kind in _NO_OBJECT:
        detail = Message("request.object")
    elif kind == "value_error" and place == "file":
        detail = Message("request.no_file")
    else:
        detail = plain(problem) or Message("request.other", {"detail": problem["msg"]})
    return errors.InvalidRequest(parameter=place, detail=detail)


def _frameworks(error: HTTPException, method: str) -> WenquError:
    match error.status_code:
        case 404:
            return errors.NoSuchAddress()
        case 405:
            return errors.WrongMethod(method=method)
    if isinstance(error.__cause__, UnicodeDecodeError):
        # As a terminal of a Chinese Windows writes it.
        return errors.InvalidRequest(parameter="body", detail=Message("request.no_utf8"))
    return errors.InvalidRequest(parameter="request", detail=Message("request.other", {"detail": error.detail}))


def _says_more(other: tuple[str, ErrorDetails], first: tuple[str, ErrorDetails]) -> bool:
    is_same = other[0] == first[0] and not other[1]["type"].endswith("_type")
    return is_same or other[0].startswith(f"{first[0]}.")


def _place(problem: ErrorDetails, body: Any) -> str:
    """Where in the request: `messages.0.content`. Of where several types may stand, pydantic names each it tried."""
    steps: Sequence[Any] = problem["loc"][1:]
    names = []
    for step in steps:
        if isinstance(body, dict):
            is_there = step in body or problem["type"] == "missing"
        else:
            is_there = isinstance(step, int) or not isinstance(body, list | str | int | float)
        if is_there:
            names.append(str(step))
            body = body[step] if isinstance(body, list) else body.get(step) if isinstance(body, dict) else None
    return ".".join(names) or str(problem["loc"][0])
