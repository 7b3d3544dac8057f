import re

import pytest

from rag.language.segmentation import begins_with_name, uncut

_POINTER = re.compile("他|那|还")


@pytest.mark.parametrize("text", ["吉他怎么调音", "维他命有什么用", "那曲海拔多少", "还款日是几号"])
def test_a_match_inside_a_word_is_none(text: str) -> None:
    assert list(uncut(_POINTER, text)) == []


@pytest.mark.parametrize("text", ["他演过什么", "那大概多少钱", "那里有什么"])
def test_a_match_that_is_a_word_or_of_grammar_counts(text: str) -> None:
    assert len(list(uncut(_POINTER, text))) == 1


def test_matches_come_from_left_to_right_and_each_once() -> None:
    assert [match.start() for match in uncut(re.compile("他"), "他和吉他和他")] == [0, 5]


def test_an_empty_match_ends() -> None:
    assert len(list(uncut(re.compile("x*"), "水渠"))) <= 3


@pytest.mark.parametrize(
    ("text", "names"), [("都江堰在哪里", True), ("上海呢", False), ("年假有几天", False), ("", False)]
)
def test_a_long_name_at_the_beginning_is_seen(text: str, names: bool) -> None:
    assert begins_with_name(text) is names
