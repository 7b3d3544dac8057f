"""OpenAI's protocol, through the openai package."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from langchain_core.messages import AIMessageChunk
from openai import OpenAI
from openai.types.chat import ChatCompletionMessageParam

from rag.events import Budgeted, Finished, Thinking, ThoughtsEnded, Token
from rag.i18n import Language
from rag.web.http.openai_wire import chunks
from tests.http_rig import ANSWER, KEYS, Services, services_in, serving, settings_with, with_key
from tests.samples import evidence, turn
from tests.samples_web import BUDGET
from tests.web.programs import QUESTION

WHOLE = "".join(ANSWER)


# Where clients that read by `str.splitlines` end a line, and JSON escapes nothing.
BREAKS = ("十天[1]。\u2028可以", "分开\u2029休\x85。")


@pytest.fixture
def url(services: Services) -> Iterator[str]:
    with serving(services, settings_with(api_keys=KEYS)) as url:
        yield f"{url}/v1"


@pytest.fixture
def client(url: str) -> OpenAI:
    return OpenAI(base_url=url, api_key=KEYS[0], max_retries=0)


@pytest.fixture(scope="module")
def refused_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenAI]:
    """For what leaves nothing behind: one server for all of it."""
    with (
        services_in(tmp_path_factory.mktemp("refused")) as services,
        serving(services, settings_with(api_keys=KEYS)) as url,
    ):
        yield OpenAI(base_url=f"{url}/v1", api_key=KEYS[0], max_retries=0)


def conversations(services: Services) -> int:
    """How many conversations the first key has."""
    return len(services.engine.store.conversations(session_of(services, KEYS[0])))


def session_of(services: Services, key: str) -> str:
    from rag.web.http.keys import Keys

    return Keys(KEYS, services.signing).caller(key).session_id


def test_the_collection_is_a_model(client: OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["wenqu"]
    assert client.models.retrieve("wenqu").object == "model"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("gpt-4")


def test_a_completion_has_its_citations_and_usage(client: OpenAI) -> None:
    completion = client.chat.completions.create(model="wenqu", messages=QUESTION)
    [choice] = completion.choices
    assert (choice.message.content, choice.finish_reason) == (WHOLE, "stop")
    assert completion.usage is not None and completion.usage.total_tokens == 107
    assert completion.usage.prompt_tokens_details and completion.usage.prompt_tokens_details.cached_tokens == 60
    annotations = choice.message.annotations or []
    assert len(annotations) == WHOLE.count("[1]")
    citation = annotations[0].url_citation
    assert WHOLE[citation.start_index : citation.end_index] == "[1]"
    assert citation.title == "员工手册.txt · 第 1 页"
    told: Any = annotations[0].to_dict()
    assert "年假为十天" in told["file_citation"]["text"]


def test_in_a_stream_thoughts_are_told_apart_from_the_answer() -> None:
    happened = (Thinking("先看第一章。"), ThoughtsEnded(), Token("十天。"), Finished(turn("年假几天？", "十天。")))
    streamed = chunks((event for event in happened), "", Language.ZH, with_usage=False)
    told = [json.loads(line.removeprefix("data: ")) for line in "".join(streamed).split("\n\n") if "delta" in line]
    deltas = [chunk["choices"][0]["delta"] for chunk in told]
    assert deltas[1:3] == [{"reasoning_content": "先看第一章。"}, {"content": "十天。"}]


def test_a_cited_file_can_be_looked_up_by_its_reader(client: OpenAI) -> None:
    message = client.chat.completions.create(model="wenqu", messages=QUESTION).choices[0].message
    address = (message.annotations or [])[0].url_citation.url
    assert httpx.get(address, headers=with_key(KEYS[0])).json()["filename"] == "员工手册.txt"
    assert httpx.get(address).status_code == 401


def test_a_stream_has_the_same_text_annotations_and_usage(client: OpenAI) -> None:
    pieces = list(
        client.chat.completions.create(
            model="wenqu", messages=QUESTION, stream=True, stream_options={"include_usage": True}
        )
    )
    deltas = [chunk.choices[0].delta for chunk in pieces if chunk.choices]
    assert deltas[0].role == "assistant"
    assert "".join(delta.content or "" for delta in deltas) == WHOLE
    last = pieces[-2].choices[0]
    assert last.finish_reason == "stop"
    assert last.delta.to_dict()["annotations"][0]["url_citation"]["title"].startswith("员工手册")  # type: ignore[index]
    assert all(chunk.usage is None and "usage" in chunk.model_fields_set for chunk in pieces[:-1])
    assert pieces[-1].usage is not None and pieces[-1].usage.completion_tokens == 7


def test_the_marker_that_a_model_forgot_is_streamed_and_annotated_as_its_own_are(tmp_path: Path) -> None:
    bare = ("年假为十天，", "入职满一年后可以使用。\n")
    with services_in(tmp_path, bare) as services, serving(services, settings_with()) as url:
        client = OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
        pieces = list(client.chat.completions.create(model="wenqu", messages=QUESTION, stream=True))
    said = "".join(piece.choices[0].delta.content or "" for piece in pieces)
    last: Any = pieces[-1].choices[0].delta.to_dict()
    (noted,) = last["annotations"]
    place = noted["url_citation"]
    assert said == "年假为十天，入职满一年后可以使用。[1]"
    assert said[place["start_index"] : place["end_index"]] == "[1]"


def test_annotations_stand_in_the_answer_not_in_an_attempt_before_it() -> None:
    stored = turn("年假几天？", "十天[1]。", (evidence(1),))
    attempt = (Budgeted(BUDGET, ()), Token(stored.answer))
    told = (event for event in (*attempt, *attempt, Finished(stored)))
    streamed = "".join(chunks(told, "", Language.ZH, with_usage=False))
    assert f'"start_index": {len(stored.answer) + 2}' in streamed


def test_what_some_clients_take_for_the_end_of_a_line_ends_none(tmp_path: Path) -> None:
    with services_in(tmp_path, BREAKS) as services, serving(services, settings_with()) as url:
        asked = {"model": "wenqu", "messages": QUESTION, "stream": True}
        with httpx.stream("POST", f"{url}/v1/chat/completions", json=asked) as reply:
            told = [line.removeprefix("data: ") for line in reply.iter_lines() if line and not line.startswith(":")]
    deltas = [json.loads(line)["choices"][0]["delta"] for line in told[:-1]]
    assert "".join(delta.get("content", "") for delta in deltas) == "".join(BREAKS)


def test_messages_that_go_on_lead_to_the_stored_turn_and_keep_the_prompt(client: OpenAI, services: Services) -> None:
    first = client.chat.completions.create(model="wenqu", messages=QUESTION).choices[0].message.content
    history: list[ChatCompletionMessageParam] = [
        {"role": "system", "content": "Be brief."},
        *QUESTION,
        {"role": "assistant", "content": first},
        {"role": "user", "content": [{"type": "text", "text": "病假有几天？"}]},
    ]
    client.chat.completions.create(model="wenqu", messages=history)
    session = session_of(services, KEYS[0])
    [conversation] = services.engine.store.conversations(session)
    asked, followed = services.engine.turns(session, conversation.conversation_id)
    assert followed.parent_turn_id == asked.turn_id and followed.question == "病假有几天？"
    before, after = services.model.calls[0], services.model.calls[-1]
    assert [message.content for message in after[: len(before)]] == [message.content for message in before]


def test_messages_that_the_server_does_not_know_are_its_history_all_the_same(
    client: OpenAI, services: Services
) -> None:
    history: list[ChatCompletionMessageParam] = [
        {"role": "user", "content": "公司叫什么？"},
        {"role": "assistant", "content": "叫问渠。"},
        {"role": "user", "content": "年假有几天？"},
    ]
    answer = client.chat.completions.create(model="wenqu", messages=history).choices[0].message.content
    prompt = "\n".join(str(message.content) for message in services.model.calls[-1])
    assert "公司叫什么？" in prompt and "叫问渠。" in prompt
    again = [*history, {"role": "assistant", "content": answer}, {"role": "user", "content": "病假呢？"}]
    client.chat.completions.create(model="wenqu", messages=again)  # type: ignore[arg-type]
    session = session_of(services, KEYS[0])
    [conversation] = services.engine.store.conversations(session)
    assert conversation.turns == 3


def test_of_a_long_history_that_the_server_does_not_know_the_newest_turns_are_stored(
    client: OpenAI, services: Services
) -> None:
    history: list[ChatCompletionMessageParam] = []
    for number in range(100):
        history += [{"role": "user", "content": f"问{number}"}, {"role": "assistant", "content": f"答{number}"}]
    client.chat.completions.create(model="wenqu", messages=[*history, *QUESTION])
    session = session_of(services, KEYS[0])
    [conversation] = services.engine.store.conversations(session)
    questions = [turn.question for turn in services.engine.turns(session, conversation.conversation_id)]
    assert questions == [*(f"问{number}" for number in range(60, 100)), "年假有几天？"]


def test_a_conversation_of_a_thousand_turns_goes_on(client: OpenAI) -> None:
    history: list[ChatCompletionMessageParam] = [*QUESTION, {"role": "assistant", "content": WHOLE}] * 1000
    answer = client.chat.completions.create(model="wenqu", messages=[*history, *QUESTION]).choices[0].message.content
    assert answer == WHOLE


@pytest.mark.parametrize("question", ["  ", "长" * 2001])
def test_a_question_that_cannot_be_asked_leaves_nothing_in_the_store(
    client: OpenAI, services: Services, question: str
) -> None:
    history: list[ChatCompletionMessageParam] = [*QUESTION, {"role": "assistant", "content": "十天。"}]
    with pytest.raises(openai.BadRequestError):
        client.chat.completions.create(model="wenqu", messages=[*history, {"role": "user", "content": question}])
    assert conversations(services) == 0


def test_an_answer_that_reached_its_limit_ends_for_its_length(tmp_path: Path) -> None:
    cut = ("年假为", AIMessageChunk(content="", response_metadata={"finish_reason": "length"}))
    with services_in(tmp_path, cut, cut) as services, serving(services, settings_with()) as url:
        client = OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
        whole = client.chat.completions.create(model="wenqu", messages=QUESTION)
        streamed = list(client.chat.completions.create(model="wenqu", messages=QUESTION, stream=True))
    assert whole.choices[0].finish_reason == streamed[-1].choices[0].finish_reason == "length"


@pytest.mark.parametrize("stop", ["\n", ["入职满", "\n"]])
def test_an_answer_ends_before_its_stop_text_and_the_conversation_goes_on_from_that(
    client: OpenAI, services: Services, stop: str | list[str]
) -> None:
    streamed = list(client.chat.completions.create(model="wenqu", messages=QUESTION, stop=stop, stream=True))
    assert "".join(piece.choices[0].delta.content or "" for piece in streamed) == "年假为十天 [1]。"
    assert streamed[-1].choices[0].finish_reason == "stop"
    [choice] = client.chat.completions.create(model="wenqu", messages=QUESTION, stop=stop).choices
    assert (choice.message.content, choice.finish_reason) == ("年假为十天 [1]。", "stop")
    history = [*QUESTION, {"role": "assistant", "content": choice.message.content}, *QUESTION]
    client.chat.completions.create(model="wenqu", messages=history)  # type: ignore[arg-type]
    told = sorted(one.turns for one in services.engine.store.conversations(session_of(services, KEYS[0])))
    assert told == [1, 2]


@pytest.mark.parametrize("stop", [None, "", [], ["没有的话"]])
def test_a_stop_text_that_does_not_come_stops_nothing(client: OpenAI, stop: str | list[str] | None) -> None:
    completion = client.chat.completions.create(model="wenqu", messages=QUESTION, stop=stop)
    assert completion.choices[0].message.content == WHOLE


def test_a_refusal_in_the_history_is_what_was_said(client: OpenAI) -> None:
    refused: ChatCompletionMessageParam = {"role": "assistant", "content": [{"type": "refusal", "refusal": "不行。"}]}
    messages = [*QUESTION, refused, *QUESTION]
    assert client.chat.completions.create(model="wenqu", messages=messages).choices[0].message.content == WHOLE


def test_what_a_part_of_a_message_does_not_have_may_be_told_as_null(url: str) -> None:
    parts = [{"type": "text", "text": "年假有几天？", "image_url": None, "refusal": None}]
    body = {"model": "wenqu", "messages": [{"role": "user", "content": parts, "tool_calls": None}]}
    reply = httpx.post(f"{url}/chat/completions", json=body, headers=with_key(KEYS[0]))
    assert reply.json()["choices"][0]["message"]["content"] == WHOLE


def test_a_body_that_is_no_json_is_refused_as_that(url: str) -> None:
    headers = {**with_key(KEYS[0]), "Content-Type": "application/json"}
    told = httpx.post(f"{url}/chat/completions", content=b"{bad", headers=headers).json()["error"]
    assert (told["code"], told["param"]) == ("invalid_request", "body")
    assert told["message"] == "请求里的 body 不合要求：不是合法的 JSON，第 2 个字符附近有问题"


def test_half_a_character_where_it_is_refused_is_told_in_a_sentence(url: str) -> None:
    body = b'{"model": "wenqu", "messages": [{"role": "user", "content": [{"type": "\\ud800"}]}]}'
    headers = {**with_key(KEYS[0]), "Content-Type": "application/json"}
    reply = httpx.post(f"{url}/chat/completions", content=body, headers=headers)
    assert (reply.status_code, reply.json()["error"]["param"]) == (400, "messages.content.?")


def test_a_name_that_is_no_text_is_refused(url: str) -> None:
    body = b'{"model":"\\ud800","messages":[{"role":"user","content":"x"}]}'
    reply = httpx.post(f"{url}/chat/completions", content=body, headers=with_key(KEYS[0]))
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "invalid_request")


def test_an_edited_answer_is_a_branch_of_what_came_before_it(client: OpenAI, services: Services) -> None:
    client.chat.completions.create(model="wenqu", messages=QUESTION)
    for answer in (WHOLE, "改过的回答"):
        history = [*QUESTION, {"role": "assistant", "content": answer}, {"role": "user", "content": "病假有几天？"}]
        client.chat.completions.create(model="wenqu", messages=history)  # type: ignore[arg-type]
    prompt = "\n".join(str(message.content) for message in services.model.calls[-1])
    assert "改过的回答" in prompt and WHOLE not in prompt


def test_a_conversation_that_was_deleted_is_begun_again(client: OpenAI, services: Services) -> None:
    client.chat.completions.create(model="wenqu", messages=QUESTION)
    services.engine.forget(session_of(services, KEYS[0]))
    history = [*QUESTION, {"role": "assistant", "content": WHOLE}, {"role": "user", "content": "病假有几天？"}]
    assert client.chat.completions.create(model="wenqu", messages=history).choices[0].message.content  # type: ignore[arg-type]
    assert conversations(services) == 1


def test_the_same_messages_under_another_key_are_another_conversation(url: str, services: Services) -> None:
    for key in KEYS:
        OpenAI(base_url=url, api_key=key).chat.completions.create(model="wenqu", messages=QUESTION)
    assert [len(services.engine.store.conversations(session_of(services, key))) for key in KEYS] == [1, 1]


@pytest.mark.parametrize(
    ("changes", "parameter"),
    [
        ({"n": 2}, "n"),
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://x/"}}]}]},
            "messages.content.image_url",
        ),
        ({"messages": [{"role": "user", "content": 5}]}, "messages.0.content"),
        ({"messages": [{"role": "user", "content": {"text": "年假？"}}]}, "messages.0.content"),
        ({"messages": [{"role": "user", "content": [{"type": 5}]}]}, "messages.0.content.0.type"),
        ({"messages": [{"role": "user", "content": [{"text": "年假？"}]}]}, "messages.0.content.0.type"),
        ({"messages": [{"content": "年假？"}]}, "messages.0.role"),
        ({"messages": []}, "messages"),
        ({"temperature": 3}, "temperature"),
        ({"stop": 5}, "stop"),
        ({"stop": ["甲"] * 5}, "stop"),
        ({"stop": ["甲", 5]}, "stop.1"),
        ({"messages": "年假？"}, "messages"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(
    refused_client: OpenAI, changes: dict[str, object], parameter: str
) -> None:
    with pytest.raises(openai.BadRequestError) as refused:
        refused_client.chat.completions.create(**{"model": "wenqu", "messages": QUESTION, **changes})  # type: ignore[call-overload]
    assert refused.value.param == parameter and refused.value.type == "invalid_request_error"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nothing", 404), ("GET", "/chat/completions", 405), ("POST", "/images", 404)],
)
def test_what_there_is_not_is_told_in_openais_form(url: str, method: str, path: str, status: int) -> None:
    reply = httpx.request(method, f"{url}{path}", headers=with_key(KEYS[0]))
    assert (reply.status_code, reply.json()["error"]["type"]) == (status, "invalid_request_error")


def test_what_only_tunes_a_model_is_passed_over(client: OpenAI) -> None:
    tuned = client.chat.completions.create(model="wenqu", messages=QUESTION, top_p=0.1, seed=1, user="x", n=1)
    assert tuned.choices[0].message.content == WHOLE


@pytest.mark.parametrize("stream", [False, True])
def test_a_question_that_cannot_be_asked_has_a_status_of_its_own(client: OpenAI, stream: bool) -> None:
    for content in (" ", "长" * 3000):
        asked: ChatCompletionMessageParam = {"role": "user", "content": content}
        with pytest.raises(openai.BadRequestError):
            client.chat.completions.create(model="wenqu", messages=[asked], stream=stream)
    with pytest.raises(openai.BadRequestError) as refused:
        client.chat.completions.create(model="wenqu", messages=[*QUESTION, {"role": "assistant", "content": "x"}])
    assert refused.value.code == "no_question"


def test_a_model_that_fails_is_the_servers_error(tmp_path: Path) -> None:
    broken = (RuntimeError("no memory"),)
    late = ("一半", RuntimeError("no memory"))
    with services_in(tmp_path, broken, late) as services, serving(services, settings_with()) as url:
        client = OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
        with pytest.raises(openai.InternalServerError, match="no memory"):
            client.chat.completions.create(model="wenqu", messages=QUESTION)
        with pytest.raises(openai.APIError, match="no memory"):
            list(client.chat.completions.create(model="wenqu", messages=QUESTION, stream=True))


def test_no_key_and_a_wrong_one_are_refused(url: str) -> None:
    for key in ("wrong", KEYS[0][:-1], "钥匙"):
        headers = {b"Authorization": f"Bearer {key}".encode()}
        reply = httpx.get(f"{url}/models", headers=headers)
        assert reply.status_code == 401 and reply.headers["www-authenticate"] == "Bearer"
        assert reply.json()["error"]["type"] == "authentication_error"
    assert httpx.get(f"{url}/models").status_code == 401


def test_without_keys_a_session_that_the_server_gave_serves_as_the_key(tmp_path: Path) -> None:
    with services_in(tmp_path) as services, serving(services, settings_with()) as url:
        given = httpx.get(f"{url}/v1/models").headers["x-session-id"]
        client = OpenAI(base_url=f"{url}/v1", api_key=given)
        client.chat.completions.create(model="wenqu", messages=QUESTION)
        assert len(services.engine.store.conversations(f"http-{given}")) == 1
        stranger = OpenAI(base_url=f"{url}/v1", api_key="sk-anything")
        assert stranger.chat.completions.create(model="wenqu", messages=QUESTION).choices[0].message.content == WHOLE
        assert len(services.engine.store.conversations(f"http-{given}")) == 1
