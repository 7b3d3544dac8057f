"""Rerankers that ask the chat model: grades, and what InsertBlock keeps."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pydantic import ValidationError

from rag.errors import ModelStreamBroken, RerankFailed
from rag.llm.constraint import by_schema
from rag.llm.replier import Replier
from rag.prompts import Prompts
from rag.rerank.build import build_filter, build_reranker
from rag.rerank.features import FeatureReranker
from rag.rerank.http import HttpReranker
from rag.rerank.judge import GradingReranker, InsertBlock, Judge
from rag.rerank.sentences import SentenceCosines
from rag.settings import RerankSettings
from rag.types import Hit, Provider, Similarity
from rag.types.search import Use
from tests.knowledge import TOKENIZER
from tests.samples import hit, ids
from tests.scripted import ScriptedChatModel

HITS = (hit(1, "病假为五天。"), hit(2, "年假为\n十天。"), hit(3, "食堂在一楼。"))


def judge(*script: object, provider: Provider = Provider.OLLAMA, timeout: float = 5) -> Judge:
    model = ScriptedChatModel(scripts=[list(script)])
    return Judge(lambda: Replier(provider, model), timeout)


def grading(*script: object, **options: object) -> GradingReranker:
    return GradingReranker(judge(*script, **options), Prompts())  # type: ignore[arg-type]


def test_hits_stand_by_their_grades_and_equal_ones_as_they_were() -> None:
    ranked = grading('{"grades": [0, ', "3, 0]}").rank("年假有几天？", HITS)
    assert ids(ranked) == [2, 1, 3]
    assert [found.relevance for found in ranked] == [0.95, 0.02, 0.02]


def test_the_first_twenty_are_graded_and_the_rest_stay_behind_them_unjudged() -> None:
    many = tuple(hit(number, f"第{number}条。") for number in range(1, 51))
    model = ScriptedChatModel(scripts=[[json.dumps({"grades": [0] * 19 + [3]})]])
    ranked = GradingReranker(Judge(lambda: Replier(Provider.OLLAMA, model), 5), Prompts()).rank("问", many)
    assert ids(ranked) == [20, *range(1, 20), *range(21, 51)]
    assert {found.relevance for found in ranked[20:]} == {None}
    said = str(model.calls[0][0].content)
    assert "第20条。" in said and "第21条。" not in said and "有 20 段资料" in said


def test_grades_are_not_thought_about() -> None:
    model = ScriptedChatModel(scripts=[['{"grades": [1, 2, 3]}']])
    GradingReranker(Judge(lambda: Replier(Provider.OLLAMA, model), 5), Prompts()).rank("问", HITS)
    assert [call["reasoning"] for call in model.arguments] == [False]


def test_the_model_sees_each_passage_under_its_number_and_the_question() -> None:
    model = ScriptedChatModel(scripts=[['{"grades": [1, 2, 3]}']])
    GradingReranker(Judge(lambda: Replier(Provider.OLLAMA, model), 5), Prompts()).rank("年假有几天？", HITS)
    said = str(model.calls[0][0].content)
    assert "[2] 员工手册.pdf > 第一章 > 休假\n年假为\n十天。" in said
    assert said.endswith("问题：年假有几天？")


def in_a_table(found: Hit, header: str) -> Hit:
    passage = replace(found.chunk.passage, context=header)
    return replace(found, chunk=replace(found.chunk, passage=passage))


def test_the_model_sees_the_columns_of_a_table_that_goes_on_and_may_quote_them() -> None:
    model = ScriptedChatModel(
        scripts=[['{"usable": [{"number": 1, "key_passage": "年假天数\\n张三 | 12", "reason": "有"}]}']]
    )
    block = InsertBlock(Judge(lambda: Replier(Provider.OLLAMA, model), 5), Prompts())
    (ranked,) = block.rank("张三的年假有几天？", [in_a_table(hit(1, "张三 | 12"), "姓名 | 年假天数")])
    assert "> 休假\n姓名 | 年假天数\n张三 | 12" in str(model.calls[0][0].content)
    assert ranked.use == Use("年假天数\n张三 | 12", "有")


@pytest.mark.parametrize(
    "reply",
    [
        "3",
        "不知道",
        "{}",
        '{"grades": [1]}',
        '{"grades": [1, 2, 9]}',
        '{"grades": [1, 2, true]}',
        "[1, 2, 3]",
        pytest.param("[" * 100_000, id="brackets without end"),
        pytest.param("1" * 5000, id="a number without end"),
    ],
)
def test_a_reply_without_a_grade_for_each_fails(reply: str) -> None:
    with pytest.raises(RerankFailed):
        grading(reply).rank("问", HITS)


def test_without_a_model_there_are_no_grades() -> None:
    with pytest.raises(RerankFailed):
        grading(provider=Provider.EXTRACTIVE).rank("问", HITS)


def test_a_models_own_failure_is_passed_on() -> None:
    with pytest.raises(ModelStreamBroken):
        grading(ModelStreamBroken(model="m")).rank("问", HITS)


def test_a_model_that_takes_too_long_is_not_waited_for() -> None:
    with pytest.raises(RerankFailed):
        grading(threading.Event(), timeout=0.3).rank("问", HITS)


@pytest.fixture
def after() -> Iterator[Callable[[float], threading.Event]]:
    """Events that are set so many seconds later."""
    timers: list[threading.Timer] = []

    def made(seconds: float) -> threading.Event:
        event = threading.Event()
        timers.append(threading.Timer(seconds, event.set))
        timers[-1].start()
        return event

    yield made
    for timer in timers:
        timer.join()


def test_a_model_in_this_process_has_the_time_that_it_takes_to_read_and_write(
    after: Callable[[float], threading.Event],
) -> None:
    reply = '{"grades": [0, 3, 0]}'
    slow = grading(after(0.6), reply, provider=Provider.EMBEDDED, timeout=0.1)
    assert ids(slow.rank("问", HITS))[0] == 2
    with pytest.raises(RerankFailed):
        grading(after(0.6), reply, timeout=0.1).rank("问", HITS)


def test_a_turn_that_is_stopped_waits_for_no_judgement() -> None:
    stopped = threading.Event()
    stopped.set()
    model = ScriptedChatModel(scripts=[[threading.Event()]])
    waiting = Judge(lambda: Replier(Provider.EMBEDDED, model), 30, stopped)
    with pytest.raises(RerankFailed):
        InsertBlock(waiting, Prompts()).rank("问", HITS)


def insert_block(*uses: dict[str, object]) -> InsertBlock:
    return InsertBlock(judge(json.dumps({"usable": uses}, ensure_ascii=False)), Prompts())


def test_only_usable_passages_are_kept_with_their_key_passage_and_reason() -> None:
    block = insert_block({"number": 2, "key_passage": "年假为十天。", "reason": "写明了天数"})
    ranked = block.rank("年假有几天？", HITS)
    assert ids(ranked) == [2, 1, 3]
    assert ranked[0].use == Use("年假为十天。", "写明了天数")
    assert [found.relevance for found in ranked] == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "use",
    [
        {"number": 2, "key_passage": "年假为二十天。", "reason": "编的"},
        {"number": 2, "key_passage": "", "reason": "空的"},
        {"number": 9, "key_passage": "年假", "reason": "没有这一段"},
        {"number": "2", "key_passage": "年假", "reason": "不是数"},
        {"key_passage": "年假"},
    ],
)
def test_a_key_passage_that_does_not_stand_in_its_passage_keeps_nothing(use: dict[str, object]) -> None:
    assert all(found.relevance == 0.0 and found.use is None for found in insert_block(use).rank("问", HITS))


def test_every_provider_with_a_model_is_held_to_the_schema() -> None:
    schema = {"type": "object"}
    assert by_schema(Provider.EMBEDDED, "n", schema) == {"json_schema": schema}
    assert by_schema(Provider.OLLAMA, "n", schema) == {"format": schema}
    assert by_schema(Provider.OPENAI, "n", schema)["response_format"]["json_schema"]["schema"] == schema


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"kind": "none"}, type(None)),
        ({}, FeatureReranker),
        ({"kind": "http", "base_url": "http://server"}, HttpReranker),
        ({"kind": "llm"}, GradingReranker),
    ],
)
def test_the_configuration_names_the_reranker(settings: dict[str, object], kind: type) -> None:
    rerank = RerankSettings.model_validate(settings)
    model = ScriptedChatModel(scripts=[])
    near = SentenceCosines(lambda _, texts, __: [Similarity()] * len(texts))
    built = build_reranker(rerank, TOKENIZER.words, near, lambda: Replier(Provider.OLLAMA, model), Prompts())
    assert type(built) is kind


@pytest.mark.parametrize("wanted", [True, False])
def test_the_configuration_switches_the_filter(wanted: bool) -> None:
    model = ScriptedChatModel(scripts=[])
    built = build_filter(RerankSettings(insert_block=wanted), lambda: Replier(Provider.OLLAMA, model), Prompts())
    assert isinstance(built, InsertBlock) is wanted


def test_an_http_reranker_needs_an_address() -> None:
    with pytest.raises(ValidationError) as caught:
        RerankSettings(kind="http")
    assert [error["ctx"]["keys"] for error in caught.value.errors()] == ["base_url"]
