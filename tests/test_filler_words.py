"""What of a question says nothing of its subject: the words by which it asks."""

import pytest

from rag.language.words import plainly, terms
from rag.rewriting.condense import points_back


@pytest.mark.parametrize("question", ["最晚什么时候", "最多多久", "最晚几点", "最多几天", "哪家"])
def test_what_only_asks_has_no_terms_and_points_back(question: str) -> None:
    assert terms(question) == () and points_back(plainly(question))


def test_what_is_asked_of_stays() -> None:
    assert terms("公示最多几天") == ("公示",)
