"""A follow-up is put to the model that answers so that it answers that one, not the question before once more."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.prompts import PromptTemplate

from rag.chain.history import read_history
from rag.prompts import Prompts
from rag.types import Decision
from tests.chains import FIRST, FORM, LEAVE, DecidesInTurn, asked, build, chat, memory, said_to

SICK_PAY = "员工病假发多少工资？"
OVERTIME = "那加班呢？"
TALK = [(SICK_PAY, "八成。")]
# What the model drifted to cannot be taken: the rules join both questions.
DRIFTS = ["食堂几点开门？"]


def prompt_of(question: str, history: list[Any], **fields: Any) -> tuple[str, str]:
    """What the model is told at last for a follow-up, and the question that was searched for."""
    model = chat(DRIFTS, ["一倍半。"])
    chain = build(model, FORM, return_generated_question=True, **fields)
    outputs = chain.invoke({"question": question, "chat_history": history})
    return said_to(model), outputs["generated_question"]


def test_what_about_another_thing_is_asked_behind_the_question_before_and_its_answer() -> None:
    told, generated = prompt_of(OVERTIME, TALK)
    assert generated == f"{SICK_PAY} {OVERTIME}"
    assert f"问题：前面谈到过：\n问：{SICK_PAY}\n答：八成。\n\n{OVERTIME}\n" in told
    assert generated not in told


def test_so_it_is_where_evidence_is_reused() -> None:
    model = chat(["八成。"], ["一倍半。"])
    chain = build(model, LEAVE, memory=memory(), decider=DecidesInTurn([Decision.RETRIEVE, Decision.REUSE]))
    chain.invoke({"question": SICK_PAY})
    chain.invoke({"question": OVERTIME})
    assert f"答：八成。\n\n{OVERTIME}" in said_to(model)
    assert f"{SICK_PAY} {OVERTIME}" not in said_to(model)


def test_small_talk_between_is_not_what_the_follow_up_goes_on_from() -> None:
    told, _ = prompt_of(OVERTIME, [*TALK, ("谢谢", "不客气。")])
    assert f"问：{SICK_PAY}\n答：八成。\n\n{OVERTIME}" in told and "不客气" not in told


def test_a_third_thing_is_asked_behind_the_question_as_it_was_asked_of_the_second() -> None:
    asked, last = [("阿司匹林会嗜睡吗？", "不会。"), ("布洛芬呢？", "会。")], "氯雷他定呢？"
    told, generated = prompt_of(last, asked)
    assert generated == f"布洛芬会嗜睡吗？ {last}"
    assert f"问：布洛芬会嗜睡吗？\n答：会。\n\n{last}\n" in told


def test_what_follows_what_about_another_thing_is_asked_of_that() -> None:
    _, generated = prompt_of("它怎么吃？", [("阿司匹林一天几次？", "一次。"), ("布洛芬呢？", "两次。")])
    assert generated == "布洛芬怎么吃？"


@pytest.mark.parametrize("request_", ["多说一些", "Give me an example"])
def test_for_more_of_the_last_answer_a_model_is_asked_behind_that(request_: str) -> None:
    model = chat(["八成。"], ["八成，按月发。"])
    chain = build(model, LEAVE, memory=memory(), decider=DecidesInTurn([Decision.RETRIEVE, Decision.REUSE]))
    chain.invoke({"question": SICK_PAY})
    chain.invoke({"question": request_})
    assert f"问：{SICK_PAY}\n答：八成。\n\n{request_}" in said_to(model)


@pytest.mark.parametrize("request_", ["再说一遍", "短一点", "分点说"])
def test_for_the_last_answer_again_a_model_is_told_the_conversation_and_nothing_is_searched(request_: str) -> None:
    model = chat(["八成。"])
    chain = build(model, LEAVE, return_decision=True)
    outputs = chain.invoke({"question": request_, "chat_history": TALK})
    assert outputs["decision"] is Decision.NO_RETRIEVE and f"助手：八成。\n\n用户：{request_}" in said_to(model)


def test_a_long_answer_is_told_by_its_beginning() -> None:
    told, _ = prompt_of(OVERTIME, [(SICK_PAY, "八成。" * 200)])
    assert "答：八成。" in told and len(told) < 800


def test_a_question_about_what_the_conversation_only_told_as_text_is_put_as_it_is() -> None:
    talk = read_history("谈过病假", str, Prompts())
    assert talk.messages == (SystemMessage("谈过病假"),)
    assert talk.put(OVERTIME, f"病假 {OVERTIME}", Prompts()) == OVERTIME


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        ({"rephrase_question": False}, OVERTIME),
        ({"condense_question_prompt": PromptTemplate.from_template("{chat_history}{question}")}, DRIFTS[0]),
    ],
    ids=["no rephrasing", "prompt of one's own"],
)
def test_the_callers_words_are_put_as_they_are(fields: dict[str, Any], asked: str) -> None:
    told, _ = prompt_of(OVERTIME, TALK, **fields)
    assert f"问题：{asked}\n" in told


def test_a_name_that_the_rules_put_before_a_topic_of_its_own_leads_over_to_it() -> None:
    told, _ = prompt_of("那日志文件要保存多久？", [("错误码的格式是怎样的？", "A 开头。")])
    assert "问题：错误码的格式，日志文件要保存多久？\n" in told


def test_a_whole_question_that_reuses_evidence_is_put_as_it_is_whoever_rewrites() -> None:
    model = chat(["八成。"], ["是的。"])
    decider = DecidesInTurn([Decision.RETRIEVE, Decision.REUSE])
    chain = build(model, LEAVE, memory=memory(), decider=decider, trusts_rewrites=True)
    chain.invoke({"question": SICK_PAY})
    chain.invoke({"question": "员工的年假每年都是十天吗？"})
    assert "问题：员工的年假每年都是十天吗？\n" in said_to(model)


def test_tuples_of_role_and_content_are_messages_as_in_langchains_prompts() -> None:
    pairs = read_history([(SICK_PAY, "八成。")], None, Prompts())
    assert read_history([("human", SICK_PAY), ("ai", "八成。")], None, Prompts()) == pairs


def test_a_follow_up_that_reuses_evidence_is_asked_of_what_the_last_question_named() -> None:
    model = chat(["十天。"], ["八天。"], ["假条。"])
    decider = DecidesInTurn([Decision.RETRIEVE, Decision.REUSE, Decision.REUSE])
    chain = build(model, LEAVE, memory=memory(), decider=decider)
    for question in ("员工手册里年假有几天？", "病假呢？", "需要什么材料？"):
        chain.invoke({"question": question})
    assert "问题：员工手册里病假需要什么材料？\n" in said_to(model)


HOW = "请用一句话回答，不要超过50字。"


def test_how_a_question_is_to_be_answered_is_told_to_the_model_and_not_searched_for() -> None:
    model = chat(["十天。"])
    chain = build(model, LEAVE, return_generated_question=True)
    outputs = chain.invoke({"question": f"员工每年有几天年假？{HOW}", "chat_history": []})
    assert outputs["generated_question"] == "员工每年有几天年假？" and asked(chain) == ["员工每年有几天年假？"]
    assert f"员工每年有几天年假？{HOW}" in said_to(model)


def test_how_a_follow_up_is_to_be_answered_is_said_once_and_how_the_question_before_it_was_is_not() -> None:
    told, generated = prompt_of(f"{OVERTIME}{HOW}", [(f"{SICK_PAY}{HOW}", "八成。")])
    assert generated == f"{SICK_PAY} {OVERTIME}"
    assert f"问：{SICK_PAY}\n答：八成。\n\n{OVERTIME}\n{HOW}\n" in told and told.count(HOW) == 1


def test_a_prompt_of_the_callers_own_is_given_all_of_a_message() -> None:
    own = PromptTemplate.from_template("{chat_history}{question}")
    model = chat(["加班发多少工资？"], ["一倍半。"])
    chain = build(model, FORM, condense_question_prompt=own)
    chain.invoke({"question": f"{OVERTIME}{HOW}", "chat_history": TALK})
    assert f"{OVERTIME}{HOW}" in said_to(model, 0) and asked(chain) == ["加班发多少工资？"]
    assert "问题：加班发多少工资？\n" in said_to(model)
    chain = build(first := chat(["八成。"]), FORM, condense_question_prompt=own)
    chain.invoke({"question": f"{SICK_PAY}{HOW}", "chat_history": []})
    assert asked(chain) == [SICK_PAY] and f"{SICK_PAY}{HOW}" in said_to(first)


def test_what_leads_over_to_a_question_does_not_hide_it_from_what_goes_on_from_it() -> None:
    told, _ = prompt_of(OVERTIME, [(f"换个话题，{SICK_PAY}", "八成。")])
    assert f"问：{SICK_PAY}\n答：八成。\n\n{OVERTIME}\n" in told


def test_thanks_are_answered_from_the_text_of_a_history_handed_on_as_it_is() -> None:
    model = chat(["不客气。"])
    chain = build(model, LEAVE, get_chat_history=lambda history: history)
    chain.invoke({"question": "谢谢", "chat_history": [HumanMessage(FIRST), AIMessage("十天。")]})
    assert f"\n用户：{FIRST}\n助手：十天。\n" in said_to(model)
