"""Pictures of the page in every dress: the browser tests keep them in test-artefacts/, the README's is made here too.

`python -m tests.web.pictures URL FILE OUT QUESTION...` uploads a file to a running app, asks, and takes the answers.
"""

import argparse
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).resolve().parents[2] / "test-artefacts"
_SIZES = {"desktop": (1440, 900), "phone": (414, 896)}
_LOCALES = {"zh": "zh-CN", "en": "en-US"}
_PATIENCE_MS = 300_000  # a model on two cores


@dataclass(frozen=True)
class Dress:
    """How somebody sees the page."""

    size: str
    language: str
    scheme: Literal["light", "dark"]

    def __str__(self) -> str:
        return f"{self.size}-{self.language}-{self.scheme}"


_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
DRESSES = [Dress(*parts) for parts in product(_SIZES, _LOCALES, _SCHEMES)]


def undressed_page(browser: Browser, url: str, dress: Dress) -> Page:
    """A page of a new visitor, not opened yet."""
    width, height = _SIZES[dress.size]
    context = browser.new_context(
        locale=_LOCALES[dress.language],
        color_scheme=dress.scheme,
        viewport={"width": width, "height": height},
        has_touch=dress.size == "phone",
    )
    context.add_cookies([{"name": "wenqu_language", "value": dress.language, "url": url}])
    return context.new_page()


def views(page: Page, url: str, file: Path, *questions: str) -> Iterator[str]:
    """Goes from view to view, and tells the name of each once it is there; `questions` make one conversation."""
    page.goto(url)
    page.locator("#turns .welcome").wait_for()
    yield "welcome"
    tabs = page.get_by_role("tab")
    tabs.nth(1).click()
    page.locator("#drop input[type=file]").first.set_input_files(file)
    page.locator("#files .file.ready", has_text=file.name).wait_for()
    yield "files"
    page.locator("#files .file.ready .title", has_text=file.name).click()
    page.locator("#inspector .view").wait_for()
    _images_are_there(page)
    yield "file"
    page.keyboard.press("Escape")
    tabs.nth(2).click()
    page.locator("#preferences form").wait_for()
    yield "settings"
    tabs.nth(0).click()
    for place, question in enumerate(questions):
        page.locator("#question textarea").fill(question)
        page.keyboard.press("Enter")
        page.locator("#turns .turn footer").nth(place).wait_for()
    page.locator("#leaf .view").wait_for(state="attached")
    yield "answer"
    cite = page.locator("#turns .cite:not(.doubtful)").first
    cite.click()
    page.locator(f"#sources .source.shown[data-source='{cite.get_attribute('data-cite')}']").wait_for()
    page.locator("#leaf .view").wait_for()
    _images_are_there(page)
    yield "sources"
    page.keyboard.press("Escape")
    page.locator("#memory details").first.evaluate("(part) => (part.open = true)")
    page.locator("#turns .decided").last.click()
    page.locator("#trace details[open]").first.wait_for()
    _is_scrolled_to(page, "#trace details")
    yield "process"


def _is_scrolled_to(page: Page, selector: str) -> None:
    """Wait until the part's beginning is in the upper half of the window, and stays where it is."""
    page.wait_for_function(
        """(selector) => {
          const top = document.querySelector(selector).getBoundingClientRect().top, before = window.restsAt;
          window.restsAt = top;
          return top === before && top >= 0 && top < innerHeight / 2;
        }""",
        arg=selector,
        polling=200,
    )


def _images_are_there(page: Page) -> None:
    page.wait_for_function("[...document.images].every((image) => image.complete && image.naturalWidth > 0)")


def main() -> None:
    """The answers with their sources, from a running app."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("url", "file", "out"):
        parser.add_argument(name)
    parser.add_argument("question", nargs="+")
    given = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = undressed_page(browser, given.url, DRESSES[0])
        page.set_default_timeout(_PATIENCE_MS)
        for name in views(page, given.url, Path(given.file), *given.question):
            if name == "sources":
                page.screenshot(path=given.out, animations="disabled")
        browser.close()


if __name__ == "__main__":
    main()
