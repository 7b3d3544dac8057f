"""What somebody does in the tab of files."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

PHONE = {"width": 414, "height": 896}


def drop(page: Page, folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).write_bytes(b"content" * 1000)
    page.get_by_role("tab", name="资料").click()
    page.locator("#drop .zone").wait_for()
    page.locator("#drop input[type=file]").first.set_input_files([folder / name for name in names])


def row(page: Page, name: str) -> Locator:
    return page.locator("#files .file", has_text=name)


def ready(page: Page, folder: Path, name: str) -> Locator:
    drop(page, folder, name)
    expect(row(page, name).locator(".state")).to_have_text("可以提问")
    return row(page, name)


def upload(page: Page, file: Path) -> None:
    """Gives the file, and waits until it can be asked about."""
    page.get_by_role("tab", name="资料").click()
    page.locator("#drop .zone").wait_for()
    page.locator("#drop input[type=file]").first.set_input_files(file)
    expect(row(page, file.name).locator(".state")).to_have_text("可以提问")
