"""The levels of headings by the size that they are set in."""

from collections.abc import Collection, Mapping, Sequence
from statistics import median

SAME_SIZE = 0.05  # of a size: by so much do lines of one size differ


def typical_size(measured: Sequence[float]) -> float:
    """The size of headings of one level. Up to half may be unknown (0), as for a short title with a long number."""
    known = [size for size in measured if size]
    return median(known if 2 * len(known) >= len(measured) else measured)


def level_of_size(size: float, typical: Mapping[float, float]) -> float:
    """The level of the numbered headings of that size, or one between those of the next larger and smaller."""
    for level in sorted(typical):
        if abs(typical[level] - size) <= SAME_SIZE * size:
            return level
    larger = [level for level, other in typical.items() if other > size]
    # The larger, the higher: sizes part levels that no number tells apart.
    return max(larger, default=0.0) + 1 / (1 + size)


def one_of_each(sizes: Collection[float]) -> dict[float, float]:
    """For each size the one that stands for all of those that are almost the same: the largest of them."""
    largest: dict[float, float] = {}
    current = 0.0
    for size in sorted(set(sizes), reverse=True):
        if current - size > SAME_SIZE * current or not current:
            current = size
        largest[size] = current
    return largest
