"""Filter expressions. Nothing that a client gave stands in them but hashes and whole numbers."""

import hashlib
import json
from collections.abc import Sequence

from loaders.numerals import runs
from rag.knowledge.dense import Ids
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


def rows_of(collections: Sequence[str], scope: Scope, keys: Ids | None = None) -> str | None:
    """The expression for the rows of some collections that a scope allows; None where there can be none.

    Where it names chunks, `keys` are those of their rows.
    """
    parts = [of_collections(collections)]
    if keys is not None:
        parts.append(f"{KEY} in {keys.tolist()}" if len(keys) else "")
    if scope.document_ids is not None:
        parts.append(_tagged(DOCUMENT, sorted(scope.document_ids)))
    if scope.pages is not None:
        overlaps = [f"({PAGE} <= {last} and {LAST_PAGE} >= {first})" for first, last in runs(map(int, scope.pages))]
        parts.append(f"({' or '.join(overlaps)})" if overlaps else "")
    return " and ".join(parts) if all(parts) else None


def of_collections(collections: Sequence[str]) -> str:
    """The expression for all rows of some collections; empty where there are none."""
    return _tagged(COLLECTION, collections)


def _tagged(field: str, names: Sequence[str]) -> str:
    return f"{field} in {json.dumps([tag(name) for name in names])}" if names else ""
