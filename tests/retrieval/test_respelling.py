"""A character that was typed for another of the same sound is put right where the texts found show which."""

import pytest

from rag.knowledge.request import SearchRequest
from rag.retrieval import Retrieval
from rag.retrieval.respelling import respelled
from rag.settings import RerankSettings
from rag.tokens import average_estimate
from rag.types import EVERYTHING, Message
from tests.samples import hit
from tests.scripted import FixedKnowledgeBase, reranker_by_word

REPORT = "2020年公司营业收入为15.8亿元，法定代表人为张翀宇，股票代码为600201，货币金额以分存储。"


@pytest.mark.parametrize(
    ("asked", "put"),
    [
        ("2020年的营夜收入是多少？", "2020年的营业收入是多少？"),
        ("公司的股票待码是什么？", "公司的股票代码是什么？"),
        ("金额怎么存出？", "金额怎么存储？"),
        ("公司发定代表人是谁？", "公司法定代表人是谁？"),
        ("營夜收入是多少？", "营业收入是多少？"),
    ],
)
def test_a_character_of_the_same_sound_is_put_right(asked: str, put: str) -> None:
    assert respelled(asked, [REPORT]) == put


@pytest.mark.parametrize(
    "asked",
    [
        "2020年的营业收入是多少？",
        "公司的食物在哪里买？",
        "张翀宇是谁？",
        "李翀雨是谁？",
        "营夜手入戴马存出多少？",
        "What is the revenue?",
        "",
    ],
    ids=["right", "a word", "a name found", "a name not found", "too many", "English", "nothing"],
)
def test_what_may_be_meant_as_it_stands_stays(asked: str) -> None:
    assert respelled(asked, [REPORT]) == ""


def test_a_character_that_the_texts_have_twice_in_a_row_is_put_right() -> None:
    assert respelled("谁是妈麻？", ["张三的妈妈"]) == "谁是妈妈？"


def test_a_word_of_grammar_across_two_words_puts_nothing_right() -> None:
    assert respelled("守意经讲什么？", ["此事已经讲了。"]) == ""


def test_a_misspelt_question_is_searched_for_and_judged_as_the_texts_have_it() -> None:
    knowledge = FixedKnowledgeBase(hit(1, REPORT))
    request, settings = SearchRequest(limit=3), RerankSettings()
    retrieval = Retrieval(
        knowledge, request, settings, reranker_by_word("营业", 0.9), room=360, estimate=average_estimate
    )
    asked, put = "2020年的营夜收入是多少？", "2020年的营业收入是多少？"
    found = retrieval.find((asked,), ("mine",))
    assert [questions for questions, _ in knowledge.searches] == [(asked,), (put, asked)]
    assert (len(found.hits), found.hits[0].relevance) == (1, 0.9)
    assert found.trace.notes[0] == Message("search.respelled", {"question": put})
    assert retrieval.probable(asked, ("mine",), EVERYTHING) == {1: 0.9}
