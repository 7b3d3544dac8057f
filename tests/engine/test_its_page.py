"""The page of the last answer is told by the program: a model of 1.5B named another."""

import pytest

from rag.language.meta_questions import asks_its_page
from rag.types import Decision, Message
from tests.engine.rig import HITS, Build, model
from tests.scripted import FixedKnowledgeBase


@pytest.mark.parametrize(
    "question", ["在第几页", "这个在第几页？", "那是第几页的", "出自哪一页", "which page is it on?"]
)
def test_a_question_for_the_page_is_told_from_one_that_names_something(question: str) -> None:
    assert asks_its_page(question)
    for other in ("哪一页讲了违约责任", "目录在第几页", "第3页", "一共几页"):
        assert not asks_its_page(other)


def test_the_pages_of_what_the_last_answer_cites_are_told_without_a_model(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    knowledge.hits = HITS
    scripted = model(["病假为五天[2]。"], ["在第1页。"])
    engine = build(scripted)
    engine.ask("病假有几天？", "s")
    turn = engine.ask("在第几页", "s")
    assert (turn.decision, turn.reason) == (Decision.NO_RETRIEVE, Message("decision.its_page"))
    assert turn.answer == f"- `{HITS[1].chunk.document_name}` 第 4 页"
    assert len(scripted.calls) == 1


def test_where_the_last_answer_cites_nothing_there_is_no_page_to_tell(build: Build) -> None:
    engine = build(model(["你好！"], ["请问你指的是什么？"], ["好。"]))
    engine.ask("你好", "s")
    assert engine.ask("在第几页", "s").reason != Message("decision.its_page")
