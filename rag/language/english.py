"""Whether a question is put in English, whatever it names: the documents and their names are Chinese."""

import re

from rag.language.folding import HAN

_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*", re.IGNORECASE)
_HAN = re.compile(f"[{HAN}]")
# A question of fewer words, such as a term alone, tells no language.
_FEWEST_WORDS = 3
# Words without which no English question about a Chinese name does; 请解释 Spring Boot Starter has none.
_GRAMMAR = re.compile(
    r"\b(?:what|which|who|whose|when|where|why|how|is|are|was|were|do|does|did|has|have|can|should|the|of|in|for|by|about)\b",
    re.IGNORECASE,
)


def is_english(question: str) -> bool:
    """Whether a question is in English, and more than a term."""
    words, characters = _WORD.findall(question), _HAN.findall(question)
    if len(words) < _FEWEST_WORDS:
        return False
    return not characters or (2 * len(words) > len(characters) and _GRAMMAR.search(question) is not None)
