"""Questions misspelt by one character of the same sound."""

from pypinyin import lazy_pinyin

from bench.misspelling import misspelt

ASKED = "公司2020年的营业收入是多少？"


def test_one_character_of_a_word_is_typed_for_another_of_its_sound() -> None:
    (wrong,) = misspelt(ASKED, 1)
    ((right, typed),) = [pair for pair in zip(ASKED, wrong, strict=True) if pair[0] != pair[1]]
    assert right in "公司营业收入"
    assert lazy_pinyin(right) == lazy_pinyin(typed)


def test_the_same_question_is_misspelt_the_same_each_time_and_one_without_words_never() -> None:
    assert misspelt(ASKED, 3) == misspelt(ASKED, 3)
    assert len(set(misspelt(ASKED, 3))) > 1
    assert misspelt("What is it?", 3) == []
