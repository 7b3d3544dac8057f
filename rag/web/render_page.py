"""The frame of the page as HTML."""

from rag.i18n import Language
from rag.web import icons
from rag.web.markup import said

_MENU = '<svg viewBox="0 0 20 20"><path d="M3 5h14M3 10h14M3 15h14"/></svg>'
# Each shows what a press brings; the stylesheet leaves one.
_THEME = (
    '<svg class="moon" viewBox="0 0 20 20"><path d="M16.5 12.5A7 7 0 0 1 7.5 3.5a7 7 0 1 0 9 9z"/></svg>'
    '<svg class="sun" viewBox="0 0 20 20"><path d="M13.5 10a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0z'
    "M10 1.8v1.9M10 16.3v1.9M1.8 10h1.9M16.3 10h1.9"
    'M4.2 4.2l1.4 1.4M14.4 14.4l1.4 1.4M4.2 15.8l1.4-1.4M14.4 5.6l1.4-1.4"/></svg>'
)


def brand(language: Language) -> str:
    """The product's name and its line, and the way back from a sidebar that covers the screen."""
    close = said(language, "bar.close_menu")
    return (
        f'<p class="name">{said(language, "name")}</p><p class="motto">{said(language, "motto")}</p>'
        f'<button type="button" class="tool close-menu" data-page="menu" aria-label="{close}">{icons.CROSS}</button>'
    )


def menu(language: Language) -> str:
    """The button that opens and closes the sidebar; page.js serves it without the server."""
    return f'<button type="button" data-page="menu" aria-label="{said(language, "bar.menu")}">{_MENU}</button>'


def controls(language: Language) -> str:
    """Language and theme, likewise."""
    return (
        f'<button type="button" data-page="language" title="{said(language, "bar.language_hint")}">'
        f"{said(language, 'bar.language')}</button>"
        f'<button type="button" data-page="theme" aria-label="{said(language, "bar.theme")}">{_THEME}</button>'
    )
