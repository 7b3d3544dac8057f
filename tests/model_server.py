"""A model server that answers by a script, over real HTTP on this machine."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """An answer: its lines, and after how many bytes the connection is cut although more was announced."""

    lines: tuple[str, ...] = ()
    status: int = 200
    cut: bool = False
    content_type: str = "application/x-ndjson"

    @property
    def body(self) -> bytes:
        return "".join(f"{line}\n" for line in self.lines).encode()


@dataclass
class ModelServer:
    url: str
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    """What each request brought as its key."""


def tags(*names: str) -> Reply:
    """Ollama's list of installed models."""
    models = [{"model": name, "name": name, "digest": f"sha256:{name}"} for name in names]
    return Reply((json.dumps({"models": models}),))


def chat(*texts: str, done: bool = True, reason: str = "stop", **reply: Any) -> Reply:
    """An answer in Ollama's form, one line a piece."""
    lines = [json.dumps({"model": "m", "message": {"role": "assistant", "content": text}}) for text in texts]
    if done:
        end = {"done": True, "done_reason": reason, "prompt_eval_count": 7, "eval_count": 2}
        lines.append(json.dumps({"model": "m", "message": {"role": "assistant", "content": ""}} | end))
    return Reply(tuple(lines), **reply)


def service_models(*names: str) -> Reply:
    """An OpenAI-compatible service's list of models."""
    return Reply((json.dumps({"object": "list", "data": [{"id": name, "object": "model"} for name in names]}),))


def completion(*deltas: dict[str, str], finish: str | None = "stop", **reply: Any) -> Reply:
    """An answer in OpenAI's form, as server-sent events."""
    choices: list[dict[str, Any]] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices += [{"index": 0, "delta": {}, "finish_reason": finish}] if finish else []
    base = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    chunks: list[dict[str, Any]] = [base | {"choices": [choice]} for choice in choices]
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 2,
        "total_tokens": 11,
        "prompt_tokens_details": {"cached_tokens": 4},
    }
    chunks.append(base | {"choices": [], "usage": usage})
    lines = [f"data: {json.dumps(chunk)}\n" for chunk in chunks] + ["data: [DONE]\n"]
    return Reply(tuple(lines), content_type="text/event-stream", **reply)


@contextmanager
def serving(replies: Mapping[str, Reply | Callable[[dict[str, Any]], Reply]], port: int = 0) -> Iterator[ModelServer]:
    """A server that gives each path its reply, or what is made of the request, and 404 to all others."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.reply({})

        def do_POST(self) -> None:
            self.reply(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def reply(self, body: dict[str, Any]) -> None:
            server.asked.append((self.path, body))
            server.keys.append(self.headers.get("Authorization", "").removeprefix("Bearer "))
            known = replies.get(self.path, Reply(('{"error": "not found"}',), status=404))
            reply = known(body) if callable(known) else known
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            self.send_header("Content-Length", str(len(reply.body) + (100 if reply.cut else 0)))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *_: object) -> None:
            """Keeps the tests' output free of request lines."""

    listener = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server = ModelServer(f"http://127.0.0.1:{listener.server_port}")
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        listener.server_close()


class ThinkingServer:
    """A server that reads every prompt for ever, and notes when its client has gone.

    It replies once `begins` is set, as llama.cpp does when it begins; without, never.
    """

    def __init__(self) -> None:
        self.asked, self.left = threading.Event(), threading.Event()
        self.begins: threading.Event | None = None
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(tags("m").body)

            def do_POST(self) -> None:
                server.asked.set()
                self.rfile.read(int(self.headers["Content-Length"]))
                if server.begins and server.begins.wait(20):
                    self.send_response(200)
                    self.end_headers()
                self.connection.settimeout(20)
                if self.connection.recv(1) == b"":
                    server.left.set()

            def log_message(self, *_: object) -> None:
                """Keeps the tests' output free of request lines."""

        self._listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._listener.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.server_port}"

    def __enter__(self) -> "ThinkingServer":
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown()
        self._listener.server_close()
