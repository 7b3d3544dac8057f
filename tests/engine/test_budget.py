"""Prompt and answer within the limit, whatever was asked, found and said."""

import uuid
from dataclasses import fields, replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from langchain_core.messages import BaseMessage

from rag.events import Budgeted
from rag.tokens import Estimator, average_estimate, tiktoken_estimator
from rag.types import Budget, Decision, Hit, Provider
from tests.engine.rig import SEARCHES, Build, join_upkeep, model
from tests.samples import hit
from tests.scripted import FixedKnowledgeBase

EXACT = tiktoken_estimator()
LIMIT = 1300
# A chat template's own tokens, as Qwen's has them around a message.
AROUND = 5
NAMES = ["手册.pdf", "非常长的文件名称" * 6 + ".pdf", "😀🤖🦾🧬" * 8 + ".pdf"]
HEADINGS = ["节", "🧬𠀀😀" * 12, "很长的标题" * 20]
TEXTS = ["短句。", "第一段有很多话。" * 20, "a b c d e 12345。 " * 30]
QUESTIONS = ["年假有几天？", "谢谢", "总结一下我们前面谈的内容", "很长的问题" * 30 + "？", "What about 第3个?"]
PASSAGES = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(HEADINGS), st.sampled_from(TEXTS)), max_size=9)
TURNS = st.tuples(
    st.sampled_from(QUESTIONS), st.sampled_from([None, *Decision]), PASSAGES, st.sampled_from([5, 150, 500])
)
Spoken = tuple[str, Decision | None, list[tuple[str, str, str]], int]
MANY = [("😀🤖🦾🧬" * 8 + ".pdf", "🧬𠀀😀" * 12, "短句。")] * 9


@pytest.mark.timeout(600)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example([("年假有几天？", None, MANY, 500)] * 4, EXACT, 20)
@example([("很长的问题" * 30 + "？", Decision.RETRIEVE, MANY, 5)] * 3, len, 3)
@given(st.lists(TURNS, min_size=1, max_size=6), st.sampled_from([EXACT, len, average_estimate]), st.integers(3, 20))
def test_prompt_and_answer_are_within_the_limit_with_all_that_stands_around_the_parts(
    build: Build, knowledge: FixedKnowledgeBase, turns: list[Spoken], estimate: Estimator, recent: int
) -> None:
    scripted = model(*[["答" * length] for *_, length in turns for _ in range(4)])
    engine = build(
        scripted, Provider.EMBEDDED, decider=SEARCHES, estimate=estimate, llm_max_token=LIMIT, max_recent_turns=recent
    )
    session = uuid.uuid4().hex
    for question, decision, passages, _ in turns:
        knowledge.hits = tuple(placed(number, *passage) for number, passage in enumerate(passages))
        told: dict[int, Budget] = {}
        for event in engine.stream(question, session, decision=decision):
            if isinstance(event, Budgeted):
                told[len(scripted.calls)] = event.budget
        join_upkeep()
        for place, budget in told.items():
            assert total(budget) <= LIMIT
            assert total(budget) == tokens(scripted.calls[place], estimate) + budget.answer


def placed(number: int, name: str, heading: str, text: str) -> Hit:
    """A hit of its own on a document of that name, below that heading."""
    found = hit(uuid.uuid4().int % 10**9, f"{text}{number}")
    passage = replace(found.chunk.passage, heading_path=(heading,))
    return replace(found, chunk=replace(found.chunk, passage=passage, document_name=name))


def total(budget: Budget) -> int:
    return sum(getattr(budget, field.name) for field in fields(budget) if field.name != "limit")


def tokens(prompt: list[BaseMessage], estimate: Estimator) -> int:
    """What a prompt takes, with what a chat template adds: to each message, and for the answer that is to begin."""
    return sum(estimate(str(message.content)) + AROUND for message in prompt) + estimate("") + AROUND
