"""What the page of a passage is called, or those that it goes over, and where in its file it stands."""

from pathlib import PurePath

from rag import i18n
from rag.i18n import Language
from rag.types import Evidence

_OF_KIND = {".xlsx": "sheet", ".pptx": "slide"}


def page_range(first: int, last: int | None) -> str:
    """The numbers of a page, or of the first and the last one; `last` is None where only the first is sure."""
    return f"{first}–{last}" if last and last > first else str(first)


def page_name(file: str, page: int, label: str, language: Language, last: int | None = None) -> str:
    """A page, or those up to the last, by physical number and, where it differs, the label printed on the first.

    The label is a document's text. The pages of some files have a name of their own, whatever these are called.
    """
    key = _OF_KIND.get(PurePath(file).suffix.lower(), "page")
    key = key if label in ("", str(page)) else "page_and_label"
    return i18n.text(language, f"web.source.{key}", page=page_range(page, last), label=label)


def place_in_file(item: Evidence, language: Language) -> str:
    """Where a passage stands: physical pages, the label printed on the first where it differs, headings."""
    page = page_name(item.document_name, item.page, item.page_label, language, item.last_page)
    return " · ".join(filter(None, (page, " › ".join(item.heading_path))))
