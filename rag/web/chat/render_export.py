"""The head of a conversation as HTML."""

from html import escape

from rag.i18n import Language
from rag.web import icons
from rag.web.markup import said

# The media type and the suffix of each format that a conversation can be taken along in.
FORMATS = {
    "markdown": ("text/markdown", "md"),
    "html": ("text/html", "html"),
    "pdf": ("application/pdf", "pdf"),
    "json": ("application/json", "json"),
}


def head(title: str, language: Language) -> str:
    """A conversation's title and the menu of formats."""
    ways = "".join(
        f'<li><button type="button" data-act="take" data-format="{name}">{said(language, f"export.{name}")}'
        f"<small>.{suffix}</small></button></li>"
        for name, (_, suffix) in FORMATS.items()
    )
    return (
        f'<h1 title="{escape(title)}">{escape(title)}</h1><details class="menu"><summary '
        f'title="{said(language, "export.hint")}">{icons.DOWN}{said(language, "export.button")}</summary>'
        f"<ul>{ways}</ul></details>"
    )
