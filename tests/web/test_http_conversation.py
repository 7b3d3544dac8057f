"""The conversation stream, through a real server and httpx-sse."""

import hashlib
import json
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from httpx_sse import connect_sse

from rag.types import Decision, Message, TurnStatus
from tests.http_rig import ANSWER, KEYS, Services, Slow, services_in, serving, settings_with, uploaded, with_key
from tests.waiting import wait_for
from tests.web.programs import PATH, SEARCHING, ask, prefixes, said


@pytest.fixture
def client(services: Services) -> Iterator[httpx.Client]:
    with serving(services, settings_with()) as url, httpx.Client(base_url=url, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def common_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """For what no other request can tell: one server for all of it."""
    with (
        services_in(tmp_path_factory.mktemp("common")) as services,
        serving(services, settings_with()) as url,
        httpx.Client(base_url=url, timeout=60) as client,
    ):
        yield client


def test_a_turn_is_session_progress_content_source_and_done_in_this_order(client: httpx.Client) -> None:
    events = ask(client, "年假有几天？")
    assert prefixes(events) == ["SESSION", "CONTENT", "SOURCE", "DONE"]
    assert events[1].data == SEARCHING
    assert {event.event for event in events} == {"message"}
    assert said(events, "CONTENT:") == "".join(ANSWER)
    assert events[-1].data == "DONE:" and events[-1].id
    [first, *_] = json.loads(said(events, "SOURCE:"))
    assert (first["number"], first["file"], first["page"]) == (1, "员工手册.txt", 1)
    assert "年假为十天" in first["text"] and first["score"] > 0


def test_no_line_of_an_answer_goes_out_without_its_prefix(tmp_path: Path) -> None:
    script = ("第一行\n第二", "行 [1]。\n\n第三行\u2028第四行")
    with (
        services_in(tmp_path, script) as services,
        serving(services, settings_with()) as url,
        httpx.stream("POST", f"{url}{PATH}", json={"question": "年假有几天？"}) as reply,
    ):
        assert reply.headers["content-type"].startswith("text/event-stream")
        lines = [line.removeprefix("data: ") for line in reply.iter_lines() if line.startswith("data: ")]
    said = [line for line in lines if line]
    assert [line for line in said if not line.split(":")[0].isupper()] == []
    assert {"CONTENT:第一行", "CONTENT:第二", "CONTENT:第三行", "CONTENT:第四行"} <= set(said)


def test_thoughts_come_before_the_answer_unless_they_are_not_wanted(tmp_path: Path) -> None:
    thinking = ("<think>先看", "第一章。</think>", "十天 [1]。")
    with services_in(tmp_path, thinking, thinking) as services, serving(services, settings_with()) as url:
        client = httpx.Client(base_url=url)
        events = ask(client, "年假有几天？", thinking=True)
        assert prefixes(events) == ["SESSION", "CONTENT", "THINK", "SOURCE", "DONE"]
        assert said(events, "THINK:") == "先看第一章。"
        assert said(events, "CONTENT:") == "十天 [1]。"
        assert "THINK" not in prefixes(ask(client, "病假有几天？", thinking=False))


def test_the_session_that_was_told_goes_on_and_its_turns_have_parents(client: httpx.Client, services: Services) -> None:
    first = ask(client, "年假有几天？")
    session_id = said(first, "SESSION:")
    second = ask(client, "病假有几天？", session_id=session_id)
    assert said(second, "SESSION:") == session_id
    branch = ask(client, "事假有几天？", session_id=session_id, parent_turn_id=first[-1].id)
    own = f"http-{session_id}"
    [conversation] = services.engine.store.conversations(own)
    assert conversation.turns == 3
    turns = services.engine.turns(own, conversation.conversation_id)
    assert [turn.turn_id for turn in turns] == [first[-1].id, branch[-1].id]


def test_a_client_may_decide_itself_what_a_turn_does_about_evidence(client: httpx.Client, services: Services) -> None:
    session_id = said(ask(client, "年假有几天？", decision="no_retrieve"), "SESSION:")
    own = f"http-{session_id}"
    [conversation] = services.engine.store.conversations(own)
    (turn,) = services.engine.turns(own, conversation.conversation_id)
    assert (turn.decision, turn.reason) == (Decision.NO_RETRIEVE, Message("decision.overruled"))
    refused = client.post("/knowledge_chat_conversation", json={"question": "年假有几天？", "decision": "perhaps"})
    assert refused.status_code == 400


def test_an_empty_parent_is_none_as_other_empty_fields_are(client: httpx.Client, services: Services) -> None:
    first = ask(client, "年假有几天？")
    session_id = said(first, "SESSION:")
    ask(client, "病假有几天？", session_id=session_id, parent_turn_id="")
    own = f"http-{session_id}"
    [conversation] = services.engine.store.conversations(own)
    turns = services.engine.turns(own, conversation.conversation_id)
    assert [turn.parent_turn_id for turn in turns] == [None, first[-1].id]


OPENAI = r'{"model": "wenqu", "messages": [{"role": "user", "content": "年假有几天？\ud83d"}]}'


@pytest.mark.parametrize(
    ("path", "body"), [(PATH, r'{"question": "年假有几天？\ud83d"}'), ("/v1/chat/completions", OPENAI)]
)
def test_half_an_emoji_in_a_question_keeps_no_model_from_reading_it(
    client: httpx.Client, services: Services, path: str, body: str
) -> None:
    reply = client.post(path, content=body, headers={"Content-Type": "application/json"})
    assert reply.status_code == 200
    [prompt] = services.model.calls
    assert "年假有几天？?" in str(prompt[-1].content)


def test_the_header_of_a_reply_names_the_session_of_its_stream(client: httpx.Client) -> None:
    session_id = said(ask(client, "年假有几天？"), "SESSION:")
    with connect_sse(client, "POST", PATH, json={"question": "病假呢？", "session_id": session_id}) as source:
        assert said(list(source.iter_sse()), "SESSION:") == session_id
        assert source.response.headers["x-session-id"] == session_id


@pytest.mark.parametrize(
    "claimed", ["shared", "mine", "00000000-0000-4000-8000-000000000000", "A" * 32, "client-1", "", "\u2028", "𝟎" * 32]
)
def test_a_session_that_the_server_did_not_give_out_is_not_entered(common_client: httpx.Client, claimed: str) -> None:
    told = said(ask(common_client, "年假有几天？", session_id=claimed), "SESSION:")
    assert told != claimed and len(told) == 36


def test_an_error_is_a_sentence_and_the_stream_still_ends_with_done(tmp_path: Path) -> None:
    with (
        services_in(tmp_path, ("一半", RuntimeError("broken\r\npipe"))) as services,
        serving(services, settings_with()) as url,
    ):
        client = httpx.Client(base_url=url)
        broken = ask(client, "年假有几天？")
        assert prefixes(broken) == ["SESSION", "CONTENT", "ERROR", "DONE"]
        assert "broken pipe" in said(broken, "ERROR:")
        assert said(ask(client, "  "), "ERROR:") == "问题是空的，请写下想问的内容。"
        assert "找不到" in said(ask(client, "问", parent_turn_id="nobody's"), "ERROR:")


@pytest.mark.parametrize(
    "fields",
    [
        *({"rerank_top_n": 0}, {"rerank_top_n": "many"}, {"question": None}, {"thinking": 7}),
        *({"pages": []}, {"pages": 3}, {"documents": []}, {"documents": "all"}),
    ],
)
def test_fields_of_another_form_are_refused(common_client: httpx.Client, fields: dict[str, object]) -> None:
    reply = common_client.post(PATH, json={"question": "问", **fields})
    assert reply.status_code == 400
    assert reply.json()["error"]["param"] == next(iter(fields))


def test_a_question_may_say_which_documents_and_pages_it_uses(client: httpx.Client) -> None:
    session_id = said(ask(client, "年假有几天？"), "SESSION:")
    client.headers["x-session-id"] = session_id
    own = uploaded(client, "出差.txt", "年假期间不得出差。住宿每晚四百元。".encode())

    def files(**fields: object) -> set[str]:
        events = ask(client, "年假有几天，出差住宿呢？", session_id=session_id, **fields)
        return {item["file_id"] for item in json.loads(said(events, "SOURCE:"))}

    shared = files() - {own}
    assert len(shared) == 1
    assert files(documents=[own]) == {own}
    assert files(documents=[own, *shared], pages=[1, 2]) == {own, *shared}
    assert files(pages=[2]) == set()


def test_a_document_of_another_session_cannot_be_used(client: httpx.Client) -> None:
    other = said(ask(client, "年假有几天？"), "SESSION:")
    with httpx.Client(base_url=client.base_url, headers={"x-session-id": other}) as others:
        theirs = uploaded(others, "出差.txt", "住宿每晚四百元。".encode())
    assert prefixes(ask(client, "住宿多少钱？", session_id=other, documents=[theirs]))[-2] == "SOURCE"
    for session in (None, said(ask(client, "年假有几天？"), "SESSION:")):
        events = ask(client, "住宿每晚多少钱？", session_id=session, documents=[theirs])
        assert prefixes(events) == ["SESSION", "ERROR", "DONE"]
        assert "找不到这份资料" in said(events, "ERROR:")
        assert events[-1].id == ""


@pytest.mark.parametrize("page", [0, -1, 1.5, "1", True])
def test_a_page_is_a_whole_number_from_1_on(common_client: httpx.Client, page: object) -> None:
    reply = common_client.post(PATH, json={"question": "问", "pages": [2, page]})
    assert reply.status_code == 400
    assert reply.json()["error"]["param"].startswith("pages")


@pytest.mark.clock
@pytest.mark.parametrize("path", [PATH, "/v1/chat/completions"])
@pytest.mark.parametrize("streamed", [True, False])
def test_a_client_that_leaves_stops_the_model_within_a_second(tmp_path: Path, path: str, streamed: bool) -> None:
    slow = Slow()
    body = (
        {"question": "年假有几天？"}
        if path == PATH
        else {"model": "wenqu", "stream": streamed, "messages": [{"role": "user", "content": "年假有几天？"}]}
    )
    with services_in(tmp_path, slow) as services, serving(services, settings_with()) as url:
        with httpx.Client(base_url=url) as client:
            if streamed or path == PATH:
                with connect_sse(client, "POST", path, json=body) as source:
                    assert any("慢" in event.data for event in source.iter_sse())
            else:
                with pytest.raises(httpx.ReadTimeout):
                    client.post(path, json=body, timeout=1)
        left = time.monotonic()
        assert slow.left.wait(30)
        assert time.monotonic() - left < 1
        stopped = 'wenqu_turns_total{status="stopped"} 1.0'
        assert wait_for(lambda: stopped in httpx.get(f"{url}/metrics").text)
        # The slot is free again, and the next one is answered.
        assert prefixes(ask(httpx.Client(base_url=url), "病假有几天？"))[-1] == "DONE"


def test_with_keys_nobody_comes_in_without_one_and_nobody_sees_anothers_conversation(services: Services) -> None:
    with serving(services, settings_with(api_keys=KEYS)) as url:
        assert httpx.post(f"{url}{PATH}", json={"question": "问"}).status_code == 401
        assert httpx.post(f"{url}{PATH}", json={"question": "问"}, headers=with_key("wrong")).status_code == 401
        mine, other = (httpx.Client(base_url=url, headers=with_key(key)) for key in KEYS)
        session_id = said(ask(mine, "年假有几天？"), "SESSION:")
        assert said(ask(mine, "病假有几天？", session_id=session_id), "SESSION:") == session_id
        assert said(ask(other, "病假有几天？", session_id=session_id), "SESSION:") != session_id
        assert ask(mine, "再问", session_id=session_id, parent_turn_id="x")[-2].data.startswith("ERROR:")


def test_with_keys_a_turn_tells_which_conversation_its_follower_stands_in(services: Services) -> None:
    with serving(services, settings_with(api_keys=KEYS)) as url:
        client = httpx.Client(base_url=url, headers=with_key(KEYS[0]))
        first = ask(client, "年假有几天？")
        following = ask(client, "病假有几天？", parent_turn_id=first[-1].id)
        assert said(following, "SESSION:") == said(first, "SESSION:")
        asked = {"question": "再问", "parent_turn_id": "nobody's"}
        refused = client.post(PATH, json=asked)
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "unknown_turn")
        [conversation] = services.engine.store.conversations(f"key-{hashlib.sha256(KEYS[0].encode()).hexdigest()}")
        assert conversation.turns == 2


