"""A page that is loaded anew, as Gradio does it after a lost connection, has what its reader had."""

import pytest
from playwright.sync_api import expect

from tests.web.conftest import OpenPage

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("last", [0, 1, 2])
def test_a_page_that_is_loaded_anew_has_the_open_file_and_the_settings_that_are_not_saved(
    visit: OpenPage, last: int
) -> None:
    page = visit()
    tabs = page.get_by_role("tab")
    tabs.nth(1).click()
    page.locator("#files .title").first.click()
    page.locator('#inspector [data-view="passages"]').click()
    page.locator("#inspector .passages li").first.wait_for()
    tabs.nth(2).click()
    page.get_by_label("用于回答（段）", exact=True).fill("3")
    page.get_by_label("密钥", exact=True).fill("sk-secret")
    tabs.nth(last).click()
    for _ in range(2):  # also where a tab was not opened in between
        page.reload()
        page.locator("#turns .turn, #turns .welcome").first.wait_for(state="attached")
        page.wait_for_timeout(500)
    tabs.nth(2).click()
    expect(page.get_by_label("用于回答（段）", exact=True)).to_have_value("3")
    expect(page.get_by_label("密钥", exact=True)).to_have_value("")
    assert "sk-secret" not in page.evaluate("JSON.stringify(sessionStorage)")
    tabs.nth(1).click()
    expect(page.locator("#inspector .passages li").first).to_be_visible()
    page.locator("#inspector [data-close]").click()
    page.reload()
    page.locator("#files .title").first.wait_for()
    page.wait_for_timeout(500)
    expect(page.locator("#inspector .detail")).to_have_count(0)
