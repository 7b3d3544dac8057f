import threading
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import text

from rag.database import reading
from rag.errors import ModelRefused, ModelUnreachable, PromptTooLong
from rag.ingest.question_writer import QuestionWriter
from rag.knowledge.questions import Questions
from rag.llm.gate import Gate
from rag.llm.replier import Replier
from rag.prompts import Prompts
from rag.types import Provider
from tests.knowledge import Store
from tests.scripted import CUT, Script, ScriptedChatModel
from tests.waiting import wait_for

REPLY = "1. 年假有几天？\n2. 年假怎么申请？\n以上就是问题。"
Start = Callable[..., QuestionWriter]


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def rounds() -> list[Provider]:
    """Who was to answer, each time that the writer looked for a passage."""
    return []


@pytest.fixture
def start(store: Store, gate: Gate, rounds: list[Provider], monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    monkeypatch.setattr("rag.ingest.question_writer._POLL_SECONDS", 0.02)
    started: list[QuestionWriter] = []

    def begin(
        model: ScriptedChatModel, provider: Provider = Provider.EMBEDDED, begins_inside: bool = False
    ) -> QuestionWriter:
        def current() -> Replier:
            rounds.append(provider)
            return Replier(provider, model, begins_inside)

        questions = Questions(store.catalog.engine)
        writer = QuestionWriter(questions, store.knowledge, current, gate, Prompts(), threading.Event().set)
        started.append(writer)
        writer.start()
        return writer

    yield begin
    for writer in started:
        writer.close()


def written(store: Store) -> list[str]:
    with reading(store.catalog.engine) as connection:
        return list(connection.scalars(text("SELECT text FROM questions ORDER BY question_id")))


def test_every_passage_gets_its_questions(store: Store, start: Start) -> None:
    store.put("me", "手册.pdf", "年假为十天。", "病假为五天。")
    start(ScriptedChatModel(scripts=[[REPLY], ["病假有几天？"]]))
    assert wait_for(lambda: written(store) == ["年假有几天？", "年假怎么申请？", "病假有几天？"])


def test_a_passages_questions_are_not_thought_about(store: Store, start: Start) -> None:
    store.put("me", "手册.pdf", "年假为十天。")
    model = ScriptedChatModel(scripts=[[REPLY]])
    start(model, Provider.OLLAMA)
    assert wait_for(lambda: len(written(store)) == 2)
    assert [call["reasoning"] for call in model.arguments] == [False]


def test_thoughts_of_questions_are_none(store: Store, start: Start) -> None:
    store.put("me", "手册.pdf", "年假为十天。", "病假为五天。")
    start(ScriptedChatModel(scripts=[["问年假吗？\n", CUT], ["先想。\n</think>\n病假有几天？"]]), begins_inside=True)
    assert wait_for(lambda: written(store) == ["病假有几天？"])


def test_whoever_asks_goes_first_and_the_passage_is_taken_up_again(store: Store, gate: Gate, start: Start) -> None:
    store.put("me", "手册.pdf", "年假为十天。")
    said_something, go_on = "年假", threading.Event()
    model = ScriptedChatModel(scripts=[[said_something, go_on, "有几天？", "再多"], [REPLY]])
    start(model)
    assert wait_for(lambda: len(model.calls) == 1)
    with gate.ticket() as ticket:
        go_on.set()
        assert list(ticket.positions(threading.Event())) in ([1], [])
        assert written(store) == []
    assert wait_for(lambda: written(store) == ["年假有几天？", "年假怎么申请？"])


def test_while_questions_are_written_other_work_in_the_background_goes_on(
    store: Store, gate: Gate, start: Start
) -> None:
    store.put("me", "手册.pdf", "年假为十天。")
    go_on = threading.Event()
    model = ScriptedChatModel(scripts=[[go_on, REPLY]])
    start(model)
    assert wait_for(lambda: len(model.calls) == 1)
    assert gate.idle.is_set()
    go_on.set()


def test_a_model_that_fails_is_asked_again(store: Store, start: Start) -> None:
    store.put("me", "手册.pdf", "年假为十天。")
    start(ScriptedChatModel(scripts=[[ModelUnreachable(base_url="http://model.test", model="m")], [REPLY]]))
    assert wait_for(lambda: len(written(store)) == 2)


@pytest.mark.parametrize(
    "script",
    [
        [],
        [PromptTooLong(tokens=9000, limit=4096)],
        [ModelRefused(model="qwen", status=400, detail="data_inspection_failed")],
    ],
    ids=["nothing", "too long", "refused"],
)
def test_a_passage_that_no_model_writes_about_does_not_keep_the_later_ones_waiting(
    store: Store, start: Start, script: Script
) -> None:
    store.put("me", "手册.pdf", "| | |", "年假为十天。")
    start(ScriptedChatModel(scripts=[script, [REPLY]]))
    assert wait_for(lambda: written(store) == ["年假有几天？", "年假怎么申请？"])
    assert wait_for(lambda: not Questions(store.catalog.engine).pending(1))


def test_a_server_that_refuses_everything_leaves_all_passages_to_be_asked_about(store: Store, start: Start) -> None:
    store.put("me", "手册.pdf", *(f"第{number}条年假为十天。" for number in range(5)))
    unpaid: Script = [ModelRefused(model="qwen", status=400, detail="Arrearage")]
    model = ScriptedChatModel(scripts=[unpaid] * 4)
    start(model)
    assert wait_for(lambda: len(model.calls) == 4)
    assert len(Questions(store.catalog.engine).pending(9)) == 5


def test_without_a_model_nothing_is_asked(store: Store, start: Start, rounds: list[Provider]) -> None:
    store.put("me", "手册.pdf", "年假为十天。")
    model = ScriptedChatModel(scripts=[])
    start(model, Provider.EXTRACTIVE)
    assert wait_for(lambda: len(rounds) > 1)
    assert model.calls == []


def test_a_passage_gets_three_questions_at_the_most(store: Store, start: Start) -> None:
    store.put("me", "手册.pdf", "年假为十天。")
    start(ScriptedChatModel(scripts=[["- 甲？\n好的，以下是问题：\n（2）乙?\n3、丙？\n4. 丁？"]]))
    assert wait_for(lambda: written(store) == ["甲？", "乙?", "丙？"])
