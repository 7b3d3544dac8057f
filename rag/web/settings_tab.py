"""The values in force, to read; and the frame's words."""

from typing import Any

import gradio as gr

from rag.settings import Settings
from rag.web.labels import still
from rag.web.render_files import settings_table
from rag.web.render_page import brand, controls, menu
from rag.web.session import language_of


class SettingsTab:
    """The parts that depend on nothing but the settings and the visitor's language."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._default = settings.server.language

    def build_brand(self) -> None:
        """The sidebar's head."""
        self._brand = still("brand", brand(self._default))

    def build_menu(self) -> None:
        """The button that opens the sidebar."""
        self._menu = still("menu", menu(self._default))

    def build_controls(self) -> None:
        """Language and theme."""
        self._controls = still("controls", controls(self._default))

    def build(self) -> None:
        """The tab's part."""
        self._table = still("settings")
        self.shown = [self._brand, self._menu, self._controls, self._table]

    def show(self, request: gr.Request) -> dict[Any, str]:
        """Everything in the visitor's language."""
        language = language_of(request, self._default)
        return {
            self._brand: brand(language),
            self._menu: menu(language),
            self._controls: controls(language),
            self._table: settings_table(self._settings, language),
        }
