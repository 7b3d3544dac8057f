"""What axe-core finds."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def serious(page: Page, within: str | None = None) -> list[str]:
    """What axe-core finds serious or critical on the page, or in a part of it, each with where it is and why."""
    # Colours on their way to others have a contrast that nobody reads by.
    page.wait_for_function("document.getAnimations().every((one) => one.playState !== 'running')")
    found = Axe().run(page, within).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node['html'][:160]} {node['failureSummary']}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
