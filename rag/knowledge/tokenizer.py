"""Chinese text as search terms: jieba's words in search mode, and character bigrams where words may be cut wrongly."""

import hashlib
import io
import logging
import re
import unicodedata
from pathlib import Path
from threading import Lock
from typing import Any

USER_DICTIONARY = Path(__file__).parents[2] / "data" / "user_dictionary.txt"

# To be raised when the same text gives other terms than before: stored postings are then made anew.
_VERSION = 1
_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]{2,}")


class Tokenizer:
    """Terms of a text. jieba and its dictionary are loaded at the first use."""

    def __init__(self, cache: Path, dictionary: Path = USER_DICTIONARY) -> None:
        """`cache` is the folder for jieba's prepared dictionary, `dictionary` a file of `word [count] [tag]` lines."""
        self._cache = cache
        lines = dictionary.read_text(encoding="utf-8").splitlines() if dictionary.exists() else []
        self._words = "\n".join(line for line in lines if line.strip() and not line.startswith("#"))
        self._lock = Lock()
        self._jieba: Any = None

    @property
    def version(self) -> str:
        """Differs where the terms of the same text may differ."""
        return f"{_VERSION}-{hashlib.sha256(self._words.encode()).hexdigest()[:16]}"

    def tokens(self, text: str) -> list[str]:
        """The terms of a text, repeated as often as they occur; punctuation and blanks give none."""
        words = self.words(text)
        known = set(words)
        bigrams = (run[i : i + 2] for run in _HAN_RUN.findall(_folded(text)) for i in range(len(run) - 1))
        return words + [bigram for bigram in bigrams if bigram not in known]

    def pieces(self, text: str) -> list[str]:
        """A text cut into its words and what stands between them; joined, they are the text in its folded form."""
        return list(self._load().cut(_folded(text)))

    def words(self, text: str) -> list[str]:
        """The words of a text alone, long ones also in their parts."""
        return [word for word in self._load().cut_for_search(_folded(text)) if any(map(str.isalnum, word))]

    def _load(self) -> Any:
        with self._lock:
            if self._jieba is None:
                import jieba

                jieba.setLogLevel(logging.WARNING)
                self._cache.mkdir(parents=True, exist_ok=True)
                segmenter = jieba.Tokenizer()
                segmenter.tmp_dir = str(self._cache)
                segmenter.load_userdict(io.StringIO(self._words))
                self._jieba = segmenter
            return self._jieba


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
