"""Who answers, what is stored, and what was refused, as HTML. Pure functions."""

from collections.abc import Sequence
from html import escape

from rag import i18n
from rag.files import MEGABYTE
from rag.i18n import Language
from rag.knowledge.base import SHARED_COLLECTION
from rag.types import Document, Message, ModelState, ModelStatus, Provider
from rag.web.markup import model_name, notice, said


def refusals(messages: Sequence[Message], language: Language) -> str:
    """Why files were not taken at all."""
    return "".join(notice(message, language) for message in messages)


def storage(documents: Sequence[Document], used: int, quota_mb: int, expire_days: int, language: Language) -> str:
    """What is stored, who can see it, how long it is kept, and the way to delete it all."""
    own = sum(document.collection_id != SHARED_COLLECTION for document in documents)
    kept = said(language, "sidebar.expires", days=expire_days) if expire_days else said(language, "sidebar.visible")
    return (
        f"<p>{said(language, 'sidebar.stored', count=own, used=f'{used / MEGABYTE:.1f}', quota=quota_mb)}</p>"
        f"<p>{kept}</p>"
        f'<button type="button" data-act="forget" data-confirm="{said(language, "sidebar.confirm_forget")}">'
        f"{said(language, 'sidebar.forget')}</button>"
    )


def badge(status: ModelStatus, language: Language) -> str:
    """Which model answers, why, what is on its way, and what to do for a better one."""
    name = model_name(status.model, language)
    mood = "ready" if status.state is ModelState.READY and status.provider is not Provider.EXTRACTIVE else "waiting"
    short, coming = _coming(status, language)
    return (
        f'<details class="badge {mood}"><summary><i></i><b>{name}</b>'
        f"<span>{short or said(language, f'model.provider_{status.provider}')}</span></summary>"
        f'<div class="card"><p>{escape(i18n.sentence(language, status.reason))}</p>{coming}'
        f'<button type="button" data-act="retry">{said(language, "model.retry")}</button></div></details>'
    )


def _coming(status: ModelStatus, language: Language) -> tuple[str, str]:
    """What is on its way, in a word and in full."""
    if status.state is ModelState.READY:
        return "", ""
    if status.state is not ModelState.DOWNLOADING or not status.total:
        label = said(language, f"model.{status.state}")
        return label, f"<p>{label}</p>"
    share = status.done / status.total
    rest = (status.total - status.done) / status.speed if status.speed else 0
    sentence = said(
        language,
        "model.progress",
        done=f"{status.done / MEGABYTE:.0f}",
        total=f"{status.total / MEGABYTE:.0f}",
        speed=f"{status.speed / MEGABYTE:.1f}",
        minutes=f"{rest / 60:.0f}" if rest >= 60 else "<1",
    )
    bar = f'<div class="bar"><i style="width:{share:.0%}"></i></div>'
    return said(language, "model.fetching", share=f"{share:.0%}"), f"<p>{sentence}</p>{bar}"
