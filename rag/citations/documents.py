"""A sentence that speaks of one document and cites another: reports of two companies have the same tables."""

import re
from collections.abc import Iterator, Sequence

from rag.citations.plain import Plain
from rag.language.folding import HAN
from rag.language.lexicon import lexicon

_HAN_RUN = re.compile(rf"[{HAN}]+")
# Part of what many documents are called: no name of one.
_OF_MANY = re.compile(
    r"(?:股份|责任)?有限(?:责任)?公司|公司|集团|年度?|半?季度|第|月|日|报告|全文|正文|摘要|简称|代码|证券|股票"
)
# Where a document begins to tell it is no longer called anything.
_TELLS = re.compile(r"[,;。!?]")
# A shorter piece of a title may be any word, unless the dictionary has it as a name.
_LEAST = 4


def other_documents(said: Sequence[Plain], known: Sequence[Plain], own: Sequence[Plain]) -> Iterator[str]:
    """The name by which a text calls a document that is known, where it is neither in nor of what is cited.

    Of the texts `said` the first counts that calls any: a sentence is about what its question names.
    """
    cited = "\n".join(part.folded for part in own)
    for text in said:
        named = {name for opening in known for name in _names(text.folded, opening.folded)}
        if named and not any(name in cited for name in named):
            yield max(named, key=len)
        if named:
            return


def _names(text: str, opening: str) -> Iterator[str]:
    """The longest pieces of a text that are names in the title with which a document opens."""
    lines = opening.splitlines()
    title = "\n".join(lines[: next((n for n, line in enumerate(lines) if _TELLS.search(line)), len(lines))])
    for run in _HAN_RUN.finditer(_OF_MANY.sub(lambda match: " " * len(match[0]), text)):
        start = run.start()
        while start < run.end():
            end = start
            while end < run.end() and text[start : end + 1] in title:
                end += 1
            if end - start >= _LEAST or text[start:end] in lexicon().names:
                yield text[start:end]
            start = max(end, start + 1)
