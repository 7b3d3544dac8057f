"""A conversation to take along: as Markdown with footnotes, and as JSON records."""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo

from rag import i18n
from rag.citations import MARKER, cited_by, verify
from rag.conversation.payload import payload
from rag.i18n import Language
from rag.language.folding import TURNING
from rag.page_names import place_in_file
from rag.types import Evidence, Provider, Support, Turn

# What a reader of Markdown would take for its own signs.
_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~$!])")
# A block between fences that every reader of Markdown takes for code: it is indented no less than its fence, nothing in
# it could end it sooner or begin a formula or a table, and it ends with the same fence or the answer.
_FENCED = re.compile(
    r"^(?P<indent> *)(?P<fence>`{3,}|(?<! {4})~{3,})[^`~|\n]*"
    r"(?:\n(?![^\n]*(?:(?P=fence)|\$\$))(?:(?P=indent)[^\n]*|[ \t]*$))*+"
    r"(?P<end>\n(?P=indent)(?P=fence)[ \t]*$|\Z)",
    re.MULTILINE,
)
# Code in a line; what stands before it is skipped where a backtick in it would begin none. A table's bars and formulas
# are read before code is.
_ESCAPED = r"\\[!-/:-@\[-`{-~]"
_SPAN = re.compile(
    rf"{_ESCAPED}|(?:https?://|ftp://|www\.)[^\s<]*|(?<!`)(?P<ticks>`+)(?!`)(?P<code>[^\n]+?)(?<!`)(?P=ticks)(?!`)",
    re.IGNORECASE,
)
# Commands of formulas by which readers of Markdown make links, attributes, styles and images.
_COMMANDS = r"\\(?=(?:href|url|html[a-z]*|class|style|cssid|data|includegraphics|require|unicode)(?![a-z]))"
# Raw HTML, images, definitions of links and footnotes, links but those to the web or into a mail, signs of code, and
# characters by their numbers, which may be any.
_ACTIVE = re.compile(
    rf"(?P<escaped>{_ESCAPED})|{_COMMANDS}|<(?=[A-Za-z/!?])|!(?=\[)|(?<=\]):|"
    r"(?<=\])\((?!(?:https?://|mailto:)[^\s()<`]*\))|`|~(?=~~)|&(?=#)",
    re.IGNORECASE,
)
# Behind a marker, the numbers that another one was put in the place of; in code no marker is one.
_WRONG = re.compile("\ue000([\\d,]*)\ue001")
_FLAGGED = re.compile(f"{MARKER.pattern}(?:{_WRONG.pattern})?")
_UNSEEN = str.maketrans("", "", f"\ue000\ue001{TURNING}")


def to_markdown(title: str, turns: Sequence[Turn], language: Language, zone: tzinfo | None = None) -> str:
    """Questions and answers, each [n] marker a footnote that names the file, the page and the passage."""
    parts = [f"# {_plain(title)}", _plain(about(turns, language, zone))]
    for turn in turns:
        parts += [f"## {_plain(turn.question)}", _answer(turn, language)]
        if (halted := turn.halted) is not None:
            parts.append(f"> {_plain(i18n.sentence(language, halted))}")
    parts += [f"[^{item.number}]: {_plain(place(item, language))} — {_plain(item.text)}" for item in footnotes(turns)]
    return "\n\n".join(filter(None, parts)) + "\n"


def to_json(title: str, turns: Sequence[Turn]) -> str:
    """The records of the turns, as other programs keep them, with how each came about and what it was answered from.

    In the place of the session, whose id opens all that it has, stands the conversation.
    """
    records = [payload(turn) | {"session_id": turn.conversation_id} | _beyond(turn) for turn in turns]
    exported = datetime.now().astimezone().isoformat(timespec="seconds")
    values = {"title": title, "exported_at": exported, "turns": records}
    return json.dumps(values, ensure_ascii=False, indent=2, default=str) + "\n"


