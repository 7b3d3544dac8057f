"""The registry of prompts, and the kind of prompt for the kind of model."""

import re
from typing import Any

import pytest
from langchain_core.language_models import FakeListLLM
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate

from rag import prompts
from rag.errors import UnfitPrompt
from rag.i18n import Language
from rag.prompts import Prompts, register_prompt
from tests.scripted import ScriptedChatModel


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is gone after it."""
    monkeypatch.setattr(prompts, "_REGISTERED", {language: {} for language in Language})


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("name", ["stuff", "condense_history", "decide", "summarise", "no_evidence"])
def test_a_chat_model_gets_a_chat_prompt_and_any_other_the_same_as_one_string(name: str, language: Language) -> None:
    selector = Prompts(language).selector(name)
    chat, string = selector.get_prompt(ScriptedChatModel(scripts=[])), selector.get_prompt(FakeListLLM(responses=[]))
    assert isinstance(chat, ChatPromptTemplate)
    assert isinstance(string, PromptTemplate)
    values = dict.fromkeys(string.input_variables, "值")
    assert "\n\n".join(str(message.content) for message in chat.format_messages(**values)) == string.format(**values)


@pytest.mark.usefixtures("registry")
def test_a_registered_prompt_is_used_from_then_on_in_its_language_only() -> None:
    before = Prompts()
    register_prompt("tests_own", "问：{question}")
    assert Prompts().fill("tests_own", question="{年假}") == "问：{年假}"
    for others in (before, Prompts(Language.EN)):
        with pytest.raises(FileNotFoundError):
            others.fill("tests_own", question="年假")


@pytest.mark.usefixtures("registry")
def test_a_prompt_is_registered_in_two_parts_as_well() -> None:
    register_prompt("stuff", {"system": "只依据资料：{context}", "user": "{question}"})
    chat = Prompts().selector("stuff").get_prompt(ScriptedChatModel(scripts=[]))
    system, user = chat.format_prompt(context="年假十天。", question="几天？").to_messages()
    assert (system.content, user.content) == ("只依据资料：年假十天。", "几天？")
    register_prompt("follow_up", {"system": "简短地答。", "user": "{question}"})
    assert Prompts().fill("follow_up", question="几天？") == "简短地答。\n\n几天？"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("question", "{question}", "{evidence}"),
        ("question", "{evidence} {question} {other}", "{other}"),
        ("question", {"system": "{evidence}", "user": "几天？"}, "{question}"),
        ("question", {"system": "{evidence}"}, "system 和 user"),
        ("tests_own", {"system": "一", "user": 2}, "system 和 user"),
        ("tests_own", 7, "system 和 user"),
        ("answer", " ", "system 和 user"),
    ],
)
@pytest.mark.usefixtures("registry")
def test_a_prompt_that_cannot_be_used_is_refused_when_it_is_registered(name: str, text: Any, told: str) -> None:
    with pytest.raises(UnfitPrompt, match=f"{name} 不能用.*{re.escape(told)}"):
        register_prompt(name, text)


def test_given_texts_stand_in_place_of_the_shipped_ones() -> None:
    assert Prompts(texts={"answer": "只说一句。"}).fill("answer") == "只说一句。"
    own = Prompts(texts={"refusal": "没找到。"})
    assert own.said("refusal", Language.EN) == "没找到。"
    assert own.said("nothing_found", Language.EN) == Prompts(Language.EN).fill("nothing_found")


def test_without_evidence_the_model_is_told_to_say_so_and_to_answer_from_the_conversation() -> None:
    told = Prompts().fill("no_evidence", question="年假有几天？")
    assert "资料中没有相关内容" in told
    assert "依据对话回答" in told
