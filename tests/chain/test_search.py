"""A follow-up is searched for as it stands alone and as it was asked, and both lists become one."""

from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.prompts import PromptTemplate

from rag.chain import ConversationalRetrievalChain
from rag.chain.evidence import fused
from rag.types import Decision
from tests.chains import FIRST, FORM, LEAVE, PAST, DecidesInTurn, FixedRetriever, asked, chat
from tests.engine.rig import SEARCHES

SICK = Document(id="3", page_content="病假需要医院证明。")
FOLLOW_UP = "那怎么申请？"
WHOLE = "年假怎么申请？"
INPUTS = {"question": FOLLOW_UP, "chat_history": PAST}


def searching(*found: list[Document], **fields: Any) -> ConversationalRetrievalChain:
    """A chain that rewrites the follow-up, and finds these lists one after the other."""
    retriever = FixedRetriever(found=list(found))
    return ConversationalRetrievalChain.from_llm(
        chat([WHOLE], ["填表。"]), retriever, return_source_documents=True, **fields
    )


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_what_both_phrasings_find_comes_first_and_there_are_no_more_than_one_search_finds(
    asynchronous: bool,
) -> None:
    chain = searching([LEAVE, FORM], [FORM, SICK])
    outputs = await chain.ainvoke(INPUTS) if asynchronous else chain.invoke(INPUTS)
    assert asked(chain) == [WHOLE, FOLLOW_UP]
    assert outputs["source_documents"] == [FORM, LEAVE]


def test_of_equal_places_the_rewrites_comes_first() -> None:
    assert fused([[LEAVE, FORM], [SICK]]) == [LEAVE, SICK]
    assert fused([[], [SICK, FORM]]) == [SICK, FORM]
    assert fused([[], []]) == []


def test_a_passage_that_a_search_gives_twice_has_one_place() -> None:
    assert fused([[FORM, SICK, FORM], [LEAVE, SICK]]) == [SICK, FORM, LEAVE]


@pytest.mark.parametrize("held", [True, False])
@pytest.mark.parametrize(
    ("remark", "found", "decision"),
    [
        ("我的年假快到期了", LEAVE, Decision.RETRIEVE),
        ("我的年假快到期了", SICK, Decision.NO_RETRIEVE),
        ("昨晚的球赛真精彩", LEAVE, Decision.NO_RETRIEVE),
    ],
)
def test_a_remark_is_searched_for_once_where_a_passage_tells_of_it(
    remark: str, found: Document, decision: Decision, held: bool
) -> None:
    chain = ConversationalRetrievalChain.from_llm(
        chat(["十天。"], ["十天。"], ["好。"]),
        FixedRetriever(found=[[FORM], [found]] if held else [[found]]),
        decider=DecidesInTurn([Decision.RETRIEVE, Decision.NO_RETRIEVE] if held else [Decision.NO_RETRIEVE]),
        return_decision=True,
    )
    if held:
        chain.invoke({"question": FIRST, "chat_history": []})
    outputs = chain.invoke({"question": remark, "chat_history": PAST})
    assert outputs["decision"] == decision
    assert asked(chain)[held:] == [remark]


def test_what_was_searched_for_to_decide_is_not_searched_for_again() -> None:
    chain = ConversationalRetrievalChain.from_llm(
        chat(["十天。"], ["五天。"]),
        FixedRetriever(found=[[LEAVE], [SICK]]),
        condense_question_llm=chat(["员工手册规定的病假有几天？"]),
        decider=SEARCHES,
    )
    chain.invoke({"question": FIRST, "chat_history": []})
    chain.invoke({"question": "那病假呢？", "chat_history": PAST})
    assert asked(chain) == [FIRST, "那病假呢？", "员工手册规定的病假有几天？"]


@pytest.mark.parametrize(
    "fields",
    [
        {"rephrase_question": False},
        {"condense_question_prompt": PromptTemplate.from_template("{chat_history} {question}")},
        {"trusts_rewrites": True},
    ],
    ids=["no rephrasing", "prompt of one's own", "trusted"],
)
def test_only_the_rewrite_is_searched_for_where_langchains_chain_says_so(fields: dict[str, Any]) -> None:
    chain = searching([FORM], **fields)
    chain.invoke(INPUTS)
    assert asked(chain) == [WHOLE]


def test_a_follow_up_that_says_nothing_itself_is_searched_for_as_it_stands_alone_only() -> None:
    chain = searching([LEAVE])
    chain.invoke({"question": "重新查一下", "chat_history": PAST})
    assert asked(chain) == [FIRST]


def test_the_token_limit_is_for_what_both_searches_find() -> None:
    long = Document(page_content="第一句话在这里。第二句话也在这里，而且很长很长很长很长。")
    chain = searching([LEAVE, long], [long, LEAVE], max_tokens_limit=20)
    documents = chain.invoke(INPUTS)["source_documents"]
    assert [document.page_content for document in documents] == [LEAVE.page_content, "第一句话在这里。"]


def test_pieces_of_one_document_that_share_its_id_are_each_found() -> None:
    pieces = [Document(id="1", page_content=text) for text in ("年假十天。", "病假需要证明。")]
    assert fused([pieces, pieces]) == pieces


def test_the_same_words_of_two_sources_are_two_documents() -> None:
    copies = [Document(page_content="年假十天。", metadata={"source": name}) for name in ("甲", "乙")]
    assert fused([copies, copies]) == copies


class WithoutManager(ConversationalRetrievalChain):
    """A chain that finds its documents in a way of its own, and names what it is given as it likes."""

    def _get_docs(self, query: str, given: dict[str, Any]) -> list[Document]:  # type: ignore[override]
        return [Document(page_content=f"{query}|{given['shelf']}")]

    async def _aget_docs(self, query: str, given: dict[str, Any]) -> list[Document]:  # type: ignore[override]
        return self._get_docs(query, given)


class WithManager(WithoutManager):
    """One that has its searches told of."""

    def _get_docs(self, query: str, given: dict[str, Any], *, run_manager: Any = None) -> list[Document]:
        assert run_manager is not None
        return super()._get_docs(query, given)

    async def _aget_docs(self, query: str, given: dict[str, Any], *, run_manager: Any = None) -> list[Document]:
        return self._get_docs(query, given, run_manager=run_manager)


@pytest.mark.parametrize("kind", [WithoutManager, WithManager])
@pytest.mark.parametrize("asynchronous", [False, True])
async def test_a_subclass_finds_its_documents_with_or_without_a_run_manager(
    kind: type[ConversationalRetrievalChain], asynchronous: bool
) -> None:
    chain = kind.from_llm(chat(["十天。"]), FixedRetriever(found=[]), return_source_documents=True)
    inputs = {"question": FIRST, "chat_history": [], "shelf": "甲"}
    outputs = await chain.ainvoke(inputs) if asynchronous else chain.invoke(inputs)
    assert outputs["source_documents"] == [Document(page_content=f"{FIRST}|甲")]
