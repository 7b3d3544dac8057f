"""What is said of files beside the question. Pure functions; every foreign text is escaped."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from rag.events import IngestStage
from rag.i18n import Language
from rag.types import Document, DocumentStatus
from rag.web.files.render_table import FileRow, is_locked, troubles
from rag.web.markup import said

_SO_FAR = {
    IngestStage.READING: "files.read_so_far",
    IngestStage.OCR: "files.read_so_far",
    IngestStage.STORING: "files.stored_so_far",
}

# Files that are chosen at once are sent one after another.
_TOGETHER = timedelta(seconds=30)


def beside(rows: Sequence[FileRow], language: Language) -> str:
    """All that is said of files beside the question; while none can be searched, why, and nothing else."""
    return troubles(rows, language) or "".join(
        (reading(rows, language), failed(rows, language), using(rows, language), mark_own(rows))
    )


def reading(rows: Sequence[FileRow], language: Language) -> str:
    """Which files cannot be asked yet, how far they are, and the way to them; nothing to say where all can."""
    unread = [row for row in rows if _is_unread(row)]
    if not unread:
        return ""
    sentence = _one(unread[0], language) if len(unread) == 1 else said(language, "files.read_some", count=len(unread))
    return _way(sentence)


def failed(rows: Sequence[FileRow], language: Language) -> str:
    """Which of the files added last could not be read, and the way to the reason."""
    broken = [one for one in _added_last(rows) if one.status is DocumentStatus.FAILED]
    if not broken:
        return ""
    if len(broken) > 1:
        return _way(said(language, "files.failed_some", count=len(broken)), " doubt")
    key = "locked_beside" if is_locked(broken[0]) else "failed_beside"
    return _way(said(language, f"files.{key}", name=broken[0].name), " doubt")


def _added_last(rows: Sequence[FileRow]) -> Iterator[Document]:
    """The reader's own file that was added last, with those that came together with it, newest first."""
    own = sorted((row.document for row in rows if not row.is_sample), key=lambda one: one.created_at, reverse=True)
    for newer, document in zip(own[:1] + own, own, strict=False):
        if newer.created_at - document.created_at > _TOGETHER:
            return
        yield document


def using(rows: Sequence[FileRow], language: Language) -> str:
    """How many of the files the chat uses, and the way to them; nothing to say where it uses them all."""
    searchable = [row for row in rows if row.document.searchable]
    used = sum(row.used for row in searchable)
    if used == len(searchable):
        return ""
    key = "files.using_with_sample" if any(row.is_sample for row in searchable) else "files.using"
    return _way(said(language, key, used=used, count=len(searchable)), "" if used else " doubt")


def mark_own(rows: Sequence[FileRow]) -> str:
    """A mark for the style sheet where there are files besides the sample that can be asked about."""
    is_there = any(row.used and row.document.searchable and not row.is_sample for row in rows)
    return '<i class="own" hidden></i>' if is_there else ""


def _way(sentence: str, mood: str = "") -> str:
    return f'<button type="button" class="using{mood}" data-page="files">{sentence}</button>'


def _is_unread(row: FileRow) -> bool:
    """Whether nothing of it can be found yet; one that is read anew is searched meanwhile, as it was."""
    document = row.document
    is_settled = document.searchable or document.status is DocumentStatus.FAILED
    return not (is_settled or document.chunks or row.stopped)


def _one(row: FileRow, language: Language) -> str:
    name, progress = row.document.name, row.progress
    if row.document.status is DocumentStatus.QUEUED or (progress and progress.stage is IngestStage.QUEUED):
        return said(language, "files.read_later", name=name)
    if progress and progress.total and (key := _SO_FAR.get(progress.stage)):
        return said(language, key, name=name, share=f"{progress.done / progress.total:.0%}")
    return said(language, "files.read_now", name=name)
