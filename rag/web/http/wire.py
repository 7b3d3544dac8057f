"""What of a turn and its evidence goes out to programs."""

from typing import Any

from rag.types import Evidence


def source(item: Evidence) -> dict[str, Any]:
    """A passage of a turn's evidence. Pages count from 1; `page_label` is what is printed on the first."""
    return {
        "number": item.number,
        "file": item.document_name,
        "file_id": item.document_id,
        "page": item.page,
        "last_page": item.pages[-1],
        "page_label": item.page_label,
        "heading_path": list(item.heading_path),
        "score": item.score,
        "text": item.text,
    }
