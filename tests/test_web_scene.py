"""What the conversation's tab is shown from, where what it shows is gone, and where nothing can be written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rag.conversation.shelf import Shelf
from rag.conversation.sql import SqlConversationStore
from rag.database import open_database
from rag.errors import DiskFull
from rag.events import TurnEvent
from rag.i18n import Language
from rag.settings import read_settings
from rag.types import TurnOptions
from rag.web.readers import read_scene
from rag.web.session import Visitor
from tests.fakes_web import FakeServices
from tests.web_site import Site, messages, site_over

MINE = "m" * 32


def shows(site: Site, who: Visitor | None) -> list[tuple[Any, ...]]:
    """The events that show a part of the page to whoever is at it, with what they are told."""
    own = who.stored() if who else None
    return [
        (event["api_name"], own, None)[: 1 + len(event["inputs"])]
        for event in site.events
        if event["api_name"].startswith("show") and event["inputs"]
    ]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(SqlConversationStore(open_database(f"sqlite:///{tmp_path / 'test.sqlite3'}")))


def test_of_a_session_that_was_deleted_nothing_is_left_behind_by_looking(shelf: Shelf) -> None:
    who = Visitor(MINE, shelf.store.start(MINE))
    shelf.store.delete(MINE, who.conversation_id or "")
    scene = read_scene(shelf, who, Language.ZH)
    assert scene.is_gone and scene.who == Visitor(MINE)
    assert shelf.store.conversations(MINE) == ()


def test_beside_other_conversations_a_new_one_takes_the_place_of_one_that_is_gone(shelf: Shelf) -> None:
    kept, gone = shelf.store.start(MINE), shelf.store.start(MINE)
    shelf.store.delete(MINE, gone)
    scene = read_scene(shelf, Visitor(MINE, gone), Language.ZH)
    assert scene.is_gone and scene.who.conversation_id not in (None, kept, gone)


def test_a_new_conversation_that_finds_no_room_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> str:
        raise DiskFull(path="/srv/store/wenqu.sqlite3")

    services = FakeServices()
    monkeypatch.setattr(services.engine.store, "start", refuse)
    with site_over(services) as site:
        said = list(messages(site.heard("_start", Visitor(MINE).stored()).splitlines()))
    assert [message["log"] for message in said if message["msg"] == "log" and "wenqu.sqlite3" in message["log"]]
    assert [message["success"] for message in said if message["msg"] == "process_completed"] == [True]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_who_answers_is_told_what_the_reader_reads(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    services, told = FakeServices(), []
    stream = services.engine.stream

    def heard(*asked: Any, options: TurnOptions, **more: Any) -> Iterator[TurnEvent]:
        told.append(options.language)
        return stream(*asked, options=options, **more)

    monkeypatch.setattr(services.engine, "stream", heard)
    with site_over(services) as site:
        site.heard("ask", "LLSync", Visitor(MINE).stored(), reader=language)
    assert told == [language]


def test_the_end_of_an_answer_gives_no_browser_a_deleted_session_back() -> None:
    services = FakeServices()
    own = services.engine.store.start(MINE)
    with site_over(services) as site:
        site.join("ask", "缓", Visitor(MINE, own).stored(), page="p").raise_for_status()
        with site.lines("p") as lines:
            first = next(line for line in lines if "%" in line)  # of the evidence that has been read
            services.retention.forget(MINE)
            rest = list(lines)
    assert '"success":true' in "".join(rest)
    assert MINE not in "".join([first, *rest])


def test_a_search_among_conversations_reads_the_turns_of_none(monkeypatch: pytest.MonkeyPatch) -> None:
    services, read = FakeServices(), []
    list(services.engine.stream("年假有几天？", MINE))
    own = services.engine.store.conversations(MINE)[0].conversation_id
    monkeypatch.setattr(services.engine, "view", lambda *of: read.append(of))
    with site_over(services) as site:
        heard = site.heard("_search", Visitor(MINE, own).stored(), sought="年")
    assert own in heard
    assert read == []


@pytest.mark.parametrize("space", [True, False])
def test_a_page_promises_days_only_where_a_restart_leaves_the_store_as_it_is(
    space: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WENQU_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("SPACE_ID", "someone/wenqu") if space else monkeypatch.delenv("SPACE_ID", raising=False)
    settings = read_settings()
    services = FakeServices(settings)
    (tmp_path / "制度.md").write_text("年假为十天。", encoding="utf-8")
    services.ingest.receive(MINE, tmp_path / "制度.md", "制度.md")
    with site_over(services) as site:
        heard = "".join(site.heard(*event) for event in shows(site, Visitor(MINE)))
    assert ("没有持久存储，重启后清空" in heard, "服务器每次重启，文件和对话都会清空" in heard) == (space, space)
    assert ("30 天未使用" in heard, "天不用就自动删除" in heard) == (not space, not space)


def test_before_its_session_has_come_a_page_is_given_no_way_to_add_files_to_another() -> None:
    with site_over(FakeServices()) as site:
        giving = [event for event in shows(site, Visitor(MINE)) if '"ticket"' in site.heard(*event)]
        assert len(giving) > 1, "with a session it is given one"
        names = {name for name, *_ in giving}
        assert [event for event in shows(site, None) if event[0] in names and '"ticket"' in site.heard(*event)] == []
