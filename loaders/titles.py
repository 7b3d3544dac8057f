"""Lines that are set larger than the text, as titles are. Pure functions."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from loaders.cleaning import clean_line, close_gaps
from loaders.headings import bare
from loaders.lines import TextLine
from loaders.sizes import SAME_SIZE

_LARGER = 1.2  # times the size of the text; fonts of one size differ by up to a sixth in height
_MOST_TIMES = 2  # what occurs more often is not a title
_LONGEST = 40
# Letters of any script; most characters of a formula are not letters.
_LETTER = re.compile(r"[^\W\d_]")
_LETTERS_SHARE = 0.6
_FEWEST_LETTERS = 2


def title_sizes(pages: Sequence[Sequence[TextLine]]) -> dict[str, float]:
    """The lines that may be titles by their size, as `bare` text with their size, to half a point."""
    sizes = Counter[float]()
    for page in pages:
        for line in page:
            sizes[_rounded(line.size)] += len(line.text)
    if not sizes:
        return {}
    smallest = _LARGER * sizes.most_common(1)[0][0]
    found = [
        (bare(clean_line(line.text)), _rounded(line.size))
        for page in pages
        for line, alone in zip(page, _alone(page), strict=True)
        if alone and line.size >= smallest and _reads_as_title(line)
    ]
    times = Counter(bare(clean_line(line.text)) for page in pages for line in page)
    return {text: size for text, size in found if times[text] <= _MOST_TIMES}


def _alone(page: Sequence[TextLine]) -> list[bool]:
    """Whether each line has neighbours of another size only: a whole text set large is not a title."""
    same = [abs(first.size - second.size) <= SAME_SIZE * first.size for first, second in pairwise(page)]
    return [not (before or after) for before, after in zip([False, *same], [*same, False], strict=True)][: len(page)]


def _reads_as_title(line: TextLine) -> bool:
    text = bare(line.text)
    letters = len(_LETTER.findall(text))
    if line.verbatim or line.note or "\t" in close_gaps(line.text) or len(text) > _LONGEST:
        return False
    return letters >= max(_FEWEST_LETTERS, _LETTERS_SHARE * len(text))


def _rounded(size: float) -> float:
    return round(2 * size) / 2
