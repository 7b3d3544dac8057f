"""What stands in the place of an answer's [n] markers: a button that shows source n."""

from collections.abc import Iterable, Mapping
from html import escape

from rag import i18n
from rag.i18n import Language
from rag.types import CheckedSentence, Evidence, Support, Verification
from rag.web.markdown import Cite
from rag.web.markup import said


def pages_of(evidence: Iterable[Evidence]) -> dict[int, int]:
    """The page of each number that an answer may cite."""
    return {item.number: item.page for item in evidence}


def unchecked(pages: Mapping[int, int], language: Language) -> Cite:
    """For an answer that is still being written: doubtful is only a number that no evidence, hence no page, has."""

    def cite(number: int, _place: int | None) -> str:
        if number in pages:
            return _button(number, "cite", _name(number, pages, language))
        return _button(number, "cite doubtful", said(language, "chat.unknown_source", number=number))

    return cite


def checked(pages: Mapping[int, int], verification: Verification, language: Language) -> Cite:
    """For a whole answer: with the reason where a marker's evidence does not say what its sentence says."""
    plain = unchecked(pages, language)

    def cite(number: int, place: int | None) -> str:
        if place is None:
            return plain(number, place)
        sentence = verification.sentences[place]
        if number in sentence.added:
            why = said(language, "chat.added_source", number=number)
            return _button(number, "cite added", _name(number, pages, language, why))
        if number in sentence.doubtful or sentence.support is Support.UNVERIFIED:
            why = _why(sentence, number, language)
            return _button(number, "cite doubtful", _name(number, pages, language, why))
        return plain(number, place)

    return cite


def _name(number: int, pages: Mapping[int, int], language: Language, remark: str = "") -> str:
    """What a marker shows, where there is such a source, and what is to be said of it."""
    source = said(language, "chat.show_source", number=number, page=pages[number]) if number in pages else ""
    return " · ".join(filter(None, (source, remark)))


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
