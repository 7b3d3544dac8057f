"""How well-known systems split and search as they come, written by us after their sources; one embedder for all.

Sizes in tokens are of cl100k, taken as 1.2 tokens a Chinese character. Their rerankers are models that have to be
fetched or paid for, and are not part of it; a system that uses none by default is complete.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import jieba
import numpy as np
from langchain_text_splitters import RecursiveCharacterTextSplitter
from rank_bm25 import BM25Okapi

from bench.corpora import Text
from bench.vectors import KeptEmbeddings

Ranking = list[str]
Search = Callable[[str], Ranking]
_TOKENS_A_CHARACTER = 1.2
# The most that any of the systems gives, so that no metric sees more of one than of another.
_LONGEST = 10
# RAGFlow drops these words of a Chinese question before it weighs the others, as its `rmWWW` does.
_RAGFLOW_DROPS = re.compile(
    r"是*(?:怎么办|什么样的|哪家|一下|那家|请问|啥样|咋样了|什么时候|何时|何地|何人|是否|是不是|多少|哪里|怎么|哪儿|怎么样|如何|"
    r"哪些|是啥|啥是|啊|吗|呢|吧|咋|什么|有没有|呀|谁|哪位|哪个)是*"
)


@dataclass(frozen=True)
class Pieces:
    """What a system makes of the texts: its pieces, and the text that each is of."""

    texts: tuple[str, ...]
    owners: tuple[str, ...]

    def ranking(self, order: Sequence[int]) -> Ranking:
        """The owners of pieces, each at its best piece."""
        return list(dict.fromkeys(self.owners[piece] for piece in order))[:_LONGEST]


def langchain(texts: Sequence[Text], embeddings: KeptEmbeddings) -> Search:
    """LangChain's tutorial: 1000 characters, 200 overlapping, the 4 nearest by vector."""
    pieces = _split(texts, RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200))
    nearest = _Dense(pieces, embeddings)
    return lambda question: pieces.ranking(nearest(question, 4))


def kotaemon(texts: Sequence[Text], embeddings: KeptEmbeddings) -> Search:
    """kotaemon: 1024 tokens less its metadata, 256 overlapping; its full text finds no Chinese, so 10 by vector."""
    splitter = RecursiveCharacterTextSplitter(
        separators=["\n\n", "\n", ".", ""], chunk_size=_characters(1024 - 150), chunk_overlap=_characters(256)
    )
    pieces = _split(texts, splitter)
    nearest = _Dense(pieces, embeddings)
    return lambda question: pieces.ranking(nearest(question, 10))


def chatchat(texts: Sequence[Text], embeddings: KeptEmbeddings, threshold: float | None) -> Search:
    """Langchain-Chatchat: 750 characters, 3 by BM25 and 3 by vector, reciprocal ranks in equal parts, 3 given.

    Its threshold is compared with LangChain's relevance, 1 - d / sqrt 2 over the squared distance d = 2 - 2 cos: the
    shipped 2.0 lets no vector through.
    """
    # No "" at their end: what has no separator is left as long as it is.
    separators = ["\n\n", "\n", "。|！|？", r"\.\s|\!\s|\?\s", r"；|;\s", r"，|,\s"]
    splitter = RecursiveCharacterTextSplitter(
        separators=separators, is_separator_regex=True, keep_separator="end", chunk_size=750, chunk_overlap=150
    )
    pieces = _split(texts, splitter)
    nearest, words = _Dense(pieces, embeddings), _Words(pieces)

    def search(question: str) -> Ranking:
        cosines = nearest.scores(question)
        dense = [piece for piece in nearest(question, 3) if _passes(float(cosines[piece]), threshold)]
        fused: dict[int, float] = {}
        for ranked in (words(question, 3), dense):
            for rank, piece in enumerate(ranked, start=1):
                fused[piece] = fused.get(piece, 0.0) + 0.5 / (60 + rank)
        return pieces.ranking(sorted(fused, key=lambda piece: -fused[piece])[:3])

    return search


def qanything(texts: Sequence[Text], embeddings: KeptEmbeddings) -> Search:
    """QAnything without its reranker: parents of 800 tokens, children of 400 with 100 overlapping, 30 by vector.

    Its children bear their document's title before them.
    """
    separators = ["\n\n", "\n", "。", "，", ",", ".", ""]
    parents = _split(texts, _by_tokens(separators, 800, 0))
    children = _by_tokens(separators, 400, 100)
    wholes = zip(parents.texts, parents.owners, strict=True)
    titles = {text.text_id: f"[headers]({text.title})\n" if text.title else "" for text in texts}
    small = [(f"{titles[owner]}{piece}", owner) for whole, owner in wholes for piece in children.split_text(whole)]
    pieces = Pieces(tuple(piece for piece, _ in small), tuple(owner for _, owner in small))
    nearest = _Dense(pieces, embeddings)
    return lambda question: pieces.ranking(nearest(question, 30))


