"""What the conversation's tab is shown from, where what it shows is gone, and where nothing can be written."""

import json
import secrets
from pathlib import Path

import httpx
import pytest

from rag.conversation.shelf import Shelf
from rag.conversation.sql import SqlConversationStore
from rag.database import open_database
from rag.errors import DiskFull
from rag.i18n import Language
from rag.settings import read_settings
from rag.web.application import create_app
from rag.web.chat.scene import read_scene
from rag.web.session import Visitor
from tests.fakes_web import FakeServices
from tests.serving import on_a_port

MINE = "m" * 32


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(SqlConversationStore(open_database(f"sqlite:///{tmp_path / 'test.sqlite3'}")))


def test_of_a_session_that_was_deleted_nothing_is_left_behind_by_looking(shelf: Shelf) -> None:
    who = Visitor(MINE, shelf.start_conversation(MINE))
    shelf.delete_conversation(MINE, who.conversation_id or "")
    scene = read_scene(shelf, who, Language.ZH)  # type: ignore[arg-type]
    assert scene.is_gone and scene.who == Visitor(MINE)
    assert shelf.conversations(MINE) == ()


def test_beside_other_conversations_a_new_one_takes_the_place_of_one_that_is_gone(shelf: Shelf) -> None:
    kept, gone = shelf.start_conversation(MINE), shelf.start_conversation(MINE)
    shelf.delete_conversation(MINE, gone)
    scene = read_scene(shelf, Visitor(MINE, gone), Language.ZH)  # type: ignore[arg-type]
    assert scene.is_gone and scene.who.conversation_id not in (None, kept, gone)


def test_a_new_conversation_that_finds_no_room_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> str:
        raise DiskFull(path="/srv/store/wenqu.sqlite3")

    services, settings = FakeServices(), read_settings()
    monkeypatch.setattr(services.engine, "start_conversation", refuse)
    app = create_app(services, settings)  # type: ignore[arg-type]
    with on_a_port(app) as url, httpx.Client(base_url=url, timeout=30) as client:
        events = {event["api_name"]: event["id"] for event in client.get("/config").json()["dependencies"]}
        page = secrets.token_hex(8)
        asked = {"data": [Visitor(MINE).stored()], "fn_index": events["_start"], "session_hash": page, "trigger_id": 1}
        client.post("/gradio_api/queue/join", json=asked).raise_for_status()
        heard = client.get("/gradio_api/queue/data", params={"session_hash": page}).text
    said = [json.loads(line.removeprefix("data: ")) for line in heard.splitlines() if line.startswith("data: ")]
    assert [message["log"] for message in said if message["msg"] == "log" and "wenqu.sqlite3" in message["log"]]
    assert [message["success"] for message in said if message["msg"] == "process_completed"] == [True]


def test_the_end_of_an_answer_gives_no_browser_a_deleted_session_back() -> None:
    services = FakeServices()
    own = services.engine.start_conversation(MINE)
    app = create_app(services, read_settings())  # type: ignore[arg-type]
    with on_a_port(app) as url, httpx.Client(base_url=url, timeout=30) as client:
        events = {event["api_name"]: event["id"] for event in client.get("/config").json()["dependencies"]}
        page = secrets.token_hex(8)
        asked = {"data": ["慢", Visitor(MINE, own).stored()], "fn_index": events["ask"], "session_hash": page}
        client.post("/gradio_api/queue/join", json=asked | {"trigger_id": 1}).raise_for_status()
        with client.stream("GET", "/gradio_api/queue/data", params={"session_hash": page}) as stream:
            lines = stream.iter_lines()
            first = next(line for line in lines if "%" in line)  # of the evidence that has been read
            services.retention.forget(MINE)
            rest = list(lines)
    assert '"success":true' in "".join(rest)
    assert MINE not in "".join([first, *rest])


def test_a_search_among_conversations_reads_the_turns_of_none(monkeypatch: pytest.MonkeyPatch) -> None:
    services, read = FakeServices(), []
    list(services.engine.stream("年假有几天？", MINE))
    own = services.engine.conversations(MINE)[0].conversation_id
    monkeypatch.setattr(services.engine, "view", lambda *of: read.append(of))
    app = create_app(services, read_settings())  # type: ignore[arg-type]
    with on_a_port(app) as url, httpx.Client(base_url=url, timeout=30) as client:
        events = {event["api_name"]: event["id"] for event in client.get("/config").json()["dependencies"]}
        page = secrets.token_hex(8)
        asked = {"data": [Visitor(MINE, own).stored()], "event_data": {"sought": "年"}, "session_hash": page}
        client.post("/gradio_api/queue/join", json=asked | {"fn_index": events["_search"]}).raise_for_status()
        heard = client.get("/gradio_api/queue/data", params={"session_hash": page}).text
    assert own in heard
    assert read == []


@pytest.mark.parametrize("space", [True, False])
def test_a_page_promises_days_only_where_a_restart_leaves_the_store_as_it_is(
    space: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WENQU_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("SPACE_ID", "someone/wenqu") if space else monkeypatch.delenv("SPACE_ID", raising=False)
    settings = read_settings()
    services, heard = FakeServices(settings), ""
    (tmp_path / "制度.md").write_text("年假为十天。", encoding="utf-8")
    services.ingest.add(MINE, tmp_path / "制度.md", "制度.md")
    app = create_app(services, settings)  # type: ignore[arg-type]
    with on_a_port(app) as url, httpx.Client(base_url=url, timeout=30) as client:
        shows = [
            event for event in client.get("/config").json()["dependencies"] if event["api_name"].startswith("show")
        ]
        for event in (event for event in shows if event["inputs"]):
            page, data = secrets.token_hex(8), [Visitor(MINE).stored(), None][: len(event["inputs"])]
            asked = {"data": data, "fn_index": event["id"], "session_hash": page, "trigger_id": 1}
            client.post("/gradio_api/queue/join", json=asked).raise_for_status()
            heard += client.get("/gradio_api/queue/data", params={"session_hash": page}).text
    assert ("没有持久存储，重启后清空" in heard, "服务器每次重启，文件和对话都会清空" in heard) == (space, space)
    assert ("30 天未使用" in heard, "天不用就自动删除" in heard) == (not space, not space)
