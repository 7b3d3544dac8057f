"""What the page is put together from: its parts, how they are wired, what they report, and what Gradio translates."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from types import MappingProxyType
from typing import Any

import gradio as gr
from gradio.i18n import I18nData

from rag import i18n
from rag.errors import WenquError
from rag.i18n import Language
from rag.language.folding import encodable
from rag.web.markup import as_html

# Values of parts, by part, as an event's handler returns them.
Changes = dict[Any, Any]
_TOAST_SECONDS = 5
_ARRIVE = "() => window.wenqu.arrive()"
_MOST_DIGITS = 9

# How events are wired that programs cannot call and that take a moment only.
SHORT: Mapping[str, Any] = MappingProxyType({"api_visibility": "private", "show_progress": "hidden", "queue": False})
# The same, where a second press counts although the first is still being handled: Gradio would drop it without a word,
# and its `always_last` would repeat the first one.
EACH: Mapping[str, Any] = MappingProxyType({**SHORT, "trigger_mode": "multiple"})
# Gradio shows what a handler warns of only where its event is queued.
MAY_WARN: Mapping[str, Any] = MappingProxyType({**EACH, "queue": True})
# What the page's scripts do when a conversation is left, and when what became of a question is seen.
LEAVE, SETTLE = "window.wenqu.leave", "() => window.wenqu.settle()"
# Gradio looks a browser's language up by its full tag first.
_GRADIOS_OWN = ("tab.chat", "tab.files", "tab.settings", "sidebar.new", "chat.question", "chat.placeholder")
_TAGS = {Language.ZH: ("zh", "zh-CN"), Language.EN: ("en", "en-US")}


def label(key: str) -> I18nData:
    """A sentence that Gradio itself shows: one of `translations`."""
    return I18nData(f"web.{key}")


def translations() -> gr.I18n:
    """What Gradio itself shows of the interface's sentences, in both languages; all of them would weigh 64 KB."""
    return gr.I18n(
        **{
            tag: {f"web.{key}": i18n.text(language, f"web.{key}") for key in _GRADIOS_OWN}
            for language, tags in _TAGS.items()
            for tag in tags
        }
    )


def action_part(name: str, *actions: str) -> gr.HTML:
    """An HTML part whose buttons and forms with `data-act` send events of those names, with their data and fields."""
    return _part(name, js_on_load=f"window.wenqu.listen(element, trigger, {json.dumps(actions)});")


def scripted_part(name: str, *actions: str) -> gr.HTML:
    """An action part whose value is not HTML: `window.wenqu.draw` has a function of that name that draws it."""
    script = f"window.wenqu.draw.{name}(element, trigger, {json.dumps(actions)}, props, watch);"
    return _part(name, html_template="", js_on_load=script)


def static_part(name: str, value: str = "") -> gr.HTML:
    """An HTML part without actions of its own."""
    return _part(name, value=value, js_on_load=None)


def _part(name: str, **values: Any) -> gr.HTML:
    return gr.HTML(elem_id=name, elem_classes=["part"], apply_default_css=False, **values)


def hidden_part(name: str) -> gr.HTML:
    """A part that shows nothing: the page keeps its value, and sends it to the server with an event."""
    return gr.HTML(elem_id=name, html_template="", js_on_load=None, apply_default_css=False, visible="hidden")


def arrive(*steps: Any) -> None:
    """Tell the page's scripts that the way to a conversation has ended: with the last of its steps, or in an error."""
    steps[-1].success(None, js=_ARRIVE)
    for step in steps:
        step.failure(None, js=_ARRIVE)


@contextmanager
def toast_errors(language: Language) -> Iterator[None]:
    """Show an error as a passing message, for want of a place on the page; its event is wired with `MAY_WARN`."""
    try:
        yield
    except WenquError as error:
        gr.Warning(as_html(language, error.message), duration=_TOAST_SECONDS)


def toast_info(key: str, language: Language) -> None:
    """Confirm something that cannot be seen on the page; its event is wired with `MAY_WARN`."""
    gr.Info(escape(i18n.text(language, key)), duration=_TOAST_SECONDS)


def event_fields(event: gr.EventData, start: str = "") -> dict[str, str]:
    """The texts of an event whose names begin with `start`, but for what the browser sent as something else."""
    data = event._data if isinstance(event._data, dict) else {}
    return {
        name: encodable(value)
        for name, value in data.items()
        if isinstance(name, str) and isinstance(value, str) and name.startswith(start)
    }


def event_texts(event: gr.EventData, names: Sequence[str]) -> list[str]:
    """The texts of an event by these names; "" for what the browser did not send as a text."""
    fields = event_fields(event)
    return [fields.get(name, "") for name in names]


def whole_number(text: str) -> int | None:
    """The whole number that a browser sent; None for anything else, and for one too great to be a place in a text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else None


def text_span(start: str, end: str) -> tuple[int, int] | None:
    """The span of a text that a browser sent, as two numbers; None where one is none."""
    first, last = whole_number(start), whole_number(end)
    return None if first is None or last is None else (first, last)
