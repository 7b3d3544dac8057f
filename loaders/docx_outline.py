"""The headings of a DOCX file: those of a heading style, and titles that only look like one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loaders.headings import DEEPEST, bare, is_numbered_heading, is_title
from loaders.lines import TextLine
from loaders.rows import is_row
from loaders.titles import SAME_SIZE, title_sizes
from rag.types import Heading


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or a row of a table: its level as a heading (0: none) and its size (0: unknown)."""

    text: str
    level: int = 0
    size: float = 0.0


def sizes_of_titles(pages: Sequence[Sequence[Block]]) -> Mapping[str, float]:
    """The paragraphs that are set larger than the text, as `title_sizes` has them."""
    written = Counter[float]()
    for page in pages:
        for block in page:
            written[block.size] += len(block.text) if block.size else 0
    usual = max(written, key=written.__getitem__, default=0.0)
    return title_sizes([[_line(block, usual) for block in page if block.text] for page in pages])


def _line(block: Block, usual: float) -> TextLine:
    size = block.size or usual
    return TextLine(block.text, 0.0, 0.0, 0.0, size, size, verbatim=is_row(block.text))


def outline_of(pages: Sequence[Sequence[Block]], sizes: Mapping[str, float]) -> list[Heading]:
    """The headings by their style; where there are several, those among them that are set like one by hand, too."""
    blocks = [(number, block) for number, page in enumerate(pages, start=1) for block in page if block.text]
    styled = [block for _, block in blocks if block.level]
    by_hand = _by_hand(styled, [block for _, block in blocks if not block.level], sizes) if len(styled) > 1 else {}
    levels = ((number, block.text, block.level or by_hand.get(block, 0)) for number, block in blocks)
    return [Heading(level, text, number) for number, text, level in levels if level]


def _by_hand(styled: Sequence[Block], others: Sequence[Block], sizes: Mapping[str, float]) -> dict[Block, int]:
    """Titles without a style and their levels: that of the headings which they are at least as large as.

    Without a number they are not smaller than all of these, and a size that occurs once is a title page's.
    """
    smallest: dict[int, float] = {}
    for block in styled:
        smallest[block.level] = min(block.size, smallest.get(block.level, block.size))
    titles = [(block, sizes[bare(block.text)]) for block in others if block.size and bare(block.text) in sizes]
    often = {size for size, count in Counter(size for _, size in titles).items() if count > 1}
    found: dict[Block, int] = {}
    for block, size in titles:
        levels = [level for level, least in smallest.items() if size >= (1 - SAME_SIZE) * least]
        if is_numbered_heading(block.text):
            found[block] = min(levels, default=min(max(smallest) + 1, DEEPEST))
        elif levels and size in often and is_title(block.text):
            found[block] = min(levels)
    return found
