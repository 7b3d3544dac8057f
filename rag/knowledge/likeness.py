"""How near single sentences are to a question: by their vectors, and by the words that they share with it."""

import logging
import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from rag.embeddings.check import unit_vector
from rag.embeddings.encoder import Encoder
from rag.errors import ModelError

# Of 146 everyday questions the answer is among the two nearest sentences of their document for .85 with both and for
# .25 by words alone; of 157 that share words with it for .92 with both, .90 by words and .83 by vectors alone.
_SHARED = 0.2
_log = logging.getLogger(__name__)


def likeness(
    question: str, texts: Sequence[str], encoder: Encoder, words: Callable[[str], Sequence[str]]
) -> list[float]:
    """The cosine of each text to a question, and a fifth of what it has of the question's words, rare ones more.

    By words alone where the model fails.
    """
    shares = _shares(question, texts, words)
    try:
        asked = unit_vector(encoder.question(question), encoder.model_id)
        vectors = [unit_vector(vector, encoder.model_id) for vector in encoder.passages(list(texts))]
    except ModelError as error:
        _log.warning("sentences are compared by words alone: %s", error)
        return shares
    return [float(np.dot(vector, asked)) + _SHARED * share for vector, share in zip(vectors, shares, strict=True)]


def _shares(question: str, texts: Sequence[str], words: Callable[[str], Sequence[str]]) -> list[float]:
    asked, held = set(words(question)), [set(words(text)) for text in texts]
    frequency = Counter(word for own in held for word in own)
    weights = {word: math.log(1 + len(texts) / (1 + frequency[word])) for word in asked}
    total = sum(weights.values()) or 1.0
    return [sum(weights[word] for word in own & asked) / total for own in held]
