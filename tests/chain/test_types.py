"""Stuff, map_reduce, refine and map_rerank with our prompts, parser and token counts."""

from typing import Any

import pytest
from langchain_classic.chains import create_history_aware_retriever, create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_classic.chains.combine_documents.stuff import StuffDocumentsChain
from langchain_classic.chains.llm import LLMChain
from langchain_classic.output_parsers.regex import RegexParser
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.language_models import FakeListLLM
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.output_parsers import JsonOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder, PromptTemplate

from rag.chain import ConversationalRetrievalChain
from rag.chain.documents import ScoreParser, count_tokens
from rag.i18n import Language
from rag.prompts import Prompts
from rag.retriever import KnowledgeBaseRetriever
from tests.chains import FIRST, FORM, LEAVE, build, chat, said_to
from tests.knowledge import Store
from tests.scripted import retrieval_over
from tests.waiting import within_seconds

RERANKED = [["回答：不知道\n分数：0"], ["回答：十天。\n分数：90"]]


@pytest.mark.parametrize(
    ("chain_type", "scripts", "answer"),
    [
        ("stuff", [["十", "天。"]], ["十", "天。"]),
        ("map_reduce", [["摘一"], ["摘二"], ["十", "天。"]], ["十", "天。"]),
        ("refine", [["九", "天。"], ["十", "天。"]], ["十", "天。"]),
        ("map_rerank", RERANKED, ["十天。"]),
    ],
)
async def test_every_chain_type_streams_its_final_answer_alone(
    chain_type: str, scripts: list[list[str]], answer: list[str]
) -> None:
    inputs = {"question": FIRST, "chat_history": []}
    model = chat(*scripts)
    chain = build(model, FORM, LEAVE, chain_type=chain_type)
    assert [piece["answer"] for piece in chain.stream(inputs) if "answer" in piece] == answer
    assert all("资料" in said_to(model, call) or "长文档" in said_to(model, call) for call in range(len(scripts)))
    if chain_type in {"stuff", "refine"}:  # the others call the model several times at once
        chain = build(chat(*scripts), FORM, LEAVE, chain_type=chain_type)
        assert [piece["answer"] async for piece in chain.astream(inputs) if "answer" in piece] == answer


@pytest.mark.parametrize("chain_type", ["stuff", "map_reduce", "refine", "map_rerank"])
def test_the_english_prompts_serve_string_models_of_every_chain_type(chain_type: str) -> None:
    seen: list[str] = []

    class Recorder(BaseCallbackHandler):
        def on_llm_start(self, serialized: Any, prompts: list[str], **kwargs: Any) -> None:
            seen.extend(prompts)

    chain = build(
        FakeListLLM(responses=["Ten days. Score: 9/10"]), LEAVE, chain_type=chain_type, prompts=Prompts(Language.EN)
    )
    chain.invoke({"question": FIRST, "chat_history": []}, {"callbacks": [Recorder()]})
    assert seen
    assert all("Question:" in prompt and "---" not in prompt for prompt in seen)


THOUGHT = "<think>内心</think>"


@pytest.mark.parametrize(
    ("chain_type", "scripts", "handed_on"),
    [
        ("map_reduce", [[f"{THOUGHT}摘一"], [f"{THOUGHT}摘二"], [f"{THOUGHT}十天。"]], "摘一\n\n摘二"),
        ("refine", [[f"{THOUGHT}九天。"], [f"{THOUGHT}十天。"]], "九天。"),
    ],
)
@pytest.mark.parametrize("asynchronous", [False, True])
async def test_what_a_model_thought_of_one_document_is_not_told_with_the_next(
    chain_type: str, scripts: list[list[str]], handed_on: str, asynchronous: bool
) -> None:
    model = chat(*scripts)
    chain = build(model, FORM, LEAVE, chain_type=chain_type)
    inputs = {"question": FIRST, "chat_history": []}
    outputs = await chain.ainvoke(inputs) if asynchronous else chain.invoke(inputs)
    assert outputs["answer"] == "十天。"
    assert "内心" not in said_to(model)
    # Awaited, the calls for the single documents may end in any order.
    assert all(part in said_to(model) for part in handed_on.split("\n\n"))


