"""The page in Chromium over a warm server: seconds until it can be used, and what a streaming answer costs.

The answer has 2,000 characters, comes from a scripted model at 50 tokens a second and stands below a conversation of 40
turns (WENQU_BENCH_TURNS). Chromium itself counts how long its main thread worked (`Performance.getMetrics`): all tasks
(`main_thread_busy`, painting and its own upkeep among them), and what the page's scripts, styles and layout took of
that (`main_thread_script_layout`); both as shares of the time from the first word to the last.

The server's cost of a token is the CPU time of its process over the whole turn, less that of the same turn in an engine
without a page, by the answer's tokens (`server_ms_per_token`). `engine_ms_per_token` is what was subtracted: search
and the client of the model's protocol. Both begin when what follows the turns before, as their embedding, is done.
"""

import statistics
import tempfile
import time
from pathlib import Path

import psutil
from playwright.sync_api import Browser, Page

from bench.harness import Outcome, settings_for, wait_for_model, wanted
from bench.scripted_model import LONG, NAME, long_tokens, scripted_model
from bench.startup import URL, chromium, running_app
from rag.build import build_services

_VISITS = 5
_TURNS = 40
_QUESTION = "可以上传哪些文件？"
_LONG_QUESTION = f"{LONG}说明可以上传哪些文件"
_SESSION = "bench"
_PATIENCE_MS = 60_000
_IDLE = 0.1  # of a core
_METRICS = ("Timestamp", "TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration")


def measure(_data: Path) -> Outcome:
    """Medians over visits, shares and milliseconds of CPU over one long answer."""
    turns = wanted(_TURNS, "TURNS")
    with scripted_model() as address:
        variables = {
            "WENQU_LLM_PROVIDER": "openai",
            "WENQU_LLM_BASE_URL": address,
            "WENQU_LLM_MODEL": NAME,
            "WENQU_LLM_API_KEY": NAME,
        }
        with chromium() as browser, running_app(variables) as (server, _):
            _visit(browser).context.close()
            _settle(server)
            visits = [_seconds_of_a_visit(browser) for _ in range(_VISITS)]
            shares, with_page = _long_answer(_visit(browser), server, turns)
        without_page = _engine_seconds(address, turns)
    tokens = len(long_tokens())
    figures = {
        "interactive_seconds": statistics.median(visits),
        **shares,
        "server_ms_per_token": 1000 * (with_page - without_page) / tokens,
        "engine_ms_per_token": 1000 * without_page / tokens,
    }
    return Outcome(figures, [{"turns": turns, "tokens": tokens, "visits": visits}])


def _visit(browser: Browser) -> Page:
    """The page as somebody sees it who has never been here, ready for a question."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(_PATIENCE_MS)
    page.goto(URL, wait_until="commit")
    # Drawn, told who the visitor is, and taking what is written.
    page.locator("#turns .welcome").wait_for()
    page.locator("#question textarea").fill(_QUESTION)
    return page


def _seconds_of_a_visit(browser: Browser) -> float:
    begun = time.perf_counter()
    page = _visit(browser)
    seconds = time.perf_counter() - begun
    page.context.close()
    return seconds


def _long_answer(page: Page, server: psutil.Process, turns: int) -> tuple[dict[str, float], float]:
    """What Chromium's main thread did while the answer came, and the server's CPU seconds for the whole turn."""
    for place in range(turns):
        _ask(page, _QUESTION)
        _answered(page, place + 1)
    counted = page.context.new_cdp_session(page)
    counted.send("Performance.enable")
    _settle(server)
    server_before = _cpu_seconds(server)
    _ask(page, _LONG_QUESTION)
    page.locator("#live .prose:not(:empty)").wait_for()
    before = _metrics(counted.send("Performance.getMetrics"))
    _answered(page, turns + 1)
    after = _metrics(counted.send("Performance.getMetrics"))
    took = {name: after[name] - before[name] for name in _METRICS}
    page_work = took["ScriptDuration"] + took["LayoutDuration"] + took["RecalcStyleDuration"]
    shares = {
        "main_thread_busy": took["TaskDuration"] / took["Timestamp"],
        "main_thread_script_layout": page_work / took["Timestamp"],
    }
    return shares, _cpu_seconds(server) - server_before


def _ask(page: Page, question: str) -> None:
    page.locator("#question textarea").fill(question)
    page.keyboard.press("Enter")


def _answered(page: Page, count: int) -> None:
    page.locator("#turns .turn footer").nth(count - 1).wait_for()
    page.locator("#question .submit-button").wait_for()


def _metrics(told: dict[str, list[dict[str, float]]]) -> dict[str, float]:
    return {str(each["name"]): each["value"] for each in told["metrics"]}


def _settle(process: psutil.Process) -> None:
    """Wait until a process does next to nothing."""
    while True:
        before = _cpu_seconds(process)
        time.sleep(1)
        if _cpu_seconds(process) - before < _IDLE:
            return


def _cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def _engine_seconds(address: str, turns: int) -> float:
    """CPU seconds of the same turn after the same conversation, in this process."""
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as folder:
        settings = settings_for(Path(folder))
        values = {"provider": "openai", "base_url": address, "model": NAME, "api_key": NAME}
        services = build_services(settings.model_copy(update={"llm": settings.llm.model_copy(update=values)}))
        try:
            services.start()
            wait_for_model(services)
            for _ in range(turns):
                services.engine.ask(_QUESTION, _SESSION)
            here = psutil.Process()
            _settle(here)
            before = _cpu_seconds(here)
            services.engine.ask(_LONG_QUESTION, _SESSION)
            return _cpu_seconds(here) - before
        finally:
            services.close()
