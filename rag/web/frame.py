"""The page's frame: its name, the sidebar's button, language and theme."""

import gradio as gr

from rag.i18n import Language
from rag.web import icons
from rag.web.markup import said
from rag.web.parts import still
from rag.web.session import language_of


class Frame:
    """The parts that depend on nothing but the visitor's language."""

    def __init__(self, default: Language) -> None:
        """`default` is the language of those who have chosen none."""
        self._default = default

    def build_brand(self) -> None:
        """The sidebar's head."""
        self._brand = still("brand", brand(self._default))

    def build_menu(self) -> None:
        """The button that opens the sidebar."""
        self._menu = still("menu", menu(self._default))

    def build_controls(self) -> None:
        """Language and theme."""
        self._controls = still("controls", controls(self._default))
        self.shown = [self._brand, self._menu, self._controls]

    def show(self, request: gr.Request) -> list[str]:
        """Everything in the visitor's language."""
        language = language_of(request, self._default)
        return [brand(language), menu(language), controls(language)]


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
