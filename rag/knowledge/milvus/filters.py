"""Filter expressions. Nothing that a client gave stands in them but hashes and whole numbers."""

import hashlib
import json
from collections.abc import Sequence

from loaders.numerals import runs
from rag.types import Scope

KEY = "key"
COLLECTION = "collection_tag"
DOCUMENT = "document_tag"
PAGE = "page"
LAST_PAGE = "last_page"
TAG_LENGTH = 32


def tag(name: str) -> str:
    """What stands for the id of a collection or document in Milvus. Sessions are secret: their ids stay here."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:TAG_LENGTH]


def rows_of(collections: Sequence[str], scope: Scope | None = None, *, of_chunks: bool = False) -> str | None:
    """The expression for the rows of some collections that a scope allows; None where there can be none.

    Where rows are not those `of_chunks`, which chunks are allowed is for the caller to look at.
    """
    parts = [of_collections(collections)]
    if of_chunks and scope is not None and scope.chunk_ids is not None:
        parts.append(f"{KEY} in {sorted(map(int, scope.chunk_ids))}" if scope.chunk_ids else "")
    if scope is not None and scope.document_ids is not None:
        parts.append(_tagged(DOCUMENT, sorted(scope.document_ids)))
    if scope is not None and scope.pages is not None:
        overlaps = [f"({PAGE} <= {last} and {LAST_PAGE} >= {first})" for first, last in runs(map(int, scope.pages))]
        parts.append(f"({' or '.join(overlaps)})" if overlaps else "")
    return " and ".join(parts) if all(parts) else None


def of_collections(collections: Sequence[str]) -> str:
    """The expression for all rows of some collections; empty where there are none."""
    return _tagged(COLLECTION, collections)


def _tagged(field: str, names: Sequence[str]) -> str:
    return f"{field} in {json.dumps([tag(name) for name in names])}" if names else ""
