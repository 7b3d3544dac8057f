"""The program as `build_services` puts it together, on Milvus Lite and a database of its own for conversations."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

import rag.build
from rag.build import Services, build_services
from rag.conversation.sql import SqlConversationStore
from rag.conversation.summaries import SummaryStore
from rag.database import open_database
from rag.errors import KnowledgeUnavailable, NoDocumentUsed, StoreError
from rag.events import Failed, Searchable
from rag.i18n import Language, sentence
from rag.knowledge.document_states import Recognitions
from rag.knowledge.request import CHUNK_DENSE, CHUNK_SPARSE
from rag.shared_parts import DATABASE
from rag.types import Decision, DocumentStatus, Message, Provider, Recognition, Summary
from tests.milvus import release
from tests.model_server import Reply, serving
from tests.pdf_files import write_pdf
from tests.preferring import settings_with
from tests.program import free_port
from tests.waiting import wait_for, within_seconds

TEXT = "年假为十天，入职满一年后可以使用；当年没有用完的可以顺延到次年三月底。"
QUESTION = "年假有几天？"
# By then, what does not rest has begun: a moment too short lets a fault pass, and fails nobody.
REST_SECONDS = 2.0
Build = Callable[..., Services]


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Build]:
    """Builds the services over a folder of that name, unless told otherwise over Milvus Lite, and starts them."""
    built: list[Services] = []

    def services(name: str = "one", uri: str | None = None) -> Services:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        settings = settings_with(
            store={"path": folder},
            milvus={"uri": str(folder / "milvus.db") if uri is None else uri, "timeout": 1},
            conversation={"url": _conversations(tmp_path)},
            llm={"provider": "extractive"},
        )
        built.append(build_services(settings))
        built[-1].start()
        return built[-1]

    yield services
    for one in built:
        one.close()
    for folder in tmp_path.iterdir():
        release(folder)


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    """A page of text, and one without any."""
    return write_pdf(tmp_path / "员工手册.pdf", [[TEXT], []])


def _conversations(folder: Path) -> str:
    return f"sqlite:///{folder / 'conversations.db'}"


def take_in(services: Services, file: Path) -> str:
    """Gives the file to a session, and waits until its words are found. Its id."""
    document = services.ingest.receive("mine", file, file.name).document
    assert isinstance(list(services.ingest.follow("mine", document.document_id))[-1], Searchable)
    return document.document_id


def done(services: Services, document_id: str, folder: Path) -> set[str]:
    """What was done in the background for a document that a session has given."""
    document = services.ingest.document("mine", document_id)
    pages = Recognitions(open_database(f"sqlite:///{folder / DATABASE}")).outcomes(document_id)
    is_done = {
        "vectors": document.embedded > 0,
        "pictures": set(pages.values()) == {Recognition.BLANK},
        "self-check": document_id in services.self_check.checks("mine"),
    }
    return {name for name, so in is_done.items() if so}


def told(services: Services, line: str) -> bool:
    """Whether the metrics say so."""
    return line in services.metrics.text().decode().splitlines()


def test_a_file_is_found_in_milvus_by_its_words_and_its_vectors(build: Build, manual: Path) -> None:
    services = build()
    assert services.reconciler is not None
    document_id = take_in(services, manual)
    assert wait_for(lambda: services.ingest.document("mine", document_id).embedded == 1)
    turn = services.engine.ask(QUESTION, "mine")
    assert document_id in {item.document_id for item in turn.sources}
    assert set(turn.trace.found) == {CHUNK_DENSE, CHUNK_SPARSE}
    assert services.reconciler.trouble is None


def test_without_its_milvus_nothing_is_found_and_why_is_told(build: Build, manual: Path) -> None:
    services = build(uri=f"http://127.0.0.1:{free_port()}")
    assert (reconciler := services.reconciler) is not None
    take_in(services, manual)
    with pytest.raises(KnowledgeUnavailable):
        services.engine.ask(QUESTION, "mine")
    assert wait_for(lambda: reconciler.trouble is not None)


def test_a_question_uses_no_document_that_its_session_leaves_out(build: Build, manual: Path) -> None:
    services = build()
    take_in(services, manual)
    services.selection.choose_all("mine", False)
    with pytest.raises(NoDocumentUsed):
        services.engine.ask(QUESTION, "mine")
    services.selection.choose_all("mine", True)
    assert services.engine.ask(QUESTION, "mine").sources


def test_turns_documents_and_who_waits_are_counted(build: Build, manual: Path) -> None:
    services = build()
    take_in(services, manual)
    answer = services.engine.stream(QUESTION, "mine")
    next(answer)
    assert told(services, "wenqu_queue 1.0")
    list(answer)
    assert told(services, "wenqu_queue 0.0")
    assert told(services, 'wenqu_turns_total{status="finished"} 1.0')
    assert told(services, 'wenqu_decisions_total{decision="retrieve"} 1.0')
    assert wait_for(lambda: told(services, "wenqu_ingest_seconds_count 2.0"))  # the sample is the other one
    assert wait_for(lambda: told(services, 'wenqu_documents{status="ready"} 2.0'))


def test_a_disk_that_takes_no_file_keeps_nobody_from_what_is_stored(build: Build, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "files").write_text("no folder", encoding="utf-8")
    services = build(uri="")
    with pytest.raises(StoreError):
        services.ingest.check_writable()
    assert services.ingest.documents("mine") == ()


def test_a_second_replica_knows_the_conversations_and_choices_of_the_first(build: Build, tmp_path: Path) -> None:
    first, second = build("one"), build("two")
    turn = first.engine.ask("你好", "mine")
    assert not first.profiles.change("mine", {"limit": 3}).problems
    assert second.engine.turns("mine", turn.conversation_id) == (turn,)
    assert second.profiles.preferences("mine").values == {"limit": 3}
    summary = Summary("s", "mine", turn.conversation_id, turn.turn_id, "互相问好。", False, datetime.now(UTC))
    database = open_database(_conversations(tmp_path))
    SummaryStore(database).add(summary)
    assert second.engine.recollection("mine", turn.conversation_id).summary == summary
    second.retention.delete_conversation("mine", turn.conversation_id)
    assert SqlConversationStore(database).conversations("mine") == ()


def test_work_in_the_background_rests_while_somebody_waits_for_an_answer(
    build: Build, manual: Path, tmp_path: Path
) -> None:
    services = build("one")
    (sample,) = services.ingest.documents("mine")
    assert wait_for(lambda: services.ingest.document("mine", sample.document_id).status is DocumentStatus.READY)
    answer = services.engine.stream(QUESTION, "mine")
    next(answer)
    document_id = take_in(services, manual)
    services.self_check.request("mine", document_id)
    time.sleep(REST_SECONDS)
    assert done(services, document_id, tmp_path / "one") == set()
    list(answer)
    assert wait_for(lambda: done(services, document_id, tmp_path / "one") == {"vectors", "pictures", "self-check"})


@pytest.mark.clock
def test_the_end_waits_for_all_together_and_for_what_hangs_only_for_a_while(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    services, never = build(uri=""), threading.Event()
    monkeypatch.setattr(rag.build, "_END_SECONDS", 1.0)
    for part in (services.retention, services.self_check, services.pages, services.models):
        monkeypatch.setattr(part, "close", lambda: never.wait(10))
    with within_seconds(5):
        services.close()
    assert services.ingest._intake.closed
    never.set()
    monkeypatch.undo()


@pytest.mark.parametrize(("host", "is_told"), [("127.0.0.1", True), ("0.0.0.0", False)])
def test_visitors_of_a_public_server_are_not_told_where_its_model_server_is_nor_what_that_says(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, host: str, is_told: bool
) -> None:
    refused = Reply(('{"error": {"message": "engine at 10.1.2.3 is dead"}}',), status=400)
    with ExitStack() as stack:
        with serving({"/v1/chat/completions": refused}) as server:
            url = f"{server.url}/v1"
            llm = {"provider": "openai", "base_url": url, "model": "m"}
            settings = settings_with(server={"host": host}, store={"path": tmp_path}, llm=llm)
            services = stack.enter_context(closing(build_services(settings)))
            services.models.start()
            assert wait_for(lambda: services.models.status().provider is Provider.OPENAI)
            failures = [_failure(services)]
        failures.append(_failure(services))
        told = [sentence(Language.ZH, message) for failure in failures for message in failure]
        told.append(sentence(Language.ZH, services.profiles.status("mine").reason))
    assert [url in one for one in told] == [False, False, is_told, is_told, is_told]
    assert ["10.1.2.3" in one for one in told] == [is_told, is_told, False, False, False]
    assert "10.1.2.3" in caplog.text and url in caplog.text


def _failure(services: Services) -> tuple[Message, Message]:
    """What is told of a question that fails, and what is kept of it."""
    *_, last = services.engine.stream(QUESTION, "mine", decision=Decision.NO_RETRIEVE)
    assert isinstance(last, Failed) and last.turn and last.turn.message
    return last.error.message, last.turn.message
