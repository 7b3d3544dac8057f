"""What of a question says nothing of its subject: the words by which it asks."""

import pytest

from rag.language.words import plainly, terms
from rag.rewriting.condense import points_back


@pytest.mark.parametrize("question", ["最晚什么时候", "最多多久", "要多长时间", "多久", "到几点", "最多几天", "哪家"])
def test_what_only_asks_has_no_terms_and_points_back(question: str) -> None:
    assert terms(question) == () and points_back(plainly(question))


@pytest.mark.parametrize(
    ("question", "told"), [("几点放学", ("放学",)), ("公示几天", ("公示",)), ("哪天人最多", ("人最", "最多"))]
)
def test_what_is_asked_of_stays(question: str, told: tuple[str, ...]) -> None:
    assert terms(question) == told
