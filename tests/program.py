"""The whole program as a process of its own, as somebody starts it."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parent.parent


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def running(folder: Path, port: int, **variables: str) -> Iterator["subprocess.Popen[str]"]:
    """`app.py` with an empty store, and offline; it answers in quotations where `variables` do not say otherwise."""
    own = {"WENQU_STORE": str(folder / "store"), "GRADIO_SERVER_PORT": str(port), "GRADIO_SERVER_NAME": "127.0.0.1"}
    offline = {"WENQU_LLM_PROVIDER": "extractive", "WENQU_OFFLINE": "true"}
    process = subprocess.Popen(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env=os.environ | own | offline | variables,
        stderr=subprocess.PIPE,
        text=True,
        # A shell has what it starts in the background ignore interrupts, and so all that is started from there.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(10)
        assert process.stderr is not None
        process.stderr.close()


def told_address(process: "subprocess.Popen[str]") -> str:
    """Where the program says that it serves."""
    return told(process, r"页面已就绪：(\S+)")


def told(process: "subprocess.Popen[str]", pattern: str) -> str:
    """What the program says in the pattern's group, waited for."""
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(pattern, line):
            return found[1]
    raise AssertionError(f"the program ended before it said {pattern}")


@dataclass
class Program:
    """The program as it runs, and all that it has said and stored."""

    folder: Path
    port: int
    url: str = ""
    said: list[str] = field(default_factory=list)

    @contextmanager
    def runs(self, **variables: str) -> Iterator[None]:
        """Until the end of the block; it ends in order."""
        with running(self.folder, self.port, **variables) as process:
            self.url = f"{told_address(process)}/"
            listener = threading.Thread(target=self.said.extend, args=(process.stderr,))
            listener.start()
            yield
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
            listener.join(30)

    def holds(self, secret: str) -> bool:
        """Whether any file of it has this in it."""
        return any(secret.encode() in file.read_bytes() for file in self.folder.rglob("*") if file.is_file())
