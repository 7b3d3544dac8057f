"""Somebody at their own machine sets a model service in the settings: the real program, a real service, a browser."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.model_server import ModelServer, Reply, completion, service_models, serving
from tests.program import Program, free_port
from tests.web.conftest import arrive, exchange, new_page
from tests.web.settings_page import forge, open_settings, save

pytestmark = pytest.mark.browser
SECRET = "sk-browser-0123456789abcdef"


@pytest.fixture
def service() -> Iterator[ModelServer]:
    answer = completion({"content": "支持 PDF、Word、TXT 和 MD[1]。"})
    closed = {"/closed/models": Reply(("{}",), status=401)}
    names = (f"model-{number}" for number in range(30))
    replies = {"/v1/models": service_models("deep-chat", *names), "/v1/chat/completions": answer}
    with serving(replies | closed) as server:
        yield server


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path, free_port())


def write_service(page: Page, address: str, key: str) -> None:
    page.get_by_label("服务地址", exact=True).fill(address)
    page.get_by_label("密钥", exact=True).fill(key)


def holds_key(page: Page) -> bool:
    """Whether the server has sent the key to the page; what is written in a box is not in its HTML."""
    return SECRET in page.content()


def test_a_service_is_written_asked_for_its_models_and_chosen(
    program: Program, service: ModelServer, page: Page
) -> None:
    write_service(page, f"{service.url}/closed", SECRET)
    page.get_by_role("button", name="列出模型").click()
    expect(page.locator("[data-field='llm.api_key'] .problem")).to_contain_text("没有接受密钥")
    expect(page.get_by_label("密钥", exact=True)).to_have_value(SECRET)
    page.get_by_label("服务地址", exact=True).fill(f"{service.url}/v1/")
    page.get_by_label("用于回答（段）", exact=True).fill("3")
    page.get_by_role("button", name="列出模型").click()
    page.get_by_role("radio", name="deep-chat").check()
    expect(page.get_by_label("用于回答（段）", exact=True)).to_have_value("3")
    assert not holds_key(page)
    save(page)
    expect(page.get_by_label("密钥", exact=True)).to_have_value("")
    expect(page.get_by_label("密钥", exact=True)).to_have_attribute("placeholder", "已保存，不改就留空")
    assert not holds_key(page)
    page.get_by_role("tab", name="对话").click()
    exchange(page, "问渠支持哪些文件？")
    expect(page.locator("#turns .turn")).to_contain_text("支持 PDF、Word、TXT 和 MD")
    page.locator(".badge summary", has_text="deep-chat").click()
    expect(page.locator(".badge .card")).to_contain_text(service.url.removeprefix("http://"))
    assert set(service.keys) == {SECRET}
    assert SECRET not in httpx.get(f"{program.url}healthz").text + httpx.get(f"{program.url}readyz").text
    assert not holds_key(page)


def test_a_service_is_kept_over_a_restart_until_everything_is_deleted(
    program: Program, service: ModelServer, chromium: Browser
) -> None:
    with program.runs():
        page = new_page(chromium, program.url, [])
        arrive(page, program.url)
        open_settings(page)
        write_service(page, f"{service.url}/v1", SECRET)
        page.get_by_role("button", name="列出模型").click()
        page.get_by_role("radio", name="deep-chat").check()
        save(page)
        assert program.holds(SECRET)
        # Else the page would load itself anew once its server is back, in the midst of being loaded.
        page.goto("about:blank")
    with program.runs():
        arrive(page, program.url)
        expect(page.locator(".badge summary")).to_contain_text("deep-chat")
        open_settings(page)
        expect(page.get_by_role("radio", name="deep-chat")).to_be_checked()
        expect(page.get_by_label("服务地址", exact=True)).to_have_value(f"{service.url}/v1")
        assert not holds_key(page)
        page.get_by_role("button", name="立即清除我的全部数据").click()
        page.get_by_role("dialog").get_by_role("button", name="清除").click()
        expect(page.locator(".badge summary")).not_to_contain_text("deep-chat")
        assert not program.holds(SECRET)
        page.context.close()
    assert SECRET not in "".join(program.said)


@pytest.fixture
def page(program: Program, chromium: Browser) -> Iterator[Page]:
    """The settings of a new visitor."""
    with program.runs():
        page = new_page(chromium, program.url, [])
        arrive(page, program.url)
        open_settings(page)
        yield page
        page.context.close()
    assert SECRET not in "".join(program.said)


def test_a_models_name_is_written_where_the_service_lists_none(page: Page, service: ModelServer) -> None:
    write_service(page, f"{service.url}/v2", "")
    page.get_by_role("button", name="列出模型").click()
    expect(page.locator("[data-field='llm.base_url'] .problem")).to_contain_text("没有给出模型列表")
    page.get_by_label("模型名，如 deepseek-chat").fill("rare-chat")
    expect(page.get_by_role("radio", name="自己的模型服务（填写模型名）")).to_be_checked()
    save(page)
    expect(page.get_by_role("radio", name="rare-chat")).to_be_checked()


def test_a_key_is_removed_by_itself(page: Page, service: ModelServer, program: Program) -> None:
    write_service(page, f"{service.url}/v1", SECRET)
    save(page)
    page.get_by_label("删除已保存的密钥").check()
    save(page)
    expect(page.get_by_label("删除已保存的密钥")).to_have_count(0)
    expect(page.get_by_label("服务地址", exact=True)).to_have_value(f"{service.url}/v1")
    assert not program.holds(SECRET)


def test_a_server_that_others_reach_has_no_such_fields_and_refuses_what_is_sent(
    program: Program, service: ModelServer, chromium: Browser
) -> None:
    with program.runs(GRADIO_SERVER_NAME="0.0.0.0", WENQU_LOCKED="none"):
        program.url = f"http://127.0.0.1:{program.port}/"
        page = new_page(chromium, program.url, [])
        arrive(page, program.url)
        open_settings(page)
        expect(page.get_by_label("服务地址", exact=True)).to_have_count(0)
        forge(page, "llm.base_url", f"{service.url}/v1")
        page.locator("#preferences form").evaluate(
            "form => form.insertAdjacentHTML('beforeend', "
            "'<button type=button data-act=ask_models data-fields id=forged>x</button>')"
        )
        page.locator("#forged").click()
        expect(page.locator("#preferences [role=status] .now")).to_contain_text("填写有误")
        forge(page, "llm.base_url", f"{service.url}/v1")
        save(page, "均未保存")
        assert service.asked == []
        page.context.close()
