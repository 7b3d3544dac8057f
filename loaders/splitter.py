"""Chinese text splitters with LangChain's interface. `loaders.sections` splits whole documents."""

from typing import Any

from langchain_text_splitters import TextSplitter

from loaders.cleaning import squeeze
from loaders.headings import is_numbered_heading
from loaders.sentences import pack, sentence_spans


class PDFTextSplitter(TextSplitter):
    """Lines merged up to `chunk_size`; a line that is a numbered heading begins a chunk.

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
            groups[-1].append(line)
        return [chunk for group in groups for chunk in self._merge_splits(group, self._separator)]


class ChineseSentenceSplitter(TextSplitter):
    """Whole sentences merged up to `max_len` characters; consecutive chunks share up to `overlap` of whole sentences.

    No chunk is longer, and nothing but blanks between sentences is left out.
    """

    def __init__(self, max_len: int = 200, overlap: int = 0, **kwargs: Any) -> None:
        super().__init__(chunk_size=max_len, chunk_overlap=overlap, **kwargs)

    def split_text(self, text: str) -> list[str]:
        """The text's chunks, each a piece of the text as it is."""
        spans = list(sentence_spans(text, 0, len(text), self._chunk_size))
        groups = pack(spans, self._chunk_size, self._chunk_overlap)
        return [text[group[0][0] : group[-1][1]] for group in groups]
