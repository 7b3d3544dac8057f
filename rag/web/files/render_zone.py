"""Where files are dropped, what they may be, and how much room is left. Pure functions."""

from collections.abc import Sequence
from typing import Any

from rag import i18n
from rag.files import MEGABYTE
from rag.i18n import Language
from rag.settings import Settings
from rag.types import Document
from rag.web.markup import said
from rag.web.render_files import megabytes, readable

# What the page's script says by itself, before a file is sent at all.
_WORDS = ("waiting", "sending", "arrived", "cancel", "again", "dismiss", "skipped", "unreadable", "broken")
_REFUSALS = ("unsupported_file", "file_too_large", "empty_file", "quota_exceeded")


def zone(left: int, settings: Settings, language: Language) -> str:
    """The place for files; `left` are the bytes that the session may still store."""
    loaders = settings.loaders
    limits = said(language, "files.limits", size=loaders.max_file_mb, pages=loaders.max_pages)
    full = f'<p class="full" role="alert">{said(language, "upload.full")}</p>' if left <= 0 else ""
    return (
        f'<div class="zone"><p class="invite by-mouse">{said(language, "upload.invite")}</p>'
        f'<p class="invite by-touch">{said(language, "upload.invite_touch")}</p><p class="pick">'
        f'<button type="button" data-pick="files">{said(language, "upload.files")}</button>'
        f'<button type="button" data-pick="folder">{said(language, "upload.folder")}</button></p>'
        f'<p class="limits">{limits}</p>{full}</div>'
    )


def sending(ticket: str, left: int, settings: Settings, language: Language) -> dict[str, Any]:
    """What the page's script sends files with; `left` are the bytes that the session may still store."""
    catalogue = i18n.catalogue(language)
    return {
        "ticket": ticket,
        "limit_mb": settings.loaders.max_file_mb,
        "quota_mb": settings.store.session_quota_mb,
        "left": left,
        "words": {name: catalogue[f"web.upload.{name}"] for name in _WORDS}
        | {name: catalogue[f"error.{name}"] for name in _REFUSALS},
    }


def expires(days_left: int | None, ephemeral: bool, language: Language) -> str:
    """When a session's files go: with a restart, or after some days without use; empty where they stay."""
    if ephemeral:
        return said(language, "sidebar.ephemeral")
    return "" if days_left is None else said(language, "files.expires", days=days_left)


def storage_bar(documents: Sequence[Document], used: int, quota_mb: int, expires: str, language: Language) -> str:
    """How much is stored of what may be, and when it goes."""
    share = min(1.0, used / (quota_mb * MEGABYTE)) if quota_mb else 0.0
    count = readable(documents)
    sentence = said(language, "sidebar.stored", count=count, used=megabytes(used), quota=quota_mb)
    if failed := len(documents) - count:
        sentence += f" · {said(language, 'files.failed', count=failed)}"
    doubt = " doubt" if share >= 0.9 else ""
    kept = f"<span>{expires}</span>" if expires else ""
    return (
        f'<p class="room{doubt}"><span>{sentence}</span><span class="bar" role="img" aria-label="{share:.0%}">'
        f'<i style="width:{share:.1%}"></i></span>{kept}</p>'
    )