def test_with_keys_a_question_that_is_refused_leaves_no_conversation(tmp_path: Path) -> None:
    slow, owner = Slow(), f"key-{hashlib.sha256(KEYS[0].encode()).hexdigest()}"
    settings = settings_with(api_keys=KEYS, max_waiting=1)
    with services_in(tmp_path, slow) as services, serving(services, settings) as url:
        with httpx.Client(base_url=url, headers=with_key(KEYS[0])) as client:
            for question in ("  ", "问" * 100_000):
                assert client.post(PATH, json={"question": question}).status_code == 400
            assert client.post(PATH, json={"question": "问", "parent_turn_id": "nobody's"}).status_code == 404
            assert services.engine.store.conversations(owner) == ()
            with connect_sse(client, "POST", PATH, json={"question": "问"}) as source:
                events = source.iter_sse()
                assert next(events).data.startswith("SESSION:")
                assert httpx.post(f"{url}{PATH}", json={"question": "问"}, headers=client.headers).status_code == 503
                assert len(services.engine.store.conversations(owner)) == 1
                assert slow.begun.wait(30)
        assert slow.left.wait(30)


def test_more_turns_at_once_than_there_is_room_for_are_refused(tmp_path: Path) -> None:
    slow = Slow()
    with services_in(tmp_path, slow) as services, serving(services, settings_with(max_waiting=1)) as url:
        with httpx.Client(base_url=url) as client, connect_sse(client, "POST", PATH, json={"question": "问"}) as source:
            events = source.iter_sse()  # dropped, it would close the connection
            assert next(events).data.startswith("SESSION:")
            refused = httpx.post(f"{url}{PATH}", json={"question": "问"})
            assert refused.status_code == 503 and refused.headers["retry-after"]
            assert slow.begun.wait(30)  # a turn that is left before its model began stops no model
        assert slow.left.wait(30)


