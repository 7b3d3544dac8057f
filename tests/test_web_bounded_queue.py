"""Gradio's queue: what one visitor asks leaves room for all others, and what is short waits for nobody."""

import secrets
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from rag.settings import read_settings
from rag.web import application, bounded_queue
from tests.fakes_engine import FakeEngine
from tests.fakes_web import FakeServices
from tests.waiting import wait_for
from tests.web_site import Site, site_over

LIMIT, ROOM = 3, 4


@pytest.fixture
def site() -> Iterator[Site]:
    shipped = read_settings()
    server = shipped.server.model_copy(update={"max_waiting": ROOM, "max_waiting_per_session": LIMIT})
    settings = shipped.model_copy(update={"server": server})
    with site_over(FakeServices(settings)) as served:
        yield served


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
    pages = [secrets.token_hex(8) for _ in range(ROOM)]
    assert {site.ask(f"{number:032}", page=page).status_code for number, page in enumerate(pages)} == {200}
    assert site.hears(pages[-1], "前面还有 1 个问题")


def test_nothing_that_may_take_long_is_done_past_the_queue(site: Site) -> None:
    kept = {"session_id": "a" * 32, "conversation_id": None}
    refused: tuple[tuple[Any, ...], ...] = (("chat", "慢"), ("upload", []), ("ask", "慢", kept))
    assert [site.past_the_queue(*asked).status_code for asked in refused] == [404] * 3


def test_a_page_of_an_older_version_is_told_to_be_loaded_anew(site: Site) -> None:
    refused = site.from_an_older_page()
    assert refused.status_code == 404 and "刷新" in refused.json()["detail"]


@pytest.mark.parametrize("path", ["run/predict", "api/predict", "run/upload"])
@pytest.mark.parametrize("page", [None, "a page of its own"])
def test_an_event_that_there_is_not_is_not_found(site: Site, path: str, page: str | None) -> None:
    for number in (9999, -1):
        refused = site.of_no_event(path, number, page)
        assert refused.status_code == 404 and refused.json()["error"]["code"] == "no_such_address"


def test_who_sends_short_events_without_end_is_refused_and_others_are_served(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_queue, "_SHORT_OWN", 2)
    going_on = threading.Event()
    monkeypatch.setattr(FakeEngine, "rename_conversation", lambda *_: going_on.wait(20))
    assert [site.rename("c" * 32).status_code for _ in range(4)] == [200, 200, 429, 429]
    assert {site.rename(session).status_code for session in ("d" * 32, "e" * 32)} == {200}
    assert site.ask("c" * 32).status_code == 200
    assert "操作太多" in site.rename("c" * 32).json()["detail"]
    going_on.set()
    wait_for(lambda: site.rename("c" * 32).status_code == 200)


def test_a_page_that_reads_nothing_of_what_it_has_done_is_refused_more(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_queue, "_UNREAD", 2)
    kept = {"session_id": "c" * 32, "conversation_id": None}
    assert [site.join("_rename", kept, page="one").status_code for _ in range(3)] == [200, 200, 429]
    with site.lines("one") as lines:
        assert "close_stream" in "".join(lines)
    assert site.join("_rename", kept, page="one").status_code == 200


def test_pages_that_were_left_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "_PAGES_REMEMBERED", 4)
    with site_over(FakeServices()) as site:
        for _ in range(6):
            site.rename("c" * 32)
        assert 0 < site.remembered() <= 4


def test_who_invents_names_of_pages_does_not_have_an_answer_under_way_forgotten(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_queue, "_PAGES", 20)
    assert site.ask("a" * 32, page="early").status_code == 200
    assert {site.rename(f"{number:032}").status_code for number in range(60)} == {200}
    assert site.pages() <= 20
    assert site.hears("early", "字符串类型")


def test_of_what_was_done_no_account_is_kept(site: Site) -> None:
    assert {site.rename(session).status_code for session in ("c" * 32, "d" * 32)} == {200}
    assert "success" in site.heard("_rename", {"session_id": "e" * 32, "conversation_id": None})
    assert site.accounts() == 0


@pytest.mark.parametrize("page", ["x" * 201, "half an emoji \ud83d", ""])
def test_a_client_calls_itself_by_a_short_text(site: Site, page: str) -> None:
    refused = site.join("_rename", {"session_id": "c" * 32, "conversation_id": None}, page=page)
    assert refused.status_code == 400 and "session_hash" in refused.json()["detail"]


def test_one_network_leaves_room_for_others_however_many_sessions_it_invents(site: Site) -> None:
    replies = [site.ask(f"{number:032}", address=f"2600:1f18::{number}") for number in range(ROOM)]
    assert [reply.status_code for reply in replies] == [200] * LIMIT + [429]
    assert "你所在的网络" in replies[-1].json()["detail"]
    assert site.ask("b" * 32, address="8.8.8.8").status_code == 200


def test_those_who_come_through_a_proxy_of_the_house_are_not_taken_for_one(site: Site) -> None:
    assert {site.ask(f"{number:032}", address="10.16.3.4").status_code for number in range(ROOM)} == {200}


def test_a_question_with_half_an_emoji_is_answered(site: Site) -> None:
    kept = {"session_id": "a" * 32, "conversation_id": None}
    assert "错误码的格式?" in site.heard("ask", "错误码的格式\ud83d", kept)
    assert "字符串类型" in site.heard("chat", "错误码的格式\ud83d")
