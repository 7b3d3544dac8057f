"""Whether a question is put in English, whatever it names: the documents and their names are Chinese."""

import re
from collections.abc import Sequence

from rag.i18n import Language
from rag.language.folding import CHINESE
from rag.language.words import OPEN_WORDS_IN_ENGLISH, SUMMING_UP

_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*", re.IGNORECASE)
# A question of fewer words may only name something; without any Chinese one word, a term or a number, does.
_FEWEST_WORDS, _FEWEST_ALONE = 3, 2
# Words without which no English question about a Chinese name does; 请解释 Spring Boot Starter has none.
_GRAMMAR = re.compile(
    rf"\b(?:{OPEN_WORDS_IN_ENGLISH}|is|are|was|were|do|does|did|has|have|can|should|the|of|in|for|by|about)\b",
    re.IGNORECASE,
)
_CHINESE_GRAMMAR = re.compile(r"[的是了吗呢吧么谁哪几这那]|多[少大久]|怎|如何|为何")
# "Answer in Chinese", 请用英文回答; neither 可以用英文回复客户吗 nor "Should staff reply in English?".
_WISHES = {
    language: re.compile(
        rf"用(?:{chinese})来?(?:回答|作答|答复|回复|解答|解释|介绍|说明|{SUMMING_UP}|输出)"
        r"(?:问题|我|一下|即可|就[行好]|吧)*(?=\W|$)|"
        r"(?:(?:^|[^\w\s])\s*(?:please |and |but )?|\b(?:can|could|would|will) you (?:please )?)"
        rf"(?:answer|reply|respond|explain)(?: \w+){{0,3}} in {english}\b|\bin {english},? please\b",
        re.IGNORECASE,
    )
    for language, chinese, english in (
        (Language.ZH, "中文|汉语|普通话", "chinese"),
        (Language.EN, "英文|英语", "english"),
    )
}


def is_english(question: str) -> bool:
    """Whether a question is in English, and more than a term."""
    words, characters = _WORD.findall(question), sum(map(len, CHINESE.findall(question)))
    if len(words) < _FEWEST_WORDS:
        return False
    if not characters:
        return True
    # "Attention Is All You Need 这篇论文讲了什么？" only names something English.
    says_it = _GRAMMAR.search(question) is not None and not _CHINESE_GRAMMAR.search(question)
    return says_it and 2 * len(words) > characters


def wants_english(question: str) -> bool:
    """Whether a question is to be answered in English: as it wishes, or as it is put."""
    wish = _wished(question)
    return is_english(question) if wish is None else wish is Language.EN


def _wished(question: str) -> Language | None:
    """The language in which a question says that it is to be answered."""
    return next((language for language, wish in _WISHES.items() if wish.search(question)), None)


def other_language(question: str, texts: Sequence[str]) -> Language | None:
    """The language of most of some texts, where a question is put in another; a text with a Chinese word is Chinese.

    An English question for which words find nothing at all is taken for one to Chinese texts.
    """
    chinese = sum(CHINESE.search(text) is not None for text in texts)
    if not texts or 2 * chinese > len(texts):
        return Language.ZH if is_english(question) else None
    return Language.EN if CHINESE.search(question) and not is_english(question) else None


def spoken_language(question: str, default: Language) -> Language:
    """The language in which the program itself answers a question; `default` where it tells none."""
    if wants_english(question):
        return Language.EN
    if CHINESE.search(question) or _wished(question):
        return Language.ZH
    return Language.EN if len(_WORD.findall(question)) >= _FEWEST_ALONE else default
