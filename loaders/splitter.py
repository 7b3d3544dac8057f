"""Chinese text splitters with LangChain's interface. `loaders.sections` splits whole documents."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from langchain_text_splitters import TextSplitter

from loaders.cleaning import squeeze
from loaders.headings import is_numbered_heading
from loaders.sentences import pack, sentence_spans


class PDFTextSplitter(TextSplitter):
    """Lines merged up to `chunk_size`, longer ones cut there; a line that is a numbered heading begins a chunk.

    Takes what every TextSplitter takes: chunk_size, chunk_overlap, length_function and more.
    """

    def __init__(self, separator: str = "\n", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._separator = separator

    def split_text(self, text: str) -> list[str]:
        """The text's chunks, its blanks, blank lines and repeated punctuation made one."""
        text = squeeze(text)
        groups: list[list[str]] = [[]]
        for line in text.split(self._separator) if self._separator else list(text):
            if groups[-1] and is_numbered_heading(line):
                groups.append([])
            groups[-1].extend(self._cut(line))
        return [chunk for group in groups for chunk in self._merge_splits(group, self._separator)]

    def _cut(self, line: str) -> Iterator[str]:
        while self._length_function(line) > self._chunk_size:
            lengths = range(1, len(line))
            fitting = bisect_right(lengths, self._chunk_size, key=lambda length: self._length_function(line[:length]))
            yield line[: max(1, fitting)]
            line = line[max(1, fitting) :]
        yield line


class ChineseSentenceSplitter(TextSplitter):
    """Whole sentences merged up to `max_len` characters; consecutive chunks share up to `overlap` of whole sentences.

    No chunk is longer, and nothing but blanks between sentences is left out. Raises ValueError for a
    `length_function`, which it would not follow.
    """

    def __init__(self, max_len: int = 200, overlap: int = 0, **kwargs: Any) -> None:
        if kwargs.get("length_function", len) is not len:
            raise ValueError("ChineseSentenceSplitter measures in characters: max_len")
        super().__init__(chunk_size=max_len, chunk_overlap=overlap, **kwargs)

    def split_text(self, text: str) -> list[str]:
        """The text's chunks, each a piece of the text as it is."""
        spans = list(sentence_spans(text, 0, len(text), self._chunk_size))
        groups = pack(spans, self._chunk_size, self._chunk_overlap)
        return [text[group[0][0] : group[-1][1]] for group in groups]
