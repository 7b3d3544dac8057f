"""What a client or the provider changes of a turn: thoughts, passages judged by the model, the room for evidence."""

import json
import threading

import pytest

from rag.llm.replier import Replier
from rag.prompts import Prompts
from rag.rerank.judge import InsertBlock, Judge
from rag.types import Provider, TurnOptions, TurnStatus, Use
from tests.engine.rig import SEARCHES, Build, finished, model
from tests.samples import hit
from tests.scripted import FixedKnowledgeBase, retrieval_over

QUESTION = "员工手册规定年假有几天？"


@pytest.mark.parametrize(
    ("provider", "wanted", "said"),
    [
        (Provider.OLLAMA, True, {"reasoning": True}),
        (Provider.OLLAMA, False, {"reasoning": False}),
        (Provider.OLLAMA, None, {}),
        (Provider.OPENAI, True, {}),
    ],
)
def test_a_turn_says_whether_to_think_where_the_server_understands_it(
    provider: Provider, wanted: bool | None, said: dict[str, bool], build: Build
) -> None:
    scripted = model(["十天[1]。"])
    list(build(scripted, provider).stream(QUESTION, "s", options=TurnOptions(thinking=wanted)))
    assert [{name: value for name, value in call.items() if name == "reasoning"} for call in scripted.arguments] == [
        said
    ]


def test_thoughts_and_answer_together_may_take_what_the_prompt_leaves(build: Build) -> None:
    scripted = model(["十天[1]。"])
    turn = build(scripted, llm_max_token=3000).ask(QUESTION, "s")
    assert turn.budget and turn.budget.left < 3000
    assert turn.budget.answer < scripted.arguments[0]["max_tokens_thinking"] < turn.budget.left


def test_a_rewrite_is_not_thought_about_whatever_the_turn_wants(build: Build) -> None:
    scripted = model(["十天[1]。"], ["婚假有几天？"], ["三天[2]。"])
    engine = build(scripted, decider=SEARCHES)
    engine.ask(QUESTION, "s")
    list(engine.stream("那婚假呢？", "s", options=TurnOptions(thinking=True)))
    assert [call.get("reasoning") for call in scripted.arguments] == [None, False, True]


def test_a_turn_can_have_the_model_drop_passages_that_are_of_no_use(build: Build) -> None:
    kept = json.dumps({"usable": [{"number": 2, "key_passage": "病假为五天。", "reason": "直接回答"}]})
    scripted = model([kept], ["五天[1]。"])
    turn = finished(build(scripted).stream("员工手册规定病假有几天？", "s", options=TurnOptions(use_insert_block=True)))
    assert [(item.text, item.use) for item in turn.sources] == [("病假为五天。", Use("病假为五天。", "直接回答"))]


def test_a_passage_in_hand_has_the_use_that_it_is_of_to_the_new_question(build: Build) -> None:
    kept = [json.dumps({"usable": [{"number": 2, "key_passage": "病假", "reason": why}]}) for why in ("甲", "乙")]
    scripted, wanted = model([kept[0]], ["五天[1]。"], [kept[1]], ["五天[1]。"]), TurnOptions(use_insert_block=True)
    engine = build(scripted, decider=SEARCHES)
    asked = ("员工手册规定病假有几天？", "员工手册规定病假怎么请？")
    turns = [finished(engine.stream(question, "s", options=wanted)) for question in asked]
    assert [[(item.number, item.use) for item in turn.sources] for turn in turns] == [
        [(1, Use("病假", "甲"))],
        [(1, Use("病假", "乙"))],
    ]


def test_a_filter_that_each_search_has_ends_with_the_turn_that_is_stopped(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    never = threading.Event()
    scripted, cancel = model([never]), threading.Event()
    waiting = Judge(lambda: Replier(Provider.EMBEDDED, scripted), 30)
    retrieval = retrieval_over(knowledge, insert_block=InsertBlock(waiting, Prompts()))
    stop = threading.Timer(0.5, cancel.set)
    stop.start()
    turn = finished(build(scripted, Provider.EMBEDDED, retrieval=retrieval).stream(QUESTION, "s", cancel=cancel))
    assert stop.finished.is_set()
    assert turn.status is TurnStatus.STOPPED
    never.set()


def test_a_turn_can_limit_its_passages(build: Build) -> None:
    turn = finished(build(model(["十天[1]。"])).stream(QUESTION, "s", options=TurnOptions(rerank_top_n=1)))
    assert [item.text for item in turn.sources] == ["年假为十天。"]


@pytest.mark.parametrize(
    ("provider", "settings", "passages"),
    [
        (Provider.EMBEDDED, {}, 3),
        (Provider.OLLAMA, {}, 12),
        (Provider.OPENAI, {"evidence_tokens_served": 650}, 6),
        (Provider.OLLAMA, {"llm_max_token": 2600}, 6),
    ],
    ids=["embedded", "served", "as set", "a quarter of a small context"],
)
def test_a_served_model_has_room_for_more_evidence(
    provider: Provider, settings: dict[str, int], passages: int, build: Build, knowledge: FixedKnowledgeBase
) -> None:
    # Of about 100 tokens each, and nothing that could be cut off.
    knowledge.hits = tuple(hit(number, "字" * 144) for number in range(1, 13))
    engine = build(model(["答[1]。"]), provider, **settings)
    turn = finished(engine.stream(QUESTION, "s", options=TurnOptions(rerank_top_n=12)))
    assert len(turn.sources) == passages
