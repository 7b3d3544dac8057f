"""One document from upload to answer, and nothing pretended: `app.py`, its reader, its index, a model, a browser.

The model is small and misreads what it is given: what the program does with its answers is looked at, not their words.
"""

import re
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from gradio_client import Client, handle_file
from playwright.sync_api import Browser, Page, expect

from tests.manual import CHAPTERS, NAME
from tests.pdf_files import write_book
from tests.prepare import TEST_MODEL
from tests.program import free_port, running, told, told_address
from tests.web.conftest import MODELS_PATIENCE, answered, arrive, ask, exchange, new_page, page_of_source
from tests.web.files_page import upload

pytestmark = [pytest.mark.browser, pytest.mark.model]
CHARGING, UPKEEP = 2, 3  # the pages that the two questions are about
QUESTION, FOLLOW_UP = "青禾二号巡检机器人怎么充电？请逐步说明。", "那它的保养周期是多久呢？"
ALONE = "青禾二号巡检机器人的保养周期是多久"
# A stage may be over, and a piece of an answer in its place, before anybody looks for it.
WATCH = """() => {
  window.stages = new Set(); window.lengths = new Set();
  new MutationObserver(() => {
    stages.add(document.querySelector("#live .steps .now")?.textContent ?? "");
    lengths.add(document.querySelector("#live .prose")?.textContent.length ?? 0);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
# And the answer may be over before a click comes from out here.
STOP = """() => new MutationObserver(() => {
  if (document.querySelector("#live .prose")?.textContent) document.querySelector("#question .stop-button")?.click();
}).observe(document.body, { subtree: true, childList: true, characterData: true })"""


@dataclass(frozen=True)
class Reader:
    """Somebody who has uploaded the manual and asked twice, and what their page showed while the answers came."""

    page: Page
    answers: list[str]
    stages: list[str]
    lengths: list[int]


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_book(tmp_path_factory.mktemp("manual") / NAME, CHAPTERS)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the program serves; at its end it closes in order, and nothing has gone wrong in it."""
    model = {"WENQU_LLM_PROVIDER": "embedded", "WENQU_LLM_MODEL": TEST_MODEL}
    said: list[str] = []
    with running(tmp_path_factory.mktemp("app"), free_port(), **model) as process:
        url = f"{told_address(process)}/"
        assert told(process, r"answers come from (\S+)") == TEST_MODEL
        # Somebody must read it, or the program would wait where the pipe is full.
        listener = threading.Thread(target=said.extend, args=(process.stderr,))
        listener.start()
        yield url
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        listener.join(30)
    assert "Traceback" not in "".join(said)


@pytest.fixture(scope="module")
def heard() -> Iterator[list[str]]:
    """What goes wrong on any page."""
    heard: list[str] = []
    yield heard
    assert heard == []


@pytest.fixture(scope="module")
def reader(address: str, chromium: Browser, heard: list[str], manual: Path) -> Iterator[Reader]:
    page = visitor(chromium, address, heard)
    take_in(page, manual)
    page.get_by_role("tab", name="对话").click()
    page.evaluate(WATCH)
    exchange(page, QUESTION, 1, MODELS_PATIENCE)
    exchange(page, FOLLOW_UP, 2, MODELS_PATIENCE)
    answers = page.locator("#turns .prose").all_inner_texts()
    yield Reader(page, answers, page.evaluate("[...stages]"), page.evaluate("[...lengths]"))
    page.context.close()


@pytest.fixture
def page(reader: Reader) -> Page:
    """The reader's page, opened anew: whatever another test, or the same in vain, has done to it, is gone."""
    reader.page.reload()
    # It opens in the tab where it was left.
    reader.page.get_by_role("tab", name="对话").click()
    answered(reader.page, 2)
    return reader.page


def visitor(browser: Browser, address: str, heard: list[str]) -> Page:
    page = new_page(browser, address, heard)
    arrive(page, address)
    return page


def take_in(page: Page, file: Path) -> None:
    """Gives the file, and waits until it is found by its meaning too: by words alone other passages are."""
    upload(page, file)
    expect(page.locator("#files .file.ready", has_text=file.name)).to_be_visible(timeout=MODELS_PATIENCE)


