"""A conversation as one HTML file: readable anywhere, printed well, and without anything that acts."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from html import escape
from pathlib import Path

from rag import export
from rag.citations import verify
from rag.i18n import Language
from rag.types import Evidence, Turn, Verification
from rag.web.markdown import Cite, markdown
from rag.web.markup import as_html, plain, said
from rag.web.passage import passage

_STYLE = Path(__file__).parent.parent / "assets" / "export.css"
# The file is opened from a disk, or sent on: whatever slipped through may neither run nor load anything.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def to_html(title: str, turns: Sequence[Turn], language: Language, zone: tzinfo | None = None) -> str:
    """The whole file."""
    notes = export.footnotes(turns)
    talk = "".join(f"<section><h2>{plain(turn.question)}</h2>{answer(turn, language)}</section>" for turn in turns)
    return (
        f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE.read_text(encoding='utf-8')}</style></head><body>"
        f'<h1>{escape(title)}</h1><p class="about">{escape(export.about(turns, language, zone))}</p>'
        f"{talk}{_notes(notes, language)}</body></html>\n"
    )


def answer(turn: Turn, language: Language) -> str:
    """An answer as harmless HTML, each of its markers a link to its footnote; why it ended, where it is not whole."""
    verification = verify(turn)
    known = {item.number: item for item in turn.sources}
    body = markdown(turn.answer, _cite(known, verification, language), verification.sentences)
    halted = turn.halted
    return body if halted is None else f'{body}<p class="doubt">{as_html(language, halted)}</p>'


def _cite(known: Mapping[int, Evidence], verification: Verification, language: Language) -> Cite:
    def cite(number: int, place: int | None) -> str:
        sentence = verification.sentences[place] if place is not None else None
        doubtful = sentence is not None and number in sentence.unverified
        if sentence is not None and number in sentence.corrected:
            return ""  # the right one follows
        mark = f"[{number}]" if number not in known else f'<a href="#source-{number}">[{number}]</a>'
        if doubtful or number not in known:
            return f'<sup class="doubt">{mark}{said(language, "export.unverified")}</sup>'
        return f"<sup>{mark}</sup>"

    return cite


def _notes(notes: Sequence[Evidence], language: Language) -> str:
    if not notes:
        return ""
    items = "".join(
        f'<li id="source-{item.number}" value="{item.number}"><p>{escape(export.place(item, language))}</p>'
        f"<blockquote>{passage(item.text.strip())}</blockquote></li>"
        for item in notes
    )
    return f"<footer><h2>{said(language, 'export.sources')}</h2><ol>{items}</ol></footer>"
