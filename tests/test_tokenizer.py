from pathlib import Path

import pytest

from rag.errors import ConfigError
from rag.knowledge.tokenizer import Tokenizer
from rag.language.folding import fold
from rag.language.segmentation import segmenter
from tests.knowledge import TOKENIZER
from tests.waiting import within_cpu_seconds


def test_words_and_the_bigrams_between_them_are_terms() -> None:
    tokens = TOKENIZER.tokens("机器学习很有趣")
    assert {"机器", "学习", "器学", "习很"} <= set(tokens)


def test_a_bigram_that_is_a_word_already_counts_once() -> None:
    assert TOKENIZER.tokens("机器学习").count("机器") == 1


def test_width_and_case_make_no_difference() -> None:
    assert TOKENIZER.tokens("ＧＰＵ加速") == TOKENIZER.tokens("gpu加速")


def test_punctuation_and_blanks_are_no_terms() -> None:
    assert TOKENIZER.tokens("，。！ \n\t—《》…") == []


def test_bigrams_do_not_reach_over_punctuation() -> None:
    assert "习深" not in TOKENIZER.tokens("学习，深度")


def test_words_are_those_that_jieba_cuts_from_the_text_as_a_whole() -> None:
    for text in (
        "第3.5版(v2.0-rc1)：iphone15、GB/T 19001-2016，50%的员工；C++ & C#!\r\n \U00020000é々龥鿕鿖",
        "的" * 300,
        "a_b" * 9,
    ):
        whole = segmenter().cut_for_search(fold(text))
        assert TOKENIZER.words(text) == [word for word in whole if any(map(str.isalnum, word))]


def test_any_text_has_terms_or_none_but_no_error() -> None:
    assert TOKENIZER.tokens("") == []
    assert TOKENIZER.tokens("\ud800\0😀") == []


def test_a_dictionary_that_is_no_utf8_is_told_by_its_file_and_a_mark_before_it_is_no_word(tmp_path: Path) -> None:
    dictionary = tmp_path / "words.txt"
    dictionary.write_text("# 注释\n", encoding="utf-8-sig")
    assert Tokenizer(tmp_path, dictionary).version == Tokenizer(tmp_path, tmp_path / "none.txt").version
    dictionary.write_text("云上问渠系统\n", encoding="gbk")
    with pytest.raises(ConfigError) as caught:
        Tokenizer(tmp_path, dictionary)
    assert caught.value.values["file"] == dictionary


def test_a_word_of_the_dictionary_is_kept_whole_and_comments_are_not_words(tmp_path: Path) -> None:
    dictionary = tmp_path / "words.txt"
    dictionary.write_text("# 注释\n云上问渠系统\n", encoding="utf-8")
    tokenizer = Tokenizer(tmp_path / "cache", dictionary)
    assert "云上问渠系统" in tokenizer.tokens("我在用云上问渠系统。")
    assert tokenizer.version != TOKENIZER.version


def test_jieba_writes_its_cache_where_it_is_told(tmp_path: Path) -> None:
    # With words of its own: jieba's usual dictionary may have been prepared by others of this process.
    (tmp_path / "words.txt").write_text("云上问渠系统\n", encoding="utf-8")
    Tokenizer(tmp_path / "cache", tmp_path / "words.txt").tokens("问渠")
    assert list((tmp_path / "cache").iterdir())


def test_traditional_and_simplified_characters_make_no_difference() -> None:
    assert TOKENIZER.tokens("馬祖國家風景區的頭髮發展") == TOKENIZER.tokens("马祖国家风景区的头发发展")


def test_a_code_is_a_term_as_a_whole_and_in_its_parts() -> None:
    assert {"mfa", "2024", "mfa-2024"} <= set(TOKENIZER.tokens("MFA-2024的设置"))
    assert {"iphone15", "iphone", "15"} <= set(TOKENIZER.tokens("iPhone15怎么用"))
    assert "gb/t" in TOKENIZER.tokens("GB/T 7714")


@pytest.mark.parametrize("text", ["a" * 40_000, "1" * 40_000, "a" * 20_000 + "1" * 20_000])
def test_a_long_run_of_letters_or_digits_takes_no_time(text: str) -> None:
    TOKENIZER.tokens("预热")
    with within_cpu_seconds(6):
        TOKENIZER.tokens(text)


@pytest.mark.parametrize(
    ("digits", "characters", "term"),
    [
        ("第39条", "第三十九条", "39条"),
        ("3次", "三次", "3次"),
        ("1,200元", "一千二百元", "1200元"),
        ("10万元", "十万元", "100000元"),
        ("2025-02-10", "2月10日", "10日"),
        ("2025/2/10 08:00", "二月十日", "2月"),
    ],
)
def test_what_is_counted_is_a_term_in_either_form(digits: str, characters: str, term: str) -> None:
    assert term in TOKENIZER.tokens(digits)
    assert term in TOKENIZER.tokens(characters)


def test_a_character_of_a_word_is_no_number() -> None:
    assert not [term for term in TOKENIZER.tokens("统一管理，十分重要，万一出事") if term[0].isdigit()]


@pytest.mark.parametrize("number", ["1" + "亿" * 600, "一" + "亿" * 600, "9" * 5000])
def test_a_number_of_thousands_of_digits_is_no_term_and_no_error(number: str) -> None:
    assert TOKENIZER.tokens(f"{number}个")
