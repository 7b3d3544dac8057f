"""A served application over fake services, and a real browser that must not talk to anybody else."""

import re
import shutil
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

from rag.settings import read_settings
from rag.web.application import create_app
from tests.fakes_web import FakeServices
from tests.http_rig import Services, services_in
from tests.serving import on_a_port
from tests.web.pictures import FOLDER

OpenPage = Callable[..., Page]
# A machine that does other work as well is slow, not wrong.
PATIENCE = 60_000
# An answer takes the model half a minute of both cores, which others want as well.
MODELS_PATIENCE = 2 * PATIENCE
expect.set_options(timeout=PATIENCE)

# On a slow machine Gradio's own script calls off an event before the server has told it the event's name: 422.
_CALLED_OFF = re.compile(r"422.*/gradio_api/(?:cancel|reset)")


@dataclass(frozen=True)
class Served:
    url: str
    services: FakeServices


def delete_elsewhere(served: Served, question: str) -> None:
    """Delete the conversation that a session began with a question, as another tab of its browser would."""
    engine = served.services.engine
    session_id = engine.stored(question).session_id
    engine.delete_conversation(session_id, engine.store.conversations(session_id)[0].conversation_id)


def ask(page: Page, question: str) -> None:
    """Write a question and press Enter."""
    page.locator("#question textarea").fill(question)
    page.keyboard.press("Enter")


def answered(page: Page, count: int = 1, patience: int = PATIENCE) -> None:
    """Wait until `count` answers stand on the page."""
    expect(page.locator("#turns .turn footer")).to_have_count(count, timeout=patience)


def exchange(page: Page, question: str, count: int = 1, patience: int = PATIENCE) -> None:
    """Ask a question, with which `count` answers stand on the page, and wait for its answer."""
    ask(page, question)
    answered(page, count, patience)


def begin_anew(page: Page) -> None:
    """Begin a new conversation."""
    page.locator("#new-conversation").click()
    page.locator("#turns .welcome").wait_for()


def converse(page: Page, *questions: str) -> None:
    """Begin a conversation with each question."""
    for question in questions:
        begin_anew(page)
        exchange(page, question)


def page_of_source(page: Page) -> None:
    """Wait until the image of a source's page is there."""
    page.locator("#leaf img").wait_for()
    page.wait_for_function("document.querySelector('#leaf img').naturalWidth > 0")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep what a browser showed when a test failed, in test-artefacts/, also where it is tried again."""
    report = yield
    browser = item.funcargs.get("chromium")
    if report.failed and call.when != "teardown" and isinstance(browser, Browser):
        FOLDER.mkdir(exist_ok=True)
        name = re.sub(r"[^\w-]", "-", item.name)
        pages = [page for context in browser.contexts for page in context.pages]
        for number, page in enumerate(pages):
            kept = FOLDER / f"failed-{name}-{time.time():.0f}-{number}"
            with suppress(Error):
                kept.with_suffix(".html").write_text(page.content())
                page.screenshot(path=kept.with_suffix(".png"))
    return report


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """What the routes for programs need, over a store of its own."""
    with services_in(tmp_path) as services:
        yield services


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    settings = read_settings()
    with serving(FakeServices(settings)) as server:
        yield server


@contextmanager
def serving(services: FakeServices) -> Iterator[Served]:
    """An application over the services, on a port of its own."""
    with on_a_port(create_app(services)) as url:  # type: ignore[arg-type]
        yield Served(f"{url}/", services)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(served: Served, chromium: Browser) -> Iterator[OpenPage]:
    """Opens the page as a new visitor, who has had an answer where the visitor `asks`.

    At its end, nothing has gone wrong on it but what the test `provokes`.
    """
    contexts: list[BrowserContext] = []
    heard: list[str] = []
    expected: list[str] = []

    def open_page(language: str | None = None, provokes: tuple[str, ...] = (), asks: str = "", **options: Any) -> Page:
        page = new_page(chromium, served.url, heard, language, **options)
        contexts.append(page.context)
        expected.extend(provokes)
        arrive(page, served.url)
        if asks:
            exchange(page, asks)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [said for said in heard if not any(re.search(each, said) for each in expected)] == []
    # What no longer goes wrong is no longer to be let pass.
    assert [each for each in expected if not any(re.search(each, said) for said in heard)] == []


def new_page(browser: Browser, own: str, heard: list[str], language: str | None = None, **options: Any) -> Page:
    """A page of a new visitor, not opened yet, that is listened to."""
    usual: dict[str, Any] = {"locale": "zh-CN", "viewport": {"width": 1440, "height": 900}}
    context = browser.new_context(**usual | options)
    if language:
        context.add_cookies([{"name": "wenqu_language", "value": language, "url": own}])
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    listen(page, own, heard)
    return page


def arrive(page: Page, url: str) -> None:
    """Open the application, and wait until it shows what there is."""
    page.goto(url)
    page.locator("#turns .welcome").wait_for()
    page.locator("#storage p").first.wait_for(state="attached")


def listen(page: Page, own: str, heard: list[str]) -> None:
    """Note all that goes wrong on a page from now on, and all that it asks of others."""

    def note(what: str, is_wrong: bool) -> None:
        if is_wrong and not _CALLED_OFF.search(what):
            heard.append(what)

    page.on("console", lambda said: note(f"console: {said.text} {said.location['url']}", said.type == "error"))
    page.on("pageerror", lambda error: note(f"script: {error}", True))
    # What the page itself calls off, as a stream when it is left, has not failed.
    page.on("requestfailed", lambda one: note(f"{one.failure}: {one.url}", one.failure != "net::ERR_ABORTED"))
    page.on("response", lambda got: note(f"{got.status}: {got.url}", got.status >= 400))
    page.on("request", lambda one: note(f"to {one.url}", not one.url.startswith((own, "data:", "blob:"))))
