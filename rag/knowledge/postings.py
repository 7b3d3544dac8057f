"""Inverted postings of chunks, as immutable numpy arrays: a change makes new ones, so no search meets a change."""

import hashlib
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """The postings of n chunks with t distinct terms, sorted by term.

    chunk_ids (n,) and lengths (n,) in tokens; terms (t,) hashes in rising order; the postings of term i are
    slots and frequencies [offsets[i] : offsets[i + 1]], a slot being a position in chunk_ids.
    """

    chunk_ids: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int32]
    terms: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.int64]
    slots: npt.NDArray[np.int32]
    frequencies: npt.NDArray[np.int32]

    def postings(self, term: int) -> slice:
        """Where the postings of a term stand in slots and frequencies; empty for a term that is not there."""
        position = int(np.searchsorted(self.terms, np.uint64(term)))
        if position == len(self.terms) or self.terms[position] != term:
            return slice(0, 0)
        return slice(int(self.offsets[position]), int(self.offsets[position + 1]))

    @property
    def document_frequencies(self) -> Ints:
        """In how many of the chunks each term occurs, shape (t,)."""
        return np.diff(self.offsets)

    def to_bytes(self) -> bytes:
        """The arrays in numpy's own format."""
        buffer = io.BytesIO()
        np.savez(buffer, **{field.name: getattr(self, field.name) for field in fields(self)})
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> "Segment":
        """The segment that `to_bytes` wrote."""
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return cls(**{field.name: arrays[field.name] for field in fields(cls)})


@lru_cache(maxsize=2**16)
def term_hash(term: str) -> int:
    """A term as 64 bits: the same in every process, and without a vocabulary to keep."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def build(chunk_ids: Sequence[int], tokens: Sequence[Sequence[str]]) -> Segment:
    """The segment of chunks given by their tokens."""
    counts = [Counter(map(term_hash, chunk)) for chunk in tokens]
    terms = np.fromiter((term for chunk in counts for term in chunk), np.uint64)
    frequencies = np.fromiter((count for chunk in counts for count in chunk.values()), np.int32)
    slots = np.repeat(np.arange(len(counts), dtype=np.int32), [len(chunk) for chunk in counts])
    order = np.argsort(terms, kind="stable")
    unique, first = np.unique(terms[order], return_index=True)
    return Segment(
        chunk_ids=np.asarray(chunk_ids, np.int64),
        lengths=np.asarray([len(chunk) for chunk in tokens], np.int32),
        terms=unique,
        offsets=np.append(first, len(terms)).astype(np.int64),
        slots=slots[order],
        frequencies=frequencies[order],
    )


def merge(segments: Sequence[Segment]) -> Segment:
    """One segment of the chunks of all: every run of postings is copied to its place, nothing is sorted again."""
    terms = np.unique(np.concatenate([segment.terms for segment in segments]))
    positions = [np.searchsorted(terms, segment.terms) for segment in segments]
    counts = np.zeros(len(terms), np.int64)
    for segment, position in zip(segments, positions, strict=True):
        counts[position] += segment.document_frequencies
    offsets = np.concatenate(([0], np.cumsum(counts)))
    slots = np.empty(offsets[-1], np.int32)
    frequencies = np.empty(offsets[-1], np.int32)
    cursor, first_slot = offsets[:-1].copy(), 0
    for segment, position in zip(segments, positions, strict=True):
        runs = segment.document_frequencies
        target = np.repeat(cursor[position] - segment.offsets[:-1], runs) + np.arange(len(segment.slots))
        slots[target] = segment.slots + first_slot
        frequencies[target] = segment.frequencies
        cursor[position] += runs
        first_slot += len(segment.chunk_ids)
    return Segment(
        chunk_ids=np.concatenate([segment.chunk_ids for segment in segments]),
        lengths=np.concatenate([segment.lengths for segment in segments]),
        terms=terms,
        offsets=offsets,
        slots=slots,
        frequencies=frequencies,
    )


def without(segment: Segment, chunk_ids: Sequence[int]) -> Segment:
    """The segment less some of its chunks."""
    stays = ~np.isin(segment.chunk_ids, np.asarray(chunk_ids, np.int64))
    if stays.all():
        return segment
    kept = stays[segment.slots]
    owner = np.repeat(np.arange(len(segment.terms)), segment.document_frequencies)
    counts = np.bincount(owner[kept], minlength=len(segment.terms))
    used = counts > 0
    return Segment(
        chunk_ids=segment.chunk_ids[stays],
        lengths=segment.lengths[stays],
        terms=segment.terms[used],
        offsets=np.concatenate(([0], np.cumsum(counts[used]))).astype(np.int64),
        slots=(np.cumsum(stays) - 1).astype(np.int32)[segment.slots[kept]],
        frequencies=segment.frequencies[kept],
    )
