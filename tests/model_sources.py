"""Sources of a small model file: a hub on this machine, and wheels that carry it in parts."""

import re
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CONTENT = bytes(range(256)) * 4096
FILE = "model.gguf"


class Hub:
    """A model hub: `content` may be wrong, `cut` breaks the answer off after so many bytes."""

    def __init__(self) -> None:
        self.content, self.cut, self.ranged, self.starts = CONTENT, 0, True, list[int]()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listener.server_port}"

    def handler(hub) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path != f"/someone/model/resolve/main/{FILE}":
                    self.send_error(404)
                    return
                asked = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", "")) if hub.ranged else None
                start = int(asked[1]) if asked else 0
                probe = bool(asked and asked[2])
                body = hub.content[start : int(asked[2]) + 1] if asked and probe else hub.content[start:]
                if not probe:
                    hub.starts.append(start)
                self.send_response(206 if asked else 200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: hub.cut or None])

            def log_message(self, *_: object) -> None:
                """Keeps the tests' output free of request lines."""

        return Handler

    listener: ThreadingHTTPServer


def write_wheel(folder: Path, number: int, part: bytes) -> None:
    package = f"wenqu_test_part{number}"
    information = f"{package}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{package}-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{package}/data/part{number:02}.bin", part)
        wheel.writestr(f"{information}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        wheel.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{information}/RECORD", "")
