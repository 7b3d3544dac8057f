"""Who reads the page, as every handler asks: in which language, and what is before them."""

import gradio as gr

from rag.engine import Engine
from rag.i18n import Language
from rag.web.scene import Scene, read_scene
from rag.web.session import language_of, visitor, zone_of


class Readers:
    """Tells of the reader whom an event of the page comes from."""

    def __init__(self, engine: Engine, default: Language) -> None:
        """`default` is the language of those who have chosen none."""
        self._engine = engine
        self._default = default

    def language(self, request: gr.Request) -> Language:
        """The language that they read in."""
        return language_of(request, self._default)

    def of(self, stored: object, request: gr.Request) -> tuple[str, Language]:
        """Their session, by what their browser keeps, and their language."""
        return visitor(stored).session_id, self.language(request)

    def scene(self, stored: object, request: gr.Request) -> Scene:
        """The conversation before them, as it is stored; `stored` is what their browser keeps."""
        return read_scene(self._engine, visitor(stored), self.language(request), zone_of(request))
