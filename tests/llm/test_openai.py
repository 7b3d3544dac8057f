import json
import socket
import ssl
import threading
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage
from pydantic import SecretStr

from rag.errors import (
    AnswerFiltered,
    ModelKeyRefused,
    ModelMissing,
    ModelRefused,
    ModelStreamBroken,
    ModelUnreachable,
    NoModelService,
    PromptTooLong,
    WenquError,
)
from rag.i18n import Language, sentence
from rag.llm.build import build_openai
from rag.llm.http import ClientOptions
from rag.llm.openai import OpenAIChatModel, PatientClient
from rag.llm.stream import Done, Part, stream_parts
from rag.llm.think import Text, Thought
from rag.settings import LLMSettings
from rag.types import Usage
from tests.model_server import Reply, completion, serving

PATH = "/v1/chat/completions"


def settings(url: str) -> LLMSettings:
    return LLMSettings(provider="openai", base_url=f"{url}/v1", model="m", api_key="secret")


def ask(url: str, **kwargs: Any) -> list[Part]:
    return parts_of(build_openai(settings(url)), **kwargs)


def parts_of(model: BaseChatModel, **kwargs: Any) -> list[Part]:
    return list(stream_parts(model, [HumanMessage("你好")], threading.Event(), **kwargs))


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
        (completion({"content": "半"}, finish="insufficient_system_resource"), ModelStreamBroken),
        (completion({"content": "半"}, finish="content_filter"), AnswerFiltered),
        (Reply(('{"error": {"message": "no", "code": "data_inspection_failed"}}',), status=400), AnswerFiltered),
        (Reply(('{"detail": "Not Found"}',), status=404), NoModelService),
        (Reply(("<html>404 no such model page</html>",), status=404, content_type="text/html"), NoModelService),
        (Reply(("<html>a page</html>",), content_type="text/html"), NoModelService),
    ],
    ids=[
        "missing",
        "bad key",
        "not allowed",
        "bad request",
        "error in the stream",
        "cut",
        "without finish",
        "failed",
        "filtered",
        "filtered before",
        "other address",
        "other site",
        "page",
    ],
)
def test_each_failure_has_its_own_error(reply: Reply, error: type[WenquError]) -> None:
    with serving({PATH: reply}) as server, pytest.raises(error) as caught:
        ask(server.url)
    assert "secret" not in str(caught.value)


def refusing(names: dict[str, Reply]) -> Callable[[dict[str, Any]], Reply]:
    """A server that refuses what has one of these parameters, and else answers."""

    def reply(asked: dict[str, Any]) -> Reply:
        refused = (told for name, told in names.items() if name in asked)
        return next(refused, completion({"content": "好"}))

    return reply


def bad_request(**error: str) -> Reply:
    return Reply((json.dumps({"error": error}),), status=400, content_type="application/json")


THINKS = {
    "max_tokens": bad_request(
        message="Unsupported parameter: 'max_tokens' is not supported with this model. "
        "Use 'max_completion_tokens' instead.",
        param="max_tokens",
    ),
    "temperature": bad_request(message="'temperature' does not support 0.1 with this model.", param="temperature"),
}
PLAIN = {
    "stream_options": Reply(
        ('{"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]}',),
        status=422,
        content_type="application/json",
    )
}


@pytest.mark.parametrize(
    ("refused", "tried"), [(THINKS, 3), (PLAIN, 2)], ids=["a model that thinks", "an older server"]
)
def test_what_a_server_does_not_take_is_left_out_from_then_on(refused: dict[str, Reply], tried: int) -> None:
    with serving({PATH: refusing(refused)}) as server:
        model = build_openai(settings(server.url))
        for _ in range(2):
            assert Text("好") in parts_of(model)
    assert len(server.asked) == tried + 1
    _, last = server.asked[-1]
    assert not last.keys() & refused.keys()
    assert ("max_completion_tokens" in last) is ("max_tokens" in refused)


def test_what_was_left_out_in_vain_is_asked_for_again() -> None:
    echoed = bad_request(message="invalid request: {'temperature': 0.1, 'max_tokens': 512}")
    replies = iter([echoed] * 3 + [completion({"content": "好"})])
    with serving({PATH: lambda _: next(replies)}) as server:
        model = build_openai(settings(server.url))
        with pytest.raises(ModelRefused):
            parts_of(model)
        assert Text("好") in parts_of(model)
    assert {"temperature", "max_tokens"} <= server.asked[-1][1].keys()


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (bad_request(message="no such thing"), "（400：no such thing）"),
        (Reply(('{"error": "overloaded"}',), status=400), "（400：overloaded）"),
        (Reply(('{"detail": "out of range"}',), status=400), '（400：{"detail": "out of range"}）'),
        (Reply(("<html>upstream 10.1.2.3</html>",), status=413, content_type="text/html"), "（413：Request Entity"),
        (Reply(('data: {"error": "boom"}\n',), content_type="text/event-stream"), "（stream：boom）"),
    ],
    ids=["OpenAI", "TGI", "FastAPI", "proxy", "text in the stream"],
)
def test_what_a_server_says_is_told_once(reply: Reply, told: str) -> None:
    with serving({PATH: reply}) as server, pytest.raises(ModelRefused) as caught:
        ask(server.url)
    assert told in str(caught.value)


def test_the_log_tells_why_and_the_reader_what_to_do() -> None:
    refused = Reply(('{"error": {"message": "Country not supported: secret"}}',), status=403)
    with serving({PATH: refused}) as server, pytest.raises(ModelKeyRefused) as caught:
        ask(server.url)
    assert str(caught.value).endswith(" [Country not supported: …]")
    with pytest.raises(ModelUnreachable) as unreachable:
        ask("http://127.0.0.1:9")
    assert "refused" in str(unreachable.value)
    for error in (caught.value, unreachable.value):
        told = sentence(Language.EN, error.message)
        assert "Country" not in told and "refused]" not in told


def test_a_server_whose_certificate_is_not_trusted_is_told_from_one_that_is_not_there() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        try:
            raise ssl.SSLCertVerificationError("certificate has expired")
        except ssl.SSLError as error:
            raise httpx.ConnectError("TLS", request=request) from error

    client = httpx.Client(transport=httpx.MockTransport(handler))
    model = OpenAIChatModel(
        model="m", base_url="https://server.test/v1", api_key=SecretStr("secret"), http_client=client, max_retries=0
    )
    with pytest.raises(ModelUnreachable, match=r"证书没有通过检查.*expired"):
        model.invoke("你好")


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


@pytest.mark.parametrize(("slow", "asked"), [(httpx.ReadTimeout, 1), (httpx.ConnectTimeout, 2)])
def test_a_silent_server_is_waited_for_once(slow: type[httpx.TimeoutException], asked: int) -> None:
    requests = list[httpx.Request]()

    def handler(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        raise slow("")

    client = PatientClient(transport=httpx.MockTransport(handler))
    model = OpenAIChatModel(
        model="m", base_url="http://server.test/v1", api_key=SecretStr("secret"), http_client=client, max_retries=1
    )
    with pytest.raises((ModelStreamBroken, ModelUnreachable)):
        parts_of(model)
    assert len(requests) == asked


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
