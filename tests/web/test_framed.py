"""The page in a frame of another site, as a hosted demo shows it."""

import pytest
from playwright.sync_api import Browser, expect
from starlette.responses import HTMLResponse

from tests.serving import on_a_port
from tests.web.conftest import PATIENCE, Served

pytestmark = pytest.mark.browser


def test_the_language_is_chosen_in_another_sites_frame(served: Served, chromium: Browser) -> None:
    site = HTMLResponse(f'<iframe src="{served.url}" style="width:1300px;height:850px"></iframe>')
    with on_a_port(site) as address, chromium.new_context(locale="zh-CN") as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        # By this name it is another site than the one in its frame.
        page.goto(address.replace("127.0.0.1", "localhost"))
        framed = page.frame_locator("iframe")
        for tab, stored in (("Files", "Your files: "), ("资料", "你的资料 ")):
            framed.locator("#turns .welcome").wait_for()
            framed.locator('[data-page="language"]').click()
            expect(framed.get_by_role("tab", name=tab)).to_be_visible()
            expect(framed.locator("#storage")).to_contain_text(stored)
