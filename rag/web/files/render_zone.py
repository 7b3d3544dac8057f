"""Where files are dropped and what they may be; what is stored, how much room is left, how long. Pure functions."""

from collections.abc import Iterable, Sequence

from rag.files import MEGABYTE
from rag.i18n import Language
from rag.knowledge.base import SHARED_COLLECTION
from rag.settings import Settings
from rag.types import Document, DocumentStatus
from rag.web.markup import bar, said


def zone(left: int, settings: Settings, language: Language) -> str:
    """The place for files; `left` are the bytes that the session may still store."""
    loaders = settings.loaders
    limits = said(language, "files.limits", size=loaders.max_file_mb, pages=loaders.max_pages)
    full = f'<p class="full" role="alert">{said(language, "upload.full")}</p>' if left <= 0 else ""
    return (
        f'<div class="zone"><h1 class="unseen">{said(language, "tab.files")}</h1>'
        f'<p class="invite by-mouse">{said(language, "upload.invite")}</p>'
        f'<p class="invite by-touch">{said(language, "upload.invite_touch")}</p><p class="pick">'
        f'<button type="button" data-pick="files">{said(language, "upload.files")}</button>'
        f'<button type="button" data-pick="folder">{said(language, "upload.folder")}</button></p>'
        f'<p class="limits">{limits}</p>{full}</div>'
    )


def lasting(key: str, days: int | None, ephemeral: bool, language: Language) -> str:
    """When a session's files go: with a restart, or as the sentence `key` tells of days; empty where they stay."""
    if ephemeral:
        return said(language, "sidebar.ephemeral")
    return "" if days is None else said(language, key, days=days)


def storage(
    documents: Sequence[Document],
    used: int,
    quota_mb: int,
    expire_days: int,
    language: Language,
    *,
    ephemeral: bool = False,
) -> str:
    """What is stored, who can see it, how long it is kept, and the way to delete it all."""
    own = _readable(document for document in documents if document.collection_id != SHARED_COLLECTION)
    until = lasting("sidebar.expires", expire_days or None, ephemeral, language) or said(language, "sidebar.kept")
    return (
        f"<p>{said(language, 'sidebar.stored', count=own, used=_megabytes(used), quota=quota_mb)}</p>"
        f"<p>{said(language, 'sidebar.visible')}</p><p>{until}</p>"
        f'<button type="button" data-act="forget" data-confirm="{said(language, "sidebar.confirm_forget")}" '
        f'data-yes="{said(language, "sidebar.yes_forget")}">'
        f"{said(language, 'sidebar.forget')}</button>"
    )


def storage_bar(documents: Sequence[Document], used: int, quota_mb: int, until: str, language: Language) -> str:
    """How much is stored of what may be, and when it goes."""
    share = used / (quota_mb * MEGABYTE) if quota_mb else 0.0
    count = _readable(documents)
    sentence = said(language, "sidebar.stored", count=count, used=_megabytes(used), quota=quota_mb)
    if failed := len(documents) - count:
        sentence += f" · {said(language, 'files.failed', count=failed)}"
    doubt = " doubt" if share >= 0.9 else ""
    told = f"<span>{until}</span>" if until else ""
    return f'<p class="room{doubt}"><span>{sentence}</span>{bar(share)}{told}</p>'


def _readable(documents: Iterable[Document]) -> int:
    """How many files there are, without those that could not be read."""
    return sum(document.status is not DocumentStatus.FAILED for document in documents)


def _megabytes(amount: int) -> str:
    """An amount in MB, never nothing where there is something."""
    return "<0.1" if 0 < amount < MEGABYTE / 20 else f"{amount / MEGABYTE:.1f}"
