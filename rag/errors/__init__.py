"""Everything that can go wrong, as one tree. Each error is one sentence: what happened, and what to do.

WenquError
├── ConfigError                 config.yaml cannot be used
├── UnfitPrompt                 a prompt that was registered cannot be used
├── CannotListen                another program has the port, or the address is not this machine's
├── UnfitProxy                  the proxy that the system has set cannot be used
├── DocumentError               a file cannot be taken in
│   ├── EmptyFile
│   ├── UnsupportedFile         neither its name nor its content is of a known kind
│   ├── NotText                 named a text, and none in any encoding
│   ├── MismatchedFile          its content is not what its name says
│   ├── FileTooLarge
│   ├── TooManyPages
│   ├── TooManyPassages         too long a text, or in too small pieces
│   ├── PasswordNeeded
│   ├── WrongPassword
│   ├── LockedOfficeFile        its password opens it in its own program alone
│   ├── DamagedFile
│   ├── NoTextLayer             images only, which are not to be recognised
│   ├── NoWords                 an Office file of pictures perhaps
│   ├── GarbledText
│   ├── OcrNeeded               only images of pages, and the package that reads them is not installed
│   ├── NothingRecognised       only images of pages, and no text was found in them
│   ├── RecognitionStopped      only images of pages, and their recognition was stopped before any text was found
│   ├── ReadingTimedOut
│   ├── ReaderCrashed
│   ├── ReadingInterrupted      the process was killed while it read the file, more than once
│   ├── ReadingPutOff           the process ends while somebody waits for the file
│   ├── UnknownDocument
│   └── NoDocumentUsed          a question may use none, as all are left out
├── StoreError                  the disk or the database refuses
│   ├── DiskFull
│   ├── QuotaExceeded
│   ├── StoreFull               all sessions together have stored what they may
│   ├── StoreInUse              another process works in it
│   ├── InvalidRecord           a line of an imported file is not a turn's record
│   ├── KnowledgeUnavailable    the server that is searched does not answer
│   └── StoreUnavailable
├── QuestionError               a question that cannot be answered as it is
│   ├── EmptyQuestion
│   ├── QuestionCalledOff       stopped before its turn came
│   ├── QuestionTooLong
│   ├── UnknownTurn
│   ├── UnknownConversation
│   ├── UnknownSummary
│   ├── OutdatedSummary         the next prompt has another summary in its place, or none
│   ├── UnfitSummary            empty, or longer than a prompt has room for
│   └── UnfitTitle              empty, or longer than a list has room for
├── RequestError                a program's request that cannot be served as it is
│   ├── HostRefused             for a name that may not be this server's
│   ├── ForeignPage             another site's page, in the browser of whoever runs the server
│   ├── KeyNeeded
│   ├── UnknownAssistant        there is no model of this name
│   ├── UnsupportedParameter
│   ├── NoQuestion              the last message is not the user's
│   ├── InvalidRequest          its fields are not what they should be
│   ├── NoSuchAddress
│   ├── OutdatedPage            one opened before the program was replaced asks for what is no longer there
│   ├── WrongMethod
│   ├── RequestTooLarge
│   ├── ServerBusy
│   ├── UploadRoomFull          no room for another file beside those that come or lie there
│   ├── TooManyQuestions        one session asks more at once than it may
│   ├── TooManyHere             all from one network do
│   └── NotUploaded             a path or an address in place of a file
├── ModelError                  the model cannot answer
│   ├── ModelUnreachable
│   ├── ModelMissing
│   ├── TooManyModelsComing
│   ├── ModelRefused            the server answered with an error
│   ├── ModelKeyRefused         the server does not accept the key
│   │   └── OwnKeyRefused       which is one that a session has set
│   ├── ModelsNotListed         what answers there does not say what models it has
│   ├── NoOllama                what answers at its address does not tell its models as Ollama does
│   ├── NoModel                 none of those that were looked for
│   ├── ModelStreamBroken       the answer broke off
│   ├── ModelGaveNothing
│   ├── ModelNotLoaded
│   ├── PromptTooLong
│   ├── EmbeddingFailed
│   │   └── EmbeddingReplaced
│   ├── RerankFailed
│   ├── PackageMissing          an optional package is not installed
│   └── ModelFileError          a model file cannot be had, or is not what it should be
└── InternalError               nobody foresaw it: a turn ends with it, the log holds what it was
"""

from rag.errors.base import CannotListen, ConfigError, InternalError, UnfitPrompt, UnfitProxy, WenquError
from rag.errors.documents import (
    DamagedFile,
    DocumentError,
    EmptyFile,
    FileTooLarge,
    GarbledText,
    LockedOfficeFile,
    MismatchedFile,
    NoDocumentUsed,
    NoTextLayer,
    NothingRecognised,
    NotText,
    NoWords,
    OcrNeeded,
    PasswordNeeded,
    ReaderCrashed,
    ReadingInterrupted,
    ReadingPutOff,
    ReadingTimedOut,
    RecognitionStopped,
    TooManyPages,
    TooManyPassages,
    UnknownDocument,
    UnsupportedFile,
    WrongPassword,
)
from rag.errors.models import (
    EmbeddingFailed,
    EmbeddingReplaced,
    ModelError,
    ModelFileError,
    ModelGaveNothing,
    ModelKeyRefused,
    ModelMissing,
    ModelNotLoaded,
    ModelRefused,
    ModelsNotListed,
    ModelStreamBroken,
    ModelUnreachable,
    NoModel,
    NoOllama,
    OwnKeyRefused,
    PackageMissing,
    PromptTooLong,
    RerankFailed,
    TooManyModelsComing,
    told_address,
)
from rag.errors.questions import (
    EmptyQuestion,
    OutdatedSummary,
    QuestionCalledOff,
    QuestionError,
    QuestionTooLong,
    UnfitSummary,
    UnfitTitle,
    UnknownConversation,
    UnknownSummary,
    UnknownTurn,
)
from rag.errors.requests import (
    ForeignPage,
    HostRefused,
    InvalidRequest,
    KeyNeeded,
    NoQuestion,
    NoSuchAddress,
    NotUploaded,
    OutdatedPage,
    RequestError,
    RequestTooLarge,
    ServerBusy,
    TooManyHere,
    TooManyQuestions,
    UnknownAssistant,
    UnsupportedParameter,
    UploadRoomFull,
    WrongMethod,
)
from rag.errors.store import (
    DiskFull,
    InvalidRecord,
    KnowledgeUnavailable,
    QuotaExceeded,
    StoreError,
    StoreFull,
    StoreInUse,
    StoreUnavailable,
)
