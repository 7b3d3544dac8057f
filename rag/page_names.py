"""What the pages of a file are called, for sheets and slides have names of their own; where in it a passage stands."""

from pathlib import PurePath

from rag import i18n
from rag.i18n import Language
from rag.types import Evidence, Message

_OF_KIND = {".xlsx": "sheet", ".pptx": "slide"}


def page_name(file: str, page: int, label: str, language: Language, last: int | None = None) -> str:
    """A page, or those up to the last, by physical number and, where it differs, the label printed on the first.

    The label is a document's text. `last` is None where only the first is sure.
    """
    numbers = f"{page}–{last}" if last and last > page else str(page)
    key = kind_of_page(file) if label in ("", str(page)) else "page_and_label"
    return i18n.text(language, f"web.source.{key}", page=numbers, label=label)


def page_count(file: str, count: int) -> Message:
    """So many pages of a file."""
    return Message(f"web.source.{kind_of_page(file)}s", {"count": count})


def kind_of_page(file: str) -> str:
    """What a page of a file is: `page`, `sheet` or `slide`."""
    return _OF_KIND.get(PurePath(file).suffix.lower(), "page")


def place_in_file(item: Evidence, language: Language) -> str:
    """Where a passage stands: physical pages, the label printed on the first where it differs, headings."""
    page = page_name(item.document_name, item.page, item.page_label, language, item.last_page)
    return " · ".join(filter(None, (page, " › ".join(item.heading_path))))
