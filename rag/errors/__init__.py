"""Everything that can go wrong, as one tree. Each error is one sentence: what happened, and what to do.

WenquError            base.py, with those that belong to no branch:
├── ConfigError, UnfitPrompt, CannotListen, UnfitProxy, InternalError
├── DocumentError     documents.py: a file cannot be taken in
├── StoreError        store.py: the disk or the database refuses
├── QuestionError     questions.py: a question that cannot be answered as it is
├── RequestError      requests.py: a program's request that cannot be served as it is
└── ModelError        models.py: the model cannot answer
"""

from rag.errors.base import *
from rag.errors.documents import *
from rag.errors.models import *
from rag.errors.questions import *
from rag.errors.requests import *
from rag.errors.store import *
