import threading
from collections.abc import Sequence

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from rag.i18n import Language
from rag.llm.extractive import ExtractiveChatModel, extract, quotable
from rag.llm.stream import stream_parts
from rag.llm.think import Text
from rag.prompts import Prompts
from rag.transcript import Transcript
from rag.types import Decision, Similarity
from tests.knowledge import by_words
from tests.samples import evidence

WATER = "泵的流量为每小时 12 立方米。电机功率为 3 千瓦。"
CARE = "每运行 500 小时更换一次润滑油。更换前请切断电源！外壳用湿布擦拭。"
MODEL = ExtractiveChatModel(similarities=by_words)


def asked(question: str, *passages: str, prompts: Prompts | None = None) -> BaseMessage:
    """A question as a conversation's prompt has it, with its passages numbered from 1."""
    found = [evidence(number, text) for number, text in enumerate(passages, 1)]
    message = Transcript(prompts or Prompts(), ()).ask(question, Decision.RETRIEVE, found, bool(found))
    return quotable(message, [question] if question else [], found)


def answer(*messages: BaseMessage) -> str:
    return str(MODEL.invoke(list(messages)).text)


def test_the_sentence_that_shares_the_questions_words_is_quoted_with_its_number() -> None:
    assert (
        extract([evidence(1, WATER), evidence(2, CARE)], "润滑油多久更换一次？", by_words, limit=1)
        == "每运行 500 小时更换一次润滑油。[2]"
    )


def test_quoted_sentences_keep_the_order_of_the_evidence() -> None:
    quoted = extract([evidence(1, WATER), evidence(2, CARE)], "电机功率和润滑油更换", by_words, limit=2)
    assert quoted == "电机功率为 3 千瓦。[1]\n每运行 500 小时更换一次润滑油。[2]"


def test_a_quoted_sentence_is_not_cut_inside_an_expression() -> None:
    passage = "条件写作 a != b; 当 x?y 时返回 3.5。“条件成立？”然后结束。"
    assert extract([evidence(1, passage)], "条件", by_words) == "条件写作 a != b;[1]\n“条件成立？”[1]"
    assert extract([evidence(1, passage)], "何时返回", by_words) == "当 x?y 时返回 3.5。[1]"


def test_sentences_that_share_no_word_with_the_question_are_told_to_be_the_nearest_by_meaning() -> None:
    def by_meaning(_question: str, texts: Sequence[str]) -> list[Similarity]:
        return [Similarity(0.9 if "功率" in text else 0.8) for text in texts]

    answer = extract([evidence(4, WATER)], "这台机器多费电？", by_meaning)
    assert answer.splitlines() == ["没有和问题用词相近的句子，意思最接近的原文是：", "电机功率为 3 千瓦。[4]"]


def test_where_nothing_comes_near_the_answer_is_not_known() -> None:
    assert extract([evidence(4, WATER)], "保修期有几年？", by_words) == "我不知道，资料中没有相关内容。"


def test_without_evidence_the_answer_is_not_known() -> None:
    assert extract([], "保修期有几年？", by_words) == "我不知道，资料中没有相关内容。"
    assert extract([], "", by_words) == "我不知道，资料中没有相关内容。"
    assert extract([], "How long?", by_words, language=Language.EN).startswith("I do not know")


def test_what_asks_for_nothing_in_particular_is_quoted_from_the_beginnings() -> None:
    quoted = extract(
        [evidence(1, "水泵要保养。每年换油。"), evidence(2, "先关电源。再打开盖。")], "", by_words, limit=3
    )
    assert quoted == "水泵要保养。[1]\n每年换油。[1]\n先关电源。[2]"


def test_what_stands_below_titles_and_lines_that_lead_on_is_quoted_from_the_beginnings() -> None:
    passages = [evidence(1, "一、产品概述\n本产品是一台水泵。"), evidence(2, "核心发现：\n全年没有停机。")]
    assert extract(passages, "", by_words, limit=2) == "本产品是一台水泵。[1]\n核心发现：[2]\n全年没有停机。[2]"


@pytest.mark.parametrize("title", ["五、可以上传哪些文件", "可以上传哪些文件？", "2.1 上传文件"])
def test_a_title_that_only_asks_gives_way_to_what_stands_behind_it(title: str) -> None:
    quoted = extract(
        [evidence(1, f"{title}\n支持 PDF 和 Word。\n问题最多 2000 个字。")], "可以上传哪些文件？", by_words
    )
    assert quoted == "支持 PDF 和 Word。[1]"


