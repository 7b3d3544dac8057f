"""What the model in this process keeps of conversations that are held side by side."""

from dataclasses import replace

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.messages.ai import UsageMetadata

from rag.engine import Engine
from rag.llm.embedded import EmbeddedChatModel
from rag.prompts import Prompts
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
    first = engine.store.start("s")
    begun = _ask(engine, knowledge, first, RULES, LEAVE)
    for other in others:
        conversation = engine.store.start("s")
        if other is None:
            engine.ask("你好！", "s", conversation_id=conversation)
        else:
            _ask(engine, knowledge, conversation, *other)
    turn = engine.ask("谢谢！", "s", conversation_id=first)
    assert turn.usage.cached >= begun.usage.prompt - 1


@pytest.mark.model
def test_short_conversations_held_in_turn_keep_their_prefixes(
    build: Build, knowledge: FixedKnowledgeBase, embedded_model: EmbeddedChatModel
) -> None:
    engine = build(embedded_model, Provider.EMBEDDED, decider=SEARCHES)
    passages = [(RULES, LEAVE), (TIMES, BUSES), (RULES, ILLNESS)]
    talks = {engine.store.start("s"): passage for passage in passages}
    begun = {talk: _ask(engine, knowledge, talk, *passage, times=1) for talk, passage in talks.items()}
    turns = {talk: engine.ask("谢谢！", "s", conversation_id=talk) for talk in begun}
    assert [turns[talk].usage.cached >= begun[talk].usage.prompt - 1 for talk in talks] == [True, True, True]


@pytest.mark.model
def test_a_conversation_whose_last_answer_was_shortened_keeps_its_prefix(embedded_model: EmbeddedChatModel) -> None:
    role = SystemMessage(Prompts().fill("answer"))
    talks = [[role, HumanMessage(f"资料：{says}\n问题：怎么规定的？")] for says in (LEAVE, BUSES, ILLNESS)]
    begun = list[int]()
    for talk in talks:
        said = embedded_model.invoke(talk)
        begun.append(_read(said)["input_tokens"])
        talk += [AIMessage(said.text[6:]), HumanMessage("再说一遍。")]
    again = [_read(embedded_model.invoke(talk))["input_token_details"]["cache_read"] for talk in talks]
    assert [cached >= before - 1 for cached, before in zip(again, begun, strict=True)] == [True, True, True]


def test_a_summary_that_its_reader_edited_is_read_ahead_of_the_next_question(build: Build) -> None:
    scripted = model(["十天[1]。"], ["五天[2]。"], ["摘要。"], ["不客气。"], ["摘要。"])
    engine = build(scripted, Provider.EMBEDDED, max_recent_turns=2)
    turn = engine.ask("年假有几天？", "s")
    engine.ask("那病假呢？", "s")
    join_upkeep()
    summary = engine.recollection("s", turn.conversation_id).summary
    assert summary is not None
    engine.edit_summary("s", summary.summary_id, "我的说法。")
    join_upkeep()
    read_ahead = scripted.read_ahead[-1]
    engine.ask("谢谢！", "s")
    join_upkeep()
    assert scripted.calls[3][:-1] == read_ahead[:-1]


@pytest.mark.model
def test_what_no_model_wrote_is_read_before_the_next_question(
    build: Build, knowledge: FixedKnowledgeBase, embedded_model: EmbeddedChatModel
) -> None:
    engine = build(embedded_model, Provider.EMBEDDED, decider=SEARCHES)
    conversation = engine.store.start("s")
    begun = _ask(engine, knowledge, conversation, RULES, LEAVE)
    knowledge.hits = (replace(hit(7, f"{BUSES}{ILLNESS}" * 3, page=3), relevance=0.01),)
    refused = engine.ask("食堂几点开门？", "s", conversation_id=conversation)
    join_upkeep()
    turn = engine.ask("谢谢！", "s", conversation_id=conversation)
    assert refused.usage.prompt == 0
    # Fresh are the thanks and the form around them.
    assert turn.usage.cached > begun.usage.prompt + begun.usage.completion
    assert turn.usage.prompt - turn.usage.cached <= 12


def _read(said: AIMessage) -> UsageMetadata:
    assert said.usage_metadata is not None
    return said.usage_metadata


def _ask(
    engine: Engine, knowledge: FixedKnowledgeBase, conversation_id: str, document: str, says: str, times: int = 12
) -> Turn:
    """A conversation's first turn, on a passage of a document."""
    found = hit(int(conversation_id, 16) % 1000, says * times, page=3)
    knowledge.hits = (replace(found, chunk=replace(found.chunk, document_name=document)),)
    return engine.ask("里面是怎么规定的？", "s", conversation_id=conversation_id)
