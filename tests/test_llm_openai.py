import threading

import pytest
from langchain_core.messages import HumanMessage

from rag.errors import ModelMissing, ModelRefused, ModelStreamBroken, ModelUnreachable, WenquError
from rag.llm.build import build_openai
from rag.llm.stream import Done, Part, Text, Thought, stream_parts
from rag.settings import LLMSettings
from rag.types import Usage
from tests.model_server import Reply, completion, serving

PATH = "/v1/chat/completions"


def settings(url: str) -> LLMSettings:
    return LLMSettings(provider="openai", base_url=f"{url}/v1", model="m", api_key="secret")


def ask(url: str, **kwargs: object) -> list[Part]:
    return list(stream_parts(build_openai(settings(url)), [HumanMessage("你好")], threading.Event(), **kwargs))


def test_an_answer_comes_in_pieces_and_with_its_usage() -> None:
    with serving({PATH: completion({"content": "你"}, {"content": "好"})}) as server:
        assert ask(server.url) == [Text("你"), Text("好"), Done(Usage(9, 4, 2))]


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
        (Reply(('{"error": {"message": "bad key"}}',), status=401), ModelRefused),
        (Reply(('{"error": {"message": "too long"}}',), status=400), ModelRefused),
        (Reply(('data: {"error": {"message": "overloaded"}}\n',), content_type="text/event-stream"), ModelRefused),
        (completion({"content": "半"}, finish=None, cut=True), ModelStreamBroken),
        (completion({"content": "半"}, finish=None), ModelStreamBroken),
    ],
    ids=["missing", "bad key", "bad request", "error in the stream", "cut", "without finish"],
)
def test_each_failure_has_its_own_error(reply: Reply, error: type[WenquError]) -> None:
    with serving({PATH: reply}) as server, pytest.raises(error) as caught:
        ask(server.url)
    assert "secret" not in str(caught.value)


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(ModelUnreachable) as caught:
        ask("http://127.0.0.1:9")
    assert "127.0.0.1:9" in str(caught.value)


def test_counting_tokens_needs_no_download() -> None:
    assert build_openai(settings("http://127.0.0.1:9")).get_num_tokens("问渠那得清如许") == 6


def test_the_key_is_not_shown() -> None:
    assert "secret" not in repr(build_openai(settings("http://127.0.0.1:9")))