def open_source(page: Page, number: int) -> None:
    """Opens the card of the manual's passage on this page, and sees it there."""
    card = page.locator("#sources .source", has_text=NAME).filter(has_text=f"第 {number} 页").first
    card.locator(".head").click()
    expect(card).to_have_class(re.compile("shown"))
    expect(page.locator("#leaf .where")).to_have_text(f"第 {number} 页")
    page_of_source(page)
    expect(page.locator("#leaf .mark").first).to_be_in_viewport()


def test_the_file_stands_in_the_table_with_its_pages_and_passages(page: Page) -> None:
    page.get_by_role("tab", name="资料").click()
    row = page.locator("#files .file", has_text=NAME)
    expect(row.locator(".count")).to_have_text(re.compile(r"^3 页[1-9]\d* 段$"))


def test_the_model_that_answers_is_named(page: Page) -> None:
    expect(page.locator(".badge summary")).to_contain_text(TEST_MODEL)
    expect(page.locator("#trace .of-model")).to_have_text(TEST_MODEL)


def test_an_answer_comes_by_its_stages_and_piece_by_piece(reader: Reader) -> None:
    assert any(re.search(r"阅读资料 \d+%", stage) for stage in reader.stages), reader.stages
    assert len(reader.lengths) > 3, reader.lengths


def test_a_source_opens_its_page_with_the_passage_marked(page: Page) -> None:
    open_source(page, UPKEEP)
    page.get_by_text("其他问题的资料（1）").click()
    page.locator("#sources .earlier").get_by_role("button", name=QUESTION).click()
    open_source(page, CHARGING)


def test_a_follow_up_is_searched_for_as_a_question_that_stands_alone(page: Page) -> None:
    page.locator("#turns .decided").last.click()
    expect(page.locator("#trace .of-question")).to_contain_text(ALONE)
    expect(page.locator("#trace .of-search tbody tr")).not_to_have_count(0)


def test_a_reload_shows_both_turns_with_their_sources_and_the_file(reader: Reader, page: Page) -> None:
    expect(page.locator("#turns .question")).to_have_text([QUESTION, FOLLOW_UP])
    assert page.locator("#turns .prose").all_inner_texts() == reader.answers
    open_source(page, UPKEEP)
    page.get_by_role("tab", name="资料").click()
    expect(page.locator("#files .file", has_text=NAME)).to_be_visible()


@pytest.mark.usefixtures("reader")
def test_another_browser_sees_neither(address: str, chromium: Browser, heard: list[str]) -> None:
    other = visitor(chromium, address, heard)
    expect(other.locator("#conversations li")).to_have_count(0)
    other.get_by_role("tab", name="资料").click()
    expect(other.locator("#files .file")).to_have_count(1)
    expect(other.locator("body")).not_to_contain_text(NAME)
    other.context.close()


def test_an_answer_is_stopped_in_its_middle_and_stays_so(
    address: str, chromium: Browser, heard: list[str], manual: Path
) -> None:
    page = visitor(chromium, address, heard)
    take_in(page, manual)
    page.get_by_role("tab", name="对话").click()
    page.evaluate(STOP)
    ask(page, "请把青禾二号巡检机器人的充电方法从头到尾逐条写出来，每条都要详细。")
    expect(page.locator("#turns .notice")).to_contain_text("已停止，以上是停止前的内容", timeout=MODELS_PATIENCE)
    expect(page.locator("#question .submit-button")).to_be_visible()
    begun = page.locator("#turns .prose").inner_text()
    page.reload()
    expect(page.locator("#turns .notice")).to_contain_text("已停止")
    assert page.locator("#turns .prose").inner_text() == begun != ""
    page.context.close()


def test_a_program_uploads_the_file_and_asks(address: str, manual: Path) -> None:
    client = Client(address, verbose=False)
    (report,) = client.predict([handle_file(str(manual))], api_name="/upload")
    assert report.pop("chunks") > 0
    assert report == {"file": NAME, "status": "ready", "pages": len(CHAPTERS), "message": ""}
    job = client.submit(QUESTION, api_name="/chat")
    final = job.result(timeout=MODELS_PATIENCE / 1000)
    assert len({len(reply["answer"]) for reply in job.outputs()}) > 3
    assert final["answer"] and final["model"] == TEST_MODEL
    assert (NAME, CHARGING) in [(source["file"], source["page"]) for source in final["sources"]]
