"""Chinese text as search terms: jieba's words in search mode, and what it may cut wrongly in another way as well."""

import hashlib
import io
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any

from rag.errors import ConfigError
from rag.language import folding
from rag.language.folding import HAN, fold
from rag.language.numerals import counted
from rag.language.segmentation import segmenter
from rag.settings.faults import unreadable

USER_DICTIONARY = Path(__file__).parents[2] / "data" / "user_dictionary.txt"

# To be raised when the same text gives other terms than before, or postings are stored in another way: they are then
# made anew.
_VERSION = 6
# jieba cuts MFA-2024 in two and leaves iphone15 in one: codes are terms as a whole, and so are their parts.
# They are looked for only where a run begins: else a long one would be gone through from each of its characters.
_CODE = re.compile(r"(?<![a-z0-9])[a-z0-9]+(?:[-_./][a-z0-9]+)+")
_MIXED = re.compile(r"(?<![a-z0-9])(?=[a-z]*\d+[a-z]|\d*[a-z]+\d)[a-z0-9]+")
_PART = re.compile(r"[a-z]{2,}|\d{2,}")
_HAN_RUN = re.compile(rf"[{HAN}\U00020000-\U0003ffff]{{2,}}")
# jieba cuts what stands between two marks by itself: so do we, for most of a document's such runs stand in it more than
# once, in headings, in what two passages share and in tables, and need be cut only once.
_IN_RUN = r"\u4e00-\u9fd5a-zA-Z0-9+#&._%\-"
_RUN = re.compile(rf"[{_IN_RUN}]+|[^{_IN_RUN}]+")
_RUNS_REMEMBERED = 2**12


class Tokenizer:
    """Terms of a text. jieba and its dictionary are loaded at the first use."""

    def __init__(self, cache: Path, dictionary: Path = USER_DICTIONARY, own_words: str | None = None) -> None:
        """`cache` is the folder for jieba's prepared dictionary, `dictionary` a file of `word [count] [tag]` lines;
        `own_words` are those that another process has read there, which by now may be others.

        Raises ConfigError.
        """
        self.cache = cache
        self.dictionary = dictionary
        self.own_words = _words_in(dictionary) if own_words is None else own_words
        # Differs where the terms of the same text may differ.
        self.version = f"{_VERSION}-{folding.VERSION}-{hashlib.sha256(self.own_words.encode()).hexdigest()[:16]}"
        self._lock = Lock()
        self._jieba: Any = None
        self._words_of_run: Callable[[str], tuple[str, ...]] = lru_cache(_RUNS_REMEMBERED)(self._cut)

    def tokens(self, text: str) -> list[str]:
        """The terms of a text, repeated as often as they occur; punctuation and blanks give none."""
        return self._terms_of(fold(text))

    def pieces(self, text: str) -> list[str]:
        """A text cut into its words and what stands between them; joined, they are the text in its folded form."""
        return list(self._load().cut(fold(text)))

    def words(self, text: str) -> list[str]:
        """The words of a text alone, long ones also in their parts."""
        return self._words_of(fold(text))

    def telling(self, text: str) -> list[str]:
        """The terms of a text that say something to a reader: no pair of characters from two words."""
        words = set(self.words(text))
        single = "".join(piece if len(piece) == 1 else " " for piece in self.pieces(text))
        return [term for term in self.tokens(text) if term in words or term.isascii() or term in single]

    def _terms_of(self, folded: str) -> list[str]:
        words = self._words_of(folded)
        known = set(words)
        return words + [term for term in _more_terms(folded) if term not in known]

    def _words_of(self, folded: str) -> list[str]:
        return [word for run in _RUN.findall(folded) for word in self._words_of_run(run)]

    def _cut(self, run: str) -> tuple[str, ...]:
        return tuple(word for word in self._load().cut_for_search(run) if any(map(str.isalnum, word)))

    def _load(self) -> Any:
        with self._lock:
            if self._jieba is None:
                shared = segmenter()
                self.cache.mkdir(parents=True, exist_ok=True)
                own = shared if self.dictionary == USER_DICTIONARY else type(shared)()
                own.tmp_dir = str(self.cache)
                own.load_userdict(io.StringIO(self.own_words))
                self._jieba = own
            return self._jieba


def _words_in(dictionary: Path) -> str:
    """The words of a file that somebody has edited, perhaps with a program that puts a mark before them."""
    try:
        lines = dictionary.read_text(encoding="utf-8-sig").splitlines() if dictionary.exists() else []
        return "\n".join(fold(line) for line in lines if line.strip() and not line.startswith("#"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(file=dictionary, problems=unreadable(error)) from error


def _more_terms(folded: str) -> Iterator[str]:
    """The bigrams of Chinese characters, the codes, the parts of those that are letters and digits in one, and what is
    counted, in digits."""
    for run in _HAN_RUN.findall(folded):
        yield from map("".join, pairwise(run))
    yield from _CODE.findall(folded)
    for code in _MIXED.findall(folded):
        yield from _PART.findall(code)
    yield from counted(folded)
