"""A conversation to take along: as Markdown with footnotes, and as JSON records."""

import json
import re
from collections.abc import Sequence
from datetime import datetime

from rag import i18n
from rag.citations import MARKER, cited_numbers, verify
from rag.conversation.payload import payload
from rag.i18n import Language
from rag.types import Evidence, Support, Turn

# What a reader of Markdown would take for its own signs.
_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~$!])")
_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)
# Raw HTML, images, definitions of links and footnotes, and links that lead anywhere but to the web or into a mail.
_ACTIVE = re.compile(r"<(?=[A-Za-z/!?])|!(?=\[)|(?<=\]):|(?<=\])\((?!\s*(?:https?://|mailto:))", re.IGNORECASE)


def to_markdown(title: str, turns: Sequence[Turn], language: Language) -> str:
    """Questions and answers, each [n] marker a footnote that names the file, the page and the passage."""
    parts = [f"# {_plain(title)}"]
    for turn in turns:
        parts += [f"## {_plain(turn.question)}", _answer(turn, language)]
    parts += [f"[^{item.number}]: {_footnote(item, language)}" for item in footnotes(turns)]
    return "\n\n".join(filter(None, parts)) + "\n"


def to_json(title: str, turns: Sequence[Turn]) -> str:
    """The records of the turns, as other programs keep them, with how each came about and what it was answered from.

    In the place of the session, whose id opens all that it has, stands the conversation.
    """
    records = [payload(turn) | {"session_id": turn.conversation_id} | _beyond(turn) for turn in turns]
    exported = datetime.now().astimezone().isoformat(timespec="seconds")
    values = {"title": title, "exported_at": exported, "turns": records}
    return json.dumps(values, ensure_ascii=False, indent=2, default=str) + "\n"


def footnotes(turns: Sequence[Turn]) -> tuple[Evidence, ...]:
    """The evidence that the answers cite, or that the program found to bear them out; by number."""
    cited: dict[int, Evidence] = {}
    for turn in turns:
        added = {number for sentence in verify(turn).sentences for number in sentence.added}
        numbers = added.union(cited_numbers(turn.answer))
        cited |= {item.number: item for item in turn.sources if item.number in numbers}
    return tuple(cited[number] for number in sorted(cited))


def place(item: Evidence, language: Language) -> str:
    """Where a passage stands: file, physical page, the label printed on it where it differs, headings."""
    key = "page" if item.page_label in ("", str(item.page)) else "page_and_label"
    page = i18n.text(language, f"web.source.{key}", page=item.page, label=item.page_label)
    return " · ".join(filter(None, (item.document_name, page, " › ".join(item.heading_path))))


def _answer(turn: Turn, language: Language) -> str:
    """An answer with footnotes for its markers; those that nothing bears out say so."""
    known = {item.number for item in turn.sources}
    pieces, position = [], 0
    for sentence in verify(turn).sentences:
        body = turn.answer[sentence.start : sentence.end]
        marks = "".join(f"[^{number}]" for number in sentence.added)
        if sentence.support is Support.UNVERIFIED:
            marks += i18n.text(language, "web.export.unverified")
        end = len(body) - 1 if body.endswith("|") else len(body)
        pieces += [turn.answer[position : sentence.start], body[:end], marks, body[end:]]
        position = sentence.end
    whole = "".join([*pieces, turn.answer[position:]])
    # Every second piece is code, which stays as it is.
    cut = _CODE.split(whole)
    cut[::2] = [MARKER.sub(lambda match: _marks(match, known), _harmless(text)) for text in cut[::2]]
    return "".join(cut).strip()


def _harmless(text: str) -> str:
    return _ACTIVE.sub(lambda match: f"\\{match[0]}", text)


def _marks(match: re.Match[str], known: set[int]) -> str:
    numbers = [int(number) for number in re.findall(r"\d+", match[1])]
    return "".join(f"[^{number}]" if number in known else f"\\[{number}\\]" for number in numbers)


def _footnote(item: Evidence, language: Language) -> str:
    return f"{_plain(place(item, language))} — {_plain(item.text)}"


def _plain(text: str) -> str:
    """A text as one line that Markdown shows as it is."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))


def _beyond(turn: Turn) -> dict[str, object]:
    return {
        "generated_question": turn.generated_question,
        "decision": turn.decision,
        "status": turn.status,
        "model": turn.model,
        "sources": [
            {
                "number": item.number,
                "file": item.document_name,
                "page": item.page,
                "page_label": item.page_label,
                "heading_path": item.heading_path,
                "passage": item.text,
                "score": round(item.score, 4),
                "relevant": item.relevant,
            }
            for item in turn.sources
        ],
    }
