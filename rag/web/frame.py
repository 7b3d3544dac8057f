"""The page's frame: its name, the sidebar's button, language and theme."""

import gradio as gr

from rag.i18n import Language
from rag.web.parts import still
from rag.web.render_page import brand, controls, menu
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
