"""The chain among LangChain's own memories, retrievers and callbacks, and the README's example."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_classic.chains.llm import LLMChain
from langchain_classic.memory import ConversationBufferMemory, ConversationBufferWindowMemory, ConversationSummaryMemory
from langchain_classic.retrievers import ContextualCompressionRetriever, EnsembleRetriever, MultiQueryRetriever
from langchain_classic.retrievers.document_compressors import LLMChainFilter
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder, PromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import InMemoryVectorStore
from typing_extensions import override

from rag.chain import ConversationalRetrievalChain
from tests.chains import FIRST, FORM, LEAVE, PAST, FixedRetriever, asked, build, chat, said_to
from tests.engine.rig import SEARCHES
from tests.fakes import FakeEmbeddings
from tests.pdf_files import write_pdf

FOLLOW_UP = "那怎么申请？"
WHOLE = "员工手册规定的年假怎么申请？"


def window() -> ConversationBufferWindowMemory:
    return ConversationBufferWindowMemory(memory_key="chat_history", return_messages=True, k=1)


def text() -> ConversationBufferMemory:
    return ConversationBufferMemory(memory_key="chat_history", human_prefix="用户", ai_prefix="助手")


def summary() -> ConversationSummaryMemory:
    model = FakeListChatModel(responses=["谈过员工手册规定的年假。"])
    return ConversationSummaryMemory(llm=model, memory_key="chat_history", return_messages=True)


@pytest.mark.parametrize("memory", [window, summary])
def test_a_memory_of_langchains_goes_with_sources_question_and_decision(memory: Callable[[], Any]) -> None:
    model = chat(["十天。"], [WHOLE], ["填表。"])
    chain = build(
        model,
        LEAVE,
        memory=memory(),
        decider=SEARCHES,
        return_source_documents=True,
        return_generated_question=True,
        return_decision=True,
    )
    chain.invoke({"question": FIRST})
    outputs = chain.invoke({"question": FOLLOW_UP})
    assert (outputs["answer"], outputs["generated_question"], outputs["decision"]) == ("填表。", WHOLE, "retrieve")
    assert outputs["source_documents"] == [LEAVE]
    remembered = "".join(message.text for message in outputs["chat_history"])
    assert "年假" in remembered


def test_a_memory_that_keeps_one_exchange_forgets_the_others() -> None:
    chain = build(chat(["一。"], ["二。"], ["三。"]), LEAVE, memory=window())
    for question in ("员工手册规定年假有几天？", "公司的食堂几点开门？", "公司的班车几点出发？"):
        outputs = chain.invoke({"question": question})
    assert [message.text for message in outputs["chat_history"]] == ["公司的食堂几点开门？", "二。"]


def test_a_memory_of_text_is_read_by_a_function_of_ones_own() -> None:
    model = chat(["十天。"], [WHOLE], ["填表。"])
    chain = build(model, FORM, memory=text(), get_chat_history=str)
    chain.invoke({"question": FIRST})
    chain.invoke({"question": FOLLOW_UP})
    assert f"用户: {FIRST}\n助手: 十天。" in said_to(model, 1)


@pytest.mark.parametrize("history", [PAST, [HumanMessage(FIRST), AIMessage("十天。")]], ids=["tuples", "messages"])
def test_a_history_handed_on_as_it_is_is_rewritten_from(history: list[Any]) -> None:
    model = chat([WHOLE], ["填表。"])
    chain = build(model, FORM, get_chat_history=lambda history: history)
    assert chain.invoke({"question": FOLLOW_UP, "chat_history": history})["answer"] == "填表。"
    assert asked(chain) == [WHOLE, FOLLOW_UP]
    assert f"\n用户：{FIRST}\n助手：十天。\n" in said_to(model, 0)


def test_messages_handed_on_as_they_are_take_their_place_in_a_prompt() -> None:
    model = chat([WHOLE], ["填表。"])
    prompt = ChatPromptTemplate.from_messages([MessagesPlaceholder("chat_history"), ("human", "{question}")])
    history = [HumanMessage(FIRST), AIMessage("十天。")]
    chain = build(model, FORM, condense_question_prompt=prompt, get_chat_history=lambda history: history)
    chain.invoke({"question": FOLLOW_UP, "chat_history": history})
    assert [message.text for message in model.calls[0]] == [FIRST, "十天。", FOLLOW_UP]


def test_of_a_history_that_is_a_mere_text_the_models_rewrite_is_searched_for() -> None:
    chain = build(chat(["年假一共有多少天？"], ["十天。"]), LEAVE, get_chat_history=str)
    chain.invoke({"question": "那它呢？", "chat_history": "Human: 年假多少天？\nAI: 十天。"})
    assert asked(chain) == ["年假一共有多少天？"]


def vectors() -> BaseRetriever:
    store = InMemoryVectorStore(FakeEmbeddings())
    store.add_documents([LEAVE, FORM])
    return store.as_retriever(search_kwargs={"k": 2})


def ensemble() -> BaseRetriever:
    both: list[Any] = [FixedRetriever(found=[[LEAVE]]), FixedRetriever(found=[[FORM]])]
    return EnsembleRetriever(retrievers=both, weights=[0.5, 0.5])


def compression() -> BaseRetriever:
    keeps = LLMChainFilter.from_llm(FakeListChatModel(responses=["YES"]))
    return ContextualCompressionRetriever(base_compressor=keeps, base_retriever=vectors())


def several_questions() -> BaseRetriever:
    writer = FakeListChatModel(responses=["年假有几天？\n休假怎么规定？"])
    return MultiQueryRetriever.from_llm(FixedRetriever(found=[[LEAVE], [FORM]]), llm=writer)


@pytest.mark.parametrize("retriever", [vectors, ensemble, compression, several_questions])
def test_a_retriever_of_langchains_is_searched(retriever: Callable[[], BaseRetriever]) -> None:
    model = chat(["十天。"])
    chain = ConversationalRetrievalChain.from_llm(model, retriever(), return_source_documents=True)
    outputs = chain.invoke({"question": FIRST, "chat_history": []})
    assert {document.page_content for document in outputs["source_documents"]} == {
        LEAVE.page_content,
        FORM.page_content,
    }
    assert LEAVE.page_content in said_to(model)


@pytest.mark.parametrize("retriever", [vectors, ensemble])
async def test_a_retriever_of_langchains_is_awaited(retriever: Callable[[], BaseRetriever]) -> None:
    chain = ConversationalRetrievalChain.from_llm(chat(["十天。"]), retriever(), return_source_documents=True)
    outputs = await chain.ainvoke({"question": FIRST, "chat_history": []})
    assert len(outputs["source_documents"]) == 2


async def test_an_asynchronous_callback_hears_the_question_and_the_answer() -> None:
    class Recorder(AsyncCallbackHandler):
        def __init__(self) -> None:
            self.heard: list[object] = []

        async def on_retriever_start(self, serialized: Any, query: str, **kwargs: Any) -> None:
            self.heard.append(query)

        async def on_chain_end(self, outputs: Any, *, parent_run_id: Any = None, **kwargs: Any) -> None:
            if parent_run_id is None:
                self.heard.append(outputs["answer"])

    recorder = Recorder()
    chain = build(chat([WHOLE], ["填表。"]), FORM)
    await chain.ainvoke({"question": FOLLOW_UP, "chat_history": PAST}, {"callbacks": [recorder]})
    assert recorder.heard == [WHOLE, FOLLOW_UP, "填表。"]


async def test_events_of_the_chain_tell_the_answers_tokens() -> None:
    chain = build(chat(["十", "天。"]), LEAVE)
    seen = [
        event["data"]["chunk"].content
        async for event in chain.astream_events({"question": FIRST, "chat_history": []}, version="v2")
        if event["event"] == "on_chat_model_stream" and "answer" in event["tags"]
    ]
    assert "".join(seen) == "十天。"


def test_a_question_generator_of_ones_own_is_run_and_its_question_answered() -> None:
    condenser, model = chat([WHOLE]), chat(["填表。"])
    prompt = PromptTemplate.from_template("{chat_history}\n{question}")
    parts = build(model, FORM)
    chain = ConversationalRetrievalChain(
        retriever=parts.retriever,
        combine_docs_chain=parts.combine_docs_chain,
        question_generator=LLMChain(llm=condenser, prompt=prompt, output_key="whole"),
        return_generated_question=True,
    )
    outputs = chain.invoke({"question": FOLLOW_UP, "chat_history": PAST})
    assert (outputs["generated_question"], outputs["answer"]) == (WHOLE, "填表。")
    assert asked(chain) == [WHOLE]
    assert f"问题：{WHOLE}" in said_to(model)


def test_a_batch_of_questions_is_answered_one_by_one() -> None:
    chain = build(FakeListChatModel(responses=["十天。"]), LEAVE)
    given = [{"question": FIRST, "chat_history": []}, {"question": "公司的食堂几点开门？", "chat_history": []}]
    assert [outputs["answer"] for outputs in chain.batch(given)] == ["十天。", "十天。"]


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_readmes_example_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    readme = (Path(__file__).parents[2] / name).read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(from rag\.chain import .*?)```", readme, re.DOTALL)
    exec(example, {"llm": chat(["十", "天。"]), "retriever": FixedRetriever(found=[[LEAVE]])})
    assert capsys.readouterr().out == "十天。"


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_readmes_example_of_langchains_newer_chains_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = Path(__file__).parents[2]
    shutil.copy(root / "config.yaml", tmp_path)
    write_pdf(tmp_path / "员工手册.pdf", [["员工每年有十天年假。", "病假为五天，需要医院证明。"]])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WENQU_STORE", str(tmp_path / "store"))
    model = chat(["病假有几天？"], ["五天。"])
    monkeypatch.setattr("langchain_ollama.ChatOllama", lambda **_: model)
    readme = (root / name).read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(from contextlib import .*?)```", readme, re.DOTALL)
    exec(example, {})
    assert capsys.readouterr().out.endswith("五天。\n") and "病假为五天" in said_to(model)


class AsItIs(LLMChain):
    """The known way around condensing: it gives back what was asked, and its model is asked nothing."""

    @override
    def run(self, *args: Any, **inputs: Any) -> Any:
        return inputs["question"]

    @override
    async def arun(self, *args: Any, **inputs: Any) -> Any:
        return inputs["question"]


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_a_question_generator_that_has_its_own_run_is_asked_by_that(asynchronous: bool) -> None:
    model = chat(["填表。"])
    parts = build(model, FORM)
    chain = ConversationalRetrievalChain(
        retriever=parts.retriever,
        combine_docs_chain=parts.combine_docs_chain,
        question_generator=AsItIs(llm=model, prompt=PromptTemplate.from_template("")),
    )
    inputs = {"question": FOLLOW_UP, "chat_history": PAST}
    outputs = await chain.ainvoke(inputs) if asynchronous else chain.invoke(inputs)
    assert (asked(chain), outputs["answer"]) == ([FOLLOW_UP], "填表。")
