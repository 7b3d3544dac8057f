"""Peculiarities of other systems that are easily put right by mistake where they are rebuilt."""

from pathlib import Path

import pytest

from bench.corpora import Text
from bench.peers import PEERS
from bench.vectors import KeptEmbeddings
from tests.fakes import FakeEmbeddings


class Embedded(KeptEmbeddings):
    """Knows the longest piece that it was given."""

    longest = 0

    def matrix(self, texts: list[str]) -> object:  # type: ignore[override]
        """The vectors, and the length remembered."""
        self.longest = max(map(len, texts))
        return super().matrix(texts)


@pytest.mark.parametrize(("peer", "longest"), [("chatchat_intended", 2000), ("langchain", 1000)])
def test_chatchat_leaves_what_has_no_separator_as_long_as_it_is(tmp_path: Path, peer: str, longest: int) -> None:
    embeddings = Embedded(FakeEmbeddings(), "fake", tmp_path)
    PEERS[peer]([Text("a", "甲", "字" * 2000)], embeddings)
    assert embeddings.longest == longest


def test_chatchat_counts_signs_as_words(tmp_path: Path) -> None:
    texts = [Text(key, "", text) for key, text in (("a", "食堂几点开？"), ("b", "班车七点"), ("c", "预约会议室"))]
    search = PEERS["chatchat_shipped"](texts, KeptEmbeddings(FakeEmbeddings(), "fake", tmp_path))
    assert search("年假怎样请？")[0] == "a"
