"""What is stored, as HTML. Pure functions."""

from collections.abc import Iterable, Sequence

from rag.files import MEGABYTE
from rag.i18n import Language
from rag.knowledge.base import SHARED_COLLECTION
from rag.types import Document, DocumentStatus
from rag.web.markup import said


def readable(documents: Iterable[Document]) -> int:
    """How many files there are, without those that could not be read."""
    return sum(document.status is not DocumentStatus.FAILED for document in documents)


def megabytes(amount: int) -> str:
    """An amount in MB, never nothing where there is something."""
    return "<0.1" if 0 < amount < MEGABYTE / 20 else f"{amount / MEGABYTE:.1f}"


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
    own = readable(document for document in documents if document.collection_id != SHARED_COLLECTION)
    lasting = said(language, "sidebar.expires", days=expire_days) if expire_days else said(language, "sidebar.kept")
    kept = said(language, "sidebar.ephemeral") if ephemeral else lasting
    return (
        f"<p>{said(language, 'sidebar.stored', count=own, used=megabytes(used), quota=quota_mb)}</p>"
        f"<p>{said(language, 'sidebar.visible')}</p><p>{kept}</p>"
        f'<button type="button" data-act="forget" data-confirm="{said(language, "sidebar.confirm_forget")}" '
        f'data-yes="{said(language, "sidebar.yes_forget")}">'
        f"{said(language, 'sidebar.forget')}</button>"
    )
