"""When a turn does with the evidence in hand, and when it rather searches."""

import pytest

from rag.rewriting.condense import own_words
from rag.turn.reuse import asks_of_another


@pytest.mark.parametrize("question", ["那索引呢？", "好的，那么病假呢", "病假呢？"])
def test_what_a_follow_up_names_is_asked_of_that(question: str) -> None:
    assert asks_of_another(own_words(question))


@pytest.mark.parametrize("question", ["那家公司呢？", "那张表呢", "好的，那款手机呢？", "那呢？"])
def test_what_a_follow_up_points_to_is_no_other(question: str) -> None:
    assert not asks_of_another(own_words(question))