def test_thoughts_are_not_among_what_is_collapsed() -> None:
    texts = [Document(page_content=f"第 {number} 段") for number in range(2)]
    model = chat(*[[f"{THOUGHT}{'摘' * 400}"] for _ in texts], [f"{THOUGHT}合一"], [f"{THOUGHT}合二"], ["十天。"])
    chain = build(model, *texts, chain_type="map_reduce", combine_docs_chain_kwargs={"token_max": 600})
    assert chain.invoke({"question": FIRST, "chat_history": []})["answer"] == "十天。"
    assert not any("内心" in said_to(model, call) for call in range(len(model.calls)))
    assert "合一" in said_to(model)


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_what_is_collapsed_before_the_answer_is_not_streamed(asynchronous: bool) -> None:
    texts = [Document(page_content=f"第 {number} 段") for number in range(2)]
    # What is collapsed at first is still too long, so it is collapsed again.
    collapsed = [["二" * 400], ["二" * 400], ["合一"], ["合二"]]
    model = chat(*[["摘" * 400] for _ in texts], *collapsed, ["十", "天。"])
    chain = build(model, *texts, chain_type="map_reduce", combine_docs_chain_kwargs={"token_max": 600})
    inputs = {"question": FIRST, "chat_history": []}
    pieces = [piece async for piece in chain.astream(inputs)] if asynchronous else [*chain.stream(inputs)]
    assert [piece["answer"] for piece in pieces if "answer" in piece] == ["十", "天。"]
    assert len(model.calls) == 7


def test_a_prompt_that_calls_its_context_as_langchain_calls_documents_is_streamed() -> None:
    own = {"document_variable_name": "input_documents"}
    prompt = PromptTemplate.from_template("{input_documents} {question}")
    chain = build(chat(["十", "天。"]), LEAVE, combine_docs_chain_kwargs={"prompt": prompt, **own})
    pieces = chain.stream({"question": FIRST, "chat_history": []})
    assert [piece["answer"] for piece in pieces if "answer" in piece] == ["十", "天。"]


def test_a_parser_of_ones_own_sees_no_thoughts() -> None:
    parser = RegexParser(regex=r"^(.*?)\n分数：(.*)", output_keys=["answer", "score"])
    prompt = PromptTemplate.from_template("{context} {question}", output_parser=parser)
    model = FakeListLLM(responses=["<think>大概是\n分数：九</think>十天。\n分数：85"])
    chain = build(model, LEAVE, chain_type="map_rerank", combine_docs_chain_kwargs={"prompt": prompt})
    assert chain.invoke({"question": FIRST, "chat_history": []})["answer"] == "十天。"


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_what_a_parser_of_ones_own_makes_of_an_answer_is_handed_on_whole(asynchronous: bool) -> None:
    model = chat(['{"days"', ": 10}"])
    reader = LLMChain(
        llm=model, prompt=PromptTemplate.from_template("{context} {question}"), output_parser=JsonOutputParser()
    )
    parts = build(model, LEAVE)
    chain = ConversationalRetrievalChain(
        retriever=parts.retriever,
        combine_docs_chain=StuffDocumentsChain(llm_chain=reader, document_variable_name="context"),
        question_generator=parts.question_generator,
    )
    inputs = {"question": FIRST, "chat_history": []}
    pieces = [piece async for piece in chain.astream(inputs)] if asynchronous else [*chain.stream(inputs)]
    assert pieces == [{"answer": {"days": 10}}, inputs]


def test_an_unknown_chain_type_is_refused() -> None:
    with pytest.raises(ValueError, match="unsupported chain type"):
        build(chat(), chain_type="magic")


def test_a_prompt_without_parser_is_scored_by_ours() -> None:
    prompt = PromptTemplate.from_template("{context} {question}")
    model = FakeListLLM(responses=["十天。\n**得分**：85"])
    chain = build(model, LEAVE, chain_type="map_rerank", combine_docs_chain_kwargs={"prompt": prompt})
    assert chain.invoke({"question": FIRST, "chat_history": []})["answer"] == "十天。"


