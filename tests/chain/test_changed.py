"""What LangChain's users change in a chain that stands: its prompts, its model, what combines its documents."""

import pytest
from langchain_classic.chains.question_answering import load_qa_chain
from langchain_core.prompts import (
    ChatPromptTemplate,
    HumanMessagePromptTemplate,
    PromptTemplate,
    SystemMessagePromptTemplate,
)

from rag.chain import ConversationalRetrievalChain
from tests.chains import FIRST, FORM, LEAVE, PAST, asked, build, chat, said_to

OWN = PromptTemplate.from_template("依据 {context} 答 {question}")
TRANSLATED = "How is leave applied for?"
THANKS = {"question": "谢谢", "chat_history": PAST}


def put_prompt(chain: ConversationalRetrievalChain) -> None:
    chain.combine_docs_chain.llm_chain.prompt = OWN  # type: ignore[attr-defined]


def change_message(chain: ConversationalRetrievalChain) -> None:
    prompt = chain.combine_docs_chain.llm_chain.prompt  # type: ignore[attr-defined]
    assert isinstance(prompt, ChatPromptTemplate)
    prompt.messages[:] = [
        SystemMessagePromptTemplate.from_template("依据 {context}"),
        HumanMessagePromptTemplate.from_template("答 {question}"),
    ]


def put_chain(chain: ConversationalRetrievalChain) -> None:
    model = chain.combine_docs_chain.llm_chain.llm  # type: ignore[attr-defined]
    chain.combine_docs_chain = load_qa_chain(model, chain_type="stuff", prompt=OWN)


@pytest.mark.parametrize("change", [put_prompt, change_message, put_chain])
def test_a_prompt_for_documents_that_was_put_in_later_is_told_where_nothing_is_found(change: object) -> None:
    model = chat(["请联系客服。"])
    chain = build(model)
    assert callable(change)
    change(chain)
    chain.invoke({"question": FIRST, "chat_history": []})
    assert " ".join(said_to(model).split()) == f"依据 （没有找到相关内容） 答 {FIRST}"


def test_a_prompt_for_rewrites_that_was_put_in_later_is_taken_at_its_word() -> None:
    model = chat([TRANSLATED], ["填表。"])
    chain = build(model, FORM)
    chain.question_generator.prompt = PromptTemplate.from_template("译：{chat_history} {question}")
    chain.invoke({"question": "公司的年假在哪里申请？", "chat_history": PAST})
    assert asked(chain) == [TRANSLATED]


@pytest.mark.parametrize("chain_type", ["stuff", "map_reduce", "refine", "map_rerank"])
def test_rewrites_are_looked_at_where_the_prompt_for_documents_alone_was_changed(chain_type: str) -> None:
    chain = build(chat(["员工手册的年假有多少天？"], *[["可以。\n分数：90"]] * 2), LEAVE, chain_type=chain_type)
    chain.invoke({"question": "那 2023 年的呢？", "chat_history": PAST})
    assert asked(chain)[0] == f"{FIRST} 那 2023 年的呢？"


def test_a_model_that_was_put_in_later_answers_thanks_too() -> None:
    first, later = chat(), chat(["不客气。"])
    chain = build(first, LEAVE)
    chain.combine_docs_chain.llm_chain.llm = later  # type: ignore[attr-defined]
    assert chain.invoke(THANKS)["answer"] == "不客气。"


def test_thanks_are_answered_under_no_name_but_the_callers() -> None:
    model = chat(["不客气。"])
    build(model, LEAVE).invoke(THANKS)
    assert "问渠" not in said_to(model)
