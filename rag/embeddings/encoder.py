"""An embedding model as the app asks it: under its id, with vectors of length 1 and errors of one kind."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from cachetools import LRUCache
from langchain_core.embeddings import Embeddings

from rag.embeddings.check import Vector, unit_vectors
from rag.errors import EmbeddingFailed, WenquError
from rag.llm.http import SlowToFail

# An embedding model reads about 500 tokens at once; what a longer question has beyond costs seconds and blurs it.
_QUESTION_LENGTH = 700
# A turn searches for the same in a reader's own files and in the guide, in a file that it names, or once more in other
# words beside the first: half of its vectors would be made twice. Few turns are under way at once.
_QUESTIONS_REMEMBERED = 64
# What is in hand is compared with each question of a conversation, sentence by sentence: some hundred of them, of which
# a vector takes 10 ms, and 1.5 KB.
_SENTENCES_REMEMBERED = 4096
_ANYTHING = "问"


@dataclass(frozen=True, slots=True)
class Encoder:
    """A model that makes vectors, of `dimension` where that is not 0. Those of different ids are never compared."""

    embeddings: Embeddings
    model_id: str
    dimension: int = 0
    _vector_of: Callable[[str], Vector] = field(init=False, repr=False, compare=False)
    _of_sentences: LRUCache[str, Vector] = field(init=False, repr=False, compare=False)
    _slow: SlowToFail = field(default_factory=SlowToFail, init=False, repr=False, compare=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_vector_of", lru_cache(_QUESTIONS_REMEMBERED)(self._unless_left_alone))
        object.__setattr__(self, "_of_sentences", LRUCache(_SENTENCES_REMEMBERED))

    def question(self, text: str) -> Vector:
        """The vector of a question, of length 1, perhaps remembered. Raises ModelError, perhaps that of just before."""
        return self._vector_of(text[:_QUESTION_LENGTH])

    def passages(self, texts: list[str]) -> list[Vector]:
        """The vectors of passages, of length 1, in their order. Raises ModelError."""
        return self._made(lambda: self.embeddings.embed_documents(texts), len(texts))

    def sentences(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of sentences, made as those of passages, each perhaps remembered. Raises ModelError."""
        with self._lock:
            known = {text: self._of_sentences[text] for text in texts if text in self._of_sentences}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        made = dict(zip(missing, self.passages(missing), strict=True)) if missing else {}
        with self._lock:
            self._of_sentences.update(made)
        known |= made
        return [known[text] for text in texts]

    def try_out(self) -> None:
        """Raises ModelError where the model makes no vector now."""
        self._question(_ANYTHING)

    def _unless_left_alone(self, text: str) -> Vector:
        with self._slow.left_alone():
            return self._question(text)

    def _question(self, text: str) -> Vector:
        return self._made(lambda: [self.embeddings.embed_query(text)], 1)[0]

    def _made(self, make: Callable[[], Sequence[Sequence[float]]], texts: int) -> list[Vector]:
        try:
            return unit_vectors(make(), texts, self.model_id, self.dimension)
        except WenquError:
            raise
        except Exception as error:
            # A model's own code may raise anything; it ends no turn, nor the filling in of all other documents.
            raise EmbeddingFailed(model=self.model_id, detail=str(error) or type(error).__name__) from error
