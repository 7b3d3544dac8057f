"""Whether a question is put in English, whatever it names: the documents and their names are Chinese."""

import re
from collections.abc import Sequence

from rag.i18n import Language
from rag.language.folding import HAN

_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*", re.IGNORECASE)
_HAN = re.compile(f"[{HAN}]")
# A question of fewer words may only name something; without any Chinese one word, a term or a number, does.
_FEWEST_WORDS, _FEWEST_ALONE = 3, 2
# Words without which no English question about a Chinese name does; 请解释 Spring Boot Starter has none.
_GRAMMAR = re.compile(
    r"\b(?:what|which|who|whose|when|where|why|how|is|are|was|were|do|does|did|has|have|can|should|the|of|in|for|by|about)\b",
    re.IGNORECASE,
)
_CHINESE_GRAMMAR = re.compile(r"[的是了吗呢吧么谁哪几这那]|多[少大久]|怎|如何|为何")


def is_english(question: str) -> bool:
    """Whether a question is in English, and more than a term."""
    words, characters = _WORD.findall(question), _HAN.findall(question)
    if len(words) < _FEWEST_WORDS:
        return False
    if not characters:
        return True
    # "Attention Is All You Need 这篇论文讲了什么？" only names something English.
    says_it = _GRAMMAR.search(question) is not None and not _CHINESE_GRAMMAR.search(question)
    return says_it and 2 * len(words) > len(characters)


def other_language(question: str, texts: Sequence[str]) -> Language | None:
    """The language of most of some texts, where a question is put in another; a text with a Chinese word is Chinese.

    An English question for which words find nothing at all is taken for one to Chinese texts.
    """
    chinese = sum(_HAN.search(text) is not None for text in texts)
    if not texts or 2 * chinese > len(texts):
        return Language.ZH if is_english(question) else None
    return Language.EN if _HAN.search(question) and not is_english(question) else None


def spoken_language(question: str, default: Language) -> Language:
    """The language in which the program itself answers a question; `default` where it tells none."""
    if is_english(question):
        return Language.EN
    if _HAN.search(question):
        return Language.ZH
    return Language.EN if len(_WORD.findall(question)) >= _FEWEST_ALONE else default
