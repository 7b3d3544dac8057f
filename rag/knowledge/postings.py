"""Inverted postings of chunks, as immutable numpy arrays: a change makes new ones, so no search meets a change."""

import hashlib
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Part = TypeVar("Part")

# How a segment is stored: the numbers of chunks, terms and postings and the bytes of a frequency, the arrays in this
# order, and the frequencies. The widest come first, so that all are aligned.
_HEAD = struct.Struct("<4Q")
_STORED = (("chunk_ids", "<i8"), ("terms", "<u8"), ("offsets", "<i8"), ("lengths", "<i4"), ("slots", "<i4"))


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """The postings of n chunks with t distinct terms, sorted by term.

    chunk_ids (n,) and lengths (n,) in tokens; terms (t,) hashes in rising order; the postings of term i are
    slots and frequencies [offsets[i] : offsets[i + 1]], a slot being a position in chunk_ids. Slots rise in a run;
    frequencies are of the smallest unsigned type that holds them all.
    """

    chunk_ids: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int32]
    terms: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.int64]
    slots: npt.NDArray[np.int32]
    frequencies: npt.NDArray[np.unsignedinteger[Any]]

    def postings(self, terms: npt.NDArray[np.uint64]) -> Ints:
        """Where the postings of some terms begin and end, the same for a term that is not there, shape (terms, 2)."""
        if not len(self.terms):
            return np.zeros((len(terms), 2), np.int64)
        places = np.minimum(np.searchsorted(self.terms, terms), len(self.terms) - 1)
        known = self.terms[places] == terms
        return np.stack([np.where(known, self.offsets[places + end], 0) for end in (0, 1)], axis=1)

    @property
    def nbytes(self) -> int:
        """How much memory the arrays take."""
        return sum(getattr(self, name).nbytes for name in (*dict(_STORED), "frequencies"))

    @property
    def document_frequencies(self) -> Ints:
        """In how many of the chunks each term occurs, shape (t,)."""
        return np.diff(self.offsets)

    def to_bytes(self) -> bytes:
        """The sizes and the arrays one after the other: thousands of documents' are read in a moment."""
        arrays = (getattr(self, name).astype(kind, copy=False).tobytes() for name, kind in _STORED)
        width = self.frequencies.dtype.itemsize
        head = _HEAD.pack(len(self.chunk_ids), len(self.terms), len(self.slots), width)
        return b"".join((head, *arrays, self.frequencies.astype(f"<u{width}", copy=False).tobytes()))

    @classmethod
    def from_bytes(cls, data: bytes) -> "Segment":
        """The segment that `to_bytes` wrote."""
        chunks, terms, postings, width = _HEAD.unpack_from(data)
        counts = {"chunk_ids": chunks, "terms": terms, "offsets": terms + 1, "lengths": chunks, "slots": postings}
        arrays, start = {}, _HEAD.size
        for name, kind in (*_STORED, ("frequencies", f"<u{width}")):
            array = np.frombuffer(data, kind, counts.get(name, postings), start)
            arrays[name] = array.astype(array.dtype.newbyteorder("="), copy=False)
            start += array.nbytes
        return cls(**arrays)


@lru_cache(maxsize=2**16)
def term_hash(term: str) -> int:
    """A term as 64 bits: the same in every process, and without a vocabulary to keep."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def build(chunk_ids: Sequence[int], tokens: Sequence[Sequence[str]]) -> Segment:
    """The segment of chunks given by their tokens."""
    counts = [Counter(chunk) for chunk in tokens]
    terms = np.fromiter((term_hash(term) for chunk in counts for term in chunk), np.uint64)
    frequencies = np.fromiter((count for chunk in counts for count in chunk.values()), np.uint64)
    slots = np.repeat(np.arange(len(counts), dtype=np.int32), [len(chunk) for chunk in counts])
    order = np.argsort(terms, kind="stable")
    unique, first = np.unique(terms[order], return_index=True)
    return Segment(
        chunk_ids=np.asarray(chunk_ids, np.int64),
        lengths=np.asarray([len(chunk) for chunk in tokens], np.int32),
        terms=unique,
        offsets=np.append(first, len(terms)).astype(np.int64),
        slots=slots[order],
        frequencies=frequencies[order].astype(np.min_scalar_type(int(frequencies.max(initial=0)))),
    )


def merge(segments: Sequence[Segment]) -> Segment:
    """One segment of the chunks of all, in their order. Terms are sorted once, their runs copied to their places."""
    terms = np.concatenate([segment.terms for segment in segments])
    # Each segment's terms are sorted already: a stable sort merges such runs, and keeps the order of the segments.
    order = np.argsort(terms, kind="stable")
    terms = terms[order]
    total = sum(len(segment.slots) for segment in segments)
    # 32 bits suffice nearly always; of 100,000 chunks these arrays have 15 million positions.
    kind = np.int32 if total < 2**31 else np.int64
    runs = np.concatenate([segment.document_frequencies.astype(kind) for segment in segments])[order]
    starts = [(segment.offsets[:-1] + before).astype(kind) for segment, before in _with_those_before(segments, "slots")]
    begins = np.cumsum(runs, dtype=kind) - runs
    source = np.repeat(np.concatenate(starts)[order] - begins, runs)
    source += np.arange(total, dtype=kind)
    slots = [segment.slots + np.int32(before) for segment, before in _with_those_before(segments, "chunk_ids")]
    first = np.flatnonzero(np.diff(terms, prepend=~terms[:1]))
    return Segment(
        chunk_ids=np.concatenate([segment.chunk_ids for segment in segments]),
        lengths=np.concatenate([segment.lengths for segment in segments]),
        terms=terms[first],
        offsets=np.append(begins[first].astype(np.int64), total),
        slots=np.concatenate(slots)[source],
        frequencies=np.concatenate([segment.frequencies for segment in segments])[source],
    )


def with_few(
    parts: Sequence[Part], new: Part, size: Callable[[Part], int], join: Callable[[Sequence[Part]], Part]
) -> tuple[Part, ...]:
    """Parts of a collection and a new one in few: the last are joined until each is over twice as large as the next."""
    few = [*parts, new]
    while len(few) > 1 and size(few[-2]) <= 2 * size(few[-1]):
        few[-2:] = [join(few[-2:])]
    return tuple(few)


def without(segment: Segment, chunk_ids: Sequence[int]) -> Segment:
    """The segment less some of its chunks."""
    stays = ~np.isin(segment.chunk_ids, np.asarray(chunk_ids, np.int64))
    if stays.all():
        return segment
    kept = stays[segment.slots]
    owners = np.searchsorted(segment.offsets, np.flatnonzero(~kept), side="right") - 1
    counts = segment.document_frequencies - np.bincount(owners, minlength=len(segment.terms))
    used = counts > 0
    return Segment(
        chunk_ids=segment.chunk_ids[stays],
        lengths=segment.lengths[stays],
        terms=segment.terms[used],
        offsets=np.concatenate(([0], np.cumsum(counts[used]))),
        slots=(np.cumsum(stays) - 1).astype(np.int32)[segment.slots[kept]],
        frequencies=segment.frequencies[kept],
    )


def _with_those_before(segments: Sequence[Segment], array: str) -> list[tuple[Segment, int]]:
    """Each segment, and how long the array is in those before it together."""
    lengths = [len(getattr(segment, array)) for segment in segments]
    return list(zip(segments, accumulate(lengths[:-1], initial=0), strict=True))
