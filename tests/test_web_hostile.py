"""What documents, models and people bring stays text wherever it is shown."""

from dataclasses import replace
from datetime import UTC, datetime

import gradio as gr
import pytest

from rag.i18n import Language
from rag.preferences.effective import Preferences
from rag.preferences.fields import ADDRESS, EMBEDDING
from rag.types import (
    CheckedSentence,
    Chunk,
    Conversation,
    Decision,
    DocumentStatus,
    Message,
    OfferedModel,
    Passage,
    Provider,
    Support,
)
from rag.web.chat import conversation_list, render_sources, render_thread
from rag.web.chat.composer import Composer
from rag.web.chat.render_sources import Source
from rag.web.chat.render_thread import Place
from rag.web.chat.thread import LiveTurn
from rag.web.chat.trace_pane import trace
from rag.web.files.render_detail import frame, passages
from rag.web.files.render_table import FileRow, table
from rag.web.formula import mathml
from rag.web.markup import notice
from rag.web.settings.form import form
from rag.web.settings.panel import Panel
from rag.web.view import TurnView
from tests.preferring import FixedManager, settings_with
from tests.samples_web import HOSTILE, candidate, document, evidence, searched, turn
from tests.tags import Tags

ZH = Language.ZH


def of_the_chat() -> dict[str, str]:
    item = evidence(document_name=HOSTILE, text=HOSTILE, page_label=HOSTILE, heading_path=(HOSTILE,))
    spoken = turn(HOSTILE, HOSTILE, sources=(item,), model=HOSTILE, thinking=HOSTILE, generated_question=HOSTILE)
    plain = turn("问", "答", model="m")
    recalling = replace(plain, recalled=(spoken.turn_id,))
    meant = replace(plain, generated_question=f"即{HOSTILE}")
    reused = replace(meant, decision=Decision.REUSE)
    found = replace(
        searched(), candidates=(candidate(1, document_name=HOSTILE, page_label=HOSTILE, terms={HOSTILE: 1.0}),)
    )
    weighed = replace(plain, trace=found)
    live = LiveTurn(ZH).value(TurnView(HOSTILE, answer=HOSTILE))
    said = Conversation("c", HOSTILE, 1, datetime.now(UTC))
    doubted = HOSTILE, CheckedSentence(0, 5, Support.UNVERIFIED, (1,))
    with gr.Blocks():
        composer = Composer()
    return {
        "thread": render_thread.article(spoken, Place(asks_why=True), ZH),
        "live": "".join(live["blocks"]) + live["question"],
        "sources": render_sources.cards((Source(item),), (spoken,), ZH, of=HOSTILE),
        "doubts": render_sources.cards((Source(evidence(), doubts=(doubted,)),), (), ZH),
        "conversations": conversation_list.conversations((said,), None, datetime.now(UTC), ZH),
        "trace": trace(spoken, [spoken, plain], ZH),
        "recalled": trace(recalling, [spoken, recalling], ZH),
        "question": trace(meant, [meant], ZH),
        "meaning": trace(reused, [reused], ZH),
        "candidates": trace(weighed, [weighed], ZH),
        "suggestions": str(composer.suggested([HOSTILE], expects_more=False)[composer.suggestions]),
        "formula": mathml(HOSTILE * 99, display=False),
    }


def of_the_files() -> dict[str, str]:
    locked, broken = (
        document(HOSTILE, "own", status=DocumentStatus.FAILED, message=Message(f"error.{key}", values))
        for key, values in (
            ("password_needed", {"name": HOSTILE}),
            ("embedding_failed", {"model": "m", "detail": HOSTILE}),
        )
    )
    passage = Passage(HOSTILE, 0, len(HOSTILE), 1, 1, HOSTILE, (HOSTILE,))
    chunk = Chunk(1, "d", "own", HOSTILE, 1, passage)
    plain = replace(chunk, document_name="手册.pdf", passage=replace(passage, text="文", page_label="1"))
    return {
        "files": table([FileRow(locked)], ZH),
        "failure": table([FileRow(replace(broken, name="手册.pdf"))], ZH),
        "refusals": notice(Message("error.unsupported_file", {"name": HOSTILE}), ZH),
        "inspector": frame(locked, "passages", "", ZH),
        "passages": passages([chunk], locked, 0, ZH),
        "headings": passages([plain], locked, 0, ZH),
    }


def of_the_settings() -> dict[str, str]:
    settings = settings_with(server={"locked": ()})
    offered = tuple(OfferedModel(kind, HOSTILE, present=True) for kind in (Provider.OLLAMA, Provider.OPENAI))

    vectors = {f"ollama:{HOSTILE}": OfferedModel(Provider.OLLAMA, HOSTILE, present=True)}
    panel = Panel(settings, Preferences(), (), FixedManager().status(), ZH)

    def written(path: str, value: str) -> str:
        return form(replace(panel, refused={path: value}))

    return {
        "models": form(replace(panel, models=offered)),
        "a model that is gone": written("llm.model", f"ollama:{HOSTILE}"),
        "models for vectors": form(replace(panel, embeddings=vectors)),
        "a model for vectors that is gone": written(EMBEDDING, f"ollama:{HOSTILE}"),
        "address": written(ADDRESS, f"https://{HOSTILE}"),
        "prompt": written("prompts.answer", HOSTILE),
        "number": written("llm.temperature", HOSTILE),
    }


SHOWN = of_the_chat() | of_the_files() | of_the_settings()


@pytest.mark.parametrize("part", SHOWN)
def test_hostile_text_becomes_neither_tag_nor_handler_nor_link(part: str) -> None:
    html = Tags(SHOWN[part])
    assert not {"script", "img", "iframe"} & set(html.tags)
    assert not [name for name in html.attributes if name.startswith("on")]
    assert not (html.attributes.get("href") or "").startswith("javascript")
    assert "&lt;script&gt;" in SHOWN[part]
