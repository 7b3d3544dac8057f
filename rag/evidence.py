"""What a search found as evidence of a conversation."""

from rag.types import Evidence, Hit


def evidence_of(number: int, hit: Hit, question: str) -> Evidence:
    """A hit as evidence: numbered, and found for a question."""
    chunk = hit.chunk
    return Evidence(
        number=number,
        chunk_id=chunk.chunk_id,
        document_id=chunk.document_id,
        document_name=chunk.document_name,
        page=chunk.passage.page,
        page_label=chunk.passage.page_label,
        heading_path=chunk.passage.heading_path,
        text=chunk.passage.text_in_context,
        score=hit.score,
        last_page=chunk.passage.last_page,
        chunk_ids=(chunk.chunk_id, *hit.joined),
        use=hit.use,
        found_for=question,
        opening=hit.opening,
    )