def ragflow(texts: Sequence[Text], embeddings: KeptEmbeddings) -> Search:
    """RAGFlow without its reranker: 512 tokens by lines, 0.7 of words and 0.3 of cosine, at least 0.2, 6 given.

    Its words' part is the weight of the question's words that a piece has, but for those that only ask; its title's are
    among them. Its weights by parts of speech and those of words side by side are left out: with them it found less.
    """
    pieces = _split(texts, _by_tokens(["\n", ""], 512, 0))
    titles = {text.text_id: text.title for text in texts}
    nearest = _Dense(pieces, embeddings)
    bags = [
        set(_cut(piece)) | set(_cut(titles[owner])) for piece, owner in zip(pieces.texts, pieces.owners, strict=True)
    ]
    frequency: dict[str, int] = {}
    for bag in bags:
        for word in bag:
            frequency[word] = frequency.get(word, 0) + 1

    def search(question: str) -> Ranking:
        asked = set(_cut(_RAGFLOW_DROPS.sub("", question) or question))
        weights = {word: np.log(1 + len(bags) / (1 + frequency.get(word, 0))) for word in asked}
        total = sum(weights.values()) or 1.0
        shares = np.array([sum(weights[word] for word in weights.keys() & bag) / total for bag in bags])
        scores = 0.7 * shares + 0.3 * nearest.scores(question)
        order = [int(piece) for piece in np.argsort(-scores, kind="stable")[:6] if scores[piece] >= 0.2]
        return pieces.ranking(order)

    return search


PEERS: dict[str, Callable[[Sequence[Text], KeptEmbeddings], Search]] = {
    "langchain": langchain,
    "kotaemon": kotaemon,
    "chatchat_shipped": partial(chatchat, threshold=2.0),
    "chatchat_half": partial(chatchat, threshold=0.5),
    "chatchat_intended": partial(chatchat, threshold=None),
    "qanything": qanything,
    "ragflow": ragflow,
}


_THRESHOLDS = {
    2.0: "Threshold 2.0, as shipped: no vector passes it, so BM25 alone.",
    0.5: "Threshold 0.5.",
    None: "No threshold.",
}


def told(peer: str) -> str:
    """What a system is, in a sentence or two."""
    made = PEERS[peer]
    if isinstance(made, partial):
        return f"{_first_line(made.func)} {_THRESHOLDS[made.keywords['threshold']]}"
    return _first_line(made)


def _first_line(made: Callable[..., Search]) -> str:
    return (made.__doc__ or "").splitlines()[0]


class _Dense:
    """Exact search by cosine."""

    def __init__(self, pieces: Pieces, embeddings: KeptEmbeddings) -> None:
        self._embeddings = embeddings
        self._matrix = embeddings.matrix(pieces.texts)

    def scores(self, question: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        """The cosine of every piece with a question."""
        vector = np.asarray(self._embeddings.embed_query(question), np.float32)
        return np.asarray(self._matrix @ vector)

    def __call__(self, question: str, limit: int) -> list[int]:
        """The nearest pieces, nearest first."""
        return [int(piece) for piece in np.argsort(-self.scores(question), kind="stable")[:limit]]


class _Words:
    """BM25 by rank_bm25 over all that jieba's search mode gives, rebuilt for nobody: the texts do not change here."""

    def __init__(self, pieces: Pieces) -> None:
        self._index = BM25Okapi([jieba.lcut_for_search(piece) for piece in pieces.texts])

    def __call__(self, question: str, limit: int) -> list[int]:
        """The best pieces, best first, as LangChain's retriever gives them: also those of score 0."""
        scores = self._index.get_scores(jieba.lcut_for_search(question))
        return [int(piece) for piece in np.argsort(scores)[::-1][:limit]]


def _split(texts: Sequence[Text], splitter: RecursiveCharacterTextSplitter) -> Pieces:
    found = [(piece, text.text_id) for text in texts for piece in splitter.split_text(text.text)]
    return Pieces(tuple(piece for piece, _ in found), tuple(owner for _, owner in found))


def _by_tokens(separators: list[str], size: int, overlap: int) -> RecursiveCharacterTextSplitter:
    return RecursiveCharacterTextSplitter(
        separators=separators, keep_separator="end", chunk_size=_characters(size), chunk_overlap=_characters(overlap)
    )


def _characters(tokens: int) -> int:
    return round(tokens / _TOKENS_A_CHARACTER)


def _cut(text: str) -> list[str]:
    return [word for word in jieba.lcut_for_search(text) if re.search(r"\w", word)]


def _passes(cosine: float, threshold: float | None) -> bool:
    return threshold is None or 1 - (2 - 2 * cosine) / np.sqrt(2) >= threshold
