"""The tab of settings: checked before they apply, kept for one browser, locked where the operator says so."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from rag.types import Message, ModelState, ModelStatus, Provider
from tests.fakes_web import FakeServices
from tests.preferring import settings_with
from tests.web.conftest import OpenPage, Served, exchange, serving
from tests.web.settings_page import forge, open_settings, save

pytestmark = pytest.mark.browser


@pytest.fixture
def page(visit: OpenPage) -> Page:
    page = visit()
    open_settings(page)
    return page


def test_a_new_limit_holds_from_the_next_answer_on_and_after_a_reload(page: Page) -> None:
    field = page.get_by_label("用于回答（段）", exact=True)
    expect(field).to_have_value("5")
    field.fill("2")
    expect(page.locator("#preferences .state")).to_contain_text("有未保存的修改")
    save(page)
    expect(page.locator("[data-field=limit] .mark")).to_be_visible()
    page.get_by_role("tab", name="对话").click()
    exchange(page, "错误码的格式是怎样的？")
    expect(page.locator("#turns .turn footer")).to_contain_text("2 段资料")
    page.reload()
    open_settings(page)
    expect(field).to_have_value("2")


def test_on_a_narrow_screen_the_words_of_a_choice_keep_clear_of_its_edge(visit: OpenPage) -> None:
    page = visit(viewport={"width": 320, "height": 640})
    open_settings(page)
    room = page.locator("#preferences .model .choice").evaluate_all(
        """choices => choices.map((choice) => {
          const [outer, inner] = [choice, choice.querySelector("span")].map((part) => part.getBoundingClientRect());
          return Math.min(inner.top - outer.top, outer.bottom - inner.bottom);
        })"""
    )
    assert min(room) >= 4


def test_what_one_tab_has_set_is_not_put_back_by_another(page: Page, served: Served) -> None:
    others = [page.context.new_page() for _ in range(2)]
    for other in others:
        other.goto(served.url)
        other.locator("#storage p").first.wait_for(state="attached")
    open_settings(others[0])
    page.get_by_label("用于回答（段）", exact=True).fill("2")
    save(page)
    open_settings(others[1])
    for other, kept in zip(others, ("11", "12"), strict=True):
        expect(other.get_by_label("用于回答（段）", exact=True)).to_have_value("2")
        other.get_by_label("每种方式取回（段）", exact=True).fill(kept)
        save(other)
        expect(page.get_by_label("每种方式取回（段）", exact=True)).to_have_value(kept)
        expect(page.get_by_label("用于回答（段）", exact=True)).to_have_value("2")


def test_what_is_written_in_one_tab_stays_when_another_saves_and_puts_nothing_back(page: Page, served: Served) -> None:
    other = page.context.new_page()
    other.goto(served.url)
    other.locator("#storage p").first.wait_for(state="attached")
    open_settings(other)
    limit, decide = "用于回答（段）", "怎样判断要不要检索"
    other.get_by_label("每种方式取回（段）", exact=True).fill("11")
    other.locator('#preferences [name="set:llm.model"][value^=extractive]').check()
    page.get_by_label(limit, exact=True).fill("2")
    page.get_by_label(decide, exact=True).select_option("rules")
    save(page)
    expect(other.get_by_label(limit, exact=True)).to_have_value("2")
    expect(other.get_by_label("每种方式取回（段）", exact=True)).to_have_value("11")
    expect(other.locator("#preferences form")).to_have_class("dirty")
    save(other)
    expect(page.get_by_label("每种方式取回（段）", exact=True)).to_have_value("11")
    expect(page.locator('#preferences [name="set:llm.model"][value^=extractive]')).to_be_checked()
    expect(page.get_by_label(limit, exact=True)).to_have_value("2")
    expect(page.get_by_label(decide, exact=True)).to_have_value("rules")


def test_a_wrong_value_is_told_at_its_field_and_nothing_is_saved(page: Page) -> None:
    page.get_by_label("用于回答（段）", exact=True).fill("99")
    page.get_by_label("怎样判断要不要检索", exact=True).select_option("rules")
    save(page, "均未保存")
    expect(page.locator("[data-field=limit] .problem")).to_have_text("请填 1 到 20 之间的整数。")
    expect(page.get_by_label("用于回答（段）", exact=True)).to_be_focused()
    expect(page.get_by_label("怎样判断要不要检索", exact=True)).to_have_value("rules")
    page.get_by_role("button", name="放弃修改").click()
    expect(page.get_by_label("用于回答（段）", exact=True)).to_have_value("5")
    expect(page.locator("#preferences .state .now")).to_have_text("与服务器的默认相同")
    page.reload()
    open_settings(page)
    expect(page.get_by_label("怎样判断要不要检索", exact=True)).to_have_value("auto")


def test_fields_and_everything_go_back_to_the_servers_values(page: Page) -> None:
    decide, limit = page.get_by_label("怎样判断要不要检索", exact=True), page.get_by_label("用于回答（段）", exact=True)
    decide.select_option("rules")
    limit.fill("3")
    page.get_by_role("button", name="恢复默认: 用于回答（段）").click()
    expect(limit).to_have_value("5")
    save(page)
    expect(decide).to_have_value("rules")
    page.get_by_role("button", name="全部恢复默认").click()
    page.get_by_role("button", name="确定").click()
    expect(decide).to_have_value("auto")
    expect(page.locator("#preferences .state .now")).to_have_text("与服务器的默认相同")


def test_while_a_model_is_on_its_way_the_form_stays_and_is_drawn_anew_once_something_has_arrived(
    served: Served, visit: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    models, pool = served.services.models, served.services.pool
    pulled = ModelStatus(Provider.OLLAMA, "m", ModelState.DOWNLOADING, Message("model.pulling", {"model": "m"}))
    coming = replace(models.current, state=ModelState.DOWNLOADING, done=1, total=2)
    monkeypatch.setattr(models, "current", coming)
    monkeypatch.setattr(pool, "pulling", lambda _: (pulled,))
    page = visit()
    open_settings(page)
    form, chosen = page.locator("#preferences form"), page.locator('[name="set:llm.model"]:checked')
    ready = replace(coming, state=ModelState.READY)
    for of, name, value in ((pool, "pulling", lambda _: ()), (models, "current", ready)):
        form.evaluate("form => (form.dataset.before = 'yes')")
        chosen.focus()
        page.wait_for_timeout(2500)
        expect(form).to_have_attribute("data-before", "yes")
        monkeypatch.setattr(of, name, value)
        expect(form).not_to_have_attribute("data-before", "yes")
        expect(chosen).to_be_focused()


def test_what_is_not_saved_can_be_discarded(page: Page) -> None:
    page.get_by_label("温度", exact=True).fill("1.2")
    page.get_by_role("switch", name="先思考再回答").click()
    page.get_by_role("button", name="放弃修改").click()
    expect(page.get_by_label("温度", exact=True)).to_have_value("0.1")
    expect(page.get_by_role("switch", name="先思考再回答")).not_to_be_checked()


def test_a_route_is_switched_off_and_one_is_always_searched(page: Page) -> None:
    meaning, words = page.get_by_label("段落的语义", exact=True), page.get_by_label("字词（BM25）", exact=True)
    meaning.uncheck()
    words.uncheck()
    save(page, "均未保存")
    expect(page.locator("[data-field=requests] .problem")).to_have_text("至少要选一种检索方式。")
    words.check()
    save(page)
    expect(meaning).not_to_be_checked()


def test_one_route_takes_fewer_passages_than_the_others(page: Page) -> None:
    words = page.get_by_label("字词（BM25）的上限", exact=True)
    expect(words).to_have_value("")
    words.fill("0")
    save(page, "均未保存")
    expect(page.locator("[data-field=request_limits] .problem")).to_contain_text("1 到 200")
    words.fill("20")
    save(page)
    page.reload()
    open_settings(page)
    expect(words).to_have_value("20")
    expect(page.get_by_label("段落的语义的上限", exact=True)).to_have_value("")
    expect(page.locator("[data-field=request_limits] .mark")).to_be_visible()
    page.get_by_role("button", name="恢复默认: 各种方式的上限").click()
    save(page)
    expect(words).to_have_value("")


def test_a_prompt_is_changed_only_with_its_placeholders(page: Page) -> None:
    page.locator("summary", has_text="追问（沿用资料）").click()
    prompt = page.locator("[data-field='prompts.follow_up'] textarea")
    prompt.fill("简短地回答我。")
    save(page, "均未保存")
    expect(page.locator("[data-field='prompts.follow_up'] .problem")).to_have_text("缺少 {question}，请补上。")
    prompt.fill("<b>简短地</b>回答：{question}")
    save(page)
    expect(prompt).to_have_value("<b>简短地</b>回答：{question}")


def test_another_browser_has_its_own_settings(page: Page, visit: OpenPage) -> None:
    page.get_by_label("用于回答（段）", exact=True).fill("1")
    save(page)
    other = visit()
    open_settings(other)
    expect(other.get_by_label("用于回答（段）", exact=True)).to_have_value("5")


@pytest.mark.parametrize("name", ["llm.ollama_host", "rerank.base_url", "dense_fields.chunk.model"])
def test_a_forged_request_cannot_set_what_the_form_has_not(page: Page, name: str) -> None:
    forge(page, name, "http://169.254.169.254/")
    page.get_by_label("用于回答（段）", exact=True).fill("2")
    save(page, "均未保存")
    page.reload()
    open_settings(page)
    expect(page.get_by_label("用于回答（段）", exact=True)).to_have_value("2")
    page.get_by_role("button", name="放弃修改").click()
    expect(page.get_by_label("用于回答（段）", exact=True)).to_have_value("5")


@pytest.fixture(scope="module")
def locked() -> Iterator[Served]:
    settings = settings_with(server={"locked": ("llm", "rerank.kind")})
    with serving(FakeServices(settings)) as server:
        yield server


def test_what_the_operator_locks_is_shown_so_and_refused_where_it_is_sent_all_the_same(
    locked: Served, chromium: Browser
) -> None:
    page = chromium.new_page(locale="zh-CN")
    page.goto(locked.url)
    open_settings(page)
    expect(page.get_by_label("温度", exact=True)).to_be_disabled()
    expect(page.locator("[data-field='llm.temperature'] .lock")).to_have_text("由管理员锁定")
    expect(page.locator("#pull-name")).to_have_count(0)
    # Who may not choose who answers may not have a server load a model for this either.
    expect(page.locator("[data-field='dense_fields.chunk.model'] .lock")).to_have_text("由管理员锁定")
    expect(page.locator("[data-field='dense_fields.chunk.model'] [type=radio]")).to_be_disabled()
    page.get_by_label("用于回答（段）", exact=True).fill("2")
    save(page)
    forge(page, "llm.temperature", "1.5")
    forge(page, "llm.model", "extractive:extractive")
    forge(page, "dense_fields.chunk.model", "ollama:bge-m3:latest")
    save(page, "有 3 项填写有误")
    expect(page.locator("[data-field='llm.temperature'] .problem")).to_have_text("这一项由管理员锁定，不能修改。")
    page.reload()
    open_settings(page)
    expect(page.get_by_label("用于回答（段）", exact=True)).to_have_value("2")
    expect(page.get_by_label("温度", exact=True)).to_have_value("0.1")
    page.close()


def test_the_form_is_in_the_language_of_the_page(visit: OpenPage) -> None:
    page = visit("en", viewport={"width": 414, "height": 896})
    open_settings(page)
    expect(page.get_by_label("Passages used", exact=True)).to_have_value("5")
    page.locator("summary", has_text="Role and rules").click()
    field = page.locator("#preferences")
    assert field.evaluate("part => part.scrollWidth <= part.clientWidth")
    page.get_by_label("Dark", exact=True).check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_what_a_row_is_for_stands_right_under_its_name(visit: OpenPage) -> None:
    page = visit()
    open_settings(page)
    row = page.locator("#preferences fieldset[data-field='requests']")
    name, hint = row.locator("legend").bounding_box(), row.locator(".label").bounding_box()
    assert name and hint
    assert hint["y"] - (name["y"] + name["height"]) < 12
