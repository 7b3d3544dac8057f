"""[n] markers in answers ↔ the evidence that they cite, and whether that evidence says what the answer says."""

from rag.citations.markers import MARKER, cited_numbers
from rag.citations.origin import sources_of
from rag.citations.source import best_part
from rag.citations.verify import check, cited_by, verify

__all__ = ["MARKER", "best_part", "check", "cited_by", "cited_numbers", "sources_of", "verify"]
