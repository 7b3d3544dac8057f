"""The facts that LangChain's own tests state of its chain, then what ours adds to it."""

import inspect
from typing import Any

import pytest
from langchain_classic.chains.conversational_retrieval.base import BaseConversationalRetrievalChain
from langchain_classic.chains.conversational_retrieval.base import ConversationalRetrievalChain as LangChainsChain
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.language_models import FakeListLLM
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import PromptTemplate

from rag.chain import ConversationalRetrievalChain
from rag.errors import ModelGaveNothing
from tests.chains import FIRST, FORM, LEAVE, PAST, FixedRetriever, asked, build, chat, memory, said_to


@pytest.mark.parametrize("found", [[], [LEAVE]], ids=["no documents", "documents"])
@pytest.mark.parametrize("asynchronous", [False, True])
async def test_the_fixed_response_is_given_and_remembered_only_when_nothing_is_found(
    found: list[Document], asynchronous: bool
) -> None:
    chain = ConversationalRetrievalChain.from_llm(
        llm=FakeListLLM(responses=["I know the answer!"]),
        memory=memory(output_key="answer"),
        retriever=FixedRetriever(found=[found]),
        return_source_documents=True,
        rephrase_question=False,
        response_if_no_docs_found="I don't know",
        verbose=True,
    )
    outputs = await chain.acall("What is the answer?") if asynchronous else chain("What is the answer?")
    expected = "I know the answer!" if found else "I don't know"
    assert outputs["answer"] == expected
    assert outputs["chat_history"][1].content == expected
    assert outputs["source_documents"] == found


def test_it_is_a_chain_of_langchains_kind() -> None:
    assert isinstance(build(chat()), BaseConversationalRetrievalChain)


def test_from_llm_takes_langchains_parameters_in_langchains_order() -> None:
    theirs = inspect.signature(LangChainsChain.from_llm).parameters
    assert list(inspect.signature(ConversationalRetrievalChain.from_llm).parameters) == list(theirs)


def test_output_keys_are_langchains_until_more_is_asked_for() -> None:
    assert build(chat(["十天。"]), LEAVE).invoke({"question": FIRST, "chat_history": []}) == {
        "question": FIRST,
        "chat_history": [],
        "answer": "十天。",
    }
    chain = build(
        chat(["十天。"]),
        LEAVE,
        output_key="text",
        return_source_documents=True,
        return_generated_question=True,
        return_decision=True,
    )
    outputs = chain.invoke({"question": FIRST, "chat_history": []}, return_only_outputs=True)
    assert outputs == {
        "text": "十天。",
        "source_documents": [LEAVE],
        "generated_question": FIRST,
        "decision": "retrieve",
    }


@pytest.mark.parametrize(
    "history",
    [
        PAST,
        [(FIRST, "十天。", [LEAVE])],
        [HumanMessage(FIRST), AIMessage("十天。")],
        [{"role": "user", "content": FIRST}, {"role": "assistant", "content": "十天。", "metadata": None}],
        [
            {"role": "user", "content": [{"type": "text", "text": FIRST}]},
            {"role": "assistant", "content": [{"type": "text", "text": "十天。"}]},
        ],
    ],
    ids=["tuples", "tuples with more", "messages", "dictionaries", "dictionaries with parts"],
)
def test_a_follow_up_is_rewritten_with_a_history_of_any_form(history: list[Any]) -> None:
    model = chat(["年假怎么申请？"], ["填表。"])
    chain = build(model, FORM, return_generated_question=True)
    outputs = chain.invoke({"question": "那怎么申请？", "chat_history": history})
    assert outputs["generated_question"] == "年假怎么申请？"
    assert asked(chain) == ["年假怎么申请？", "那怎么申请？"]
    assert f"用户：{FIRST}\n助手：十天。" in said_to(model, 0)
    assert "问题：年假怎么申请？" in said_to(model, 1)


@pytest.mark.parametrize(
    "history", ["刚才说过", [b"?"], [{"content": "?"}], [("只有一个",)], [{"role": "x", "content": "?"}]]
)
def test_an_unknown_history_is_refused_in_langchains_words(history: Any) -> None:
    with pytest.raises(ValueError, match="Unsupported chat history format"):
        build(chat(), LEAVE).invoke({"question": FIRST, "chat_history": history})


@pytest.mark.parametrize("history", ["谈过年假", None], ids=["text", "nothing"])
def test_a_history_of_ones_own_form_is_read_by_ones_own_function(history: str | None) -> None:
    model = chat(["年假怎么申请？"], ["填表。"])
    chain = build(model, FORM, get_chat_history=lambda history: f"年假的谈话记录：{history}")
    chain.invoke({"question": "那怎么申请？", "chat_history": history})
    assert f"谈话记录：{history}" in said_to(model, 0)
    assert asked(chain)[0] == "年假怎么申请？"


def test_without_rephrasing_the_answer_is_asked_for_in_the_words_of_the_question() -> None:
    model = chat(["年假怎么申请？"], ["填表。"])
    chain = build(model, FORM, rephrase_question=False)
    chain.invoke({"question": "那怎么申请？", "chat_history": PAST})
    assert asked(chain) == ["年假怎么申请？"]
    assert "问题：那怎么申请？" in said_to(model)


