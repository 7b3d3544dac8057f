"""What stands in the place of an answer's [n] markers: a button that shows source n."""

from collections.abc import Iterable, Mapping
from html import escape

from rag.i18n import Language
from rag.page_names import page_name
from rag.types import CheckedSentence, Evidence, Verification
from rag.web.markdown import Cite
from rag.web.markup import as_html, named, said


def places_of(evidence: Iterable[Evidence], language: Language) -> dict[int, str]:
    """Where the passage of each number stands that an answer may cite: its page, or those that it goes over, and file.

    The page comes first: of a long name, little may be heard or seen.
    """
    return {
        one.number: f"{page_name(one.document_name, one.page, '', language, one.last_page)} · {one.document_name}"
        for one in evidence
    }


def unchecked(places: Mapping[int, str], language: Language) -> Cite:
    """For an answer that is still being written: doubtful is only a number that no evidence, hence no place, has."""

    def cite(number: int, _place: int | None) -> str:
        if number in places:
            return cite_button(number, "cite", _name(number, places, language), source=places[number])
        return cite_button(number, "cite doubtful", said(language, "chat.unknown_source", number=number))

    return cite


def checked(places: Mapping[int, str], verification: Verification, language: Language) -> Cite:
    """For a whole answer: with the reason where a marker's evidence does not say what its sentence says."""
    plain = unchecked(places, language)

    def cite(number: int, place: int | None) -> str:
        if place is None:
            return plain(number, place)
        sentence, kind, remark = verification.sentences[place], "cite", ""
        if number in sentence.added:
            kind, remark = "cite added", said(language, "chat.added_source")
        elif sentence.bears_out(number) is False:
            kind = "cite corrected" if number in sentence.corrected else "cite doubtful"
            remark = doubted(sentence, number, language)
        return cite_button(number, kind, _name(number, places, language, remark), place, places.get(number, ""))

    return cite


def doubted(sentence: CheckedSentence, number: int, language: Language) -> str:
    """Why one of a sentence's markers is not verified, as HTML."""
    is_told = number in sentence.corrected or sentence.reason is None
    lead = "" if is_told else said(language, "chat.unverified")
    return f"{lead}{as_html(language, sentence.doubt(number))}"


def _name(number: int, places: Mapping[int, str], language: Language, remark: str = "") -> str:
    """What a marker shows, where there is such a source, and what is to be said of it."""
    source = said(language, "chat.show_source", number=number, place=places[number]) if number in places else ""
    return " · ".join(filter(None, (source, remark)))


def cite_button(number: int, kind: str, title: str, place: int | None = None, source: str = "") -> str:
    """The button of a marker; it tells in which of the checked sentences it stands, where that is known.

    `source` is where its passage stands, which is copied along with an answer.
    """
    sentence = "" if place is None else f' data-sentence="{place}"'
    copied = f' data-source-place="{escape(source)}"' if source else ""
    named_so = named(title)
    return f'<button type="button" class="{kind}" data-cite="{number}"{sentence}{copied} {named_so}>{number}</button>'
