"""The facts that LangChain's own tests state of its chain come first, then what ours adds."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_classic.chains import create_history_aware_retriever, create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_classic.chains.conversational_retrieval.base import BaseConversationalRetrievalChain
from langchain_classic.memory import ConversationBufferMemory
from langchain_core.callbacks import BaseCallbackHandler, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import BaseLanguageModel, FakeListLLM
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder, PromptTemplate
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from rag.chain import ConversationalRetrievalChain
from rag.chain.documents import ScoreParser, count_tokens
from rag.errors import ModelGaveNothing
from rag.i18n import Language
from rag.prompts import Prompts
from rag.retriever import KnowledgeBaseRetriever
from tests.knowledge import open_store
from tests.scripted import ScriptedChatModel

LEAVE = Document(id="1", page_content="员工每年有十天年假。", metadata={"source": "手册.pdf"})
FORM = Document(id="2", page_content="休假应填写申请表。", metadata={"source": "手册.pdf"})
FIRST = "员工手册规定年假有几天？"
PAST = [(FIRST, "十天。")]


class FixedRetriever(BaseRetriever):
    """Finds one list of documents after the other, and the last one from then on; remembers its questions."""

    found: list[list[Document]]
    asked: list[str] = Field(default_factory=list)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        self.asked.append(query)
        return self.found[min(len(self.asked), len(self.found)) - 1]


def chat(*scripts: Sequence[Any]) -> ScriptedChatModel:
    return ScriptedChatModel(scripts=list(scripts))


def build(model: BaseLanguageModel[Any], *found: Document, **fields: Any) -> ConversationalRetrievalChain:
    return ConversationalRetrievalChain.from_llm(model, FixedRetriever(found=[list(found)]), **fields)


def memory(**fields: Any) -> ConversationBufferMemory:
    return ConversationBufferMemory(memory_key="chat_history", return_messages=True, **fields)


def asked(chain: ConversationalRetrievalChain) -> list[str]:
    """What the retriever was asked."""
    assert isinstance(chain.retriever, FixedRetriever)
    return chain.retriever.asked


def said_to(model: ScriptedChatModel, call: int = -1) -> str:
    return "\n".join(str(message.content) for message in model.calls[call])


# What LangChain's tests state of its chain


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
        [HumanMessage(FIRST), AIMessage("十天。")],
        [{"role": "user", "content": FIRST}, {"role": "assistant", "content": "十天。", "metadata": None}],
        [
            {"role": "user", "content": [{"type": "text", "text": FIRST}]},
            {"role": "assistant", "content": [{"type": "text", "text": "十天。"}]},
        ],
    ],
    ids=["tuples", "messages", "dictionaries", "dictionaries with parts"],
)
def test_a_follow_up_is_rewritten_with_a_history_of_any_form(history: list[Any]) -> None:
    model = chat(["年假怎么申请？"], ["填表。"])
    chain = build(model, FORM, return_generated_question=True)
    outputs = chain.invoke({"question": "那怎么申请？", "chat_history": history})
    assert asked(chain) == [outputs["generated_question"]] == ["年假怎么申请？"]
    assert f"用户：{FIRST}\n助手：十天。" in said_to(model, 0)
    assert "问题：年假怎么申请？" in said_to(model, 1)


@pytest.mark.parametrize(
    "history", ["刚才说过", [b"?"], [{"content": "?"}], [("只有一个",)], [{"role": "x", "content": "?"}]]
)
def test_an_unknown_history_is_refused_in_langchains_words(history: Any) -> None:
    with pytest.raises(ValueError, match="Unsupported chat history format"):
        build(chat(), LEAVE).invoke({"question": FIRST, "chat_history": history})


def test_a_history_of_ones_own_form_is_read_by_ones_own_function() -> None:
    model = chat(["年假怎么申请？"], ["填表。"])
    chain = build(model, FORM, get_chat_history=lambda history: f"谈话记录：{history}")
    chain.invoke({"question": "那怎么申请？", "chat_history": "谈过年假"})
    assert "谈话记录：谈过年假" in said_to(model, 0)
    assert asked(chain) == ["年假怎么申请？"]


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


def test_a_question_that_stands_alone_is_not_rewritten() -> None:
    model = chat(["一万元。"])
    chain = build(model, LEAVE)
    chain.invoke({"question": "公司差旅费的年度报销上限是一万元吗？", "chat_history": PAST})
    assert asked(chain) == ["公司差旅费的年度报销上限是一万元吗？"]
    assert len(model.calls) == 1


def test_a_rewrite_that_drifts_is_replaced_by_both_questions() -> None:
    chain = build(chat(["员工手册的年假有多少天？"], ["可以。"]), LEAVE)
    chain.invoke({"question": "那 2023 年的呢？", "chat_history": PAST})
    assert asked(chain) == [f"{FIRST} 那 2023 年的呢？"]


def test_thoughts_are_no_part_of_a_rewrite_or_an_answer() -> None:
    chain = build(chat(["<think>年假</think>年假怎么申请？"], ["<think>表</think>填表。"]), FORM)
    assert chain.invoke({"question": "那怎么申请？", "chat_history": PAST})["answer"] == "填表。"
    assert asked(chain) == ["年假怎么申请？"]


@pytest.mark.parametrize("reply", ["", "<think>想了很久", "<think>想了很久</think>\n"])
def test_a_model_that_gives_nothing_is_an_error(reply: str) -> None:
    with pytest.raises(ModelGaveNothing):
        build(FakeListLLM(responses=[reply]), LEAVE).invoke({"question": FIRST, "chat_history": []})


def test_memory_and_sources_go_together_without_output_key() -> None:
    kept = memory()
    chain = build(chat(["十天。"]), LEAVE, memory=kept, return_source_documents=True, return_decision=True)
    chain.invoke({"question": FIRST, "user": "张三"})
    assert [message.content for message in kept.chat_memory.messages] == [FIRST, "十天。"]


async def test_an_awaited_turn_is_remembered_too() -> None:
    kept = memory()
    chain = build(chat(["十天。"]), LEAVE, memory=kept, return_source_documents=True)
    outputs = await chain.ainvoke({"question": FIRST})
    assert [message.content for message in kept.chat_memory.messages] == [FIRST, outputs["answer"]]


async def test_awaiting_gives_what_waiting_gives() -> None:
    scripts = (["年假怎么申请？"], ["填表。"])
    inputs = {"question": "那怎么申请？", "chat_history": PAST}
    fields = {"return_source_documents": True, "return_generated_question": True, "return_decision": True}
    assert await build(chat(*scripts), FORM, **fields).ainvoke(inputs) == build(chat(*scripts), FORM, **fields).invoke(
        inputs
    )


# Streams


def test_a_stream_yields_the_answers_tokens_then_the_other_outputs() -> None:
    chain = build(chat(["年假", "怎么申请？"], ["填", "表", "。"]), FORM, return_source_documents=True)
    inputs = {"question": "那怎么申请？", "chat_history": PAST}
    assert list(chain.stream(inputs)) == [
        {"answer": "填"},
        {"answer": "表"},
        {"answer": "。"},
        {**inputs, "source_documents": [FORM]},
    ]


async def test_an_asynchronous_stream_yields_the_same() -> None:
    chain = build(chat(["年假", "怎么申请？"], ["填", "表"]), FORM)
    inputs = {"question": "那怎么申请？", "chat_history": PAST}
    assert [piece async for piece in chain.astream(inputs)] == [{"answer": "填"}, {"answer": "表"}, inputs]


def test_a_piece_arrives_before_the_model_has_finished() -> None:
    go_on = threading.Event()
    pieces = build(chat(["十", go_on, "天"]), LEAVE).stream({"question": FIRST, "chat_history": []})
    assert next(pieces) == {"answer": "十"}
    go_on.set()
    assert next(pieces) == {"answer": "天"}


def test_the_pieces_add_up_to_what_invoke_returns() -> None:
    inputs = {"question": FIRST, "chat_history": []}
    pieces = iter(build(chat(["十", "天"]), LEAVE, return_decision=True).stream(inputs))
    total = next(pieces)
    for piece in pieces:
        total = total + piece  # type: ignore[operator]
    assert total == build(chat(["十天"]), LEAVE, return_decision=True).invoke(inputs)


def test_a_model_that_cannot_stream_yields_its_answer_in_one_piece() -> None:
    pieces = build(FakeListLLM(responses=["十天。"]), LEAVE).stream({"question": FIRST, "chat_history": []})
    assert next(iter(pieces)) == {"answer": "十天。"}


def test_a_greetings_answer_is_streamed() -> None:
    pieces = build(chat(["你", "好"]), LEAVE).stream({"question": "你好", "chat_history": []})
    assert [piece["answer"] for piece in pieces if "answer" in piece] == ["你", "好"]


def test_thoughts_are_not_streamed() -> None:
    pieces = build(chat(["<thi", "nk>嗯</think>", "十", "天"]), LEAVE).stream({"question": FIRST, "chat_history": []})
    assert [piece["answer"] for piece in pieces if "answer" in piece] == ["十", "天"]


def test_a_models_error_reaches_the_reader_of_the_stream() -> None:
    pieces = build(chat(["十", ConnectionError("gone")]), LEAVE).stream({"question": FIRST, "chat_history": []})
    assert next(pieces) == {"answer": "十"}
    with pytest.raises(ConnectionError):
        next(pieces)


def test_a_reader_who_leaves_ends_the_model_and_nothing_is_remembered() -> None:
    hold, ended = threading.Event(), threading.Event()

    class Watched(ScriptedChatModel):
        def _stream(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
            try:
                yield from super()._stream(*args, **kwargs)
            finally:
                ended.set()

    kept = memory()
    model = Watched(scripts=[["十", hold, "天", "整"]])
    pieces = build(model, LEAVE, memory=kept).stream({"question": FIRST})
    assert next(pieces) == {"answer": "十"}
    pieces.close()  # type: ignore[attr-defined]
    hold.set()
    assert ended.wait(5)
    assert kept.chat_memory.messages == []


# The four chain types


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
def test_every_chain_type_tells_the_model_when_nothing_was_found(chain_type: str) -> None:
    model = chat(["无"], ["我不知道。"])
    chain = build(model, chain_type=chain_type, return_source_documents=True)
    outputs = chain.invoke({"question": FIRST, "chat_history": []})
    assert "（没有找到相关内容）" in said_to(model, 0)
    assert outputs["source_documents"] == []


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
        ("<think>分数：9</think>十天。\n分数：85", "十天。", "85"),
        ("十天。", "十天。", "0"),
        ("", "", "0"),
    ],
)
def test_a_score_is_read_however_it_is_written(reply: str, answer: str, score: str) -> None:
    assert ScoreParser().parse(reply) == {"answer": answer, "score": score}


# Tokens, prompts, knowledge base


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


def test_a_registered_prompt_replaces_the_shipped_one_for_both_kinds_of_model() -> None:
    prompts = Prompts()
    prompts.register("stuff", "只说一句。\n\n---\n\n{context}|{question}")
    selector = prompts.selector("stuff")
    chat_prompt, string_prompt = selector.get_prompt(chat()), selector.get_prompt(FakeListLLM(responses=[]))
    messages: list[BaseMessage] = chat_prompt.format_prompt(context="{甲}", question="乙").to_messages()
    assert [(message.type, message.content) for message in messages] == [("system", "只说一句。"), ("human", "{甲}|乙")]
    assert string_prompt.format(context="甲", question="乙") == "只说一句。\n\n甲|乙"


def test_our_knowledge_base_serves_langchains_newer_chains(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.put("me", "手册.pdf", "员工每年有十天年假。", "病假需要医院证明。")
    retriever = KnowledgeBaseRetriever(knowledge=store.knowledge, collections=("me",), k=1)
    rephrase = ChatPromptTemplate.from_messages([MessagesPlaceholder("chat_history"), ("human", "{input}")])
    answer = ChatPromptTemplate.from_messages([("system", "{context}"), ("human", "{input}")])
    model = chat(["病假需要什么证明？"], ["医院", "证明。"])
    chain = create_retrieval_chain(
        create_history_aware_retriever(model, retriever, rephrase), create_stuff_documents_chain(model, answer)
    )
    outputs = chain.invoke({"input": "那病假呢？", "chat_history": [HumanMessage(FIRST), AIMessage("十天。")]})
    assert outputs["answer"] == "医院证明。"
    assert [document.page_content for document in outputs["context"]] == ["病假需要医院证明。"]
