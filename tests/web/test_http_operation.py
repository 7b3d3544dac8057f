"""What operators look at: health, readiness, metrics, the documentation, and the MCP tool."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from prometheus_client.parser import text_string_to_metric_families
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from rag.errors import KnowledgeUnavailable, ModelUnreachable, StoreUnavailable
from rag.knowledge.milvus.index import Reconciler
from rag.types import Conversation, Message, ModelState, ModelStatus, Provider, SearchResult
from tests.http_rig import KEYS, Services, Slow, services_in, serving, settings_with, uploaded, with_key
from tests.milvus import open_milvus
from tests.waiting import wait_for
from tests.web.conftest import Served

QUESTION = {"model": "wenqu", "messages": [{"role": "user", "content": "年假有几天？"}]}


@pytest.fixture
def url(services: Services) -> Iterator[str]:
    with serving(services, settings_with()) as url:
        yield url


def test_ready_is_who_has_a_model_and_a_store(services: Services, url: str) -> None:
    reply = httpx.get(f"{url}/readyz")
    assert (reply.status_code, reply.json()) == (200, {"ready": True, "model": "ok", "store": "ok"})
    reason = Message("model.extractive_downloading", {"model": "m"})
    services.models.current = ModelStatus(Provider.EXTRACTIVE, "extractive", ModelState.DOWNLOADING, reason)
    reply = httpx.get(f"{url}/readyz")
    assert reply.status_code == 503 and not reply.json()["ready"] and "m" in reply.json()["model"]
    assert httpx.get(f"{url}/healthz").json() == {"status": "ok", "model": "extractive"}
    services.models.current = replace(services.models.current, state=ModelState.READY)
    services.pool.troubles = ModelUnreachable(base_url="http://ollama:11434").message
    reply = httpx.get(f"{url}/readyz")
    assert reply.status_code == 200 and reply.json()["ready"] and "http://ollama:11434" in reply.json()["model"]


def test_a_store_that_refuses_is_not_ready_and_says_why(
    services: Services, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: str) -> tuple[Conversation, ...]:
        raise StoreUnavailable(path="store", reason="disk I/O error")

    monkeypatch.setattr(services.engine.store, "conversations", refuse)
    reply = httpx.get(f"{url}/readyz")
    assert reply.status_code == 503 and "disk I/O error" in reply.json()["store"]


def test_an_index_that_does_not_answer_is_not_ready(
    services: Services, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*_: object) -> SearchResult:
        raise KnowledgeUnavailable(address="milvus:19530")

    monkeypatch.setattr(services.retrieval.knowledge, "search", unreachable)
    reply = httpx.get(f"{url}/readyz")
    assert reply.status_code == 503 and "milvus:19530" in reply.json()["store"]


def test_a_milvus_that_does_not_answer_is_not_ready(services: Services, tmp_path: Path) -> None:
    (tmp_path / "milvus").mkdir()
    _, index = open_milvus(tmp_path / "milvus", uri="http://127.0.0.1:9")
    with (
        closing(Reconciler(index)) as reconciler,
        serving(replace(services, reconciler=reconciler), settings_with()) as url,
    ):
        assert httpx.get(f"{url}/readyz").status_code == 200
        reconciler.start()
        assert wait_for(lambda: httpx.get(f"{url}/readyz").status_code == 503)
        assert "127.0.0.1:9" in httpx.get(f"{url}/readyz").json()["store"]


def test_a_store_that_takes_nothing_more_is_not_ready(url: str, tmp_path: Path) -> None:
    (tmp_path / "files").rename(tmp_path / "gone")
    (tmp_path / "files").touch()
    reply = httpx.get(f"{url}/readyz")
    assert reply.status_code == 503 and not reply.json()["ready"] and str(tmp_path) not in reply.text
    (tmp_path / "files").unlink()
    assert httpx.get(f"{url}/readyz").status_code == 200


def test_metrics_count_turns_decisions_stages_tokens_documents_and_errors(url: str) -> None:
    httpx.post(f"{url}/v1/chat/completions", json=QUESTION).raise_for_status()
    httpx.post(f"{url}/v1/chat/completions", json={**QUESTION, "messages": [{"role": "user", "content": "谢谢"}]})
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(httpx.get(f"{url}/metrics").text)
        for sample in family.samples
    }
    assert samples["wenqu_turns_total", "finished"] == 2
    assert samples["wenqu_decisions_total", "retrieve"] == 1
    assert samples["wenqu_decisions_total", "no_retrieve"] == 1
    assert samples["wenqu_stage_seconds_count", "retrieve"] == 1
    assert samples["wenqu_first_token_seconds_count",] == 2
    assert samples["wenqu_tokens_total", "cached"] == 120
    assert samples["wenqu_queue",] == 0
    assert sum(value for key, value in samples.items() if key[0] == "wenqu_documents") == 1
    assert "年假" not in httpx.get(f"{url}/metrics").text


def test_metrics_tell_how_long_documents_took_and_why_others_were_not_taken_in(url: str) -> None:
    with httpx.Client(base_url=url) as client:
        client.headers["X-Session-Id"] = client.get("/v1/models").headers["x-session-id"]
        uploaded(client, "合同.txt", "合同的租期为三年。".encode())
        uploaded(client, "坏的.pdf", b"%PDF-1.4 nothing else")
    text = httpx.get(f"{url}/metrics").text
    assert "wenqu_ingest_seconds_count 2.0" in text  # the shared one and the contract
    assert 'wenqu_ingest_failures_total{error="' in text and "合同" not in text and "坏的" not in text


def test_with_keys_metrics_need_one(services: Services) -> None:
    with serving(services, settings_with(api_keys=KEYS)) as url:
        assert httpx.get(f"{url}/metrics").status_code == 401
        assert httpx.get(f"{url}/metrics", headers=with_key(KEYS[1])).status_code == 200
        assert httpx.get(f"{url}/readyz").status_code == 200


def test_the_documentation_loads_nothing_from_elsewhere(url: str) -> None:
    page = httpx.get(f"{url}/docs").text
    addresses = [part.split('"')[0] for part in page.split('src="')[1:] + page.split('href="')[1:]]
    assert addresses and all(address.startswith("/") for address in addresses)
    assert all(httpx.get(f"{url}{address}").status_code == 200 for address in addresses)


def test_the_whole_application_has_the_routes_above_the_page(served: Served) -> None:
    paths = httpx.get(f"{served.url}openapi.json").json()["paths"]
    assert {"/knowledge_chat_conversation", "/v1/chat/completions", "/v1/models", "/v1/files", "/healthz"} <= set(paths)
    assert httpx.get(f"{served.url}v1/models").json()["data"][0]["id"] == "wenqu"
    assert httpx.get(f"{served.url}v1/nothing").status_code == 404
    assert httpx.get(served.url).headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_replies_are_as_the_openapi_document_says(services: Services, mode: GenerationMode) -> None:
    with serving(services, settings_with(api_keys=KEYS)) as url:
        checked = _check_all(url, mode)
    assert {"POST /knowledge_chat_conversation", "POST /v1/chat/completions", "POST /v1/files"} <= checked


def _check_all(url: str, mode: GenerationMode) -> set[str]:
    checked = set()
    for found in schemathesis.openapi.from_url(f"{url}/openapi.json").get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()

        @settings(
            max_examples=5, deadline=60_000, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def check(case: schemathesis.Case[Any]) -> None:
            # What is well formed may still be no document or no question; and any bytes are a file.
            files = case.operation.label == "POST /v1/files"
            excluded: list[Any] = [positive_data_acceptance, *([negative_data_rejection] if files else [])]
            case.call_and_validate(headers=with_key(KEYS[0]), excluded_checks=excluded, timeout=60)

        try:
            check()
        except Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE, "only what takes no values cannot be given wrong ones"
        checked.add(operation.label)
    return checked


def test_the_search_is_a_tool_for_mcp_clients(services: Services) -> None:
    pytest.importorskip("mcp", minversion=None)
    with serving(services, settings_with(api_keys=KEYS, mcp=True)) as url:
        with httpx.Client(base_url=url, headers=with_key(KEYS[0])) as owner:
            uploaded(owner, "合同.txt", "合同的租期为三年，押金两个月。".encode())
        # In a thread of its own: browser tests of the same run keep an event loop in this one.
        with ThreadPoolExecutor(1) as threads:
            own, foreign = (threads.submit(asyncio.run, _searched(url, key)).result() for key in KEYS)
        assert "合同.txt" in {passage["file"] for passage in own}
        assert "合同.txt" not in {passage["file"] for passage in foreign}
        assert {"page", "text", "score"} <= set(own[0])
        assert httpx.post(f"{url}/mcp", json={}).status_code == 401


def test_a_row_that_the_tool_finds_has_the_names_of_its_columns(services: Services) -> None:
    pytest.importorskip("mcp", minversion=None)
    rows = [f"员工{number:03},{number % 7}号楼,{number % 13 + 5}" for number in range(400)]
    with serving(services, settings_with(api_keys=KEYS, mcp=True)) as url:
        with httpx.Client(base_url=url, headers=with_key(KEYS[0])) as owner:
            uploaded(owner, "花名册.csv", "\n".join(["姓名,宿舍,年假天数", *rows]).encode())
        with ThreadPoolExecutor(1) as threads:
            found = threads.submit(asyncio.run, _searched(url, KEYS[0], "员工390的年假有几天？")).result()
    (row,) = [passage for passage in found if "员工390" in passage["text"]]
    assert row["text"].startswith("姓名") and "年假天数" in row["text"]
    assert row["page"] == row["last_page"] == 1


async def _searched(url: str, key: str, question: str = "租期多久？") -> list[dict[str, Any]]:
    import httpx2
    import mcp
    from mcp.client.streamable_http import streamable_http_client

    async with (
        httpx2.AsyncClient(headers=with_key(key)) as http,
        mcp.Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
    ):
        assert [tool.name for tool in (await client.list_tools()).tools] == ["search"]
        found = (await client.call_tool("search", {"question": question})).structured_content
        assert found is not None
        for refused in (" ", "长" * 2001):  # as everywhere, before anything is searched
            assert (await client.call_tool("search", {"question": refused})).is_error
        return list(found["result"])


def test_a_search_of_the_tool_waits_for_a_lane_like_a_question(tmp_path: Path) -> None:
    pytest.importorskip("mcp", minversion=None)
    slow = Slow()
    with services_in(tmp_path, slow) as services, serving(services, settings_with(max_waiting=1, mcp=True)) as url:
        asked = {"question": "问"}
        with (
            httpx.stream("POST", f"{url}/knowledge_chat_conversation", json=asked) as busy,
            ThreadPoolExecutor(1) as one,
        ):
            lines = busy.iter_lines()  # dropped, it would close the connection
            assert next(lines) and slow.begun.wait(30)
            said = one.submit(asyncio.run, _told(url)).result()
        assert "同时进行的回答太多了" in said and slow.left.wait(30)


async def _told(url: str) -> str:
    """What a search says that is refused."""
    import mcp
    from mcp.client.streamable_http import streamable_http_client

    async with mcp.Client(streamable_http_client(f"{url}/mcp")) as client:
        refused = await client.call_tool("search", {"question": "租期多久？"})
        assert refused.is_error
        return str(refused.content)


def test_the_tool_is_off_unless_it_is_asked_for(url: str) -> None:
    assert httpx.post(f"{url}/mcp", json={}).status_code == 404