def about(turns: Sequence[Turn], language: Language, zone: tzinfo | None = None) -> str:
    """When a conversation was taken along, and which models answered in it.

    The day is that of the `zone`; for None of the server's.
    """
    day = i18n.text(language, "web.export.day", day=f"{datetime.now(UTC).astimezone(zone):%Y-%m-%d}")
    quoted = i18n.text(language, "web.model.extractive")
    models = dict.fromkeys(quoted if turn.model == Provider.EXTRACTIVE else turn.model for turn in turns if turn.model)
    if not models:
        return day
    return f"{day} · {i18n.text(language, 'web.export.models', models='、'.join(models))}"


def footnotes(turns: Sequence[Turn]) -> tuple[Evidence, ...]:
    """The evidence that the answers cite, or that the program found to bear them out; by number."""
    cited: dict[int, Evidence] = {}
    for turn in turns:
        numbers = cited_by(turn)
        cited |= {item.number: item for item in turn.sources if item.number in numbers}
    return tuple(cited[number] for number in sorted(cited))


def place(item: Evidence, language: Language) -> str:
    """Where a passage stands: file, pages and headings."""
    return f"{item.document_name} · {place_in_file(item, language)}"


def _answer(turn: Turn, language: Language) -> str:
    """An answer with footnotes for its markers; those that nothing bears out say so, those put right are left out."""
    known = {item.number for item in turn.sources}
    pieces, position = [], 0
    for sentence in verify(turn).sentences:
        body = turn.answer[sentence.start : sentence.end].translate(_UNSEEN)
        if sentence.corrected:
            body = MARKER.sub(f"\\g<0>\ue000{','.join(map(str, sentence.corrected))}\ue001", body)
        marks = "".join(f"[^{number}]" for number in sentence.added)
        if sentence.support is Support.UNVERIFIED:
            marks += i18n.text(language, "web.export.unverified")
        end = len(body) - 1 if body.endswith("|") else len(body)
        pieces += [turn.answer[position : sentence.start].translate(_UNSEEN), body[:end], marks, body[end:]]
        position = sentence.end
    whole = "".join([*pieces, turn.answer[position:].translate(_UNSEEN)]).strip()
    return _WRONG.sub("", _harmless("\n".join(whole.splitlines()), known))


def _harmless(answer: str, known: set[int]) -> str:
    """The answer with nothing in it that acts: code stays as it is, and what only looks like code is none."""
    pieces, position = [], 0
    for block in _FENCED.finditer(answer):
        closing = "" if block["end"] else f"\n{block['indent']}{block['fence']}"
        pieces += [_prose(answer[position : block.start()], known), block[0], closing]
        position = block.end()
    return "".join([*pieces, _prose(answer[position:], known)])


def _prose(text: str, known: set[int]) -> str:
    pieces, position = [], 0
    for span in _SPAN.finditer(text):
        if span["ticks"] and not re.search(r"[|$]", span["code"]):
            pieces += [_quiet(text[position : span.start()], known), span[0]]
            position = span.end()
    return "".join([*pieces, _quiet(text[position:], known)])


def _quiet(text: str, known: set[int]) -> str:
    """Prose with its markers as footnotes, and a backslash before what would act."""
    marked = _FLAGGED.sub(lambda match: _marks(match, known), text)
    return _ACTIVE.sub(lambda match: match[0] if match["escaped"] else f"\\{match[0]}", marked)


def _marks(match: re.Match[str], known: set[int]) -> str:
    numbers = [int(number) for number in re.findall(r"\d+", match[1]) if number not in (match[2] or "").split(",")]
    return "".join(f"[^{number}]" if number in known else f"\\[{number}\\]" for number in numbers)


def _plain(text: str) -> str:
    """A text as one line that Markdown shows as it is."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))


def _beyond(turn: Turn) -> dict[str, object]:
    return {
        "generated_question": turn.generated_question,
        "decision": turn.decision,
        "status": turn.status,
        "model": turn.model,
        "summary_id": turn.summary_id,
        "feedback": turn.feedback,
        "feedback_reason": turn.feedback_reason,
        "sources": [
            {
                "number": item.number,
                "file": item.document_name,
                "page": item.page,
                "last_page": item.pages[-1],
                "page_label": item.page_label,
                "heading_path": item.heading_path,
                "passage": item.text,
                "score": round(item.score, 4),
                "relevant": item.relevant,
            }
            for item in turn.sources
        ],
    }
