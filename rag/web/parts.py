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
_MOST_DIGITS = 9

# How events are wired that no program calls and that no answer is waited for in.
SHORT: Mapping[str, Any] = MappingProxyType({"api_visibility": "private", "show_progress": "hidden", "queue": False})
# What is pressed while the same is still being answered counts as well: Gradio would drop it, and its `always_last`
# repeats what was pressed first.
EACH: Mapping[str, Any] = MappingProxyType({**SHORT, "trigger_mode": "multiple"})
# Gradio shows what a handler warns of only where its event is queued.
MAY_WARN: Mapping[str, Any] = MappingProxyType({**SHORT, "queue": True})
# What the page's scripts do when a conversation is left, and when the next one is there.
LEAVE, ARRIVE = "window.wenqu.leave", "() => window.wenqu.arrive()"
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


def acting(name: str, *actions: str) -> gr.HTML:
    """An HTML part whose buttons `data-act` and forms report as events of those names, with their data and fields."""
    return _part(name, js_on_load=f"window.wenqu.listen(element, trigger, {json.dumps(actions)});")


def drawn(name: str, *actions: str) -> gr.HTML:
    """An acting part whose value the page's script of that name draws, instead of being HTML itself."""
    script = f"window.wenqu.draw.{name}(element, trigger, {json.dumps(actions)}, props, watch);"
    return _part(name, html_template="", js_on_load=script)


def still(name: str, value: str = "") -> gr.HTML:
    """An HTML part without actions of its own."""
    return _part(name, value=value, js_on_load=None)


def _part(name: str, **values: Any) -> gr.HTML:
    return gr.HTML(elem_id=name, elem_classes=["part"], apply_default_css=False, **values)


def kept(name: str) -> gr.HTML:
    """A part that shows nothing: its value is what the page remembers, and hands to the server with an event."""
    return gr.HTML(elem_id=name, html_template="", js_on_load=None, apply_default_css=False, visible="hidden")


@contextmanager
def warning(language: Language) -> Iterator[None]:
    """Tells of what goes wrong meanwhile and has no place of its own on the page; for events wired with `MAY_WARN`."""
    try:
        yield
    except WenquError as error:
        gr.Warning(as_html(language, error.message), duration=_TOAST_SECONDS)


def inform(key: str, language: Language) -> None:
    """Confirm what was done and is not seen by itself; the event is wired with `MAY_WARN`."""
    gr.Info(escape(i18n.text(language, key)), duration=_TOAST_SECONDS)


def sent(event: gr.EventData, start: str) -> dict[str, str]:
    """The texts that came with an event under names that begin so."""
    data = event._data if isinstance(event._data, dict) else {}
    return {
        name: encodable(value)
        for name, value in data.items()
        if isinstance(name, str) and isinstance(value, str) and name.startswith(start)
    }


def told(event: gr.EventData, names: Sequence[str]) -> list[str]:
    """The texts that came with an event; empty where the browser sent something else."""
    data = event._data if isinstance(event._data, dict) else {}
    values = [data.get(name) for name in names]
    return [encodable(value) if isinstance(value, str) else "" for value in values]


def whole(text: str) -> int | None:
    """The whole number that a browser sent; None for anything else, and for one that is greater than any place."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else None


def span(start: str, end: str) -> tuple[int, int] | None:
    """The span of a text that a browser sent, as two numbers; None where one is none."""
    first, last = whole(start), whole(end)
    return None if first is None or last is None else (first, last)
