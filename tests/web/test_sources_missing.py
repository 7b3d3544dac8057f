"""Sources whose document, page or image is not to be had, or is hostile."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.web.conftest import OpenPage, Served, answered, page_of_source
from tests.web.files_page import ready

pytestmark = pytest.mark.browser


def test_a_deleted_document_leaves_its_text_and_no_image_to_anybody(visit: OpenPage, served: Served) -> None:
    page = visit(asks="错误码")
    page_of_source(page)
    address = served.url + str(page.locator("#leaf img").get_attribute("src"))
    assert visit().request.get(address).status == 200
    served.services.pages.deleted.add("guide")
    try:
        assert visit().request.get(address).status == 404
        page.reload()
        answered(page)
        card = page.locator('#sources [data-source="1"]')
        expect(card.locator(".gone")).to_have_text("这份资料已被删除，只留下回答时用到的原文。")
        expect(card.locator(".text")).to_contain_text("错误码为字符串类型")
        expect(page.locator("#leaf .notice")).to_contain_text("这份资料已被删除")
    finally:
        served.services.pages.deleted.clear()


def test_a_document_that_is_deleted_goes_from_the_sources_in_view(
    visit: OpenPage, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit(asks="错误码")
    page_of_source(page)
    own = ready(page, tmp_path, "手册.pdf")
    monkeypatch.setattr(served.services.pages, "deleted", {"guide"})
    own.get_by_role("button", name="删除").click()
    page.locator("dialog .yes").click()
    page.get_by_role("tab", name="对话").click()
    expect(page.locator("#leaf .notice")).to_contain_text("这份资料已被删除")
    expect(page.locator('#sources [data-source="1"] .gone')).to_be_visible()


def test_a_page_that_cannot_be_drawn_is_shown_as_text_with_the_reason(visit: OpenPage) -> None:
    page = visit(asks="加密")
    expect(page.locator("#leaf mark")).to_have_text("这一段。")
    expect(page.locator("#leaf .quiet")).to_contain_text("文件有密码保护")


def test_an_image_that_does_not_come_is_asked_for_again(visit: OpenPage) -> None:
    page = visit(provokes=("503.*/page/",), asks="磁盘")
    expect(page.locator("#leaf .notice")).to_contain_text("没能加载这一页的图像")
    with page.expect_response(re.compile("/page/")):
        page.get_by_role("button", name="再试一次").click()
    expect(page.locator("#leaf .notice")).to_be_visible()


def test_a_page_whose_request_failed_can_be_asked_for_again(visit: OpenPage) -> None:
    page = visit(provokes=("500",), asks="错误码")
    page_of_source(page)
    failing = True

    def fail(route: Route) -> None:
        if failing and "keyStart" in (route.request.post_data or ""):
            route.fulfill(status=500, json={"error": None})
        else:
            route.fallback()

    page.route("**/gradio_api/**", fail)
    page.locator('#turns [data-cite="2"]').first.click()
    expect(page.locator('#sources [data-source="2"]')).to_have_class(re.compile("shown"))
    page.wait_for_timeout(1000)
    failing = False
    with page.expect_response(lambda got: "keyStart" in (got.request.post_data or "")):
        page.locator('#turns [data-cite="2"]').first.click()
    expect(page.locator("#leaf .where")).to_contain_text("第 28 页")


def test_a_hostile_document_stays_text(visit: OpenPage) -> None:
    page = visit(asks="恶意的资料和模型")
    page.locator('#sources [data-source="3"] .head').click()
    expect(page.locator("#leaf mark")).to_contain_text("<script>window.stolen=1</script>")
    expect(page.locator("#leaf .file")).to_contain_text("<script>")
    assert page.locator("#leaf img, #leaf script").count() == 0
    assert page.evaluate("window.stolen") is None
