"""A question in another language than the documents is put in theirs before it is searched for."""

import pytest

from rag import events
from rag.i18n import Language
from rag.language.english import other_language
from rag.types import Message, Provider, Turn, only_nearest
from tests.engine.rig import Build, model
from tests.samples import hit
from tests.scripted import CUT, FixedKnowledgeBase, RerankerBy, ScriptedChatModel, reranker_by_word

ASKED = "How many days of annual leave are there?"
PUT = "年假有几天？"
IN_ENGLISH = (hit(21, "Annual leave is ten days."), hit(22, "Sick leave is five days."))


def asked(build: Build, scripted: ScriptedChatModel, question: str = ASKED, **parts: object) -> tuple[list[str], Turn]:
    """What was said to be searched for in other words, and the turn."""
    *seen, last = build(scripted, **parts).stream(question, "s")
    assert isinstance(last, events.Finished)
    return [event.question for event in seen if isinstance(event, events.Condensed)], last.turn


def test_an_english_question_is_searched_for_in_the_chinese_of_the_documents_too(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    scripted = model([f" {PUT}\n好的"], ["Ten days[1]."])
    said, turn = asked(build, scripted)
    assert said == [PUT]
    assert [questions for questions, _ in knowledge.searches][-1] == (PUT, ASKED)
    assert (turn.answer, turn.question) == ("Ten days[1].", ASKED)
    assert turn.trace.notes[0] == Message("search.translated", {"question": PUT})
    assert "Translate the question into Chinese" in scripted.calls[0][-1].text
    assert ASKED in scripted.calls[-1][-1].text


def test_a_chinese_question_is_searched_for_in_the_english_of_the_documents_too(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    knowledge.hits = IN_ENGLISH
    scripted = model([ASKED], ["十天[1]。"])
    said, turn = asked(build, scripted, PUT)
    assert (said, turn.answer) == ([ASKED], "十天[1]。")
    assert "Translate the question into English" in scripted.calls[0][-1].text


def test_an_english_question_that_no_word_of_the_documents_is_in_is_put_in_chinese(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    knowledge.hits = ()
    said, _ = asked(build, model([PUT], ["Ten days."]))
    assert said == [PUT]


@pytest.mark.parametrize(
    "put",
    [[""], ["！"], ["公司 年销售额是多少？"], ["公司2020年的销", CUT]],
    ids=["nothing", "no word", "number lost", "cut"],
)
def test_what_the_model_does_not_translate_is_searched_for_as_it_stands(
    build: Build, knowledge: FixedKnowledgeBase, put: list[object]
) -> None:
    question = "What were the sales of 2020?"
    said, turn = asked(build, model(put, ["Ten days[1]."]), question)
    assert (said, turn.answer) == ([], "Ten days[1].")
    assert {questions for questions, _ in knowledge.searches} == {(question,)}


def test_of_a_translation_that_is_talked_about_until_it_is_cut_the_translation_counts(build: Build) -> None:
    said, _ = asked(build, model([f"{PUT}\n这是因为原来的问", CUT], ["Ten days[1]."]))
    assert said == [PUT]


def test_no_model_is_asked_where_question_and_documents_are_of_one_language(build: Build) -> None:
    scripted = model(["十天[1]。"])
    said, _ = asked(build, scripted, PUT)
    assert (said, len(scripted.calls)) == ([], 1)


def test_nothing_is_translated_where_no_model_answers(build: Build) -> None:
    said, _ = asked(build, model(["Ten days."]), provider=Provider.EXTRACTIVE)
    assert said == []


@pytest.mark.parametrize(("relevance", "refused"), [(0.06, False), (0.02, True)])
def test_a_translation_is_judged_leniently(build: Build, relevance: float, refused: bool) -> None:
    _, turn = asked(build, model([PUT], ["Ten days[1]."]), reranker=reranker_by_word("年假", relevance))
    assert only_nearest(turn.sources) is refused


def test_a_follow_up_whose_translation_is_found_is_not_refused_for_its_own_words(build: Build) -> None:
    scripted = model([PUT], ["Ten days[1]."], ["Who approves sick leave?"], ["病假由谁审批？"], ["The manager[2]."])
    engine = build(scripted, reranker=RerankerBy(lambda question, _: 0.01 if question.isascii() else 0.9))
    first = engine.ask(ASKED, "s")
    assert engine.ask("And who approves sick leave?", "s", first.turn_id).answer == "The manager[2]."


@pytest.mark.parametrize(
    ("question", "texts", "language"),
    [
        (ASKED, ["年假为十天。", "GDP", "病假为五天。"], Language.ZH),
        (ASKED, ["年假为十天。"], Language.ZH),
        (ASKED, ["Annual leave is ten days."], None),
        (PUT, ["Annual leave is ten days.", "年假", "Sick leave"], Language.EN),
        (PUT, ["年假为十天。"], None),
        ("BigDecimal compareTo", ["比较大小用 compareTo 方法。"], None),
        ("Attention Is All You Need 这篇论文讲了什么？", ["The model relies on attention."], Language.EN),
        (ASKED, [], Language.ZH),
        (PUT, [], None),
    ],
)
def test_the_language_of_most_passages_counts(question: str, texts: list[str], language: Language | None) -> None:
    assert other_language(question, texts) is language
