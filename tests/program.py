"""The whole program as a process of its own, as somebody starts it."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
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
