"""A served application over fake services, and a real browser that must not talk to anybody else."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from rag.settings import Settings, read_settings
from rag.web.application import create_app
from tests.fakes_web import FakeServices
from tests.serving import on_a_port

OpenPage = Callable[..., Page]
# A machine that does other work as well is slow, not wrong.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)


@dataclass(frozen=True)
class Served:
    url: str
    services: FakeServices


def ask(page: Page, question: str) -> None:
    """Write a question and press Enter."""
    page.locator("#question textarea").fill(question)
    page.keyboard.press("Enter")


def answered(page: Page, count: int = 1) -> None:
    """Wait until `count` answers stand on the page."""
    expect(page.locator("#turns .turn footer")).to_have_count(count)


def page_of_source(page: Page) -> None:
    """Wait until the image of a source's page is there."""
    page.locator("#leaf img").wait_for()
    page.wait_for_function("document.querySelector('#leaf img').naturalWidth > 0")


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    settings = read_settings()
    with serving(FakeServices(settings), settings) as server:
        yield server


@contextmanager
def serving(services: FakeServices, settings: Settings) -> Iterator[Served]:
    """An application over the services, on a port of its own."""
    with on_a_port(create_app(services, settings)) as url:
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
    """Opens the page as a new visitor. At its end: no script error, and no request to another host."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(language: str | None = None, **options: object) -> Page:
        context = chromium.new_context(**{"locale": "zh-CN", "viewport": {"width": 1440, "height": 900}} | options)
        contexts.append(context)
        if language:
            context.add_cookies([{"name": "wenqu_language", "value": language, "url": served.url}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: _local(request.url, served.url, complaints))
        page.goto(served.url)
        page.locator("#turns .welcome").wait_for()
        page.locator("#storage p").first.wait_for(state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def _local(url: str, own: str, complaints: list[str]) -> None:
    if not url.startswith((own, "data:", "blob:")):
        complaints.append(url)
