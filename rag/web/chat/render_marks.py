"""What stands in the place of an answer's [n] markers: a button that shows source n."""

from collections.abc import Collection
from html import escape

from rag import i18n
from rag.i18n import Language
from rag.types import CheckedSentence, Support, Verification
from rag.web.markdown import Cite
from rag.web.markup import said


def unchecked(numbers: Collection[int], language: Language) -> Cite:
    """For an answer that is still being written: doubtful is only a number that no evidence has."""

    def cite(number: int, _place: int | None) -> str:
        if number in numbers:
            return _button(number, "cite", said(language, "chat.show_source", number=number))
        return _button(number, "cite doubtful", said(language, "chat.unknown_source", number=number))

    return cite


def checked(numbers: Collection[int], verification: Verification, language: Language) -> Cite:
    """For a whole answer: with the reason where a marker's evidence does not say what its sentence says."""
    plain = unchecked(numbers, language)

    def cite(number: int, place: int | None) -> str:
        if place is None:
            return plain(number, place)
        sentence = verification.sentences[place]
        if number in sentence.added:
            return _button(number, "cite added", said(language, "chat.added_source", number=number))
        if number in sentence.doubtful or sentence.support is Support.UNVERIFIED:
            return _button(number, "cite doubtful", _why(sentence, number, language))
        return plain(number, place)

    return cite


def _why(sentence: CheckedSentence, number: int, language: Language) -> str:
    if sentence.reason is None:
        return said(language, "chat.unverified_source", number=number)
    reason = escape(i18n.sentence(language, sentence.reason))
    return f"{said(language, 'chat.unverified')}{reason}"


def _button(number: int, kind: str, title: str) -> str:
    return (
        f'<button type="button" class="{kind}" data-cite="{number}" title="{title}" aria-label="{title}">'
        f"{number}</button>"
    )
