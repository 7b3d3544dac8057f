"""The registry of prompts, and the kind of prompt for the kind of model."""

import pytest
from langchain_core.language_models import FakeListLLM
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate

from rag.i18n import Language
from rag.prompts import Prompts, register_prompt
from tests.scripted import ScriptedChatModel


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("name", ["stuff", "condense_history", "decide", "summarise", "no_evidence"])
def test_a_chat_model_gets_a_chat_prompt_and_any_other_the_same_as_one_string(name: str, language: Language) -> None:
    selector = Prompts(language).selector(name)
    chat, string = selector.get_prompt(ScriptedChatModel(scripts=[])), selector.get_prompt(FakeListLLM(responses=[]))
    assert isinstance(chat, ChatPromptTemplate)
    assert isinstance(string, PromptTemplate)
    values = dict.fromkeys(string.input_variables, "值")
    assert "\n\n".join(str(message.content) for message in chat.format_messages(**values)) == string.format(**values)


def test_a_registered_prompt_is_used_from_then_on_in_its_language_only() -> None:
    before = Prompts()
    register_prompt("tests_own", "问：{question}")
    assert Prompts().fill("tests_own", question="{年假}") == "问：{年假}"
    for others in (before, Prompts(Language.EN)):
        with pytest.raises(FileNotFoundError):
            others.fill("tests_own", question="年假")


def test_given_texts_stand_in_place_of_the_shipped_ones() -> None:
    assert Prompts(texts={"answer": "只说一句。"}).fill("answer") == "只说一句。"


def test_without_evidence_the_model_is_told_to_say_so_and_to_answer_from_the_conversation() -> None:
    told = Prompts().fill("no_evidence", question="年假有几天？")
    assert "资料中没有相关内容" in told
    assert "依据对话回答" in told
