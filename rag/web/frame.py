"""The page's frame: its name, the sidebar's button, language and theme."""

from collections.abc import Callable

import gradio as gr

from rag.i18n import Language
from rag.web import icons
from rag.web.markup import said
from rag.web.parts import Changes, static_part
from rag.web.readers import Readers


class Frame:
    """The parts that depend on nothing but the reader's language."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self.shown: dict[gr.HTML, Callable[[Language], str]] = {}

    def build(self, name: str, draw: Callable[[Language], str]) -> None:
        """One of them, in its place on the page."""
        self.shown[static_part(name, draw(self._readers.default))] = draw

    def show(self, request: gr.Request) -> Changes:
        """All of them in the reader's language."""
        return {part: draw(self._readers.language(request)) for part, draw in self.shown.items()}


def brand(language: Language) -> str:
    """The product's name and its line, and the way back from a sidebar that covers the screen."""
    close = said(language, "bar.close_menu")
    return (
        f'<p class="name">{said(language, "name")}</p><p class="motto">{said(language, "motto")}</p>'
        f'<button type="button" class="tool close-menu" data-page="menu" aria-label="{close}">{icons.CROSS}</button>'
    )


def menu(language: Language) -> str:
    """The button that opens and closes the sidebar; page.js serves it without the server."""
    return f'<button type="button" data-page="menu" aria-label="{said(language, "bar.menu")}">{icons.MENU}</button>'


def controls(language: Language) -> str:
    """Language and theme, likewise; of the icons, each shows what a press brings, and the stylesheet leaves one."""
    return (
        f'<button type="button" data-page="language" title="{said(language, "bar.language_hint")}">'
        f"{said(language, 'bar.language')}</button>"
        f'<button type="button" data-page="theme" aria-label="{said(language, "bar.theme")}">'
        f"{icons.MOON}{icons.SUN}</button>"
    )
