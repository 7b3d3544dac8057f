"""What stands in the place of an answer's [n] markers: a button that shows source n."""

from collections.abc import Iterable, Mapping
from html import escape

from rag.i18n import Language
from rag.page_names import page_name
from rag.types import CheckedSentence, Evidence, Verification
from rag.web.doubt import doubt
from rag.web.markdown import Cite
from rag.web.markup import named, said


def pages_of(evidence: Iterable[Evidence], language: Language) -> dict[int, str]:
    """The page of each number that an answer may cite, or those that its passage goes over."""
    return {item.number: page_name(item.document_name, item.page, "", language, item.last_page) for item in evidence}


def unchecked(pages: Mapping[int, str], language: Language) -> Cite:
    """For an answer that is still being written: doubtful is only a number that no evidence, hence no page, has."""

    def cite(number: int, _place: int | None) -> str:
        if number in pages:
            return cite_button(number, "cite", _name(number, pages, language))
        return cite_button(number, "cite doubtful", said(language, "chat.unknown_source", number=number))

    return cite


def checked(pages: Mapping[int, str], verification: Verification, language: Language) -> Cite:
    """For a whole answer: with the reason where a marker's evidence does not say what its sentence says."""
    plain = unchecked(pages, language)

    def cite(number: int, place: int | None) -> str:
        if place is None:
            return plain(number, place)
        sentence = verification.sentences[place]
        if number in sentence.added:
            why = said(language, "chat.added_source")
            return cite_button(number, "cite added", _name(number, pages, language, why), place)
        if sentence.bears_out(number) is False:
            kind = "cite corrected" if number in sentence.corrected else "cite doubtful"
            return cite_button(number, kind, _name(number, pages, language, doubted(sentence, number, language)), place)
        return cite_button(number, "cite", _name(number, pages, language), place)

    return cite


def doubted(sentence: CheckedSentence, number: int, language: Language) -> str:
    """Why one of a sentence's markers is not verified, as HTML."""
    is_told = number in sentence.corrected or sentence.reason is None
    lead = "" if is_told else said(language, "chat.unverified")
    return f"{lead}{escape(doubt(sentence, number, language))}"


def _name(number: int, pages: Mapping[int, str], language: Language, remark: str = "") -> str:
    """What a marker shows, where there is such a source, and what is to be said of it."""
    source = said(language, "chat.show_source", number=number, page=pages[number]) if number in pages else ""
    return " · ".join(filter(None, (source, remark)))


def cite_button(number: int, kind: str, title: str, place: int | None = None) -> str:
    """The button of a marker; it tells in which of the checked sentences it stands, where that is known."""
    sentence = "" if place is None else f' data-sentence="{place}"'
    return f'<button type="button" class="{kind}" data-cite="{number}"{sentence} {named(title)}>{number}</button>'
