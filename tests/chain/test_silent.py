"""Where nothing is found, a chain says that the documents are silent and answers from the conversation."""

from typing import Any

import pytest
from langchain_classic.chains.combine_documents.base import BaseCombineDocumentsChain
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.language_models import FakeListLLM
from langchain_core.prompts import PromptTemplate

from rag.i18n import Language
from rag.prompts import Prompts
from tests.chains import FIRST, PAST, FixedRetriever, build, chat, said_to

CHAIN_TYPES = ["stuff", "map_reduce", "refine", "map_rerank"]
SILENT = "资料中没有相关内容；前面说过，年假是十天。"
ASKED = "公司差旅费的报销期限是多少天？"


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("chain_type", CHAIN_TYPES)
async def test_every_chain_type_asks_the_same_once_with_the_conversation(chain_type: str, asynchronous: bool) -> None:
    model = chat([SILENT])
    chain = build(model, chain_type=chain_type, return_source_documents=True)
    inputs = {"question": ASKED, "chat_history": PAST}
    outputs = await chain.ainvoke(inputs) if asynchronous else chain.invoke(inputs)
    assert (outputs["answer"], outputs["source_documents"]) == (SILENT, [])
    role, asked = model.calls[0]
    assert (role.type, role.content) == ("system", Prompts().fill("answer"))
    assert f"用户：{FIRST}\n助手：十天。" in str(asked.content)
    assert str(asked.content).endswith(Prompts().fill("no_evidence", question=ASKED))


@pytest.mark.parametrize("chain_type", CHAIN_TYPES)
def test_that_answer_is_streamed_too(chain_type: str) -> None:
    pieces = build(chat(["资料中", "没有。"]), chain_type=chain_type).stream({"question": ASKED, "chat_history": PAST})
    assert [piece["answer"] for piece in pieces if "answer" in piece] == ["资料中", "没有。"]


def test_the_first_question_of_all_is_asked_so_too() -> None:
    model = chat([SILENT])
    build(model).invoke({"question": FIRST, "chat_history": []})
    assert said_to(model).endswith(Prompts().fill("no_evidence", question=FIRST))


def test_a_text_of_ones_own_for_that_is_used_and_braces_are_text() -> None:
    model = chat([SILENT])
    prompts = Prompts(texts={"answer": "你是 {客服}。", "no_evidence": "没有资料。{question}"})
    build(model, prompts=prompts).invoke({"question": "{公司}差旅费的报销期限是多少天？", "chat_history": PAST})
    assert "你是 {客服}。" in said_to(model) and said_to(model).endswith("没有资料。{公司}差旅费的报销期限是多少天？")


def test_a_string_model_is_asked_in_one_string() -> None:
    seen: list[str] = []

    class Recorder(BaseCallbackHandler):
        def on_llm_start(self, serialized: Any, prompts: list[str], **kwargs: Any) -> None:
            seen.extend(prompts)

    prompts = Prompts(Language.EN)
    chain = build(FakeListLLM(responses=["The documents hold nothing about this."]), prompts=prompts)
    chain.invoke({"question": FIRST, "chat_history": PAST}, {"callbacks": [Recorder()]})
    (asked,) = seen
    assert asked.startswith(prompts.fill("answer")) and asked.endswith(prompts.fill("no_evidence", question=FIRST))
    assert "---" not in asked and "Human:" not in asked


def test_a_follow_up_stands_behind_the_conversation_itself_not_behind_a_part_of_it() -> None:
    model = chat(["食堂几点开门？"], [SILENT])
    build(model).invoke({"question": "那加班呢？", "chat_history": [("员工病假发多少工资？", "八成。")]})
    assert said_to(model).endswith(Prompts().fill("no_evidence", question="那加班呢？"))
    assert said_to(model).count("病假") == 1


@pytest.mark.parametrize("chain_type", CHAIN_TYPES)
def test_a_prompt_of_ones_own_for_documents_is_told_instead(chain_type: str) -> None:
    names = {"stuff": "prompt", "map_reduce": "combine_prompt", "refine": "question_prompt", "map_rerank": "prompt"}
    slots = {"map_reduce": "summaries", "refine": "context_str"}
    prompt = PromptTemplate.from_template(f"依据 {{{slots.get(chain_type, 'context')}}} 答 {{question}}")
    model = chat(["（没有找到相关内容）"], ["请联系客服。"]) if chain_type == "map_reduce" else chat(["请联系客服。"])
    chain = build(model, chain_type=chain_type, combine_docs_chain_kwargs={names[chain_type]: prompt})
    chain.invoke({"question": FIRST, "chat_history": []})
    assert said_to(model) == f"依据 （没有找到相关内容） 答 {FIRST}"


class Apologises(BaseCombineDocumentsChain):
    """A caller's own kind of chain, which knows what to say to nothing."""

    def combine_docs(self, docs: list[Document], **_: Any) -> tuple[str, dict[str, Any]]:
        return (docs[0].page_content if docs else "抱歉。"), {}

    async def acombine_docs(self, docs: list[Document], **inputs: Any) -> tuple[str, dict[str, Any]]:
        return self.combine_docs(docs, **inputs)


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_a_chain_of_a_kind_of_ones_own_sees_that_nothing_was_found(asynchronous: bool) -> None:
    parts = build(chat())
    chain = type(parts)(
        retriever=FixedRetriever(found=[[]]),
        combine_docs_chain=Apologises(),
        question_generator=parts.question_generator,
    )
    inputs = {"question": FIRST, "chat_history": []}
    outputs = await chain.ainvoke(inputs) if asynchronous else chain.invoke(inputs)
    assert outputs["answer"] == "抱歉。"
