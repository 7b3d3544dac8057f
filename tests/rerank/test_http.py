"""Rerank endpoints in both shapes, over a mock transport and a real server."""

import json
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI
from pydantic import BaseModel, ValidationError

from rag.errors import ModelKeyRefused, ModelMissing, ModelUnreachable, RerankFailed
from rag.rerank.http import HttpReranker
from rag.settings import RerankSettings
from tests.samples import hit, ids
from tests.serving import on_a_port
from tests.waiting import within_seconds

HITS = (hit(1, "病假为五天。"), hit(2, "年假为十天。"), hit(3, "食堂在一楼。"))
Handler = Callable[[httpx.Request], httpx.Response]


def reranker(handler: Handler, model: str = "bge-reranker", **settings: object) -> HttpReranker:
    values = {"kind": "http", "base_url": "http://server/v1/", "model": model, **settings}
    return HttpReranker(RerankSettings.model_validate(values), httpx.MockTransport(handler))


def answered(body: object) -> Handler:
    return lambda request: httpx.Response(200, json=body)


def test_a_named_model_is_asked_in_jinas_shape_under_the_given_address() -> None:
    asked: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"results": [{"index": 1, "relevance_score": 0.9}]})

    reranker(handler, api_key="secret").rank("年假有几天？", HITS)
    (request,) = asked
    assert str(request.url) == "http://server/v1/rerank"
    assert request.headers["Authorization"] == "Bearer secret"
    assert b'"documents"' in request.content


def test_hits_stand_by_their_scores_and_those_without_one_last_and_unjudged() -> None:
    results = [{"index": 1, "relevance_score": 0.9}, {"index": 2, "relevance_score": 0.1}]
    ranked = reranker(answered({"results": results})).rank("年假有几天？", HITS)
    assert ids(ranked) == [2, 3, 1]
    assert [found.relevance for found in ranked] == [0.9, 0.1, None]


def test_without_a_model_it_speaks_teis_shape() -> None:
    ranked = reranker(answered([{"index": 2, "score": 0.7}, {"index": 0, "score": 0.2}]), model="").rank("问", HITS)
    assert ids(ranked) == [3, 1, 2]


@pytest.mark.parametrize("model", ["", "bge-reranker"])
def test_no_request_has_more_texts_than_a_server_takes_and_the_scores_are_merged(model: str) -> None:
    many, sizes = tuple(hit(number, str(number)) for number in range(50)), []

    def handler(request: httpx.Request) -> httpx.Response:
        texts = json.loads(request.content)["documents" if model else "texts"]
        sizes.append(len(texts))
        if len(texts) > 32:
            return httpx.Response(413, json={"error": "batch size > maximum allowed batch size 32"})
        # The later a text stands among all, the better it is.
        scores = [int(text.split()[-1]) / 100 for text in texts]
        if model:
            rows = [{"index": place, "relevance_score": score} for place, score in enumerate(scores)]
            return httpx.Response(200, json={"results": rows})
        return httpx.Response(200, json=[{"index": place, "score": score} for place, score in enumerate(scores)])

    ranked = reranker(handler, model=model).rank("问", many)
    assert sizes == [32, 18]
    assert [(found.chunk.chunk_id, found.relevance) for found in ranked] == [(n, n / 100) for n in range(49, -1, -1)]


def test_no_request_is_begun_after_the_time_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked = [0.0], list[httpx.Request]()
    monkeypatch.setattr("rag.rerank.http.time", SimpleNamespace(monotonic=lambda: now[0]))

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, content=content())

    def content() -> Iterator[bytes]:
        yield b'{"results": [{"index": 0, "relevance_score": 0.5}]}'
        now[0] += 0.3  # all of the answer is there by then

    with pytest.raises(RerankFailed, match=r"> 0.2 s"):
        reranker(handler, timeout=0.2).rank("问", tuple(hit(number) for number in range(33)))
    assert len(asked) == 1


def test_an_answer_that_drips_is_not_waited_for_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("rag.rerank.http.time", SimpleNamespace(monotonic=lambda: now[0]))

    def content() -> Iterator[bytes]:
        for _ in range(100):
            now[0] += 0.1
            yield b" "

    with pytest.raises(RerankFailed, match=r"> 0.2 s"):
        reranker(lambda request: httpx.Response(200, content=content()), timeout=0.2).rank("问", HITS)
    assert now[0] < 0.5


def test_scores_beyond_one_are_taken_for_logits() -> None:
    rows = [{"index": number, "relevance_score": score} for number, score in enumerate((-4.0, 0.0, 2.0))]
    ranked = reranker(answered({"results": rows})).rank("问", HITS)
    assert [found.relevance for found in ranked] == pytest.approx([0.8807970, 0.5, 0.0179862], abs=1e-6)


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"results": []},
        {"results": [{"index": float("inf"), "relevance_score": 0.5}]},
        {"results": [{"index": 0}]},
        {"results": [{"index": 9, "relevance_score": 0.5}]},
        {"results": [{"index": -1, "relevance_score": 0.5}]},
        {"results": [{"index": 0, "relevance_score": "high"}]},
        {"results": "none"},
        17,
    ],
)
def test_an_answer_of_another_form_is_an_error_of_its_own(body: object) -> None:
    with pytest.raises(RerankFailed):
        reranker(lambda request: httpx.Response(200, text=json.dumps(body))).rank("问", HITS)


