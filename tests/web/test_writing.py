"""A person writes a question: what was said of the last one."""

import pytest
from playwright.sync_api import expect

from tests.web.conftest import OpenPage, ask

pytestmark = pytest.mark.browser


def test_why_a_question_was_not_taken_goes_as_soon_as_it_is_put_right_and_comes_again(visit: OpenPage) -> None:
    page = visit()
    for _ in range(2):
        ask(page, "长" * 2001)
        expect(page.locator("#refusal .notice")).to_contain_text("2001 个字")
        page.locator("#question textarea").press_sequentially("短")
        expect(page.locator("#refusal .notice")).to_have_count(0)
