"""What of a turn and its evidence goes out to programs."""

from typing import Any

from rag.types import Evidence


def plain_source(item: Evidence) -> dict[str, Any]:
    """A passage of a turn's evidence. Pages count from 1; `page_label` is what is printed on the first."""
    return {
        "number": item.number,
        "file": item.document_name,
        "page": item.page,
        "last_page": item.pages[-1],
        "page_label": item.page_label,
        "score": item.score,
        "relevant": item.relevant,
        "text": item.text,
    }


def source(item: Evidence) -> dict[str, Any]:
    """The same with what leads back to its document, and the sentence that a filter kept it for, with the reason."""
    return {
        **plain_source(item),
        "file_id": item.document_id,
        "heading_path": list(item.heading_path),
        "key_passage": item.use.key_passage if item.use else None,
        "key_passage_reason": item.use.reason if item.use else None,
    }
