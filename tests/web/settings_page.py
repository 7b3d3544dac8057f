"""What somebody does in the tab of settings."""

from playwright.sync_api import Page, expect


def open_settings(page: Page) -> None:
    page.get_by_role("tab", name="设置").or_(page.get_by_role("tab", name="Settings")).click()
    page.locator("#preferences form").wait_for()


def save(page: Page, says: str = "已保存") -> None:
    page.get_by_role("button", name="保存", exact=True).click()
    expect(page.locator("#preferences [role=status] .now")).to_contain_text(says)


def forge(page: Page, name: str, value: str) -> None:
    """Have the form send what it does not offer, as a program would."""
    page.locator("#preferences form").evaluate(
        "(form, [name, value]) => form.append(Object.assign(document.createElement('input'), "
        "{ type: 'hidden', name: `set:${name}`, value }))",
        [name, value],
    )
