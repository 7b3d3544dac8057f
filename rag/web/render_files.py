"""Files, what is stored, who answers, and the values in force, as HTML. Pure functions."""

from collections.abc import Mapping, Sequence
from html import escape

from rag import i18n
from rag.events import IngestProgress, IngestStage
from rag.i18n import Language
from rag.settings import LoaderSettings, Settings
from rag.types import Document, DocumentStatus, Message, ModelState, ModelStatus, Provider
from rag.web.markup import model_name, notice, said

SHARED = "shared"
_PASSWORD_KEYS = {"error.password_needed", "error.wrong_password"}
_MEGABYTE = 1024 * 1024


def busy(documents: Sequence[Document]) -> bool:
    """Whether any document is still being worked on."""
    return any(document.status not in (DocumentStatus.READY, DocumentStatus.FAILED) for document in documents)


def files(documents: Sequence[Document], progress: Mapping[str, IngestProgress], language: Language) -> str:
    """A row per document: own ones first, newest first, then the shared ones."""
    ordered = sorted(documents, key=lambda document: document.created_at, reverse=True)
    ordered.sort(key=lambda document: document.collection_id == SHARED)
    if not ordered:
        return f'<p class="empty">{said(language, "files.none")}</p>'
    rows = "".join(_row(document, progress.get(document.document_id), language) for document in ordered)
    return f'<ul class="files">{rows}</ul>'


def limits(settings: LoaderSettings, language: Language) -> str:
    """What a file may be."""
    return f"<p>{said(language, 'files.limits', size=settings.max_file_mb, pages=settings.max_pages)}</p>"


def refusals(messages: Sequence[Message], language: Language) -> str:
    """Why files were not taken at all."""
    return "".join(notice(message, language) for message in messages)


def storage(documents: Sequence[Document], used: int, quota_mb: int, expire_days: int, language: Language) -> str:
    """What is stored, who can see it, how long it is kept, and the way to delete it all."""
    own = sum(document.collection_id != SHARED for document in documents)
    kept = said(language, "sidebar.expires", days=expire_days) if expire_days else said(language, "sidebar.visible")
    return (
        f"<p>{said(language, 'sidebar.stored', count=own, used=f'{used / _MEGABYTE:.1f}', quota=quota_mb)}</p>"
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
        done=f"{status.done / _MEGABYTE:.0f}",
        total=f"{status.total / _MEGABYTE:.0f}",
        speed=f"{status.speed / _MEGABYTE:.1f}",
        minutes=f"{rest / 60:.0f}" if rest >= 60 else "<1",
    )
    bar = f'<div class="bar"><i style="width:{share:.0%}"></i></div>'
    return said(language, "model.fetching", share=f"{share:.0%}"), f"<p>{sentence}</p>{bar}"


def settings_table(settings: Settings, language: Language) -> str:
    """The values in force, in groups. Secrets and addresses with secrets in them are not among them."""
    dense, sparse, fuse = settings.dense_fields.chunk, settings.sparse_fields.chunk, settings.fuse
    llm, dialogue, loaders = settings.llm, settings.multi_dialogue_rag, settings.loaders
    groups: dict[str, dict[str, object]] = {
        "llm": {
            "llm.provider": llm.provider,
            "llm.model": llm.model,
            "llm.temperature": llm.temperature,
            "llm.max_tokens": llm.max_tokens,
            "llm.num_ctx": llm.num_ctx,
        },
        "embedding": {"dense_fields.chunk.provider": dense.provider, "dense_fields.chunk.model": dense.model},
        "retrieval": {
            "fuse.method": fuse.method,
            "fuse.weights": " / ".join(str(weight) for weight in fuse.weights),
            "sparse_fields.chunk.algorithm": f"{sparse.algorithm} (k1={sparse.k1}, b={sparse.b})",
            "top_k": settings.top_k,
            "limit": settings.limit,
            "splitter.max_len": settings.splitter.max_len,
        },
        "memory": {
            "multi_dialogue_rag.llm_max_token": dialogue.llm_max_token,
            "multi_dialogue_rag.evidence_tokens": dialogue.evidence_tokens,
            "multi_dialogue_rag.max_question_length": dialogue.max_question_length,
        },
        "files": {
            "loaders.max_file_mb": loaders.max_file_mb,
            "loaders.max_pages": loaders.max_pages,
            "store.session_quota_mb": settings.store.session_quota_mb,
        },
    }
    sections = "".join(_group(name, values, language) for name, values in groups.items())
    return f'<p class="lead">{said(language, "settings.where")}</p><div class="groups">{sections}</div>'


