"""The table of files. Pure functions; every foreign text is escaped."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from html import escape

from rag import i18n
from rag.events import IngestProgress, IngestStage
from rag.files import MEGABYTE
from rag.i18n import Language
from rag.knowledge.base import SHARED_COLLECTION
from rag.page_names import page_count
from rag.types import SEARCHABLE, Document, DocumentStatus, Message, RetrievalCheck
from rag.web.files.render_health import broken_routes, health, is_filling, verdict
from rag.web.markup import as_html, bar, notice, said

_PASSWORD_KEYS = {"error.password_needed", "error.wrong_password"}
# What another reading of the same file would tell again.
_FINAL = {f"error.{name}" for name in ("mismatched_file", "unsupported_file", "not_text", "no_words", "empty_file")}
_KILOBYTE = 1024
_COLUMNS = ("name", "health", "count", "size", "added", "actions")


@dataclass(frozen=True, slots=True)
class FileRow:
    """A document with what is known of it now; `used`: the chat may use it.

    `stopped` of its pages were left when their recognition was stopped. For `trouble` nothing can be searched now.
    """

    document: Document
    used: bool = True
    progress: IngestProgress | None = None
    check: RetrievalCheck | None = None
    checking: bool = False
    stopped: int = 0
    trouble: Message | None = None

    @property
    def is_sample(self) -> bool:
        """Whether everybody sees it, and nobody may delete it."""
        return self.document.collection_id == SHARED_COLLECTION


def size_of(amount: int) -> str:
    """A file's size as people read it."""
    if amount < _KILOBYTE:
        return f"{amount} B"
    return f"{amount / _KILOBYTE:.0f} KB" if amount < MEGABYTE else f"{amount / MEGABYTE:.2f} MB"


def in_order(rows: Sequence[FileRow]) -> list[FileRow]:
    """Own ones first, of these what is being read, then newest first; at last the shared ones."""
    newest = sorted(rows, key=lambda row: row.document.created_at, reverse=True)
    return sorted(newest, key=lambda row: (row.is_sample, not _is_read(row)))


def table(rows: Sequence[FileRow], language: Language, zone: tzinfo | None = None) -> str:
    """A row for each file, with days of the reader's time zone; without one, of the server's."""
    if not rows:
        return f'<p class="empty">{said(language, "files.none")}</p>'
    heads = "".join(f'<th scope="col" class="{name}">{said(language, f"files.head_{name}")}</th>' for name in _COLUMNS)
    body = "".join(_row(row, language, zone) for row in in_order(rows))
    searchable = [row for row in rows if row.document.searchable]
    everything = _box("", all(row.used for row in searchable), said(language, "files.use_all"), is_labelled=True)
    head = f'<tr><th class="use">{everything}</th>{heads}</tr>'
    return f'{troubles(rows, language)}<table class="files"><thead>{head}</thead><tbody>{body}</tbody></table>'


def troubles(rows: Sequence[FileRow], language: Language) -> str:
    """For what nothing can be searched now."""
    return "".join(dict.fromkeys(notice(row.trouble, language) for row in rows if row.trouble))


def _row(row: FileRow, language: Language, zone: tzinfo | None) -> str:
    document = row.document
    label = said(language, "files.use_one", name=document.name)
    box = _box(document.document_id, row.used, label) if document.searchable else ""
    left_out = "" if row.used else " left-out"
    added = f"{document.created_at.astimezone(zone):%Y-%m-%d}"
    count = as_html(language, page_count(document.name, document.pages)) if document.pages else ""
    passages = said(language, "files.chunks", count=document.chunks) if document.chunks else ""
    cells = {
        "use": box,
        "name": _name(row, language),
        "health": f"{health(document, language, _unrecognised(row))}{_check(row, language)}",
        "count": f"<span>{count}</span><span>{passages}</span>",
        "size": size_of(document.size),
        "added": f"<span>{added}</span>",
        "actions": _actions(row, language),
    }
    return (
        f'<tr class="file {document.status}{left_out}" data-document="{escape(document.document_id)}">'
        + "".join(f'<td class="{name}">{cell}</td>' for name, cell in cells.items())
        + "</tr>"
    )


def _box(document_id: str, used: bool, label: str, is_labelled: bool = False) -> str:
    checked, words = " checked" if used else "", f"<span>{label}</span>" if is_labelled else ""
    return (
        f'<label title="{label}"><input type="checkbox" data-use="{escape(document_id)}" '
        f'aria-label="{label}"{checked}>{words}</label>'
    )


def _name(row: FileRow, language: Language) -> str:
    document = row.document
    sample = f'<span class="sample">{said(language, "files.sample")}</span>' if row.is_sample else ""
    name = escape(document.name)
    title = _button("inspect", document, name, 'class="title"') if document.searchable else f"<b>{name}</b>"
    return (
        f'<p class="name">{title}{sample}</p><p class="facts">{_state(row, language)}</p>'
        f"{_state_detail(row, language)}{_stopped(row, language)}{_password(document, language)}"
    )


def _state(row: FileRow, language: Language) -> str:
    """Where it stands in a word or two."""
    document = row.document
    status = "unused" if document.searchable and not row.used else "queued" if _waits(row) else document.status
    is_out_of_reach = status in SEARCHABLE and row.trouble is not None
    status, doubt = ("out_of_reach", " doubt") if is_out_of_reach else (status, "")
    return f'<span class="state{doubt}">{said(language, f"files.status_{status}")}</span>'


