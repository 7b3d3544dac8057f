"""Who answers, what is on its way, and a way to get more, as HTML. Pure functions."""

from collections.abc import Sequence
from html import escape

from rag.i18n import Language
from rag.types import Message, ModelStatus
from rag.web.markup import as_html, model_name, notice
from rag.web.render_model import progress, retry
from rag.web.settings.controls import worded


def health(
    status: ModelStatus, coming: Sequence[ModelStatus], failures: Sequence[Message], may_pull: bool, language: Language
) -> str:
    """The model of a session, what is being brought, what failed, and a form for more."""
    mood = "ready" if status.answers else "waiting"
    reason = as_html(language, status.reason)
    bars = "".join(_coming(item, language) for item in coming)
    troubles = "".join(notice(message, language) for message in failures)
    return (
        f'<div class="model-box {mood}"><p><i></i><b>{model_name(status.model, language)}</b><span>{reason}</span></p>'
        f"{bars}{troubles}{retry(language)}{_pull(language) if may_pull else ''}</div>"
    )


def _coming(status: ModelStatus, language: Language) -> str:
    model = str(status.reason.values["model"])
    if not status.total:
        return f'<p class="coming">{worded(language, "model.coming_soon", model=model)}</p>'
    return progress(status, language, f"<b>{escape(model)}</b>")


def _pull(language: Language) -> str:
    name = worded(language, "model.pull_name")
    return (
        f'<form data-act="pull"><label for="pull-name">{worded(language, "model.pull")}</label>'
        f'<input type="text" id="pull-name" name="model" required maxlength="200" placeholder="{name}" '
        f'autocomplete="off" spellcheck="false"><button type="submit">{worded(language, "model.pull_button")}</button>'
        "</form>"
    )
