"""Everything that can go wrong, as one tree. Each error is one sentence: what happened, and what to do.

WenquError
├── ConfigError                 config.yaml cannot be used
├── DocumentError               a file cannot be taken in
│   ├── EmptyFile
│   ├── UnsupportedFile         neither its name nor its content is of a known kind
│   ├── MismatchedFile          its content is not what its name says
│   ├── FileTooLarge
│   ├── TooManyPages
│   ├── PasswordNeeded
│   ├── WrongPassword
│   ├── DamagedFile
│   ├── NoTextLayer             images only, or no page that can be read
│   ├── GarbledText
│   ├── OcrNeeded               only images of pages, and the package that reads them is not installed
│   ├── NothingRecognised       only images of pages, and no text was found in them
│   ├── RecognitionStopped      only images of pages, and their recognition was stopped before any text was found
│   ├── ReadingTimedOut
│   ├── ReaderCrashed
│   ├── ReadingInterrupted      the process was killed while it read the file, more than once
│   └── UnknownDocument
├── StoreError                  the disk or the database refuses
│   ├── DiskFull
│   ├── QuotaExceeded
│   ├── InvalidRecord           a line of an imported file is not a turn's record
│   ├── KnowledgeUnavailable    the server that is searched does not answer
│   └── StoreUnavailable
├── QuestionError               a question that cannot be answered as it is
│   ├── EmptyQuestion
│   ├── QuestionTooLong
│   ├── UnknownTurn
│   ├── UnknownConversation
│   ├── UnknownSummary
│   ├── UnfitSummary            empty, or longer than a prompt has room for
│   └── UnfitTitle              empty, or longer than a list has room for
├── RequestError                a program's request that cannot be served as it is
│   ├── KeyNeeded
│   ├── UnknownAssistant        there is no model of this name
│   ├── UnsupportedParameter
│   ├── NoQuestion              the last message is not the user's
│   ├── InvalidRequest          its fields are not what they should be
│   ├── RequestTooLarge
│   └── ServerBusy
├── ModelError                  the model cannot answer
│   ├── ModelUnreachable
│   ├── ModelMissing
│   ├── ModelRefused            the server answered with an error
│   ├── ModelStreamBroken       the answer broke off
│   ├── ModelGaveNothing
│   ├── ModelNotLoaded
│   ├── PromptTooLong
│   ├── EmbeddingFailed
│   ├── RerankFailed
│   ├── PackageMissing          an optional package is not installed
│   └── ModelFileError          a model file cannot be had, or is not what it should be
└── InternalError               nobody foresaw it: a turn ends with it, the log holds what it was
"""

from typing import ClassVar

from rag import i18n
from rag.types import Message


class WenquError(Exception):
    """The root. `values` fill the sentence that the locale files hold under `error.<key>`."""

    key: ClassVar[str]

    def __init__(self, **values: object) -> None:
        super().__init__(values)
        self.values = values

    @property
    def message(self) -> Message:
        """The error as a sentence for the reader, in whatever language they read."""
        return Message(f"error.{self.key}", self.values)

    def __str__(self) -> str:
        return i18n.sentence(i18n.Language.ZH, self.message)


class ConfigError(WenquError):
    """config.yaml cannot be used. Values: file, problems."""

    key = "config"


class DocumentError(WenquError):
    """A file cannot be taken in."""


class EmptyFile(DocumentError):
    """No bytes, or no pages. Values: name."""

    key = "empty_file"


class UnsupportedFile(DocumentError):
    """Neither its name nor its content is of a known kind. Values: name."""

    key = "unsupported_file"


class MismatchedFile(DocumentError):
    """The content is not what the name says. Values: name, kind."""

    key = "mismatched_file"


class FileTooLarge(DocumentError):
    """Values: name, size_mb, limit_mb."""

    key = "file_too_large"


class TooManyPages(DocumentError):
    """Values: name, pages, limit."""

    key = "too_many_pages"


class PasswordNeeded(DocumentError):
    """Values: name."""

    key = "password_needed"


class WrongPassword(DocumentError):
    """Values: name."""

    key = "wrong_password"


class DamagedFile(DocumentError):
    """Values: name."""

    key = "damaged_file"


class NoTextLayer(DocumentError):
    """Values: name, pages (their numbers as text)."""

    key = "no_text_layer"


class GarbledText(DocumentError):
    """Values: name, pages (their numbers as text)."""

    key = "garbled_text"


class OcrNeeded(DocumentError):
    """Values: name, pages (their numbers as text), command."""

    key = "ocr_needed"


class NothingRecognised(DocumentError):
    """Values: name, pages (their numbers as text)."""

    key = "nothing_recognised"


class RecognitionStopped(DocumentError):
    """Values: name."""

    key = "recognition_stopped"


class ReadingTimedOut(DocumentError):
    """Values: name, seconds."""

    key = "reading_timed_out"


class ReaderCrashed(DocumentError):
    """Values: name."""

    key = "reader_crashed"


class ReadingInterrupted(DocumentError):
    """Values: name."""

    key = "reading_interrupted"


class UnknownDocument(DocumentError):
    """The session has no such document. No values."""

    key = "unknown_document"


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


class QuestionError(WenquError):
    """A question that cannot be answered as it is."""


class EmptyQuestion(QuestionError):
    """No values."""

    key = "empty_question"


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


class UnfitSummary(QuestionError):
    """Values: length, limit."""

    key = "unfit_summary"


class UnfitTitle(QuestionError):
    """Values: length, limit."""

    key = "unfit_title"


class RequestError(WenquError):
    """A program's request that cannot be served as it is."""


class KeyNeeded(RequestError):
    """No key, or none of ours. No values."""

    key = "key_needed"


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


class RequestTooLarge(RequestError):
    """Values: limit_mb."""

    key = "request_too_large"


class ServerBusy(RequestError):
    """No values."""

    key = "server_busy"


class ModelError(WenquError):
    """The model cannot answer."""


class ModelUnreachable(ModelError):
    """Values: base_url."""

    key = "model_unreachable"


class ModelMissing(ModelError):
    """Values: model."""

    key = "model_missing"


class ModelRefused(ModelError):
    """The server answered with an error. Values: model, status, detail."""

    key = "model_refused"


class ModelStreamBroken(ModelError):
    """The answer broke off. Values: model."""

    key = "model_stream_broken"


class ModelGaveNothing(ModelError):
    """Values: model."""

    key = "model_gave_nothing"


class ModelNotLoaded(ModelError):
    """Values: model, detail."""

    key = "model_not_loaded"


class PromptTooLong(ModelError):
    """Values: tokens, limit."""

    key = "prompt_too_long"


class EmbeddingFailed(ModelError):
    """Values: model, detail."""

    key = "embedding_failed"


class RerankFailed(ModelError):
    """What judges passages did not, or not in a form that can be read. Values: model, detail."""

    key = "rerank_failed"


class PackageMissing(ModelError):
    """An optional package is not installed. Values: package, command."""

    key = "package_missing"


class ModelFileError(ModelError):
    """A model file cannot be had, or is not what it should be. Values: file, detail."""

    key = "model_file"


class InternalError(WenquError):
    """What nobody foresaw has ended a turn; the log holds what it was. No values."""

    key = "internal"