def test_one_session_leaves_slots_to_others(tmp_path: Path) -> None:
    slow = Slow()
    settings = settings_with(max_waiting=2, max_waiting_per_session=1, api_keys=KEYS)
    with services_in(tmp_path, slow) as services, serving(services, settings) as url:
        mine, other = (httpx.Client(base_url=url, headers=with_key(key)) for key in KEYS)
        with connect_sse(mine, "POST", PATH, json={"question": "问"}) as source:
            events = source.iter_sse()  # dropped, it would close the connection
            assert next(events).data.startswith("SESSION:")
            refused = mine.post(PATH, json={"question": "问"})
            assert refused.status_code == 429 and refused.headers["retry-after"]
            assert refused.json()["error"]["code"] == "too_many_questions"
            with connect_sse(other, "POST", PATH, json={"question": "问"}) as theirs:
                assert next(theirs.iter_sse()).data.startswith("SESSION:")
            assert slow.begun.wait(30)
        assert slow.left.wait(30)
        assert wait_for(lambda: mine.post(PATH, json={"question": "年假有几天？"}).status_code == 200)


def test_who_is_told_that_an_answer_is_done_may_ask_the_next_question(tmp_path: Path) -> None:
    settings = settings_with(max_waiting=1, max_waiting_per_session=1, api_keys=KEYS)
    with services_in(tmp_path) as services, serving(services, settings) as url:
        client = httpx.Client(base_url=url, headers=with_key(KEYS[0]))
        for _ in range(5):
            with connect_sse(client, "POST", PATH, json={"question": "年假有几天？"}) as source:
                events = source.iter_sse()
                assert any(event.data.startswith("SOURCE:") for event in events)
                # Its end is still to be read.
                assert client.post(PATH, json={"question": "病假有几天？"}).status_code == 200


