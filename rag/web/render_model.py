"""Who answers and what is on its way: in the page's corner, above the question, and in the settings. Pure functions."""

from collections.abc import Sequence
from html import escape

from rag.i18n import Language
from rag.model_store import DECIMAL_MEGABYTE
from rag.types import Message, ModelState, ModelStatus, Provider
from rag.web.markup import as_html, bar, model_name, notice, said, worded

_COMING = (ModelState.DOWNLOADING, ModelState.LOADING)


def badge(status: ModelStatus, language: Language) -> str:
    """Which model answers, why, what is on its way, and what to do for a better one."""
    name = model_name(status.model, language)
    mood = "ready" if status.answers else "waiting"
    coming = _in_a_word(status, language)
    provider = f'<span class="provider">{said(language, f"model.provider_{status.provider}")}</span>'
    short = f"<span>{coming}</span>" if coming else provider
    return (
        f'<details class="badge {mood}"><summary><i></i><b>{name}</b>{short}</summary>'
        f'<div class="card"><p>{as_html(language, status.reason)}</p>{_coming(status, language)}'
        f"{_retry(language)}</div></details>"
    )


def standing(status: ModelStatus, language: Language) -> str:
    """Which answers a reader gets, why, and what to do, where that is not what they would expect; else nothing."""
    if status.state in _COMING:
        kind, rest = "coming", progress(status, language) if status.total else ""
        if status.provider is Provider.EXTRACTIVE:
            rest += f"<p>{said(language, 'model.meanwhile')}</p>"
    elif status.failed:
        # It may stay so, and untold an answer would just be a poor one.
        choose = f'<button type="button" data-page="settings">{said(language, "model.choose")}</button>'
        kind, rest = "gone", f"<p>{_retry(language)}{choose}</p>"
    else:
        return ""
    return f'<div class="standing {kind}"><p role="status">{as_html(language, status.reason)}</p>{rest}</div>'


def _retry(language: Language) -> str:
    """The button that has models looked for once more."""
    return f'<button type="button" data-act="retry">{said(language, "model.retry")}</button>'


def _in_a_word(status: ModelStatus, language: Language) -> str:
    """What is on its way, in a word."""
    if status.state is ModelState.READY:
        return ""
    if status.state is ModelState.DOWNLOADING and status.total:
        return said(language, "model.fetching", share=f"{status.done / status.total:.0%}")
    return said(language, f"model.{status.state}")


def _coming(status: ModelStatus, language: Language) -> str:
    """What is on its way, in full."""
    if status.state is ModelState.DOWNLOADING and status.total:
        return progress(status, language)
    word = _in_a_word(status, language)
    return f"<p>{word}</p>" if word else ""


def progress(status: ModelStatus, language: Language, name: str = "") -> str:
    """How far a download is, how fast, and how long it will take; `name` is told before, and HTML already."""
    done, total = (f"{amount / DECIMAL_MEGABYTE:.0f}" for amount in (status.done, status.total))
    if status.speed:
        minutes = (status.total - status.done) / status.speed / 60
        speed, left = f"{status.speed / DECIMAL_MEGABYTE:.1f}", f"{minutes:.0f}" if minutes >= 1 else "<1"
        sentence = said(language, "model.progress", done=done, total=total, speed=speed, minutes=left)
    else:  # of what has only begun, how long it takes is not known
        sentence = said(language, "model.begun", done=done, total=total)
    return f'<p class="coming">{name}<span>{sentence}</span></p>{bar(status.done / status.total)}'


def model_box(
    status: ModelStatus, coming: Sequence[ModelStatus], failures: Sequence[Message], may_pull: bool, language: Language
) -> str:
    """The model of a session, what is being brought, what failed, and a form for more."""
    mood = "ready" if status.answers else "waiting"
    reason = as_html(language, status.reason)
    bars = "".join(_brought(item, language) for item in coming)
    troubles = "".join(notice(message, language) for message in failures)
    return (
        f'<div class="model-box {mood}"><p><i></i><b>{model_name(status.model, language)}</b><span>{reason}</span></p>'
        f"{bars}{troubles}{_retry(language)}{_pull(language) if may_pull else ''}</div>"
    )


def _brought(status: ModelStatus, language: Language) -> str:
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
