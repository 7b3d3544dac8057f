"""A passage that a better one holds word for word takes no place from another that says something else.

A file comes twice, as PDF and as DOCX, or a page that was published again comes as `手册 (2).pdf`. A copy stands whole
in the better hit, under the same name and headings. To be nearly all in it is not enough: over a site's pages, 29 of
36 passages that shared 80 to 99 % of their four-character pieces with a better one said something that it did not, the
next name of a list or the end of a sentence. Under another name, that of another year or branch, the same words say it
of something else; and so they do under another heading.
"""

import re
from collections.abc import Mapping, Sequence

from rag.language.folding import fold
from rag.types import Hit

# What is put behind a name that is there already, and the kind of file.
_ENDING = re.compile(r"(?:\s?\(\d\d?\))?(?:\.[a-z]+)?$")
# Whole numbers and whole words: neither is 20天 part of 120天, nor 满足条件 of 不满足条件.
_WORDS = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d]+|[^\w\s]")
# Less than a sentence or two, as for the splitter: a heading is of use for what stands below it.
_SHORTEST = 40


def without_copies(hits: Sequence[Hit], limit: int) -> tuple[tuple[Hit, ...], Mapping[int, Hit]]:
    """The best `limit` hits that say something new, in their order, and what the copies among them, by chunk, are of.

    No hit is a copy of one of its own document: neighbours overlap and are put together, and what is said again there
    is said of something else.
    """
    kept: list[Hit] = []
    copies: dict[int, Hit] = {}
    places: dict[tuple[str, ...], list[tuple[Hit, str]]] = {}
    for hit in hits:
        if len(kept) == limit:
            break
        chunk, text = hit.chunk, _said(hit)
        here = places.setdefault(_place(hit), [])
        elsewhere = (better for better, its in here if better.chunk.document_id != chunk.document_id and text in its)
        whole = next(elsewhere, None) if len(chunk.passage.text) >= _SHORTEST else None
        if whole:
            copies[chunk.chunk_id] = whole
        else:
            kept.append(hit)
            here.append((hit, text))
    return tuple(kept), copies


def _said(hit: Hit) -> str:
    """The words, numbers and marks of a passage, so that one is part of another only from word to word."""
    return f" {' '.join(_WORDS.findall(fold(hit.chunk.passage.text)))} "


def _place(hit: Hit) -> tuple[str, ...]:
    """What a passage is read under: its document's name, its headings, the header of its table."""
    passage = hit.chunk.passage
    return _ENDING.sub("", fold(hit.chunk.document_name)), passage.context, *passage.heading_path