def _state_detail(row: FileRow, language: Language) -> str:
    """The failure's sentence, and how far the present step is where that goes on."""
    document = row.document
    told = document.notice
    failure = f'<p class="failure">{_of_this(document, told, language)}</p>' if told else ""
    progress = _present_step(row)
    if progress is None or _waits(row) or row.document.message is not None:
        return failure
    how_far = line = ""
    if progress.total:
        how_far = f" <small>{progress.done:,} / {progress.total:,}</small>"
        line = bar(progress.done / progress.total)
    can_stop = progress.stage is IngestStage.OCR and not row.is_sample
    stop = _button("halt", row.document, said(language, "files.halt"), 'class="plain"') if can_stop else ""
    label = said(language, f"files.stage_{progress.stage}")
    return f'{failure}<div class="step"><div><p class="stage">{label}{how_far}</p>{line}</div>{stop}</div>'


def _of_this(document: Document, told: Message, language: Language) -> str:
    """A sentence about a document that stands below its name, which it need not repeat, as HTML."""
    sentence, this = i18n.sentence(language, told), i18n.text(language, "web.files.this")
    for quoted in (f"“{document.name}”", f'"{document.name}"'):
        sentence = sentence.replace(quoted, this)
    return escape(sentence[:1].upper() + sentence[1:])


def _waits(row: FileRow) -> bool:
    """Whether nothing of it has been read yet, others being read first."""
    return row.progress is not None and row.progress.stage is IngestStage.QUEUED


def _is_read(row: FileRow) -> bool:
    """Whether it is being read now, so that it can be asked."""
    return row.progress is not None and not _waits(row) and not row.document.searchable


def _present_step(row: FileRow) -> IngestProgress | None:
    """What is told of it, else what follows from where the document stands."""
    document = row.document
    if row.progress is not None:
        return row.progress
    if document.status is DocumentStatus.EMBEDDING and document.embedded < document.chunks:
        return IngestProgress(document.document_id, IngestStage.EMBEDDING, document.embedded, document.chunks)
    # With all its vectors it only waits for pages that others' pages go before.
    if document.status in (DocumentStatus.EMBEDDING, DocumentStatus.RECOGNISING) and not row.stopped:
        return IngestProgress(document.document_id, IngestStage.OCR, 0, 0)
    return None


def _unrecognised(row: FileRow) -> int:
    """How many of its pages are still to be recognised."""
    step = _present_step(row)
    if step is None or step.stage is not IngestStage.OCR:
        return 0
    return step.total - step.done if step.total else row.document.empty_pages + row.document.garbled_pages


def _stopped(row: FileRow, language: Language) -> str:
    """That pages are left, and the way to have them recognised after all."""
    if not row.stopped:
        return ""
    resume = _button("resume", row.document, said(language, "files.resume"), 'class="plain"')
    return f'<div class="step"><p class="stage">{said(language, "files.halted", count=row.stopped)}</p>{resume}</div>'


def _check(row: FileRow, language: Language) -> str:
    if row.checking:
        return f'<span class="check quiet">{said(language, "check.running")}</span>'
    if row.check is None:
        return ""
    filling = is_filling(row.document)
    mood, words = "doubt" if broken_routes(row.check, filling) else "quiet", verdict(row.check, language, filling)
    return _button("inspect", row.document, words, f'class="check {mood}" data-view="report"')


def _actions(row: FileRow, language: Language) -> str:
    document = row.document
    if row.is_sample:
        return _button("inspect", document, said(language, "files.inspect"))
    if document.status in (DocumentStatus.QUEUED, DocumentStatus.READING):
        return _button("remove", document, said(language, "files.cancel"), 'class="cancel"')
    confirm = said(language, "files.confirm_delete", name=document.name)
    delete = said(language, "files.delete")
    remove = _button("remove", document, delete, f'class="remove" data-confirm="{confirm}" data-yes="{delete}"')
    if document.status is DocumentStatus.FAILED:
        hopeless = is_locked(document) or row.stopped or (document.message and document.message.key in _FINAL)
        return ("" if hopeless else _button("reread", document, said(language, "files.retry"))) + remove
    again = said(language, "files.confirm_reread", name=document.name)
    read = said(language, "files.reread")
    reread = _button("reread", document, read, f'class="reread" data-confirm="{again}" data-yes="{read}"')
    return _button("inspect", document, said(language, "files.inspect")) + reread + remove


def _button(act: str, document: Document, label: str, more: str = "") -> str:
    """A button; `label` and `more` are HTML already."""
    return f'<button type="button" data-act="{act}" data-id="{escape(document.document_id)}" {more}>{label}</button>'


def is_locked(document: Document) -> bool:
    """Whether a password would open it."""
    failure = document.message or document.reread_failure
    return failure is not None and failure.key in _PASSWORD_KEYS


def _password(document: Document, language: Language) -> str:
    if not is_locked(document):
        return ""
    label = said(language, "files.password")
    return (
        f'<form data-act="unlock" data-id="{escape(document.document_id)}"><input type="password" name="password" '
        f'required autocomplete="off" placeholder="{label}" aria-label="{label}">'
        f'<button type="submit">{said(language, "files.unlock")}</button></form>'
    )
