"""How much a server reads of what Gradio's own endpoints are sent, and what they tell."""

import asyncio
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from gradio.routes import file_upload_statuses
from starlette.formparsers import MultiPartException
from starlette.types import Message, Receive, Scope, Send

from rag.files import MEGABYTE
from rag.settings import read_settings
from rag.web.application import create_app
from rag.web.files.uploads import Uploads
from rag.web.http import upload_room
from rag.web.http.upload_room import UploadRoom
from tests.fakes_web import FakeServices
from tests.serving import on_a_port
from tests.waiting import wait_for

KEY = "a key of sixteen characters"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    """A server whose files may have 1 MB; Gradio writes what it is sent into the test's folder."""
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    shipped = read_settings()
    loaders = shipped.loaders.model_copy(update={"max_file_mb": 1})
    server = shipped.server.model_copy(update={"api_keys": (KEY,)})
    store = shipped.store.model_copy(update={"session_quota_mb": 1})
    settings = shipped.model_copy(update={"loaders": loaders, "server": server, "store": store})
    with on_a_port(create_app(FakeServices(settings))) as url:  # type: ignore[arg-type]
        yield httpx.Client(base_url=url)


def chunked(size: int) -> Iterator[bytes]:
    """A body that does not say how long it is."""
    yield from (b" " * MEGABYTE for _ in range(size // MEGABYTE))


def test_a_body_that_no_page_would_send_is_not_read(client: httpx.Client) -> None:
    headers = {"content-type": "application/json"}
    called = "queue/join", "run/chat", "api/chat", "call/chat", "call/v2/chat", "cancel", "reset"
    for path in called:
        for body in (b" " * (2 * MEGABYTE), chunked(3 * MEGABYTE)):
            assert client.post(f"/gradio_api/{path}", content=body, headers=headers).status_code == 413, path


def test_many_files_at_once_are_no_more_than_one_may_be(client: httpx.Client) -> None:
    files = [("files", (f"{number}.bin", b"x" * (MEGABYTE - 9999))) for number in range(4)]
    assert client.post("/gradio_api/upload", files=files).status_code == 413
    assert client.post("/gradio_api/upload", files=files[:1]).status_code == 200


def test_what_was_written_of_files_that_are_too_much_is_deleted(client: httpx.Client, tmp_path: Path) -> None:
    def endless() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
        yield from chunked(4 * MEGABYTE)

    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    assert client.post("/gradio_api/upload", content=endless(), headers=headers).status_code == 413
    left = [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size > MEGABYTE // 2]
    assert left == []


def test_what_was_written_of_a_file_whose_sender_has_left_is_deleted(
    client: httpx.Client, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    head = (
        b"POST /gradio_api/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900000\r\n"
        b"Content-Type: multipart/form-data; boundary=x\r\n\r\n"
        b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
    )

    def written() -> list[Path]:
        return [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size > MEGABYTE // 4]

    with socket.create_connection((client.base_url.host, client.base_url.port or 80)) as sender:
        sender.sendall(head + b"x" * (MEGABYTE // 2))
        assert wait_for(lambda: bool(written()))
    assert wait_for(lambda: not written())
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("path", ["/gradio_api/upload", "/v1/files", "/file"])
def test_a_file_that_the_disk_has_no_room_for_is_not_read(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    usage = shutil.disk_usage(tempfile.gettempdir())
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=MEGABYTE // 2))
    headers = {"Authorization": f"Bearer {KEY}"}
    refused = client.post(path, files={"file": ("a.txt", b"x" * (MEGABYTE - 9999))}, headers=headers)
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "disk_full")
    assert "磁盘空间不足" in caplog.text


def test_all_uploads_together_have_an_end(client: httpx.Client) -> None:
    def sent(number: int) -> httpx.Response:
        return client.post("/gradio_api/upload", files={"files": ("a.bin", bytes([number]) * (MEGABYTE - 9999))})

    replies = [sent(number) for number in range(5)]
    assert [reply.status_code for reply in replies] == [200] * 4 + [507]
    assert "4 MB" in replies[-1].json()["error"]["message"]


def test_why_a_file_from_the_page_is_not_read_is_told_in_its_readers_language(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    too_long = client.post("/file", content=b" " * (3 * MEGABYTE))
    monkeypatch.setattr(upload_room, "_room", lambda _: (4 * MEGABYTE, 4 * MEGABYTE))
    no_room = client.post("/file", content=b"x")
    client.cookies.set("wenqu_language", "en")
    told = client.post("/file", content=b"x")
    assert [reply.status_code for reply in (too_long, no_room, told)] == [413, 507, 507]
    assert "上限" in too_long.json()["error"]["message"] and "请稍后再试" in no_room.json()["error"]["message"]
    assert "try again later" in told.json()["error"]["message"]


def test_a_file_from_the_page_that_does_not_say_how_long_it_is_is_read_up_to_the_limit(client: httpx.Client) -> None:
    services = FakeServices()
    ticket = Uploads(services).ticket("s" * 32)  # type: ignore[arg-type]
    headers = {"x-wenqu-ticket": ticket, "x-wenqu-name": "a.txt"}
    assert client.post("/file", content=chunked(2 * MEGABYTE), headers=headers).status_code == 200
    too_long = client.post("/file", content=chunked(3 * MEGABYTE), headers=headers)
    assert (too_long.status_code, too_long.json()["error"]["code"]) == (413, "request_too_large")


class Sender:
    """A request that says how long its body is, and sends none of it."""

    def __init__(self, room: UploadRoom, path: str, address: str = "10.1.1.1", size: int = MEGABYTE) -> None:
        headers = [(b"content-length", str(size).encode())]
        scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "client": (address, 1)}
        self.statuses: list[int] = []
        self.task = asyncio.create_task(room(scope, asyncio.Event().wait, self._take))  # type: ignore[arg-type]

    async def _take(self, message: Message) -> None:
        self.statuses += [message["status"]] if message["type"] == "http.response.start" else []


@pytest.mark.parametrize("path", ["/gradio_api/upload", "/v1/files", "/file"])
async def test_files_under_way_have_an_end_together_and_who_sends_no_more_makes_room(
    monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    inside, came = list[Scope](), list[Message]()

    async def app(scope: Scope, receive: Receive, _: Send) -> None:
        inside.append(scope)
        try:
            came.append(await receive())
        except MultiPartException:  # for Gradio, which deletes then what it has
            came.append({"type": "http.disconnect"})

    shipped = read_settings()
    room = UploadRoom(
        app, [], shipped.model_copy(update={"store": shipped.store.model_copy(update={"session_quota_mb": 1})})
    )
    monkeypatch.setattr(upload_room, "_STALLED_SECONDS", 3600)
    kept = [Sender(room, path) for path in ("/gradio_api/upload", "/v1/files", "/file", "/file")]
    while len(inside) < len(kept):
        await asyncio.sleep(0.01)
    refused = Sender(room, path)
    await refused.task
    for sender in kept:
        sender.task.cancel()
    await asyncio.wait([sender.task for sender in kept])
    monkeypatch.setattr(upload_room, "_STALLED_SECONDS", 0)
    late = Sender(room, path)
    await late.task
    assert refused.statuses == [507] and late.statuses == [] and came == [{"type": "http.disconnect"}]


@pytest.mark.parametrize(("address", "others"), [("8.8.8.8", "9.9.9.9"), ("2600:1f18:1:2::1", "2600:1f18:1:3::1")])
async def test_one_network_leaves_half_of_the_room_to_others(address: str, others: str) -> None:
    inside = list[Scope]()

    async def app(scope: Scope, receive: Receive, _: Send) -> None:
        inside.append(scope)
        await receive()

    settings = read_settings()
    room, size = UploadRoom(app, [], settings), settings.loaders.max_file_mb * MEGABYTE
    many = 4 * settings.store.session_quota_mb // settings.loaders.max_file_mb
    slow = [Sender(room, "/file", address, size) for _ in range(many)]
    while len(inside) < many // 2:
        await asyncio.sleep(0.01)
    other, proxied = Sender(room, "/file", others, size), Sender(room, "/file", "127.0.0.1", size)
    while len(inside) < many // 2 + 2 or sum(bool(sender.statuses) for sender in slow) < many - many // 2:
        await asyncio.sleep(0.01)
    tasks = [sender.task for sender in (*slow, other, proxied)]
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert [status for sender in slow for status in sender.statuses] == [507] * (many - many // 2)
    assert other.statuses == proxied.statuses == []


@pytest.mark.parametrize(
    "path", ["deep_link", "process_recording", "component_server", "component_server/", "upload_progress", "dev/reload"]
)
def test_what_no_part_of_the_page_uses_is_not_there(client: httpx.Client, path: str) -> None:
    for method in ("GET", "POST"):
        reply = client.request(method, f"/gradio_api/{path}", params={"session_hash": "x", "upload_id": "x"})
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "no_such_address")


def test_no_name_is_kept_for_the_progress_of_an_upload(client: httpx.Client) -> None:
    sent = client.post("/gradio_api/upload?upload_id=mine", files={"files": ("a.bin", b"x")})
    assert sent.status_code == 200 and "mine" not in file_upload_statuses._statuses


@pytest.mark.parametrize("way", ["call", "run", "api"])
def test_an_endpoint_of_an_unknown_name_is_not_there(client: httpx.Client, way: str) -> None:
    reply = client.post(f"/gradio_api/{way}/unknown", json={"data": []})
    assert (reply.status_code, reply.json()["error"]["code"]) == (404, "no_such_address")


@pytest.mark.parametrize("form", ["file=", "file/"])
def test_the_server_fetches_no_address_for_a_stranger(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    asked = []

    async def noted(host: str) -> str:
        asked.append(host)
        raise ValueError(host)

    monkeypatch.setattr("safehttpx.async_validate_url", noted)
    address = f"/gradio_api/{form}https://example.com/a.png"
    assert client.get(address).status_code == 404
    assert client.head(address).status_code in (404, 405) and asked == []


def test_nobody_is_told_how_much_others_use(client: httpx.Client) -> None:
    assert client.get("/monitoring/summary").status_code == 403
    assert client.get("/monitoring").status_code == 403
    assert client.get("/metrics").status_code == 401


def test_a_method_that_a_route_does_not_have_is_told_as_such(client: httpx.Client) -> None:
    for method, path in (
        ("POST", "/healthz"),
        ("DELETE", "/readyz"),
        ("GET", "/knowledge_chat_conversation"),
        ("POST", "/v1/models"),
        ("PUT", "/v1/chat/completions"),
        ("GET", "/file"),
        ("POST", "/page/x"),
    ):
        reply = client.request(method, path, headers={"Authorization": f"Bearer {KEY}"})
        assert reply.status_code == 405 and reply.headers["allow"] and reply.json()["error"]["message"], path


def test_a_wrong_method_is_answered_with_all_that_the_address_has(client: httpx.Client) -> None:
    for path, allowed in (("/v1/files", {"GET", "POST"}), ("/v1/files/x", {"GET", "DELETE"}), ("/file", {"POST"})):
        reply = client.put(path, headers={"Authorization": f"Bearer {KEY}"})
        assert reply.status_code == 405 and set(reply.headers["allow"].split(", ")) == allowed


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "OPTIONS"])
def test_what_there_is_not_is_there_for_no_method(client: httpx.Client, method: str) -> None:
    reply = client.request(method, "/v1/nothing", headers={"Authorization": f"Bearer {KEY}"})
    assert reply.status_code == 404 and reply.json()["error"]["code"] == "no_such_address"


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_probes_may_ask_for_the_head_alone(client: httpx.Client, path: str) -> None:
    whole, head = client.get(path), client.head(path)
    assert head.status_code == whole.status_code == 200 and head.content == b""


def test_no_browser_takes_a_reply_for_another_kind_of_thing(client: httpx.Client) -> None:
    replies = [client.get(path) for path in ("/", "/config", "/theme.css", "/page/none", "/healthz", "/nothing")]
    assert {reply.headers["x-content-type-options"] for reply in replies} == {"nosniff"}
    assert "form-action 'self'" in replies[0].headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/", "/config"])
def test_what_is_long_goes_out_compressed(client: httpx.Client, path: str) -> None:
    assert client.get(path).headers["content-encoding"] == "gzip"