@pytest.mark.parametrize("text", ["<html>", "[" * 100_000])
def test_what_is_not_json_fails(text: str) -> None:
    with pytest.raises(RerankFailed):
        reranker(lambda request: httpx.Response(200, text=text)).rank("问", HITS)


def test_an_address_that_names_the_path_already_is_asked_there() -> None:
    asked: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(200, json={"results": [{"index": 0, "relevance_score": 0.5}]})

    reranker(handler, base_url="http://server/v1/rerank/").rank("问", HITS)
    assert asked == ["http://server/v1/rerank"]


@pytest.mark.parametrize("address", ["http://[::1", "server:8080", "ftp://server", "http://", "http://server:99999"])
def test_what_is_no_address_is_refused_before_it_is_asked(address: str) -> None:
    with pytest.raises(ValidationError, match=r"config\.address"):
        RerankSettings(kind="http", base_url=address)


@pytest.mark.parametrize(
    ("refusal", "told"),
    [
        (httpx.Response(503, text="overloaded"), "（503 overloaded）"),
        (httpx.Response(400, json={"error": {"message": "geheim has no batch of 32"}}), "（400 … has no batch of 32）"),
        (httpx.Response(413, json={"error": "batch size > 32", "error_type": "Validation"}), "（413 batch size > 32）"),
        (httpx.Response(422, json={"detail": [{"loc": ["body"]}]}), '（422 [{"loc": ["body"]}]）'),
        (httpx.Response(502, text="<html>upstream 10.1.2.3</html>"), "（502 Bad Gateway）"),
        (httpx.Response(404, json={"detail": "Not Found"}), "（404 Not Found）"),
    ],
)
def test_a_refusal_tells_its_status_and_what_the_server_says(refusal: httpx.Response, told: str) -> None:
    with pytest.raises(RerankFailed) as caught:
        reranker(lambda request: refusal, api_key="geheim").rank("问", HITS)
    assert told in str(caught.value)


def test_an_unknown_model_is_missing() -> None:
    with pytest.raises(ModelMissing):
        reranker(lambda request: httpx.Response(404, json={"error": "no such model"})).rank("问", HITS)


def test_a_key_that_is_not_accepted_is_told_by_the_variable_that_holds_it() -> None:
    with pytest.raises(ModelKeyRefused, match="WENQU_RERANK_API_KEY"):
        reranker(lambda request: httpx.Response(401), api_key="geheim").rank("问", HITS)


def test_a_server_that_is_not_there_is_unreachable() -> None:
    def refuse(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    with pytest.raises(ModelUnreachable):
        reranker(refuse).rank("问", HITS)


def test_what_is_told_of_a_server_holds_no_password() -> None:
    def refuse(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    base_url = "http://admin:geheim@server.test"
    with pytest.raises(ModelUnreachable, match=r"http://server\.test/rerank"):
        reranker(refuse, base_url=base_url).rank("问", HITS)
    with pytest.raises(RerankFailed, match=r"http://server\.test/rerank"):
        reranker(answered("?"), model="", base_url=base_url).rank("问", HITS)


def test_no_hits_need_no_server() -> None:
    def never(_: httpx.Request) -> httpx.Response:
        raise AssertionError

    assert reranker(never).rank("问", ()) == ()


class Request(BaseModel):
    """What a server is asked."""

    query: str
    documents: list[str]
    model: str


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a rerank server that counts shared characters, and is slow to think of 慢."""
    app = FastAPI()

    @app.post("/rerank")
    def rerank(request: Request) -> dict[str, object]:
        if "慢" in request.query:
            time.sleep(2)
        shared = [len(set(text) & set(request.query)) / len(set(request.query)) for text in request.documents]
        return {"results": [{"index": place, "relevance_score": score} for place, score in enumerate(shared)]}

    with on_a_port(app) as url:
        yield url


def test_a_real_server_puts_the_hits_in_order(server: str) -> None:
    settings = RerankSettings(kind="http", base_url=server, model="m")
    assert ids(HttpReranker(settings).rank("年假为几天", HITS))[0] == 2


@pytest.mark.clock
def test_a_server_that_takes_too_long_fails_in_time(server: str) -> None:
    settings = RerankSettings(kind="http", base_url=server, model="m", timeout=0.2)
    with within_seconds(1.8), pytest.raises(RerankFailed):
        HttpReranker(settings).rank("慢", HITS)


@pytest.mark.clock
def test_a_server_that_took_too_long_keeps_no_other_search_of_the_turn_waiting(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.llm.http._SLOW_SECONDS", 0.1)
    slow = HttpReranker(RerankSettings(kind="http", base_url=server, model="m", timeout=1))
    with pytest.raises(RerankFailed):
        slow.rank("慢", HITS)
    with within_seconds(0.5), pytest.raises(RerankFailed):
        slow.rank("慢", HITS)
