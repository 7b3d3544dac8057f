"""What the model in this process keeps of conversations that are held side by side."""

from dataclasses import replace

import pytest

from rag.engine import Engine
from rag.llm.embedded import EmbeddedChatModel
from rag.types import Provider, Turn
from tests.engine.rig import SEARCHES, Build, join_upkeep, model
from tests.samples import hit
from tests.scripted import FixedKnowledgeBase

RULES, TIMES = "员工手册.pdf", "班车时刻表.pdf"
LEAVE, BUSES = "员工每年有十天年假，入职满五年的再加五天。", "早班车七点从北门出发，末班车十点。"
ILLNESS = "请病假要有医院的证明，三天以上由经理批准。"


@pytest.mark.model
@pytest.mark.parametrize(
    "others", [((TIMES, BUSES), (RULES, ILLNESS)), ((TIMES, BUSES), None), (None,)], ids=["alike", "both", "greeting"]
)
def test_conversations_begun_meanwhile_leave_another_its_prefix(
    others: tuple[tuple[str, str] | None, ...],
    build: Build,
    knowledge: FixedKnowledgeBase,
    embedded_model: EmbeddedChatModel,
) -> None:
    engine = build(embedded_model, Provider.EMBEDDED, decider=SEARCHES)
    first = engine.start_conversation("s")
    begun = _ask(engine, knowledge, first, RULES, LEAVE)
    for other in others:
        conversation = engine.start_conversation("s")
        if other is None:
            engine.ask("你好！", "s", conversation_id=conversation)
        else:
            _ask(engine, knowledge, conversation, *other)
    turn = engine.ask("谢谢！", "s", conversation_id=first)
    assert turn.usage.cached >= begun.usage.prompt - 1


def test_a_summary_that_its_reader_edited_is_read_ahead_of_the_next_question(build: Build) -> None:
    scripted = model(["十天[1]。"], ["五天[2]。"], ["摘要。"], ["好"], ["好"], ["不客气。"], ["摘要。"], ["好"])
    engine = build(scripted, Provider.EMBEDDED, max_recent_turns=2)
    turn = engine.ask("年假有几天？", "s")
    engine.ask("那病假呢？", "s")
    join_upkeep()
    summary = engine.recollection("s", turn.conversation_id).summary
    assert summary is not None
    engine.edit_summary("s", summary.summary_id, "我的说法。")
    join_upkeep()
    read_ahead = scripted.calls[-1]
    engine.ask("谢谢！", "s")
    join_upkeep()
    assert scripted.calls[5][:-1] == read_ahead[:-1]


def _ask(engine: Engine, knowledge: FixedKnowledgeBase, conversation_id: str, document: str, says: str) -> Turn:
    """A conversation's first turn, on a passage of a document."""
    found = hit(int(conversation_id, 16) % 1000, says * 12, page=3)
    knowledge.hits = (replace(found, chunk=replace(found.chunk, document_name=document)),)
    return engine.ask("里面是怎么规定的？", "s", conversation_id=conversation_id)
