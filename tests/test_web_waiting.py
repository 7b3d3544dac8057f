"""Gradio's queue: what one visitor asks leaves room for all others, and what is short waits for nobody."""

import json
import secrets
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from gradio.routes import App

from rag.settings import read_settings
from rag.web.application import create_app
from tests.fakes_web import FakeServices
from tests.serving import on_a_port

LIMIT, ROOM = 3, 4


class Site:
    """What a page's script would send, without the page."""

    def __init__(self, client: httpx.Client, app: FastAPI) -> None:
        self._client, self._app = client, app
        self._events = {event["api_name"]: event["id"] for event in client.get("/config").json()["dependencies"]}

    def join(self, name: str, *data: Any, page: str = "", address: str = "127.0.0.1") -> httpx.Response:
        """Put an event into the queue, from a page that nobody else has, through a proxy on this machine."""
        page = page or secrets.token_hex(8)
        body = {"data": data, "fn_index": self._events[name], "session_hash": page, "trigger_id": 1}
        headers = {"x-forwarded-for": address}
        return self._client.post("/gradio_api/queue/join", json={**body, "event_data": {}}, headers=headers)

    def ask(self, session_id: str, **options: str) -> httpx.Response:
        return self.join("ask", "慢", {"session_id": session_id, "conversation_id": None}, **options)

    def hears(self, page: str, word: str) -> bool:
        """Whether a page is told a word before its event has ended, and within some seconds."""
        told = self._client.stream("GET", "/gradio_api/queue/data", params={"session_hash": page}, timeout=5)
        with told as answer:
            return any(word in str(json.loads(line.partition(":")[2] or "0")) for line in answer.iter_lines())

    def rename(self, session_id: str) -> httpx.Response:
        return self.join("_rename", {"session_id": session_id, "conversation_id": None})

    def past_the_queue(self, name: str, *data: Any) -> httpx.Response:
        return self._client.post(f"/gradio_api/run/{name}", json={"data": data, "fn_index": self._events[name]})

    def remembered(self) -> int:
        """How many pages the server keeps a copy of its parts for."""
        (mounted,) = (route.app for route in self._app.routes if isinstance(getattr(route, "app", None), App))
        return len(mounted.state_holder.session_data)

    def chat(self) -> httpx.Response:
        return self._client.post("/gradio_api/call/chat", json={"data": ["慢"]})


@pytest.fixture
def site() -> Iterator[Site]:
    shipped = read_settings()
    server = shipped.server.model_copy(update={"max_waiting": ROOM, "max_waiting_per_session": LIMIT, "concurrency": 1})
    settings = shipped.model_copy(update={"server": server})
    app = create_app(FakeServices(settings), settings)  # type: ignore[arg-type]
    with on_a_port(app) as url, httpx.Client(base_url=url) as client:
        yield Site(client, app)


def test_who_has_asked_much_is_told_to_wait_and_others_may_ask(site: Site) -> None:
    assert {site.ask("a" * 32).status_code for _ in range(LIMIT)} == {200}
    refused = site.ask("a" * 32)
    assert refused.status_code == 429 and f"{LIMIT} 个问题" in refused.json()["detail"]
    assert site.ask("b" * 32).status_code == 200


def test_programs_that_name_no_session_are_told_apart_by_their_address(site: Site) -> None:
    assert [site.chat().status_code for _ in range(LIMIT + 1)] == [200] * LIMIT + [429]
    assert site.ask("b" * 32).status_code == 200


def test_where_too_many_wait_nobody_asks_but_what_is_short_is_done(site: Site) -> None:
    first, *_, last = [site.ask(f"{number:032}") for number in range(2 * ROOM)]
    assert first.status_code == 200
    assert last.status_code == 429 and "同时进行的回答太多" in last.json()["detail"]
    assert {site.rename("c" * 32).status_code for _ in range(2 * ROOM)} == {200}


def test_everybody_who_waits_for_an_answer_is_told_their_place(site: Site) -> None:
    pages = [secrets.token_hex(8) for _ in range(ROOM + 1)]
    assert {site.ask(f"{number:032}", page=page).status_code for number, page in enumerate(pages)} == {200}
    assert site.hears(pages[-1], "前面还有 1 个问题")


def test_nothing_that_may_take_long_is_done_past_the_queue(site: Site) -> None:
    kept = {"session_id": "a" * 32, "conversation_id": None}
    refused = (("chat", "慢"), ("upload", []), ("ask", "慢", kept))
    assert [site.past_the_queue(*asked).status_code for asked in refused] == [404] * 3


def test_pages_that_were_left_are_forgotten(site: Site) -> None:
    for _ in range(300):
        site.join("_rename", {"session_id": "c" * 32, "conversation_id": None})
    assert 0 < site.remembered() <= 256


def test_one_network_leaves_room_for_others_however_many_sessions_it_invents(site: Site) -> None:
    replies = [site.ask(f"{number:032}", address=f"2600:1f18::{number}") for number in range(ROOM)]
    assert [reply.status_code for reply in replies] == [200] * LIMIT + [429]
    assert "你所在的网络" in replies[-1].json()["detail"]
    assert site.ask("b" * 32, address="8.8.8.8").status_code == 200


def test_those_who_come_through_a_proxy_of_the_house_are_not_taken_for_one(site: Site) -> None:
    assert {site.ask(f"{number:032}", address="10.16.3.4").status_code for number in range(ROOM + 1)} == {200}