def test_prompts_and_models_of_ones_own_are_used() -> None:
    condenser, model = chat(["年假怎么申请？"]), chat(["填表。"])
    chain = build(
        model,
        FORM,
        condense_question_llm=condenser,
        condense_question_prompt=PromptTemplate.from_template("改写 {chat_history} {question}"),
        combine_docs_chain_kwargs={"prompt": PromptTemplate.from_template("依据 {context} 答 {question}")},
    )
    chain.invoke({"question": "那怎么申请？", "chat_history": PAST})
    assert said_to(condenser).startswith("改写 用户：")
    assert said_to(model) == f"依据 {FORM.page_content} 答 年假怎么申请？"


def test_chains_of_ones_own_are_used() -> None:
    model = chat(["十天。"], ["不客气。"])
    parts = build(model, LEAVE)
    chain = ConversationalRetrievalChain(
        retriever=parts.retriever,
        combine_docs_chain=parts.combine_docs_chain,
        question_generator=parts.question_generator,
    )
    assert chain.invoke({"question": FIRST, "chat_history": []})["answer"] == "十天。"
    assert chain.invoke({"question": "谢谢", "chat_history": PAST})["answer"] == "不客气。"


def test_documents_beyond_the_token_limit_are_cut_at_a_sentence_end_or_left_out() -> None:
    long = Document(page_content="第一句话在这里。第二句话也在这里，而且很长很长很长很长。")
    chain = build(chat(["好。"]), LEAVE, long, FORM, max_tokens_limit=20, return_source_documents=True)
    outputs = chain.invoke({"question": FIRST, "chat_history": []})
    assert [document.page_content for document in outputs["source_documents"]] == [
        LEAVE.page_content,
        "第一句话在这里。",
    ]


def test_callbacks_see_the_chain_the_search_and_the_models() -> None:
    class Recorder(BaseCallbackHandler):
        def __init__(self) -> None:
            self.seen: list[str] = []

        def on_chain_start(self, serialized: Any, inputs: Any, **kwargs: Any) -> None:
            self.seen.append(kwargs["name"])

        def on_retriever_start(self, serialized: Any, query: str, **kwargs: Any) -> None:
            self.seen.append("retriever")

        def on_chat_model_start(self, serialized: Any, messages: Any, **kwargs: Any) -> None:
            self.seen.append(",".join(kwargs["tags"]))

    recorder = Recorder()
    chain = build(chat(["年假怎么申请？"], ["填表。"]), FORM)
    chain.invoke({"question": "那怎么申请？", "chat_history": PAST}, {"callbacks": [recorder]})
    assert recorder.seen == [
        "ConversationalRetrievalChain",
        "LLMChain",
        "condense_question",
        "retriever",
        "retriever",
        "StuffDocumentsChain",
        "LLMChain",
        "answer",
    ]


# What ours adds


def test_a_greeting_is_neither_rewritten_nor_searched_for() -> None:
    model = chat(["不客气！"])
    chain = build(model, LEAVE, return_decision=True, return_source_documents=True)
    outputs = chain.invoke({"question": "谢谢", "chat_history": PAST})
    assert (outputs["answer"], outputs["decision"], outputs["source_documents"]) == ("不客气！", "no_retrieve", [])
    assert asked(chain) == []
    assert len(model.calls) == 1


def test_thoughts_are_no_part_of_a_rewrite_or_an_answer() -> None:
    chain = build(chat(["<think>年假</think>年假怎么申请？"], ["<think>表</think>填表。"]), FORM)
    assert chain.invoke({"question": "那怎么申请？", "chat_history": PAST})["answer"] == "填表。"
    assert asked(chain)[0] == "年假怎么申请？"


@pytest.mark.parametrize("reply", ["", "<think>想了很久", "<think>想了很久</think>\n"])
def test_a_model_that_gives_nothing_is_an_error(reply: str) -> None:
    with pytest.raises(ModelGaveNothing):
        build(FakeListLLM(responses=[reply]), LEAVE).invoke({"question": FIRST, "chat_history": []})


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_memory_and_sources_go_together_without_output_key(asynchronous: bool) -> None:
    kept, inputs = memory(), {"question": FIRST, "user": "张三"}
    chain = build(chat(["十天。"]), LEAVE, memory=kept, return_source_documents=True, return_decision=True)
    await chain.ainvoke(inputs) if asynchronous else chain.invoke(inputs)
    assert [message.content for message in kept.chat_memory.messages] == [FIRST, "十天。"]


async def test_awaiting_gives_what_waiting_gives() -> None:
    scripts = (["年假怎么申请？"], ["填表。"])
    inputs = {"question": "那怎么申请？", "chat_history": PAST}
    fields = {"return_source_documents": True, "return_generated_question": True, "return_decision": True}
    assert await build(chat(*scripts), FORM, **fields).ainvoke(inputs) == build(chat(*scripts), FORM, **fields).invoke(
        inputs
    )
