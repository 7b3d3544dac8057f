"""Lines that are set larger than the text, as titles are. Pure functions."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from loaders.cleaning import clean_line, close_gaps
from loaders.headings import bare
from loaders.lines import TextLine

SAME_SIZE = 0.05  # of a size: by so much do lines of one size differ
_LARGER = 1.12  # times the size of the text: 14 points above 12, the usual pair, are a sixth more
_MOST_TIMES = 2  # unless it stands below as many titles
_MOST_LINES = 2
_LONGEST = 40
# Letters of any script; most characters of a formula are not letters.
_LETTER = re.compile(r"[^\W\d_]")
_LETTERS_SHARE = 0.6
_FEWEST_LETTERS = 2
_OF_SENTENCES = re.compile(r"[，。；]")
_OF_PROSE = re.compile(r"[，。；]|[,.;](?: |$)")
_ENDS_WITHIN = re.compile("。.")
_TICK = re.compile(r"[□☐☑☒]|(?<!^)[√✓]")  # the first one may be a bullet


def title_sizes(pages: Sequence[Sequence[TextLine]]) -> dict[str, float]:
    """The lines that may be titles by their size, as `bare` text with their size, to half a point."""
    lines = [line for page in pages for line in page]
    if not lines:
        return {}
    # A long table is set smaller than the text around it.
    prose = [line for line in lines if not line.verbatim and _OF_PROSE.search(line.text)]
    sizes = Counter[float]()
    for line in prose or lines:
        sizes[_rounded(line.size)] += len(line.text)
    smallest = _LARGER * sizes.most_common(1)[0][0]
    titles = [title for page in pages for title in _alone(page) if title.size >= smallest and _reads_as_title(title)]
    alike = _one_of_each([title.size for title in titles])
    found = [(bare(clean_line(title.text)), alike[title.size]) for title in titles]
    times = Counter(bare(clean_line(line.text)) for page in pages for line in page)
    parted = _parted(found)
    return {text: _rounded(size) for text, size in found if times[text] <= max(_MOST_TIMES, parted[text])}


def _one_of_each(sizes: Collection[float]) -> dict[float, float]:
    """For each size the one that stands for all of those that are almost the same: the largest of them."""
    largest: dict[float, float] = {}
    current = 0.0
    for size in sorted(set(sizes), reverse=True):
        if current - size > SAME_SIZE * current or not current:
            current = size
        largest[size] = current
    return largest


def _parted(found: Sequence[tuple[str, float]]) -> Counter[str]:
    """How often each title occurs, where it does so no more than once below a larger one; 0 for others."""
    times = Counter[str]()
    below: dict[float, set[str]] = {}
    repeated: set[str] = set()
    for text, size in found:
        below = {other: texts for other, texts in below.items() if other >= size}
        if text in below.setdefault(size, set()):
            repeated.add(text)
        below[size].add(text)
        times[text] += 1
    return Counter({text: count for text, count in times.items() if text not in repeated})


def _alone(page: Sequence[TextLine]) -> Iterator[TextLine]:
    """The lines with neighbours of another size only, two of one size as one: a text set large is not a title."""
    borders = [index for index, (one, other) in enumerate(pairwise(page), 1) if not _of_one_size(one, other)]
    for start, end in pairwise([0, *borders, len(page)]):
        if end - start == 1:
            yield page[start]
        elif end - start == _MOST_LINES and not any(_OF_SENTENCES.search(line.text) for line in page[start:end]):
            yield replace(page[start], text=page[start].text + page[start + 1].text)


def _of_one_size(one: TextLine, other: TextLine) -> bool:
    """Whether two lines are set alike; the size of a table's row says nothing."""
    return one.verbatim == other.verbatim and abs(one.size - other.size) <= SAME_SIZE * one.size


def _reads_as_title(line: TextLine) -> bool:
    text = bare(line.text)
    letters = len(_LETTER.findall(text))
    if line.verbatim or line.note or "\t" in close_gaps(line.text) or len(text) > _LONGEST:
        return False
    if _TICK.search(text) or _ENDS_WITHIN.search(text):
        return False
    return letters >= max(_FEWEST_LETTERS, _LETTERS_SHARE * len(text))


def _rounded(size: float) -> float:
    return round(2 * size) / 2
