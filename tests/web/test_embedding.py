"""A visitor has their own vectors made by another model: the real program, an Ollama that pretends, a browser."""

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fakes import FakeEmbeddings
from tests.model_server import ModelServer, Reply, chat, serving, tags
from tests.program import Program, free_port
from tests.web.conftest import arrive, exchange, new_page
from tests.web.files_page import upload
from tests.web.settings_page import open_settings, save

pytestmark = pytest.mark.browser
CHAT, EMBEDDING, GONE = "qwen3:8b", "bge-m3:latest", "gone-embed:latest"
QUESTION = "办理手续须提前多久申请？"
FIELD = "[data-field='dense_fields.chunk.model']"


@dataclass
class Ollama:
    """Has a model that answers, one that makes vectors, and one that has gone meanwhile."""

    server: ModelServer
    may_embed: threading.Event = field(default_factory=threading.Event)

    def embedded(self) -> list[str]:
        """The texts that it was asked for vectors of."""
        return [text for path, body in self.server.asked if path == "/api/embed" for text in body["input"]]


@pytest.fixture
def ollama() -> Iterator[Ollama]:
    model = FakeEmbeddings(64)

    def show(asked: dict[str, Any]) -> Reply:
        can = "completion" if asked["model"] == CHAT else "embedding"
        return Reply((json.dumps({"capabilities": [can], "model_info": {}}),))

    def embed(asked: dict[str, Any]) -> Reply:
        if asked["model"] == GONE:
            return Reply(('{"error": "model not found"}',), status=404)
        if len(asked["input"]) > 1:
            known.may_embed.wait(60)
        return Reply((json.dumps({"embeddings": [model.embed_query(text) for text in asked["input"]]}),))

    answers = {"/api/tags": tags(CHAT, EMBEDDING, GONE), "/api/chat": chat("须提前两周申请[1]。")}
    with serving({**answers, "/api/show": show, "/api/embed": embed}) as server:
        known = Ollama(server)
        yield known
        known.may_embed.set()


@pytest.fixture
def program(tmp_path: Path, ollama: Ollama) -> Iterator[Program]:
    program = Program(tmp_path, free_port())
    with program.runs(OLLAMA_HOST=ollama.server.url, WENQU_LLM_PROVIDER="ollama", WENQU_LLM_MODEL=CHAT):
        yield program


def visit(browser: Browser, program: Program, language: str | None = None) -> Page:
    page = new_page(browser, program.url, [], language)
    arrive(page, program.url)
    return page


def test_another_embedding_is_chosen_filled_in_and_searched_and_nobody_elses_is_touched(
    program: Program, ollama: Ollama, chromium: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "规定.txt"
    file.write_text(
        "\n\n".join(f"第{n}条：员工办理第{n}种手续须提前两周申请。" * 5 for n in range(20)), encoding="utf-8"
    )
    page = visit(chromium, program)
    upload(page, file)
    row = page.locator("#files .file", has_text=file.name)
    expect(row.locator(".stage")).to_have_count(0)
    assert ollama.embedded() == []
    open_settings(page)
    page.get_by_role("radio", name=EMBEDDING).check()
    save(page)
    expect(page.locator(f"{FIELD} .mark")).to_be_visible()
    page.get_by_role("tab", name="资料").click()
    expect(row.locator(".stage")).to_contain_text("正在完善检索 0 / ")
    ollama.may_embed.set()
    expect(row.locator(".stage")).to_have_count(0)
    page.get_by_role("tab", name="对话").click()
    exchange(page, QUESTION)
    assert QUESTION in ollama.embedded()
    expect(page.locator("#trace .routes")).to_contain_text(re.compile(r"语义 [1-9]"))
    other = visit(chromium, program, "en")
    exchange(other, "问渠支持哪些文件？")
    open_settings(other)
    expect(other.locator(FIELD)).to_contain_text("Embedding model")
    expect(other.locator(f"{FIELD} :checked")).to_have_value("")
    # Passages of the sample may still be on their way for the first one's choice.
    assert "问渠支持哪些文件？" not in ollama.embedded()
    for one in (page, other):
        one.context.close()


def test_a_model_that_makes_no_vector_is_told_with_what_mends_it_and_nothing_is_saved(
    program: Program, chromium: Browser
) -> None:
    for language, says, told, discard in (
        ("zh", "均未保存", "请先下载它（如 ollama pull gone-embed:latest）", "放弃修改"),
        ("en", "nothing was saved", "Download it first (ollama pull gone-embed:latest)", "Discard changes"),
    ):
        page = visit(chromium, program, language)
        open_settings(page)
        page.get_by_role("radio", name=GONE).check()
        page.locator("#preferences [type=submit]").click()
        expect(page.locator(f"{FIELD} .problem")).to_contain_text(told)
        expect(page.locator("#preferences [role=status] .now")).to_contain_text(says)
        page.reload()
        open_settings(page)
        # What was refused is still there to be mended, and not saved.
        page.get_by_role("button", name=discard).click()
        expect(page.locator(f"{FIELD} :checked")).to_have_value("")
        page.context.close()