@pytest.mark.parametrize(
    ("reply", "answer", "score"),
    [
        ("回答：十天。\n分数：85", "十天。", "85"),
        ("答案: 十天。\n\n**得分：** 85 分", "十天。", "85"),
        ("Answer: ten days.\nScore: 8/10", "ten days.", "80"),
        ("十天。（评分：70.6）", "十天。", "71"),
        ("十天。\n分数：１００", "十天。", "100"),
        ("满分 100 分制下，分数是 999", "满分 100 分制下，", "100"),
        ("十天。\n分数：5/0", "十天。", "5"),
        (f"十天。\n分数：{'9' * 400}", "十天。", "100"),
        (f"十天。\n分数：5/{'9' * 400}", "十天。", "0"),
        ("<think>分数：9</think>十天。\n分数：85", "十天。", "85"),
        ("分数：90\n回答：每天两次。", "每天两次。", "90"),
        ("每天两次。\n90分", "每天两次。", "90"),
        ("每天两次。\n满分100分，给90分", "每天两次。", "90"),
        ("资料中没有相关内容。\n分数：零", "资料中没有相关内容。", "0"),
        ("每天两次。\n分数：九十五", "每天两次。", "95"),
        ("每天兩次。\n分數：约90", "每天兩次。", "90"),
        ("每天两次。\n这段资料的得分：80分", "每天两次。", "80"),
        ("考试分数 60 分以上及格", "考试分数 60 分以上及格", "0"),
        ("考试分数为60分，算及格。\n分数：70", "考试分数为60分，算及格。", "70"),
        ("分数：90", "", "0"),
        ("十天。", "十天。", "0"),
        ("", "", "0"),
    ],
)
def test_a_score_is_read_however_it_is_written(reply: str, answer: str, score: str) -> None:
    assert ScoreParser().parse(reply) == {"answer": answer, "score": score}


def test_a_reply_with_thousands_of_line_breaks_is_read_at_once() -> None:
    with within_seconds(2):
        assert ScoreParser().parse("十天。" + "\n" * 2000 + "没有了")["score"] == "0"


def test_tokens_are_counted_without_a_tokenizer_from_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a tokenizer was asked for")

    monkeypatch.setattr("langchain_core.language_models.base.get_tokenizer", refuse)
    texts = [Document(page_content="员工每年有十天年假。" * 100) for _ in range(3)]
    model = FakeListLLM(responses=["十天。"])
    for chain_type in ("stuff", "map_reduce"):
        chain = build(model, *texts, chain_type=chain_type, max_tokens_limit=100)
        assert chain.invoke({"question": FIRST, "chat_history": []})["answer"] == "十天。"


def test_a_model_that_counts_for_itself_is_asked() -> None:
    model = FakeListLLM(responses=[], custom_get_token_ids=lambda text: list(range(len(text))))
    assert count_tokens(model, "十天") == 2
    assert count_tokens(model.bind(stop=["。"]), "十天") == 2


def test_a_prompt_of_ones_own_replaces_the_shipped_one_for_both_kinds_of_model() -> None:
    prompts = Prompts(texts={"stuff": "只说一句。\n\n---\n\n{context}|{question}"})
    selector = prompts.selector("stuff")
    chat_prompt, string_prompt = selector.get_prompt(chat()), selector.get_prompt(FakeListLLM(responses=[]))
    messages: list[BaseMessage] = chat_prompt.format_prompt(context="{甲}", question="乙").to_messages()
    assert [(message.type, message.content) for message in messages] == [("system", "只说一句。"), ("human", "{甲}|乙")]
    assert string_prompt.format(context="甲", question="乙") == "只说一句。\n\n甲|乙"


def test_our_knowledge_base_serves_langchains_newer_chains(store: Store) -> None:
    store.put("me", "手册.pdf", "员工每年有十天年假。", "病假需要医院证明。")
    retriever = KnowledgeBaseRetriever(retrieval=retrieval_over(store.knowledge), collections=("me",), k=1)
    rephrase = ChatPromptTemplate.from_messages([MessagesPlaceholder("chat_history"), ("human", "{input}")])
    answer = ChatPromptTemplate.from_messages([("system", "{context}"), ("human", "{input}")])
    model = chat(["病假需要什么证明？"], ["医院", "证明。"])
    chain = create_retrieval_chain(
        create_history_aware_retriever(model, retriever, rephrase), create_stuff_documents_chain(model, answer)
    )
    outputs = chain.invoke({"input": "那病假呢？", "chat_history": [HumanMessage(FIRST), AIMessage("十天。")]})
    assert outputs["answer"] == "医院证明。"
    assert [document.page_content for document in outputs["context"]] == ["病假需要医院证明。"]
