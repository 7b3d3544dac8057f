"""A question that comes while the file that it is about is being read."""

import hashlib
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from rag import events
from rag.engine import Engine
from rag.knowledge.base import SHARED_COLLECTION
from rag.llm.gate import Gate
from rag.types import EVERYTHING, Decision, Scope, Turn
from tests.knowledge import Store
from tests.turn.rig import engine_over

TEXT = "年假为十天。"


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rag.turn.pending_files._LOOK_SECONDS", 0.001)


def begin(store: Store) -> str:
    """A file has arrived and is not read yet. Returns its id."""
    return store.catalog.register("me", "手册.pdf", hashlib.sha256(TEXT.encode()).hexdigest(), 1).document_id


def asked(
    store: Store,
    folder: Path,
    while_waiting: Callable[[Engine], object] = lambda _: None,
    question: str = "年假有几天？",
    scope: Scope = EVERYTHING,
    decision: Decision | None = None,
) -> tuple[int, Turn]:
    """How often a turn of an engine over the store waits, and the turn; its model says 十天."""
    gate = Gate()
    engine = engine_over(store, folder, "十天[1]", scope=scope, gate=gate)
    waited = 0
    for event in engine.stream(question, "me", decision=decision):
        if isinstance(event, events.Waiting):
            assert gate.idle.is_set()  # the background goes on
            waited += 1
            while_waiting(engine)
    assert isinstance(event, events.Finished)
    return waited, event.turn


@pytest.mark.parametrize("question", ["年假有几天？", "这份文件主要讲什么？", "第1页讲了什么"])
def test_a_question_about_a_file_that_is_being_read_waits_for_it_and_is_answered(
    store: Store, tmp_path: Path, question: str
) -> None:
    begin(store)
    looks = iter(range(3))

    def read(_: Engine) -> None:
        if next(looks) == 2:
            store.put("me", "手册.pdf", TEXT)

    waited, turn = asked(store, tmp_path, read, question)
    assert waited == 3
    assert turn.answer == "十天[1]" and [source.document_name for source in turn.sources] == ["手册.pdf"]


def test_a_guide_that_nobody_has_judged_does_not_answer_in_its_place(store: Store, tmp_path: Path) -> None:
    store.put(SHARED_COLLECTION, "指南.md", "年假有几天：问渠不知道。")
    begin(store)
    waited, turn = asked(store, tmp_path, lambda _: store.put("me", "手册.pdf", TEXT))
    assert waited == 1 and "手册.pdf" in [source.document_name for source in turn.sources]


def test_where_that_takes_long_it_is_told_and_no_model_is_asked(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.turn.pending_files._READING_SECONDS", 1.0)
    begin(store)
    waited, turn = asked(store, tmp_path)
    assert waited > 1
    assert turn.answer == ("现在能查的资料里没有找到答案。`手册.pdf` 在排队等待读取，稍后可以点下面的“重新回答”。")
    assert (
        "`手册.pdf`: waiting to be read;"
        in asked(store, tmp_path, question="How many days of leave are there?")[1].answer
    )


def test_it_does_not_keep_others_waiting_for_long(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.turn.pending_files._WHILE_OTHERS_WAIT", 0.0)
    begin(store)

    def others_come(engine: Engine) -> None:
        stack.enter_context(vars(engine)["_gate"].ticket())

    with ExitStack() as stack:
        waited, turn = asked(store, tmp_path, others_come)
    assert waited == 1 and "稍后可以" in turn.answer


def test_it_is_answered_at_once_where_another_file_answers_it(store: Store, tmp_path: Path) -> None:
    store.put("me", "旧手册.pdf", "年假有几天：年假为五天。")
    begin(store)
    waited, turn = asked(store, tmp_path)
    assert waited == 0 and turn.answer == "十天[1]"


def test_no_question_waits_for_a_file_that_it_may_not_use_or_that_is_not_the_readers(
    store: Store, tmp_path: Path
) -> None:
    without = Scope(frozenset({"another"}))
    store.catalog.register(SHARED_COLLECTION, "指南.md", "0", 1)
    assert asked(store, tmp_path)[0] == 0
    begin(store)
    assert asked(store, tmp_path, scope=without)[0] == 0
    assert asked(store, tmp_path, question="你好", decision=Decision.NO_RETRIEVE)[0] == 0
    assert asked(store, tmp_path, question="我上传了哪些文件")[0] == 0


def test_who_stops_such_a_turn_waits_no_longer(store: Store, tmp_path: Path) -> None:
    begin(store)
    waited, turn = asked(store, tmp_path, lambda engine: engine.stop("me"))
    assert waited == 1 and turn.answer == ""


def test_a_file_that_could_not_be_read_is_waited_for_no_longer(store: Store, tmp_path: Path) -> None:
    document_id = begin(store)
    waited, turn = asked(store, tmp_path, lambda _: store.knowledge.delete(document_id))
    assert waited == 1 and "手册" not in turn.answer