def test_a_title_with_nothing_behind_it_is_quoted() -> None:
    passages = [evidence(1, WATER), evidence(2, "可以上传哪些文件"), evidence(3, CARE)]
    assert extract(passages, "可以上传哪些文件？", by_words) == "可以上传哪些文件[2]"


def test_no_more_sentences_than_the_limit_are_quoted() -> None:
    many = [evidence(number, f"第 {number} 台水泵的流量很大。") for number in range(1, 9)]
    assert extract(many, "水泵的流量", by_words, limit=3).count("\n") == 2


def test_the_model_reads_what_was_asked_and_streams_by_sentence() -> None:
    message = asked("电机功率多大，多久更换润滑油？", WATER, CARE)
    parts = list(stream_parts(MODEL, [SystemMessage("规则"), message], threading.Event()))
    assert parts[:2] == [Text("电机功率为 3 千瓦。[1]\n"), Text("每运行 500 小时更换一次润滑油。[2]\n")]


@pytest.mark.parametrize(
    ("question", "passage", "quoted"),
    [
        ("退货的邮费由谁承担？", "问题：如何退货？\n答案：七天内可以退货，邮费由买家承担。", "邮费由买家承担。[1]"),
        ("张三关于润滑油更换", "参考文献\n[77] 张三关于润滑油更换。", r"[77\] 张三关于润滑油更换。[1]"),
        ("润滑油更换的研究", "附录\n[77] 第 3 页\n润滑油更换的研究。", "润滑油更换的研究。[1]"),
    ],
)
def test_a_passage_that_looks_like_a_prompt_is_one_passage(question: str, passage: str, quoted: str) -> None:
    assert answer(asked(question, passage)).endswith(quoted)


@pytest.mark.parametrize(
    "prompt", ["{evidence}\n\n用户的问题是：{question}", "问题：{question}\n资料：\n{evidence}\n请用一句话回答。"]
)
def test_a_prompt_of_another_form_is_answered_too(prompt: str) -> None:
    message = asked("多久更换润滑油？", WATER, CARE, prompts=Prompts(texts={"question": prompt}))
    assert answer(message) == "每运行 500 小时更换一次润滑油。[2]"


def test_small_talk_is_told_that_there_is_no_model_for_it() -> None:
    said = Transcript(Prompts(), ()).ask("谢谢", Decision.NO_RETRIEVE, (), False)
    assert answer(asked("多久更换润滑油？", CARE), AIMessage("500 小时[1]。"), said).startswith("现在没有对话模型")
    assert answer(HumanMessage("问题：多久？")).startswith("现在没有对话模型")


def test_an_english_question_is_answered_in_english_without_a_model_too() -> None:
    assert answer(asked("How long is the warranty?")).startswith("I do not know")
    thanks = Transcript(Prompts(), ()).ask("Thank you so much!", Decision.NO_RETRIEVE, (), False)
    assert answer(thanks).startswith("There is no model")
    english = Prompts(Language.EN)
    assert answer(asked("99", prompts=english)).startswith("I do not know")


def test_where_nothing_was_found_no_earlier_passage_is_quoted_in_its_place() -> None:
    earlier = (asked("多久更换润滑油？", CARE), AIMessage("500 小时[1]。"))
    assert answer(*earlier, asked("第99页讲了什么？")) == "我不知道，资料中没有相关内容。"


def test_a_sentence_that_two_passages_share_is_quoted_once_from_the_first() -> None:
    quoted = extract([evidence(1, CARE), evidence(2, CARE)], "润滑油多久更换一次？", by_words)
    assert quoted.count("润滑油") == 1
    assert "[2]" not in quoted


@pytest.mark.parametrize(("limit", "most"), [(5, 8), (1, 1)])
def test_a_client_that_wants_few_tokens_has_the_beginning_and_is_told_that_it_is_cut(limit: int, most: int) -> None:
    question = asked("多久更换一次润滑油？", CARE)
    whole, cut = answer(question), MODEL.invoke([question], max_tokens=limit)
    assert whole.startswith(cut.text) and 0 < len(cut.text) <= most
    assert cut.response_metadata["finish_reason"] == "length"
    assert MODEL.invoke([question], max_tokens=500).response_metadata["finish_reason"] == "stop"
