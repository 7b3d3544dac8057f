"""How near single sentences are to a question: by their vectors, and by the words that they share with it."""

import logging
import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from rag.embeddings.encoder import Encoder
from rag.errors import ModelError
from rag.types import Similarity

_log = logging.getLogger(__name__)


def similarities(
    question: str, texts: Sequence[str], encoder: Encoder, words: Callable[[str], Sequence[str]]
) -> list[Similarity]:
    """How near each text is to a question, by words alone where the model fails; `words` cuts a text into them."""
    shares = _shares(question, texts, words)
    try:
        asked, vectors = encoder.question(question), encoder.sentences(texts)
    except ModelError as error:
        _log.warning("sentences are compared by words alone: %s", error)
        return [Similarity(words=share) for share in shares]
    return [Similarity(float(np.dot(vector, asked)), share) for vector, share in zip(vectors, shares, strict=True)]


def _shares(question: str, texts: Sequence[str], words: Callable[[str], Sequence[str]]) -> list[float]:
    """What each text has of the question's words; they weigh by their rarity among the texts (inverse frequency)."""
    asked, held = set(words(question)), [set(words(text)) for text in texts]
    frequency = Counter(word for own in held for word in own)
    weights = {word: math.log(1 + len(texts) / (1 + frequency[word])) for word in asked}
    total = sum(weights.values()) or 1.0
    return [sum(weights[word] for word in own & asked) / total for own in held]
