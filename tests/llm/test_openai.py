import json
import socket
import threading
from typing import Any

import httpx
import pytest
from langchain_core.messages import HumanMessage
from pydantic import SecretStr

from rag.errors import (
    ModelKeyRefused,
    ModelMissing,
    ModelRefused,
    ModelStreamBroken,
    ModelUnreachable,
    PromptTooLong,
    WenquError,
)
from rag.llm.build import build_openai
from rag.llm.http import ClientOptions
from rag.llm.openai import OpenAIChatModel
from rag.llm.stream import Done, Part, stream_parts
from rag.llm.think import Text, Thought
from rag.settings import LLMSettings
from rag.types import Usage
from tests.model_server import Reply, completion, serving

PATH = "/v1/chat/completions"


def settings(url: str) -> LLMSettings:
    return LLMSettings(provider="openai", base_url=f"{url}/v1", model="m", api_key="secret")


def ask(url: str, **kwargs: Any) -> list[Part]:
    return list(stream_parts(build_openai(settings(url)), [HumanMessage("你好")], threading.Event(), **kwargs))


def test_an_answer_comes_in_pieces_and_with_its_usage() -> None:
    with serving({PATH: completion({"content": "你"}, {"content": "好"})}) as server:
        assert ask(server.url) == [Text("你"), Text("好"), Done(Usage(9, 4, 2))]


def test_an_answer_that_reached_its_limit_is_told_from_a_whole_one() -> None:
    with serving({PATH: completion({"content": "你"}, finish="length")}) as server:
        assert ask(server.url)[-1] == Done(Usage(9, 4, 2), cut=True)


def test_the_limit_of_tokens_goes_by_the_name_that_all_servers_know() -> None:
    with serving({PATH: completion({"content": "好"})}) as server:
        ask(server.url, max_tokens=3, temperature=0.0)
    _, request = server.asked[0]
    assert (request["max_tokens"], request["temperature"]) == (3, 0.0)
    assert "max_completion_tokens" not in request


def test_reasoning_is_told_from_the_answer() -> None:
    with serving({PATH: completion({"reasoning_content": "想一想"}, {"content": "答"})}) as server:
        assert ask(server.url)[:2] == [Thought("想一想"), Text("答")]


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply(('{"error": {"message": "no such model"}}',), status=404), ModelMissing),
        (Reply(('{"error": {"message": "bad key"}}',), status=401), ModelKeyRefused),
        (Reply(('{"error": {"message": "not yours"}}',), status=403), ModelKeyRefused),
        (Reply(('{"error": {"message": "too long"}}',), status=400), ModelRefused),
        (Reply(('data: {"error": {"message": "overloaded"}}\n',), content_type="text/event-stream"), ModelRefused),
        (Reply(completion({"content": "半"}).lines[:1], cut=True, content_type="text/event-stream"), ModelStreamBroken),
        (completion({"content": "半"}, finish=None), ModelStreamBroken),
    ],
    ids=["missing", "bad key", "not allowed", "bad request", "error in the stream", "cut", "without finish"],
)
def test_each_failure_has_its_own_error(reply: Reply, error: type[WenquError]) -> None:
    with serving({PATH: reply}) as server, pytest.raises(error) as caught:
        ask(server.url)
    assert "secret" not in str(caught.value)


def test_a_server_that_says_nothing_is_not_waited_for_forever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        options = ClientOptions(timeout=httpx.Timeout(0.05), trust_env=False)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("rag.llm.http.client_options", lambda _: options)
            model = build_openai(settings(f"http://127.0.0.1:{silent.getsockname()[1]}"))
        with pytest.raises(ModelStreamBroken):
            model.invoke("你好")


@pytest.mark.parametrize(
    ("slow", "error"), [(httpx.ConnectTimeout, ModelUnreachable), (httpx.ReadTimeout, ModelStreamBroken)]
)
def test_a_server_that_cannot_be_reached_in_time_is_told_from_one_that_does_not_go_on(
    slow: type[httpx.TimeoutException], error: type[WenquError]
) -> None:
    def handler(_: httpx.Request) -> httpx.Response:
        raise slow("")

    client = httpx.Client(transport=httpx.MockTransport(handler))
    model = OpenAIChatModel(
        model="m", base_url="http://server.test/v1", api_key=SecretStr("secret"), http_client=client, max_retries=0
    )
    with pytest.raises(error):
        model.invoke("你好")


def test_a_key_that_is_not_accepted_is_told_by_the_variable_that_holds_it() -> None:
    reply = Reply(('{"error": {"message": "Incorrect API key provided: secret"}}',), status=401)
    with serving({PATH: reply}) as server, pytest.raises(ModelKeyRefused, match="WENQU_LLM_API_KEY") as caught:
        ask(server.url)
    assert "401" in str(caught.value) and server.url in str(caught.value)


@pytest.mark.parametrize(
    ("error", "tokens", "limit"),
    [
        (
            {
                "code": "context_length_exceeded",
                "type": "invalid_request_error",
                "message": "This model's maximum context length is 4097 tokens. "
                "However, your messages resulted in 5012 tokens. Please reduce the length of the messages.",
            },
            "5012",
            "4097",
        ),
        (
            {
                "code": 400,
                "type": "exceed_context_size_error",
                "message": "the request exceeds the available context size, try increasing it",
                "n_prompt_tokens": 5012,
                "n_ctx": 4096,
            },
            "5012",
            "4096",
        ),
        (
            {
                "code": 400,
                "type": "BadRequestError",
                "message": "This model's maximum context length is 4096 tokens. However, you requested 5012 tokens "
                "(4500 in the messages, 512 in the completion).",
            },
            "5012",
            "4096",
        ),
        ({"code": "InvalidParameter", "message": "Range of input length should be [1, 30720]"}, "?", "30720"),
    ],
    ids=["OpenAI", "llama.cpp", "vLLM", "DashScope"],
)
def test_a_prompt_beyond_the_context_of_the_server_is_told_apart(
    error: dict[str, object], tokens: str, limit: str
) -> None:
    reply = Reply((json.dumps({"error": error}),), status=400, content_type="application/json")
    with serving({PATH: reply}) as server, pytest.raises(PromptTooLong) as caught:
        ask(server.url)
    assert f"{tokens} " in str(caught.value)
    assert f" {limit} " in str(caught.value)


def test_another_bad_request_is_not_a_prompt_too_long() -> None:
    error = {"error": {"code": "invalid_value", "message": "max_tokens: 9999 is more than 4096"}}
    reply = Reply((json.dumps(error),), status=400, content_type="application/json")
    with serving({PATH: reply}) as server, pytest.raises(ModelRefused):
        ask(server.url)


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(ModelUnreachable) as caught:
        ask("http://127.0.0.1:9")
    assert "127.0.0.1:9" in str(caught.value)


def test_counting_tokens_needs_no_download() -> None:
    assert build_openai(settings("http://127.0.0.1:9")).get_num_tokens("问渠那得清如许") == 6


def test_the_key_is_not_shown() -> None:
    assert "secret" not in repr(build_openai(settings("http://127.0.0.1:9")))
