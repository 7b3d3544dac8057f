"""A visit to every tab is quiet: nothing fails to load, the console has nothing to report, nobody else is asked."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.web.conftest import Served, answered, ask, page_of_source

pytestmark = pytest.mark.browser


def listen(page: Page, own: str) -> list[str]:
    """All that goes wrong on a page from now on, and all that it asks of others."""
    heard: list[str] = []
    page.on("console", lambda said: heard.append(f"console: {said.text}") if said.type == "error" else None)
    page.on("pageerror", lambda error: heard.append(f"script: {error}"))
    # What the page itself calls off, as a stream when it is left, has not failed.
    page.on(
        "requestfailed",
        lambda request: (
            None if request.failure == "net::ERR_ABORTED" else heard.append(f"{request.failure}: {request.url}")
        ),
    )
    page.on("response", lambda got: heard.append(f"{got.status}: {got.url}") if got.status >= 400 else None)
    page.on(
        "request",
        lambda request: None if request.url.startswith((own, "data:", "blob:")) else heard.append(f"to {request.url}"),
    )
    return heard


@pytest.mark.parametrize("language", ["zh", "en"])
def test_all_tabs_load_whole_and_ask_nobody_else(
    served: Served, chromium: Browser, tmp_path: Path, language: str
) -> None:
    context = chromium.new_context(locale={"zh": "zh-CN", "en": "en-US"}[language])
    context.add_cookies([{"name": "wenqu_language", "value": language, "url": served.url}])
    page = context.new_page()
    heard = listen(page, served.url)
    page.goto(served.url)
    page.locator("#turns .welcome").wait_for()
    ask(page, "恶意：错误码的格式是怎样的？")
    answered(page)
    page.locator("#turns .decided").click()
    page_of_source(page)
    page.get_by_role("tab").nth(1).click()
    page.locator("#drop .zone").wait_for()
    (tmp_path / "手册.pdf").write_bytes(b"content")
    page.locator("#drop input[type=file]").first.set_input_files(tmp_path / "手册.pdf")
    page.locator("#files .file.ready .title", has_text="手册.pdf").click()
    page.locator("#inspector img").wait_for()
    page.get_by_role("tab").nth(2).click()
    page.locator("#preferences form").wait_for()
    page.reload()
    answered(page)
    page_of_source(page)
    assert page.evaluate("window.stolen") is None
    context.close()
    assert heard == []
