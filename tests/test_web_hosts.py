"""By the name of a stranger that leads to this machine nothing is reached; by its own and those allowed all is."""

from itertools import product

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse

from rag.settings import read_settings
from rag.web.application import create_app
from tests.fakes_web import FakeServices
from tests.http_rig import ROOT, settings_with

STRANGER = {"host": "stranger.example:7860", "x-forwarded-host": "localhost", "origin": "http://stranger.example:7860"}


def browser(**server: object) -> TestClient:
    """A client of the whole application; the shipped settings listen on loopback."""
    settings = settings_with(**server)
    app = create_app(FakeServices(settings), settings)  # type: ignore[arg-type]
    return TestClient(app, base_url="http://127.0.0.1:7860")


@pytest.fixture(scope="module")
def client() -> TestClient:
    return browser(mcp=True)


def test_by_a_strangers_name_nothing_is_reached_and_the_refusal_names_the_setting(client: TestClient) -> None:
    posted = ["/v1/chat/completions", "/gradio_api/queue/join", "/gradio_api/upload", "/mcp", "/file"]
    read = ["/", "/config", "/gradio_api/info", "/gradio_api/heartbeat/x", "/v1/models", "/docs"]
    for method, path in [*product(["POST"], posted), *product(["GET", "OPTIONS"], read)]:
        reply = client.request(method, path, headers=STRANGER)
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "host_refused"), path
    assert "stranger.example”" in reply.text and "server.allowed_hosts" in reply.text
    with pytest.raises(WebSocketDenialResponse) as refused, client.websocket_connect("/queue/join", headers=STRANGER):
        pass
    assert refused.value.status_code == 403


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.8.0.1:80", "[::1]:7860", "LOCALHOST:7860", "a.localhost", "localhost."]
)
def test_this_machines_own_names_reach_everything(client: TestClient, host: str) -> None:
    for path in ("/config", "/gradio_api/info", "/v1/models", "/healthz"):
        assert client.get(path, headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["", "0.0.0.0", "localhost.stranger.example", "127.0.0.1.stranger.example", "[::1", "a@"]
)
def test_what_only_looks_like_this_machine_is_refused(client: TestClient, host: str) -> None:
    assert client.get("/healthz", headers={"host": host}).status_code == 403


def test_what_an_operator_allows_is_served_by_tools_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WENQU_ALLOWED_HOSTS", "Wenqu.example.com, *.lan")
    allowed = read_settings(ROOT / "config.yaml").server.allowed_hosts
    client = browser(allowed_hosts=allowed, mcp=True)
    for host in ("wenqu.example.com", "wenqu.example.com:8443", "a.lan", "localhost"):
        assert client.get("/config", headers={"host": host}).status_code == 200
    assert client.get("/config", headers={"host": "example.com"}).status_code == 403
    with client:
        reply = client.post("/mcp", headers={"host": "a.lan", "accept": "application/json"}, json={})
    assert reply.status_code not in (403, 421)


def test_a_server_that_others_reach_has_whatever_name_unless_its_names_are_told() -> None:
    assert browser(host="0.0.0.0").get("/config", headers=STRANGER).status_code == 200
    named = browser(host="0.0.0.0", allowed_hosts=("wenqu.example.com",))
    assert named.get("/config", headers=STRANGER).status_code == 403
    assert named.get("/config", headers={"host": "wenqu.example.com"}).status_code == 200
