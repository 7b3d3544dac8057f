"""Documents of a hundred thousand chunks: the real texts of the data folder, repeated with variation."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from bench.corpora import RETRIEVAL, read_corpus, read_texts, required
from bench.harness import NotMeasured
from bench.splitting import sections_of
from rag.settings import SplitterSettings
from rag.types import LoadedDocument, Page, PageHealth, Section

# So many passages of the corpora are pages of one document.
_PAGES = 40
_QUESTIONS = 200


@dataclass(frozen=True, slots=True)
class LargeDocument:
    """A document and its sections."""

    loaded: LoadedDocument
    sections: tuple[Section, ...]

    @property
    def chunks(self) -> int:
        """How many chunks it has."""
        return sum(len(section.children) for section in self.sections)


def large_documents(data: Path, splitter: SplitterSettings) -> Iterator[LargeDocument]:
    """Documents without end, cut by our own splitter; no two chunks are the same."""
    texts = [text.text for name in required(data, RETRIEVAL) for text in read_texts(data, name)]
    if not texts:
        raise NotMeasured(f"there is no passage in {data}")
    for number in count():
        # A number behind each sentence: a text that comes again has chunks, words and hashes of its own.
        varied = [text.replace("。", f"{number}。") + str(number) for text in texts]
        for start in range(0, len(varied), _PAGES):
            pages = varied[start : start + _PAGES]
            loaded = LoadedDocument(
                tuple(Page(place, str(place), text, PageHealth.TEXT) for place, text in enumerate(pages, 1))
            )
            sections = sections_of(loaded, splitter)
            yield LargeDocument(loaded, tuple(sections))


def questions(data: Path) -> list[str]:
    """Real questions about these texts, those of the first set that has any."""
    for name in required(data, RETRIEVAL):
        if asked := read_corpus(data, name, _QUESTIONS).questions:
            return [question.text for question in asked]
    raise NotMeasured(f"there is no question to the passages in {data}")
