"""Why a sentence's marker is not verified, in one sentence for a person or a program."""

from rag import i18n
from rag.i18n import Language
from rag.types import CheckedSentence


def doubt(sentence: CheckedSentence, number: int, language: Language) -> str:
    """What was found of one of a sentence's markers that its passage does not bear out."""
    if number in sentence.corrected:
        added = "、".join(map(str, sentence.added))
        return i18n.text(language, "web.chat.corrected_source", number=number, added=added, count=len(sentence.added))
    if sentence.reason is None:
        return i18n.text(language, "web.chat.unverified_source", number=number)
    return i18n.sentence(language, sentence.reason)
