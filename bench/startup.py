"""How long until the page is served, and how much memory the app takes."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
from playwright.sync_api import Browser, sync_playwright

from bench.harness import ROOT, Outcome, memory_mb

_PORT = 7899
URL = f"http://127.0.0.1:{_PORT}"
_RUNS = 3
_PATIENCE_SECONDS = 120
# What the first question needs is loaded a few seconds after the page is served.
_LOADED_SECONDS = 20


def measure(_data: Path) -> Outcome:
    """Seconds to a served page (median), MB with the page open: no model; the embedded model after an answer."""
    seconds, bare = [], []
    for _ in range(_RUNS):
        with running_app({}) as (_, served_after):
            seconds.append(served_after)
        with running_app({"WENQU_LLM_PROVIDER": "extractive"}) as (process, _), _page_open():
            time.sleep(_LOADED_SECONDS)
            bare.append(memory_mb(process))
    with running_app({"WENQU_LLM_PROVIDER": "embedded"}) as (process, _), _page_open():
        _ask_until_a_model_answers()
        loaded = memory_mb(process)
    return Outcome(
        {
            "page_served_seconds": statistics.median(seconds),
            "memory_no_model_mb": statistics.median(bare),
            "memory_embedded_model_mb": loaded,
        }
    )


@contextmanager
def running_app(variables: dict[str, str]) -> Iterator[tuple[psutil.Process, float]]:
    """`python app.py` over an empty store with these environment variables, and the seconds until it served."""
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as store:
        environment = os.environ | {"WENQU_STORE": store, "GRADIO_SERVER_PORT": str(_PORT)} | variables
        begun = time.perf_counter()
        child = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
        try:
            _wait_for_page(child)
            yield psutil.Process(child.pid), time.perf_counter() - begun
        finally:
            child.terminate()
            child.wait(20)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's Chromium, without a window."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    switches = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=found, args=switches) as browser:
        yield browser


@contextmanager
def _page_open() -> Iterator[None]:
    """A browser has the page open."""
    with chromium() as browser:
        page = browser.new_page()
        page.goto(URL)
        page.locator("#turns .welcome").wait_for()
        yield


def _wait_for_page(child: "subprocess.Popen[bytes]") -> None:
    begun = time.perf_counter()
    while time.perf_counter() - begun < _PATIENCE_SECONDS:
        if child.poll() is not None:
            raise RuntimeError(f"app.py ended with {child.returncode}")
        try:
            if httpx.get(URL, trust_env=False).status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            time.sleep(0.02)
    raise TimeoutError(URL)


def _ask_until_a_model_answers() -> None:
    from gradio_client import Client

    client = Client(URL, verbose=False)
    begun = time.perf_counter()
    while time.perf_counter() - begun < _PATIENCE_SECONDS:
        if httpx.get(f"{URL}/healthz", trust_env=False).json()["model"] != "extractive":
            client.predict("这份指南讲了什么？", api_name="/chat")
            return
        time.sleep(0.5)
    raise TimeoutError("embedded model")
