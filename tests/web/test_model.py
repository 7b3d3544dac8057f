"""A person at the page: who answers, what they get until a model is there, and the way back when it is gone."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from rag.types import Message, ModelState, ModelStatus, Provider
from tests.fakes_web import FakeModels
from tests.waiting import wait_for
from tests.web.conftest import OpenPage, Served, ask, exchange

pytestmark = pytest.mark.browser
COMING = ModelStatus(
    Provider.EXTRACTIVE,
    "extractive",
    ModelState.DOWNLOADING,
    Message("model.extractive_downloading", {"model": "qwen2.5-1.5b-instruct"}),
    done=400_000_000,
    total=1_000_000_000,
    speed=2_000_000,
)
PROBLEM = Message("error.model_unreachable", {"base_url": "http://127.0.0.1:11434"})
GONE = ModelStatus(
    Provider.EXTRACTIVE,
    "extractive",
    ModelState.READY,
    Message("model.extractive_failed", {"problem": PROBLEM}),
    failed=True,
)


@pytest.fixture
def models(served: Served) -> Iterator[FakeModels]:
    """What tells of models; afterwards a model is there again."""
    models = served.services.models
    before = models.current
    yield models
    models.current, models.retries = before, 0


def test_the_badge_says_who_answers_and_how_far_a_better_model_is(visit: OpenPage, models: FakeModels) -> None:
    present, models.current = models.current, COMING
    page = visit()
    expect(page.locator(".badge summary")).to_contain_text("原文摘录")
    expect(page.locator(".badge summary")).to_contain_text("下载模型 40%")
    page.locator(".badge summary").click()
    expect(page.locator(".badge .card")).to_contain_text("400 / 1000 MB，2.0 MB/s，约剩 5 分钟")
    models.current = present
    expect(page.locator(".badge summary")).to_contain_text("qwen2.5-1.5b-instruct")


def test_the_account_of_the_model_stays_open_while_its_download_goes_on(visit: OpenPage, models: FakeModels) -> None:
    models.current = COMING
    page = visit()
    page.locator(".badge summary").click()
    expect(page.locator(".badge .card")).to_contain_text("400 / 1000 MB")
    models.current = replace(COMING, done=500_000_000)
    expect(page.locator(".badge .card")).to_contain_text("500 / 1000 MB")
    expect(page.locator(".badge .card")).to_be_visible()


@pytest.mark.parametrize("width", [1440, 390])
def test_above_the_question_stands_what_answers_are_until_the_model_is_there(
    visit: OpenPage, models: FakeModels, width: int
) -> None:
    present, models.current = models.current, COMING
    page = visit(viewport={"width": width, "height": 844})
    notice = page.locator("#standing")
    expect(notice).to_contain_text("正在下载，在此之前只摘录原文")
    expect(notice).to_contain_text("400 / 1000 MB")
    expect(notice).to_contain_text("现在就可以提问")
    place, below = notice.bounding_box(), page.locator("#question").bounding_box()
    assert place is not None and below is not None
    assert place["x"] >= 0 and place["x"] + place["width"] <= width and place["y"] + place["height"] <= below["y"]
    models.current = replace(COMING, state=ModelState.LOADING, done=0, total=0, speed=0)
    expect(notice).not_to_contain_text("MB")
    models.current = present
    expect(notice).to_be_hidden()


def test_without_a_model_the_notice_says_what_to_do_and_does_it(visit: OpenPage, models: FakeModels) -> None:
    models.current = GONE
    page = visit()
    notice = page.locator("#standing")
    expect(notice).to_contain_text("没有可用的模型，只摘录原文。")
    expect(notice).to_contain_text("问题：连不上模型服务")
    notice.get_by_role("button", name="换一个模型").click()
    expect(page.get_by_role("tab", name="设置")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="对话").click()
    notice.get_by_role("button", name="重新检测").click()
    assert wait_for(lambda: models.retries == 1)


def test_who_chose_quotations_is_not_told_that_a_model_is_missing(visit: OpenPage, models: FakeModels) -> None:
    models.current = replace(GONE, reason=Message("model.extractive_chosen"), failed=False)
    page = visit()
    expect(page.locator(".badge summary")).to_contain_text("原文摘录")
    expect(page.locator("#standing")).to_be_hidden()


def test_models_are_looked_for_again_from_the_settings_too(visit: OpenPage, models: FakeModels) -> None:
    page = visit()
    page.get_by_role("tab").nth(2).click()
    page.locator("#health").get_by_role("button", name="重新检测").click()
    assert wait_for(lambda: models.retries == 1)


def test_a_model_that_is_gone_is_looked_for_again_and_the_question_is_kept(visit: OpenPage, models: FakeModels) -> None:
    page = visit()
    ask(page, "断线：错误码的格式是怎样的？")
    expect(page.locator("#refusal .notice")).to_contain_text("连不上模型服务")
    expect(page.locator("#question textarea")).to_have_value("断线：错误码的格式是怎样的？")
    assert models.retries == 1
    models.current = GONE
    expect(page.locator("#standing")).to_be_visible()
    exchange(page, "错误码的格式是怎样的？")


def test_on_a_phone_the_whole_account_of_the_model_is_on_the_screen(visit: OpenPage) -> None:
    page = visit(viewport={"width": 414, "height": 896})
    page.locator(".badge summary").click()
    box = page.locator(".badge .card").bounding_box()
    assert box is not None
    assert box["x"] >= 0 and box["x"] + box["width"] <= 414


def test_the_badge_can_look_for_a_model_again(visit: OpenPage, models: FakeModels) -> None:
    page = visit()
    page.locator(".badge summary").click()
    page.locator(".badge button").click()
    assert wait_for(lambda: models.retries == 1)
