"""What a chain has found for one of its callers is not evidence for another."""

import pickle
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import pytest
from langchain_classic.memory import CombinedMemory, ConversationBufferMemory
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import InMemoryChatMessageHistory
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.history import RunnableWithMessageHistory

from rag.chain import ConversationalRetrievalChain
from rag.chain.evidence import HeldEvidence
from rag.decision.base import Situation, Verdict
from rag.types import Decision, Message
from tests.chains import FIRST, FORM, LEAVE, FixedRetriever

READER = ContextVar("reader", default="")
UNKNOWN = "我不知道。"
ASKED = "公司差旅费的报销期限是多少天？"
REUSES = "公司差旅费的报销期限有三十天吗？"
OTHERS = Document(id="1", page_content="报销期限为九十天。", metadata={"source": "甲的合同.pdf"})


class ReusesAll:
    """Answers from the evidence in hand wherever there is any."""

    def decide(self, situation: Situation) -> Verdict:
        decision = Decision.REUSE if situation.in_hand else Decision.RETRIEVE
        return Verdict(decision, Message("decision.signal.none"), 1.0)


class ReadersRetriever(BaseRetriever):
    """Finds for each reader what is theirs."""

    own: dict[str, list[Document]]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return self.own.get(READER.get(), [])


def chain_for(
    retriever: BaseRetriever | None = None, kind: type[ConversationalRetrievalChain] = ConversationalRetrievalChain
) -> ConversationalRetrievalChain:
    return kind.from_llm(
        FakeListChatModel(responses=[UNKNOWN]),
        retriever or ReadersRetriever(own={"甲": [OTHERS], "乙": [LEAVE]}),
        decider=ReusesAll(),
        return_source_documents=True,
        return_decision=True,
    )


def ask(
    chain: ConversationalRetrievalChain,
    reader: str,
    question: str,
    *history: tuple[str, str],
    config: RunnableConfig | None = None,
    **inputs: object,
) -> Any:
    """What the chain gives one of its readers."""
    token = READER.set(reader)
    try:
        return chain.invoke({"question": question, "chat_history": list(history), **inputs}, config)
    finally:
        READER.reset(token)


def test_the_same_question_and_answer_in_another_conversation_bring_no_evidence() -> None:
    chain = chain_for()
    ask(chain, "甲", ASKED)
    outputs = ask(chain, "乙", REUSES, (FIRST, "十天。"), (ASKED, UNKNOWN))
    assert (outputs["decision"], outputs["source_documents"]) == (Decision.RETRIEVE, [LEAVE])


@pytest.mark.parametrize("own", [[LEAVE], []], ids=["other documents", "none"])
@pytest.mark.parametrize("order", ["甲乙", "乙甲"])
def test_equal_conversations_that_found_different_documents_are_held_for_nobody(
    own: list[Document], order: str
) -> None:
    chain = chain_for(ReadersRetriever(own={"甲": [OTHERS], "乙": own}))
    for reader in order:
        ask(chain, reader, ASKED)
    assert ask(chain, "乙", REUSES, (ASKED, UNKNOWN))["source_documents"] == own
    assert ask(chain, "甲", REUSES, (ASKED, UNKNOWN))["source_documents"] == [OTHERS]


def by_session(reader: str) -> dict[str, Any]:
    return {"config": {"configurable": {"session_id": reader}}}


def by_metadata(reader: str) -> dict[str, Any]:
    return {"config": {"metadata": {"user_id": reader}}}


def by_input(reader: str) -> dict[str, Any]:
    return {"user": {"id": reader}}


@pytest.mark.parametrize("named", [by_session, by_metadata, by_input])
def test_readers_who_are_named_have_evidence_of_their_own(named: Callable[[str], dict[str, Any]]) -> None:
    chain = chain_for()
    ask(chain, "甲", ASKED, **named("甲"))
    assert ask(chain, "乙", REUSES, (ASKED, UNKNOWN), **named("乙"))["decision"] == Decision.RETRIEVE
    outputs = ask(chain, "甲", REUSES, (ASKED, UNKNOWN), **named("甲"))
    assert (outputs["decision"], outputs["source_documents"]) == (Decision.REUSE, [OTHERS])


def test_readers_whom_a_subclass_requires_to_be_named_have_evidence_of_their_own() -> None:
    class Named(ConversationalRetrievalChain):
        @property
        def input_keys(self) -> list[str]:
            return [*super().input_keys, "user"]

    chain = chain_for(kind=Named)
    ask(chain, "甲", ASKED, user="甲")
    assert ask(chain, "乙", REUSES, (ASKED, UNKNOWN), user="乙")["source_documents"] == [LEAVE]
    assert ask(chain, "甲", REUSES, (ASKED, UNKNOWN), user="甲")["decision"] == Decision.REUSE