def test_one_network_leaves_slots_to_others_however_many_sessions_it_begins(tmp_path: Path) -> None:
    slow, settings = Slow(), settings_with(max_waiting=2, max_waiting_per_session=1)
    with services_in(tmp_path, slow) as services, serving(services, settings) as url:
        # The tests' server believes this machine's proxy.
        here, there = (httpx.Client(base_url=url, headers={"x-forwarded-for": end}) for end in ("8.8.8.8", "9.9.9.9"))
        first, second = (
            {"question": "问", "session_id": here.get("/v1/models").headers["x-session-id"]} for _ in range(2)
        )
        with connect_sse(here, "POST", PATH, json=first) as source:
            events = source.iter_sse()  # dropped, it would close the connection
            assert next(events).data.startswith("SESSION:")
            refused = here.post(PATH, json=second)
            assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_many_here")
            with connect_sse(there, "POST", PATH, json={"question": "问"}) as theirs:
                assert next(theirs.iter_sse()).data.startswith("SESSION:")
            assert slow.begun.wait(30)
        assert slow.left.wait(30)


def test_what_a_client_left_is_kept_as_a_stopped_turn(tmp_path: Path) -> None:
    slow = Slow()
    with services_in(tmp_path, slow) as services, serving(services, settings_with()) as url:
        with httpx.Client(base_url=url) as client, connect_sse(client, "POST", PATH, json={"question": "问"}) as source:
            events = source.iter_sse()
            session_id = next(events).data.removeprefix("SESSION:")
            assert any("慢" in event.data for event in events)
        assert wait_for(lambda: "wenqu_turns_total{" in httpx.get(f"{url}/metrics").text)
        [conversation] = services.engine.store.conversations(f"http-{session_id}")
        [turn] = services.engine.turns(f"http-{session_id}", conversation.conversation_id)
        assert turn.status is TurnStatus.STOPPED and turn.answer.startswith("慢")