def _group(name: str, values: Mapping[str, object], language: Language) -> str:
    rows = "".join(
        f"<dt>{said(language, f'settings.{key}')}<code>{key}</code></dt>"
        f"<dd>{escape(str(value)) if value != '' else said(language, 'settings.automatic')}</dd>"
        for key, value in values.items()
    )
    return f"<section><h2>{said(language, f'settings.group_{name}')}</h2><dl>{rows}</dl></section>"


def _row(document: Document, progress: IngestProgress | None, language: Language) -> str:
    shared = document.collection_id == SHARED
    failed = document.status is DocumentStatus.FAILED
    return (
        f'<li class="file {document.status}" data-document="{escape(document.document_id)}">'
        f'<span class="kind">{escape(_kind(document.name))}</span>'
        f'<div class="what"><p class="name">{escape(document.name)}</p>'
        f'<p class="facts">{" · ".join(_facts(document, language))}</p>'
        f"{_state_detail(document, progress, language)}</div>"
        f'<span class="state">{said(language, f"files.status_{document.status}")}</span>'
        f"{_sample(language) if shared else _delete(document, language)}"
        f"{_password(document, language) if failed else ''}</li>"
    )


def _kind(name: str) -> str:
    suffix = name.rsplit(".", 1)[-1] if "." in name else ""
    return suffix[:4].upper() or "?"


def _facts(document: Document, language: Language) -> list[str]:
    facts = [said(language, "files.size", size=f"{document.size / _MEGABYTE:.2f}")]
    if document.pages:
        facts.append(said(language, "files.pages", count=document.pages))
    if document.chunks:
        facts.append(said(language, "files.chunks", count=document.chunks))
    for name in ("empty_pages", "garbled_pages"):
        if count := getattr(document, name):
            facts.append(f'<em class="doubt">{said(language, f"files.{name}", count=count)}</em>')
    return facts


def _state_detail(document: Document, progress: IngestProgress | None, language: Language) -> str:
    """The failure's sentence, or how far the present step is."""
    if document.message is not None:
        return f'<p class="why">{escape(i18n.sentence(language, document.message))}</p>'
    if document.status in (DocumentStatus.READY, DocumentStatus.FAILED):
        return ""
    if progress is None and document.status is DocumentStatus.EMBEDDING:
        progress = IngestProgress(document.document_id, IngestStage.EMBEDDING, document.embedded, document.chunks)
    if progress is None:
        return ""
    label = said(language, f"files.stage_{progress.stage}")
    if not progress.total:
        return f'<p class="stage">{label}</p>'
    share = progress.done / progress.total
    return (
        f'<p class="stage">{label} {share:.0%} <small>{progress.done} / {progress.total}</small></p>'
        f'<div class="bar"><i style="width:{share:.0%}"></i></div>'
    )


def _sample(language: Language) -> str:
    return f'<span class="sample">{said(language, "files.sample")}</span>'


def _delete(document: Document, language: Language) -> str:
    confirm = said(language, "files.confirm_delete", name=document.name)
    return (
        f'<button type="button" class="remove" data-act="remove" data-id="{escape(document.document_id)}" '
        f'data-confirm="{confirm}">{said(language, "files.delete")}</button>'
    )


def _password(document: Document, language: Language) -> str:
    if document.message is None or document.message.key not in _PASSWORD_KEYS:
        return ""
    label = said(language, "files.password")
    return (
        f'<form data-act="unlock" data-id="{escape(document.document_id)}"><input type="password" name="password" '
        f'required autocomplete="off" placeholder="{label}" aria-label="{label}">'
        f'<button type="submit">{said(language, "files.unlock")}</button></form>'
    )