async def test_readers_are_told_apart_where_they_await_or_stream() -> None:
    chain = chain_for(FixedRetriever(found=[[LEAVE]]))
    first, second, third = (RunnableConfig(configurable={"session_id": reader}) for reader in "甲乙丙")
    follow_up = {"question": REUSES, "chat_history": [(ASKED, UNKNOWN)]}
    await chain.ainvoke({"question": ASKED, "chat_history": []}, first)
    assert (await chain.ainvoke(follow_up, second))["decision"] == Decision.RETRIEVE
    assert [piece async for piece in chain.astream(follow_up, first)][-1]["decision"] == Decision.REUSE
    assert [*chain.stream(follow_up, first)][-1]["decision"] == Decision.REUSE
    assert [*chain.stream(follow_up, third)][-1]["decision"] == Decision.RETRIEVE


def test_another_retriever_has_no_evidence_in_hand() -> None:
    chain = chain_for()
    ask(chain, "甲", ASKED)
    copied = chain.model_copy(update={"retriever": FixedRetriever(found=[[FORM]])})
    assert ask(copied, "乙", REUSES, (ASKED, UNKNOWN))["source_documents"] == [FORM]
    assert ask(chain, "甲", REUSES, (ASKED, UNKNOWN))["decision"] == Decision.REUSE


def test_a_retriever_with_another_filter_has_no_evidence_in_hand() -> None:
    class Filtered(FixedRetriever):
        search_kwargs: dict[str, str]

    retriever = Filtered(found=[[OTHERS], [LEAVE]], search_kwargs={"namespace": "甲"})
    chain = chain_for(retriever)
    ask(chain, "甲", ASKED)
    retriever.search_kwargs["namespace"] = "乙"
    assert ask(chain, "乙", REUSES, (ASKED, UNKNOWN))["source_documents"] == [LEAVE]


def test_what_a_graph_tells_of_its_step_names_nobody() -> None:
    chain = chain_for()
    for step, (question, *history) in enumerate([(ASKED,), (REUSES, (ASKED, UNKNOWN))]):
        config: RunnableConfig = {
            "metadata": {"langgraph_step": step, "checkpoint_ns": f"node:{step}"},
            "configurable": {"thread_id": "一", "__pregel_task_id": step, "checkpoint_id": step},
        }
        outputs = ask(chain, "甲", question, *history, config=config)  # type: ignore[arg-type]
    assert outputs["decision"] == Decision.REUSE


def test_a_history_of_langchains_by_session_is_answered_from_evidence_in_hand() -> None:
    histories: dict[str, InMemoryChatMessageHistory] = {}
    chain = RunnableWithMessageHistory(
        chain_for(),
        lambda session_id: histories.setdefault(session_id, InMemoryChatMessageHistory()),
        input_messages_key="question",
        history_messages_key="chat_history",
        output_messages_key="answer",
    )
    decisions = []
    for reader, question in (("甲", ASKED), ("乙", ASKED), ("甲", REUSES), ("乙", REUSES)):
        token = READER.set(reader)
        outputs = chain.invoke({"question": question}, {"configurable": {"session_id": reader}})
        decisions.append((outputs["decision"], outputs["source_documents"]))
        READER.reset(token)
    assert decisions == [
        (Decision.RETRIEVE, [OTHERS]),
        (Decision.RETRIEVE, [LEAVE]),
        (Decision.REUSE, [OTHERS]),
        (Decision.REUSE, [LEAVE]),
    ]


def test_what_was_found_behind_a_mere_text_is_no_evidence_behind_another_history() -> None:
    chain = chain_for(FixedRetriever(found=[[LEAVE]]))
    chain.get_chat_history = str
    chain.invoke({"question": ASKED, "chat_history": "谈过年假"})
    assert ask(chain, "", REUSES, (ASKED, UNKNOWN))["decision"] == Decision.RETRIEVE


def test_each_of_several_memories_is_given_the_keys_that_it_names() -> None:
    named = ConversationBufferMemory(memory_key="log", input_key="question", output_key="answer")
    plain = ConversationBufferMemory(memory_key="chat_history", return_messages=True)
    chain = ConversationalRetrievalChain.from_llm(
        FakeListChatModel(responses=["十天。"]),
        FixedRetriever(found=[[LEAVE]]),
        memory=CombinedMemory(memories=[named, plain]),
        return_source_documents=True,
    )
    chain.invoke({"question": FIRST})
    for memory in (named, plain):
        assert [message.content for message in memory.chat_memory.messages] == [FIRST, "十天。"]


def test_evidence_in_hand_stays_behind_where_a_chain_is_sent_to_another_process() -> None:
    assert isinstance(pickle.loads(pickle.dumps(HeldEvidence())), HeldEvidence)
