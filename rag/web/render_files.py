"""What is stored, and what was refused, as HTML. Pure functions."""

from collections.abc import Sequence

from rag.files import MEGABYTE
from rag.i18n import Language
from rag.knowledge.base import SHARED_COLLECTION
from rag.types import Document, Message
from rag.web.markup import notice, said


def refusals(messages: Sequence[Message], language: Language) -> str:
    """Why files were not taken at all."""
    return "".join(notice(message, language) for message in messages)


def storage(documents: Sequence[Document], used: int, quota_mb: int, expire_days: int, language: Language) -> str:
    """What is stored, who can see it, how long it is kept, and the way to delete it all."""
    own = sum(document.collection_id != SHARED_COLLECTION for document in documents)
    kept = said(language, "sidebar.expires", days=expire_days) if expire_days else said(language, "sidebar.kept")
    return (
        f"<p>{said(language, 'sidebar.stored', count=own, used=f'{used / MEGABYTE:.1f}', quota=quota_mb)}</p>"
        f"<p>{said(language, 'sidebar.visible')}</p><p>{kept}</p>"
        f'<button type="button" data-act="forget" data-confirm="{said(language, "sidebar.confirm_forget")}">'
        f"{said(language, 'sidebar.forget')}</button>"
    )
