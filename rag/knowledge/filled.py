"""Which of the passages found have a vector: after an upload the words are there before these."""

from collections.abc import Callable, Mapping, Sequence

from rag.knowledge.dense import Ids
from rag.knowledge.dense_routes import DenseRoutes
from rag.knowledge.request import CHUNK_DENSE, CHUNK_SPARSE
from rag.knowledge.search_index import Scores

# So many tell near enough which share of all has vectors.
_SOME = 1000


def covered(
    found: Mapping[str, Sequence[Scores]], collections: Sequence[str], dense: DenseRoutes
) -> dict[str, set[int]]:
    """Those of all chunks found that each field can judge."""
    everything = {chunk for phrasings in found.values() for scores in phrasings for chunk in scores}
    return {
        # A field that found nothing at all judges nothing: its model may have failed.
        field: everything
        if field == CHUNK_SPARSE
        else dense.covered(field, collections, everything if any(phrasings) else ())
        for field, phrasings in found.items()
    }


def is_filling(
    found: Mapping[str, Sequence[Scores]], judged: Mapping[str, set[int]], have_vectors: Callable[[], Sequence[bool]]
) -> bool:
    """Whether most of what words found has no vector yet, or most of all that there is where they found nothing.

    Of a question in another language no word stands in any passage; `have_vectors` then tells which of some do.
    """
    if not {CHUNK_DENSE, CHUNK_SPARSE} <= found.keys():
        return False
    by_words = {chunk for scores in found[CHUNK_SPARSE] for chunk in scores}
    have = [chunk in judged[CHUNK_DENSE] for chunk in by_words] if by_words else have_vectors()
    return 2 * sum(have) < len(have)


def of_some(everything: Ids, collections: Sequence[str], dense: DenseRoutes) -> list[bool]:
    """Which of some of many chunks have a vector."""
    some = everything[:: len(everything) // _SOME + 1].tolist()
    known = dense.covered(CHUNK_DENSE, collections, some)
    return [chunk in known for chunk in some]
