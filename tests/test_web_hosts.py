"""By the name of a stranger that leads to this machine nothing is reached; by its own and those allowed all is."""

from itertools import product

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse

from rag.errors import ConfigError
from rag.settings import read_settings
from rag.web.application import create_app
from tests.fakes_web import FakeServices
from tests.http_rig import settings_with
from tests.ingesting import ROOT

STRANGER = {"host": "stranger.example:7860", "x-forwarded-host": "localhost", "origin": "http://stranger.example:7860"}


def browser(**server: object) -> TestClient:
    """A client of the whole application; the shipped settings listen on loopback."""
    settings = settings_with(**server)
    app = create_app(FakeServices(settings))  # type: ignore[arg-type]
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


@pytest.mark.parametrize("host", ["https://wenqu.example.com", "wenqu.example.com:8443", "wenqu.example.com/"])
def test_an_allowed_host_that_no_request_could_name_is_told_at_the_start(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("WENQU_ALLOWED_HOSTS", f"a.lan,{host}")
    with pytest.raises(ConfigError, match=r"server.allowed_hosts.1：应为域名或地址，不写协议"):
        read_settings(ROOT / "config.yaml")


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


ANOTHER = "https://stranger.example"


@pytest.mark.parametrize(
    "sent_by_page",
    [
        {"sec-fetch-site": "cross-site", "origin": ANOTHER},
        {"sec-fetch-site": "cross-site"},
        {"origin": ANOTHER},
        {"origin": "https://127.0.0.1.stranger.example:7860"},
        {"origin": "null"},
    ],
)
def test_another_sites_page_changes_nothing_on_a_server_of_ones_own(
    client: TestClient, sent_by_page: dict[str, str]
) -> None:
    for method, path in (("POST", "/v1/files"), ("POST", "/gradio_api/upload"), ("DELETE", "/v1/files/x")):
        reply = client.request(method, path, headers=sent_by_page)
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "foreign_page"), path
    assert client.get("/config", headers=sent_by_page).status_code == 200
    with pytest.raises(WebSocketDenialResponse), client.websocket_connect("/queue/join", headers=sent_by_page):
        pass


@pytest.mark.parametrize(
    "sent_by",
    [
        {},
        {"sec-fetch-site": "same-origin", "origin": "http://127.0.0.1:7860"},
        {"sec-fetch-site": "cross-site", "origin": "http://localhost:3000"},
        {"sec-fetch-site": "cross-site", "origin": "app://a.program", "authorization": "Bearer key"},
        {"sec-fetch-site": "none", "origin": "chrome-extension://abc"},
        {"sec-fetch-site": "same-site", "origin": "http://127.0.0.1:3000"},
        {"origin": "http://localhost:7860"},
    ],
)
def test_programs_and_the_servers_own_page_go_on_working(client: TestClient, sent_by: dict[str, str]) -> None:
    assert client.post("/v1/chat/completions", json={}, headers=sent_by).status_code == 400


def test_behind_a_proxy_the_page_has_a_name_that_was_allowed() -> None:
    client = browser(allowed_hosts=("wenqu.example.com",))
    assert client.post("/v1/chat/completions", headers={"origin": "http://wenqu.example.com"}).status_code == 400


def test_other_sites_may_use_a_server_that_everybody_reaches() -> None:
    asked = browser(host="0.0.0.0").post("/v1/chat/completions", headers={"sec-fetch-site": "cross-site"})
    assert asked.status_code == 400


def test_other_sites_change_nothing_on_a_container_that_is_reached_by_known_names() -> None:
    client = browser(host="0.0.0.0", allowed_hosts=["wenqu"])
    for sent_by in ({"sec-fetch-site": "cross-site"}, {"origin": ANOTHER}):
        assert client.post("/v1/files", headers=sent_by).status_code == 403
    assert client.post("/v1/chat/completions", headers={"origin": "http://wenqu:7860"}).status_code == 400


def test_in_a_browser_a_refusal_is_a_sentence_and_no_json(client: TestClient) -> None:
    reply = client.get("/", headers={"host": "stranger.example", "accept": "text/html,*/*"})
    assert reply.status_code == 403 and reply.headers["content-type"].startswith("text/plain")
    assert reply.text.startswith("这里只能用本机的地址")
