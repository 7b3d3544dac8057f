import threading

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from rag.i18n import Language
from rag.llm.extractive import ExtractiveChatModel, extract
from rag.llm.stream import Text, stream_parts
from tests.knowledge import TOKENIZER

WATER = "泵的流量为每小时 12 立方米。电机功率为 3 千瓦。"
CARE = "每运行 500 小时更换一次润滑油。更换前请切断电源！外壳用湿布擦拭。"
PROMPT = f"资料：\n[1] 手册.pdf · 第 3 页 · 参数\n{WATER}\n\n[2] 第 9 页\n{CARE}\n\n问题：多久更换润滑油？"


def test_the_sentence_that_shares_the_questions_words_is_quoted_with_its_number() -> None:
    assert (
        extract([(1, WATER), (2, CARE)], "润滑油多久更换一次？", TOKENIZER.words, limit=1)
        == "每运行 500 小时更换一次润滑油。[2]"
    )


def test_quoted_sentences_keep_the_order_of_the_evidence() -> None:
    quoted = extract([(1, WATER), (2, CARE)], "电机功率和润滑油更换", TOKENIZER.words, limit=2)
    assert quoted == "电机功率为 3 千瓦。[1]\n每运行 500 小时更换一次润滑油。[2]"


def test_a_question_beside_the_evidence_is_not_answered_but_pointed_to_the_nearest_passage() -> None:
    answer = extract([(4, WATER)], "保修期有几年？", TOKENIZER.words)
    assert answer.startswith("我不知道")
    assert "[4]" in answer


def test_without_evidence_the_answer_is_not_known() -> None:
    assert extract([], "保修期有几年？", TOKENIZER.words) == "我不知道，资料中没有相关内容。"
    assert extract([], "How long?", TOKENIZER.words, language=Language.EN).startswith("I do not know")


def test_no_more_sentences_than_the_limit_are_quoted() -> None:
    many = [(number, f"第 {number} 台水泵的流量很大。") for number in range(1, 9)]
    assert extract(many, "水泵的流量", TOKENIZER.words, limit=3).count("\n") == 2


def test_the_model_reads_the_prompt_and_streams_by_sentence() -> None:
    prompt = PROMPT.replace("多久", "电机功率多大，多久")
    parts = list(
        stream_parts(
            ExtractiveChatModel(cut=TOKENIZER.words), [SystemMessage("规则"), HumanMessage(prompt)], threading.Event()
        )
    )
    assert parts[:2] == [Text("电机功率为 3 千瓦。[1]\n"), Text("每运行 500 小时更换一次润滑油。[2]")]


def test_a_follow_up_without_new_evidence_uses_what_the_conversation_holds() -> None:
    messages = [HumanMessage(PROMPT), AIMessage("500 小时[2]。"), HumanMessage("问题：电机功率是多少？")]
    assert "电机功率为 3 千瓦。[1]" in str(ExtractiveChatModel(cut=TOKENIZER.words).invoke(messages).text)


def test_a_line_of_the_text_that_begins_like_a_number_is_no_passage_of_its_own() -> None:
    prompt = "资料：\n[1] 论文.pdf · 第 8 页\n参考文献\n[77] 张三关于润滑油更换的研究。\n\n问题：润滑油更换的研究"
    answer = str(ExtractiveChatModel(cut=TOKENIZER.words).invoke([HumanMessage(prompt)]).text)
    assert answer == "[77] 张三关于润滑油更换的研究。[1]"


def test_the_english_prompt_is_read_too() -> None:
    prompt = (
        "Passages:\n[1] a.pdf · page 2\nThe pump needs oil every month.\n\nQuestion: How often does the pump need oil?"
    )
    assert str(
        ExtractiveChatModel(cut=TOKENIZER.words, language=Language.EN).invoke([HumanMessage(prompt)]).text
    ).endswith("month.[1]")


def test_small_talk_is_told_that_there_is_no_model_for_it() -> None:
    answer = str(
        ExtractiveChatModel(cut=TOKENIZER.words)
        .invoke([HumanMessage(PROMPT), AIMessage("500 小时[2]。"), HumanMessage("谢谢")])
        .text
    )
    assert answer.startswith("现在没有对话模型")


def test_what_a_prompt_asks_of_a_model_is_no_part_of_the_question() -> None:
    messages = [HumanMessage(PROMPT.replace("润滑油？", "润滑油？\n（依据资料回答，每句末尾标出参数编号。）"))]
    assert str(ExtractiveChatModel(cut=TOKENIZER.words).invoke(messages).text) == "每运行 500 小时更换一次润滑油。[2]"


def test_a_sentence_that_two_passages_share_is_quoted_once_from_the_first() -> None:
    quoted = extract([(1, CARE), (2, CARE)], "润滑油多久更换一次？", TOKENIZER.words)
    assert quoted.count("润滑油") == 1
    assert "[2]" not in quoted
