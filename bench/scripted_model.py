"""A model server in a process of its own that costs next to nothing: long answers at fixed speed, short at once."""

import json
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection

NAME = "scripted"
LONG = "详细"  # a question with this word gets the long answer
TOKENS_PER_SECOND = 50
_TOKEN = 2  # characters
_SHORT = "在“资料”页把文件拖进来就可以了 [1]。"
_CHARACTERS = 2000


def long_tokens() -> list[str]:
    """The long answer's tokens: paragraphs, lists, bold words and markers, as models write them."""
    text = ""
    while len(text) < _CHARACTERS:
        number = text.count("**") // 2 + 1
        text += f"**第 {number} 步：选择资料**。把文件拖到页面上，程序先读取文字，再切成小段，最后建立索引 [1]。"
        text += "读完之前也可以提问，只是暂时找不到没有读到的内容。\n\n- 扫描件要先识别\n- 加密的文件会询问密码 [2]\n\n"
    return [text[start : start + _TOKEN] for start in range(0, _CHARACTERS, _TOKEN)]


@contextmanager
def scripted_model() -> Iterator[str]:
    """The address of a running server that speaks OpenAI's protocol."""
    context = multiprocessing.get_context("spawn")
    ports, told = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(told,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ports.recv()}/v1"
    finally:
        process.terminate()
        process.join()


def _serve(told: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    told.send(server.server_port)
    server.serve_forever()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Answer the last message, piece by piece where a stream is asked for."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        is_long = LONG in str(body["messages"][-1]["content"])
        tokens, pause = (long_tokens(), 1 / TOKENS_PER_SECOND) if is_long else ([_SHORT], 0.0)
        self.send_response(200)
        if body.get("stream"):
            self._stream(tokens, pause)
        else:
            self._whole("".join(tokens))

    def _stream(self, tokens: list[str], pause: float) -> None:
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self._send({"delta": {"role": "assistant", "content": ""}, "finish_reason": None})
        begun = time.monotonic()
        for place, token in enumerate(tokens):
            time.sleep(max(0.0, begun + place * pause - time.monotonic()))
            self._send({"delta": {"content": token}, "finish_reason": None})
        self._send({"delta": {}, "finish_reason": "stop"})
        self.wfile.write(b"data: [DONE]\n\n")

    def _send(self, choice: dict[str, object]) -> None:
        chunk = _reply("chat.completion.chunk", choice)
        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())

    def _whole(self, text: str) -> None:
        message: dict[str, object] = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        reply = json.dumps(_reply("chat.completion", message)).encode()
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: object) -> None:
        """Requests are not told of."""


def _reply(kind: str, choice: dict[str, object]) -> dict[str, object]:
    return {"id": "1", "object": kind, "created": 1, "model": NAME, "choices": [{"index": 0, **choice}]}
