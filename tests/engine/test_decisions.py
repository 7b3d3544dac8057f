"""Whether a turn searches, does with the evidence in hand, or needs none."""

from dataclasses import asdict, replace

import pytest

from rag import events, i18n
from rag.engine import Engine
from rag.prompts import Prompts
from rag.types import Decision, Message, Provider, TurnOptions, TurnStatus, only_nearest
from tests.engine.rig import HITS, SEARCHES, Build, FixedDecider, finished, join_upkeep, model
from tests.samples import hit
from tests.scripted import FixedKnowledgeBase, FixedReranker, RerankerBy, ScriptedChatModel, reranker_by_word


def test_a_follow_up_is_searched_by_its_rewrite_and_by_itself(build: Build, knowledge: FixedKnowledgeBase) -> None:
    scripted = model(["十天[1]。"], ["婚假有几天？"], ["三天[2]。"])
    engine = build(scripted, decider=SEARCHES)
    engine.ask("年假有几天？", "s")
    turn = engine.ask("那婚假呢？", "s")
    assert turn.generated_question == "婚假有几天？"
    assert knowledge.searches[-1] == (("婚假有几天？", "那婚假呢？"), ("s",))


def test_a_follow_up_goes_on_from_the_subject_that_the_one_before_turned_to(build: Build) -> None:
    engine = build(model(["十天[1]。"], ["三天[2]。"], ["是[2]。"]), Provider.EMBEDDED, decider=SEARCHES)
    engine.ask("员工手册的年假有几天？", "s")
    engine.ask("那婚假呢？", "s")
    assert engine.ask("它能折现吗？", "s").generated_question == "员工手册的婚假能折现吗？"


def test_without_a_model_a_follow_up_is_joined_to_the_question_before_it(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    scripted = model(["十天[1]。"], ["三天[2]。"])
    engine = build(scripted, Provider.EXTRACTIVE, decider=SEARCHES)
    engine.ask("员工手册规定了几天年假？", "s")
    engine.ask("那加班呢？", "s")
    assert knowledge.searches[-1][0] == ("员工手册规定了几天年假？ 那加班呢？", "那加班呢？")
    assert len(scripted.calls) == 2


def by_word(build: Build, word: str, with_word: float, without: float, *scripts: list[str]) -> Engine:
    """An engine that searches each time, and for which what is found answers as far as a word is asked for."""
    reranker = reranker_by_word(word, with_word, without)
    return build(model(*scripts), Provider.EMBEDDED, reranker=reranker, decider=SEARCHES)


@pytest.mark.parametrize(
    ("question", "with_name", "without", "searched"),
    [
        pytest.param("那屏幕尺寸多大？", 0.8, 0.4, "那X200的电池屏幕尺寸多大？", id="topic: of all"),
        pytest.param("那屏幕尺寸多大？", 0.5, 0.5, "X200屏幕尺寸多大？", id="topic: of the name"),
        pytest.param("那屏幕尺寸多大？", 0.4, 0.8, "屏幕尺寸多大？", id="topic: alone"),
        pytest.param("年假有几天？", 0.8, 0.4, "X200的电池年假有几天？", id="noun: of all"),
        pytest.param("年假有几天？", 0.4, 0.8, "年假有几天？", id="noun: alone"),
        pytest.param("可以远程办公吗？", 0.8, 0.4, "X200的电池可以远程办公吗？", id="no subject: of all"),
        pytest.param("可以远程办公吗？", 0.5, 0.4, "可以远程办公吗？", id="no subject: not clearly"),
        pytest.param("可以远程办公吗？", 0.4, 0.8, "可以远程办公吗？", id="no subject: alone"),
    ],
)
def test_a_follow_up_is_about_the_last_subject_where_the_documents_say_more_of_both(
    question: str, with_name: float, without: float, searched: str, build: Build, knowledge: FixedKnowledgeBase
) -> None:
    engine = by_word(build, "X200", with_name, without, ["三天[1]。"], ["六寸[2]。"])
    engine.ask("X200的电池能用多久？", "s")
    turn = engine.ask(question, "s")
    assert (turn.generated_question, knowledge.searches[-1][0][0]) == (searched, searched)
    # What the first search found was found for the first question.
    assert [item.found_for for item in turn.sources] == ["X200的电池能用多久？"] * 2


@pytest.mark.parametrize(
    ("before", "word", "with_word", "without", "question", "searched"),
    [
        pytest.param("迟付怎么算利息？", "迟付", 0.03, 0.01, "可以装多少台电脑？", "{}", id="neither"),
        pytest.param("外地人能进故宫吗？", "外地人", 0.01, 0.8, "可以带吃的进去吗？", "{}", id="only alone"),
        pytest.param("外地人能进故宫吗？", "外地人", 0.01, 0.01, "可以带吃的进去吗？", "外地人{}", id="not alone"),
        pytest.param("外地人能进故宫吗？", "外地人", 0.8, 0.9, "可以带吃的进去吗？", "外地人{}", id="both"),
    ],
)
def test_a_subject_is_left_out_again_where_only_what_was_asked_without_it_is_answered(
    before: str, word: str, with_word: float, without: float, question: str, searched: str, build: Build
) -> None:
    engine = by_word(build, word, with_word, without, ["能[1]。"], ["不可以[2]。"])
    engine.ask(before, "s")
    assert engine.ask(question, "s").generated_question == searched.format(question)


@pytest.mark.parametrize(
    ("question", "word", "with_word"), [("赵磊有哪些任务？", "任务", 0.02), ("总结一下对乙方不利的条款", "条款", 0.1)]
)
def test_a_person_that_is_told_of_and_what_is_to_be_summed_up_are_not_refused_and_have_no_name_put_before_them(
    question: str, word: str, with_word: float, build: Build
) -> None:
    engine = by_word(build, word, with_word, 0.7, ["五月[1]。"], ["两项[1]。"])
    engine.ask("会议什么时候开的？", "s")
    turn = engine.ask(question, "s")
    assert turn.generated_question == question
    assert turn.answer == "两项[1]。" and not only_nearest(turn.sources)


@pytest.mark.parametrize(
    ("provider", "decide_by", "asked"),
    [
        (Provider.EMBEDDED, "auto", False),
        (Provider.EMBEDDED, "llm", True),
        (Provider.EXTRACTIVE, "auto", False),
        (Provider.OPENAI, "auto", True),
    ],
)
def test_a_follow_up_that_lacks_a_name_only_is_no_question_for_the_embedded_model(
    provider: Provider, decide_by: str, asked: bool, build: Build, knowledge: FixedKnowledgeBase
) -> None:
    rewrite = ["[RETRIEVE] 年假能折现吗？"] if decide_by == "llm" else ["年假能折现吗？"]
    scripted = model(["十天[1]。"], *([rewrite] if asked else []), ["不能[2]。"])
    engine = build(scripted, provider, decider=SEARCHES, decide_by=decide_by)
    engine.ask("员工手册的年假有几天？", "s")
    turn = engine.ask("它能折现吗？", "s")
    assert turn.generated_question == ("年假能折现吗？" if asked else "员工手册的年假能折现吗？")
    assert knowledge.searches[-1][0] == (turn.generated_question, "它能折现吗？")
    assert len(scripted.calls) == 2 + asked


# Room for no turn beside an answer, for the question and a passage at most.
SMALL = {"llm_max_token": 1024, "cut_dialogue_scale": 2, "max_token_threshold": 1.01}


def test_a_follow_up_is_one_also_where_the_prompt_has_no_room_for_the_turn_before(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    scripted = model(["十天[1]。" * 20], ["摘要。"], ["满五年的员工有几天年假？"], ["十五天[3]。"])
    engine = build(scripted, decider=SEARCHES, **SMALL)
    engine.ask("工作满一年的员工有几天年假？", "s")
    join_upkeep()
    turn = engine.ask("那满五年的呢？", "s")
    assert turn.first_turn_in_prompt is None
    assert knowledge.searches[-1][0] == ("满五年的员工有几天年假？", "那满五年的呢？")
    join_upkeep()


def test_what_was_said_is_told_again_also_where_the_prompt_has_no_room_for_it_beside_passages(build: Build) -> None:
    scripted = model(["十天[1]。" * 20], ["摘要。"], ["答二"], ["摘要二。"])
    engine = build(scripted, **SMALL)
    first = engine.ask("工作满一年的员工有几天年假？", "s")
    join_upkeep()
    turn = engine.ask("总结一下你刚才说的", "s")
    join_upkeep()
    assert turn.reason == Message("decision.about_the_talk")
    assert turn.recalled == (first.turn_id,)
    assert "十天。十天。" in str(scripted.calls[2][-1].content)
    assert turn.budget is not None and sum(asdict(turn.budget).values()) <= 2 * 1024


def test_a_follow_up_that_lacks_more_is_a_question_for_the_embedded_model_too(build: Build) -> None:
    scripted = model(["十天[1]。"], ["员工手册规定了几天加班？"], ["三天[2]。"])
    engine = build(scripted, Provider.EMBEDDED, decider=SEARCHES)
    engine.ask("员工手册规定了几天年假？", "s")
    assert engine.ask("那加班呢？", "s").generated_question == "员工手册规定了几天加班？"


def test_a_follow_up_that_the_evidence_in_hand_covers_is_answered_from_it(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    scripted = model(["十天[1]。"], ["五天[2]。"])
    engine = build(scripted)
    first = engine.ask("年假有几天？", "s")
    seen = list(engine.stream("那病假呢？", "s"))
    kinds = [type(event) for event in seen if not isinstance(event, events.Token)]
    # What it means takes searches, for which the answer does not wait.
    assert kinds == [events.Decided, events.Retrieved, events.Budgeted, events.Condensed, events.Finished]
    finished = seen[-1]
    assert isinstance(finished, events.Finished)
    assert finished.turn.decision is Decision.REUSE
    assert finished.turn.sources == first.sources
    assert finished.turn.answer == "五天[2]。"
    searched = [questions for questions, _ in knowledge.searches]
    # To decide, under the titles in hand.
    assert searched == [("年假有几天？",), ("那病假呢？ 员工手册 休假",)]


def test_an_uncertain_reuse_is_searched_for_all_the_same(build: Build) -> None:
    engine = build(model(["十天[1]。"], ["婚假有几天？"], ["我不知道。"]), decider=FixedDecider(Decision.REUSE, 0.6))
    engine.ask("年假有几天？", "s")
    (decided,) = (event for event in engine.stream("那婚假呢？", "s") if isinstance(event, events.Decided))
    assert decided.decision is Decision.RETRIEVE
    assert decided.reason.key == "decision.rather_search"
    stored = engine.turns("s", engine.store.conversations("s")[0].conversation_id)[-1]
    assert (stored.reason, stored.certainty) == (decided.reason, 0.6)


@pytest.mark.parametrize(
    ("question", "in_hand", "elsewhere", "decision"),
    [
        ("员工的年假按规定有几天？", 0.0, 0.5, Decision.RETRIEVE),
        ("员工的年假按规定有几天？", 0.2, 0.5, Decision.RETRIEVE),
        # What likely does not answer needs much less of that.
        ("员工的年假按规定有几天？", 0.3, 0.4, Decision.RETRIEVE),
        ("员工的年假按规定有几天？", 0.3, 0.15, Decision.REUSE),
        # What rather answers than not need not be far better.
        ("员工的年假按规定有几天？", 0.4, 0.5, Decision.RETRIEVE),
        ("员工的年假按规定有几天？", 0.5, 0.54, Decision.REUSE),
        # What would be refused as a first question is no more answered by whatever is in hand.
        ("员工的年假按规定有几天？", 0.0, 0.1, Decision.RETRIEVE),
        ("有没有停车场？", 0.1, 0.0, Decision.RETRIEVE),
        # 病假 is not in hand: a passage that is only somewhat better may have what lacks there.
        ("员工的病假按规定有几天？", 0.4, 0.5, Decision.RETRIEVE),
        ("员工的病假按规定有几天？", 0.2, 0.1, Decision.REUSE),
        ("员工的病假按规定有几天？", 0.5, 0.5, Decision.REUSE),
        ("那年假呢？", 0.3, 0.5, Decision.RETRIEVE),
        ("年假呢？", 0.3, 0.4, Decision.REUSE),
        ("其中的年假呢？", 0.1, 0.5, Decision.REUSE),
        ("和年假比呢？", 0.1, 0.5, Decision.REUSE),
        ("假有几天？", 0.1, 0.4, Decision.RETRIEVE),
        ("它的假有几天？", 0.1, 0.4, Decision.REUSE),
    ],
)
def test_even_a_certain_reuse_gives_way_to_a_clearly_better_passage_and_where_none_in_hand_answers(
    build: Build, knowledge: FixedKnowledgeBase, question: str, in_hand: float, elsewhere: float, decision: Decision
) -> None:
    given = hit(11, "员工的年假按规定为十天。", page=3)
    knowledge.hits = (given,)
    judged = FixedReranker({11: 0.9})
    scripted = model(["十天[1]。"], *[["五天[2]。"]] * 2)
    engine = build(scripted, decider=FixedDecider(Decision.REUSE, 0.95), reranker=judged)
    engine.ask("年假有几天？", "s")
    knowledge.hits, judged.relevance = (given, HITS[1]), {11: in_hand, 12: elsewhere}
    turn = engine.ask(question, "s")
    assert turn.decision is decision
    assert (turn.reason == Message("decision.not_covered")) is (decision is Decision.RETRIEVE)


@pytest.mark.parametrize("is_told", [False, True])
def test_what_goes_on_from_a_question_without_an_answer_is_not_answered_from_what_those_before_it_found(
    build: Build, knowledge: FixedKnowledgeBase, is_told: bool
) -> None:
    judged = FixedReranker({11: 0.9, 12: 0.9})
    knowledge.hits = HITS[:1]
    engine = build(model(*[["十天[1]。"]] * 4), decider=FixedDecider(Decision.REUSE, 0.95), reranker=judged)
    engine.ask("年假有几天？", "s")
    judged.relevance = {11: 0.9 if is_told else 0.01}
    assert only_nearest(engine.ask("公司不签合同怎么办？", "s").sources) is not is_told
    judged.relevance = {11: 0.9}
    engine.ask("谢谢", "s")
    assert engine.ask("那要赔多少钱", "s").decision is (Decision.REUSE if is_told else Decision.RETRIEVE)


@pytest.mark.parametrize(
    ("question", "elsewhere", "decision"),
    [
        ("它按什么规定？", "年假按什么规定", Decision.REUSE),
        # No passage in hand has 折现 or 生效.
        ("它能折现吗？", "年假能折现吗", Decision.RETRIEVE),
        ("它能折现吗？", "它能折现吗", Decision.REUSE),
        ("这个制度什么时候生效？", "这个制度什么时候生效", Decision.RETRIEVE),
    ],
)
def test_a_pronoun_is_searched_for_by_what_it_stands_for_where_the_evidence_in_hand_lacks_a_term(
    build: Build, knowledge: FixedKnowledgeBase, question: str, elsewhere: str, decision: Decision
) -> None:
    told = RerankerBy(lambda asked, found: 0.9 * (elsewhere in asked) if found.chunk.chunk_id == 12 else 0.3)
    knowledge.hits = (hit(11, "员工的年假按规定为十天。", page=3),)
    scripted = model(["十天[1]。"], *[["能[1]。"]] * 3)
    engine = build(scripted, decider=FixedDecider(Decision.REUSE, 0.95), reranker=told)
    engine.ask("年假有几天？", "s")
    knowledge.hits = (*knowledge.hits, HITS[1])
    assert engine.ask(question, "s").decision is decision


def test_a_pronoun_reuses_what_the_last_answer_shared_with_one_before(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    engine = build(model(["十天[1]。"], *[["不扣[1]。"]] * 3), decider=FixedDecider(Decision.REUSE, 0.95))
    knowledge.hits = (hit(11, "年假为十天，不扣工资。", page=3), hit(12, "年假按规定申请。", page=4))
    engine.ask("年假有几天？", "s")
    knowledge.hits = knowledge.hits[:1]
    list(engine.stream("年假扣多少？", "s", decision=Decision.RETRIEVE))
    assert engine.ask("它怎样申请？", "s").decision is Decision.REUSE


@pytest.mark.parametrize(
    ("question", "decision"),
    [
        ("它要扣工资吗？", Decision.RETRIEVE),  # sick leave has what it says in the evidence of annual leave
        ("会不会扣工资？", Decision.RETRIEVE),
        ("是否按规定？", Decision.REUSE),
        ("那年假呢？", Decision.REUSE),
        ("它按什么规定？", Decision.REUSE),
        ("年假要扣工资吗？", Decision.REUSE),
    ],
)
def test_a_question_without_subject_means_what_was_last_and_does_not_reuse_older_evidence(
    build: Build, knowledge: FixedKnowledgeBase, question: str, decision: Decision
) -> None:
    always = FixedDecider(Decision.REUSE, 0.95)
    engine = build(model(["十天[1]。"], *[["五天[2]。"]] * 4), decider=always)
    knowledge.hits = (hit(11, "年假为十天，不扣工资。", page=3),)
    engine.ask("年假有几天？", "s")
    knowledge.hits = (hit(12, "病假按规定为五天。", page=4),)
    list(engine.stream("病假有几天？", "s", decision=Decision.RETRIEVE))
    turn = engine.ask(question, "s")
    assert turn.decision is decision
    if decision is Decision.RETRIEVE:
        assert turn.reason == Message("decision.not_covered")


def test_thanks_are_answered_without_a_search(build: Build, knowledge: FixedKnowledgeBase) -> None:
    engine = build(model(["十天[1]。"], ["不客气！"]))
    engine.ask("年假有几天？", "s")
    turn = engine.ask("谢谢！", "s")
    assert turn.decision is Decision.NO_RETRIEVE
    assert turn.sources == ()
    assert len(knowledge.searches) == 1


def asked_twice(
    build: Build, opinion: str, rules: Decision = Decision.RETRIEVE
) -> tuple[ScriptedChatModel, list[events.TurnEvent]]:
    """A second question that the rules are not certain of, and what the model thinks of it."""
    scripted = model(["十天[1]。"], [opinion], ["回答。"])
    engine = build(scripted, decider=FixedDecider(rules, 0.6), decide_by="auto")
    engine.ask("员工手册规定年假有几天？", "s")
    return scripted, list(engine.stream("那病假呢？", "s"))


@pytest.mark.parametrize(
    ("opinion", "decision"),
    [
        ("[REUSE]", Decision.REUSE),
        ("[NO_RETRIEVE]", Decision.NO_RETRIEVE),
        ("[RETRIEVE] 病假有几天？", Decision.RETRIEVE),
    ],
)
def test_where_the_rules_are_uncertain_the_model_decides_on_the_same_prefix(
    opinion: str, decision: Decision, build: Build
) -> None:
    scripted, seen = asked_twice(build, opinion)
    (decided,) = [event for event in seen if isinstance(event, events.Decided)]
    assert decided.decision is decision
    first, judging, _ = scripted.calls
    assert judging[: len(first)] == first


@pytest.mark.parametrize(
    ("opinion", "expected"),
    [
        ("[RETRIEVE] 病假有几天？", (Decision.RETRIEVE, "模型与规则的判断不同，以模型为准", 0.5)),
        ("[REUSE]", (Decision.REUSE, "模型与规则的判断一致", 0.96)),
    ],
)
def test_where_the_model_is_always_asked_the_reader_is_not_told_that_certain_rules_were_uncertain(
    opinion: str, expected: tuple[Decision, str, float], build: Build
) -> None:
    scripted = model(["十天[1]。"], [opinion], ["回答。"])
    engine = build(scripted, decider=FixedDecider(Decision.REUSE, 0.96), decide_by="llm")
    engine.ask("员工手册规定年假有几天？", "s")
    turn = engine.ask("那病假呢？", "s")
    assert turn.reason is not None
    assert (turn.decision, i18n.sentence(i18n.Language.ZH, turn.reason), turn.certainty) == expected


@pytest.mark.parametrize(("certainty", "decision"), [(0.96, Decision.RETRIEVE), (0.6, Decision.NO_RETRIEVE)])
def test_a_model_does_not_have_a_question_answered_from_nothing_where_the_rules_are_sure_of_a_search(
    certainty: float, decision: Decision, build: Build
) -> None:
    scripted = model(["十天[1]。"], ["[NO_RETRIEVE]"], ["回答。"])
    engine = build(scripted, decider=FixedDecider(Decision.RETRIEVE, certainty), decide_by="llm")
    engine.ask("员工手册规定年假有几天？", "s")
    assert engine.ask("员工手册规定病假有几天？", "s").decision is decision


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("食堂的班车几点出发？", (Decision.RETRIEVE, "decision.not_covered")),
        ("一共几天？", (Decision.REUSE, "decision.model")),  # of what, only the talk before tells
    ],
)
def test_a_model_does_not_have_a_whole_question_reuse_evidence_that_has_none_of_its_words(
    question: str, expected: tuple[Decision, str], build: Build
) -> None:
    scripted = model(["十天[1]。"], ["[REUSE]"], ["回答。"])
    engine = build(scripted, decider=FixedDecider(Decision.RETRIEVE, 0.6), decide_by="auto")
    engine.ask("员工手册规定年假有几天？", "s")
    turn = engine.ask(question, "s")
    assert turn.reason is not None
    assert (turn.decision, turn.reason.key) == expected


def test_the_model_gives_decision_and_stand_alone_question_in_one_call(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    scripted, _ = asked_twice(build, "[RETRIEVE] 病假有几天？")
    assert len(scripted.calls) == 3
    assert knowledge.searches[-1][0] == ("病假有几天？", "那病假呢？")


def test_a_reply_out_of_form_leaves_the_decision_to_the_rules(build: Build) -> None:
    scripted, seen = asked_twice(build, "我觉得应该查一下", rules=Decision.NO_RETRIEVE)
    assert isinstance(seen[-1], events.Finished)
    assert (seen[-1].turn.decision, seen[-1].turn.reason) == (Decision.NO_RETRIEVE, Message("decision.signal.none"))
    assert len(scripted.calls) == 3


def test_what_leads_over_to_a_question_is_not_searched_for(build: Build, knowledge: FixedKnowledgeBase) -> None:
    engine = build(model(["十天[1]。"], ["五百万[1]。"]))
    engine.ask("员工手册规定年假有几天？", "s")
    engine.ask("换个话题，公司的注册资本是多少？", "s")
    assert knowledge.searches[-1][0] == ("公司的注册资本是多少？",)


def test_the_reader_overrules_the_decision_for_a_turn(build: Build, knowledge: FixedKnowledgeBase) -> None:
    engine = build(model(["十天[1]。"], ["你好"], ["又是十天[1]。"]))
    first = engine.ask("员工手册规定年假有几天？", "s")
    searches = len(knowledge.searches)
    turn = finished(engine.stream("员工手册规定婚假有几天？", "s", first.turn_id, decision=Decision.NO_RETRIEVE))
    assert (turn.decision, turn.sources) == (Decision.NO_RETRIEVE, ())
    turn = finished(engine.stream("员工手册规定婚假有几天？", "s", first.turn_id, decision=Decision.REUSE))
    assert (turn.decision, turn.sources) == (Decision.REUSE, first.sources)
    assert len(knowledge.searches) == searches


def test_evidence_that_is_not_there_cannot_be_reused_whoever_says_so(build: Build) -> None:
    engine = build(model(["十天[1]。"]))
    turn = finished(engine.stream("员工手册规定年假有几天？", "s", decision=Decision.REUSE))
    assert turn.decision is Decision.RETRIEVE
    assert turn.reason == Message("decision.nothing_in_hand")


UNLIKELY = tuple(replace(found, relevance=0.001) for found in HITS)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("How many days of leave are there?", i18n.Language.EN),
        ("食堂几点开门？", i18n.Language.ZH),
        ("MFA-2024", i18n.Language.ZH),
        ("What’s covered?", i18n.Language.EN),
    ],
)
def test_a_refusal_is_in_the_language_of_the_question(
    build: Build, knowledge: FixedKnowledgeBase, question: str, language: i18n.Language
) -> None:
    knowledge.hits = UNLIKELY
    assert build(model()).ask(question, "s").answer == Prompts(language).fill("refusal")


@pytest.mark.parametrize(("question", "language"), [("Canteen", i18n.Language.EN), ("食堂", i18n.Language.ZH)])
def test_a_refusal_of_a_word_alone_is_in_the_language_that_its_reader_reads(
    build: Build, knowledge: FixedKnowledgeBase, question: str, language: i18n.Language
) -> None:
    knowledge.hits = UNLIKELY
    *_, ended = build(model()).stream(question, "s", options=TurnOptions(language="en"))
    assert isinstance(ended, events.Finished) and ended.turn.answer == Prompts(language).fill("refusal")


def test_where_nothing_relevant_is_found_it_refuses_without_asking_the_model(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    knowledge.hits = UNLIKELY
    scripted = model()
    turn = build(scripted).ask("食堂几点开门？", "s")
    assert scripted.calls == []
    assert turn.answer == Prompts().fill("refusal")
    assert [(item.text, item.relevant) for item in turn.sources] == [("年假为十天。", False), ("病假为五天。", False)]
    assert turn.status is TurnStatus.FINISHED


def test_what_comes_nearest_is_quoted_in_the_place_of_a_models_words_that_it_knows_no_answer(build: Build) -> None:
    scripted = model(["我不知道，", "资料中没有相关内容。"], ["十天[1]。"])
    engine = build(scripted)
    *seen, last = engine.stream("员工手册说生病能歇几天？", "s")
    assert isinstance(last, events.Finished)
    said, quoted = last.turn.answer.split("\n\n", 1)
    assert said == "资料里没有找到直接的回答，最接近的原文是："
    assert "".join(event.text for event in seen if isinstance(event, events.Token)) == last.turn.answer
    assert quoted.splitlines()[-1] == "> 病假为五天。[2]"
    assert [item.number for item in last.turn.sources] == [1, 2]
    engine.ask("那员工手册规定年假几天？", "s", last.turn.turn_id)
    told = scripted.calls[-1][1].text
    assert "年假为十天。\n病假为五天。" in told and said not in told


@pytest.mark.parametrize(("relevance", "quoted"), [(0.06, True), (0.04, False)])
def test_of_what_is_refused_but_not_far_from_relevant_the_nearest_is_quoted(
    build: Build, relevance: float, quoted: bool
) -> None:
    turn = build(model(), reranker=FixedReranker({11: relevance, 12: 0.01})).ask("员工能歇几天？", "s")
    refusal, _, behind = turn.answer.partition("\n\n")
    assert (refusal == Prompts().fill("refusal")) is not quoted
    assert ("> 年假为十天。[1]" in behind) is quoted
    assert bool(behind) is quoted


@pytest.mark.parametrize(
    ("reworded", "relevance", "searched", "found"),
    [
        ("年假天数", 0.9, True, True),
        ("→ “年假天数”\n好的", 0.9, True, True),
        ("年假天数", 0.12, True, False),
        ("！", 0.9, False, False),
        pytest.param("一年里员工能歇几次", 0.9, False, False, id="the same in hardly other words"),
        pytest.param("年假不能歇的天数", 0.9, False, False, id="denied"),
        pytest.param("年假的天数是15天", 0.9, False, False, id="with a number made up"),
        pytest.param("请提供需要改写的内容", 0.9, False, False, id="about the task"),
        pytest.param("公司大门几点开放", 0.9, False, False, id="an example of the prompt"),
    ],
)
def test_what_is_nearly_found_is_searched_for_in_the_words_of_a_document(
    build: Build, reworded: str, relevance: float, searched: bool, found: bool
) -> None:
    scripted = model([reworded], ["十天[1]。"])
    *seen, last = build(scripted, reranker=reranker_by_word("年假", relevance)).stream("一年里员工能歇几回？", "s")
    assert isinstance(last, events.Finished)
    assert [event.question for event in seen if isinstance(event, events.Condensed)] == ["年假天数"] * searched
    assert (last.turn.answer == "十天[1]。") is found
    assert last.turn.generated_question == "一年里员工能歇几回？"
    noted = Message("search.reworded", {"question": "年假天数"}) in last.turn.trace.notes
    assert noted is found
    if found:
        assert "一年里员工能歇几回？" in scripted.calls[-1][-1].text


def test_what_nothing_is_found_with_is_searched_for_without_clauses_that_no_passage_speaks_of(build: Build) -> None:
    narrow = "员工的年假和病假各有多少天？"
    asked = f"我们部门正在写一份汇报，{narrow}"
    scripted = model(["年假十天，病假五天[1]。"])
    reranker = RerankerBy(lambda question, _: 0.9 if question == narrow else 0.01)
    turn = build(scripted, reranker=reranker).ask(asked, "s")
    assert turn.answer == "年假十天，病假五天[1]。"
    assert asked in scripted.calls[-1][-1].text
    assert Message("search.narrowed", {"question": narrow}) in turn.trace.notes


def test_how_a_question_is_to_be_answered_is_told_to_the_model_and_not_searched_for(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    asked = "员工的年假和病假各有多少天？请用一句话回答，不要超过50字。"
    scripted = model(["年假十天，病假五天[1]。"])
    turn = build(scripted).ask(asked, "s")
    assert {questions for questions, _ in knowledge.searches} == {("员工的年假和病假各有多少天？",)}
    assert asked in scripted.calls[-1][-1].text
    assert (turn.question, turn.generated_question) == (asked, "员工的年假和病假各有多少天？")


def test_a_reworded_question_keeps_its_numbers(build: Build) -> None:
    scripted = model(["年假天数"])
    turn = build(scripted, reranker=reranker_by_word("年假", 0.9)).ask("干满3年的人能歇几回？", "s")
    assert only_nearest(turn.sources)


@pytest.mark.parametrize(
    ("answer", "put", "searched"),
    [
        ("年假为十天[1]。病假另算。", "年假为十天", []),
        ("1. 年假为十天[1]\n2. 病假另算[1]", "年假为十天[1]", []),
        ("须提前提交年假申请[1]。", "年假申请", ["年假申请"]),
    ],
)
def test_a_sentence_of_an_answer_is_no_question_in_other_words(
    build: Build, answer: str, put: str, searched: list[str]
) -> None:
    engine = build(model([answer], [put], ["十天[1]。"]), reranker=reranker_by_word("年假", 0.9))
    first = engine.ask("员工手册里年假几天？", "s")
    *seen, _ = engine.stream("员工一年里能歇几回？", "s", conversation_id=first.conversation_id)
    assert [event.question for event in seen if isinstance(event, events.Condensed)] == searched


def test_nothing_is_quoted_behind_an_answer_or_where_the_search_found_nothing(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    answered = build(model(["十天[1]。"])).ask("员工手册说年假几天？", "s")
    assert answered.answer == "十天[1]。"
    knowledge.hits = ()
    silent = build(model(["我不知道，资料中没有相关内容。"])).ask("员工手册说年假几天？", "t")
    assert silent.answer == "我不知道，资料中没有相关内容。"


def test_what_says_that_there_is_no_answer_behind_one_that_is_borne_out_is_left_out(build: Build) -> None:
    told = build(model(["年假为十天[1]", "，资料中没有", "相关内容。"])).ask("员工手册说年假几天？", "s")
    assert told.answer == "年假为十天[1]。"


@pytest.mark.parametrize(
    ("question", "asked"), [("小明住在上海哪个区？", True), ("我的名字里有几个字？", True), ("注册资本是多少？", False)]
)
def test_what_the_reader_has_told_is_answered_from_the_talk_where_the_documents_are_silent(
    build: Build, question: str, asked: bool
) -> None:
    scripted = model(["你好，小明。"], *[["资料里没有提到。你住在浦东。"]] * 2)
    engine = build(scripted, reranker=FixedReranker({11: 0.01, 12: 0.01}), decide_by="rules")
    assert engine.ask("我叫小明，住在上海浦东。", "s").decision is Decision.NO_RETRIEVE
    turn = engine.ask(question, "s")
    assert (turn.answer == Prompts().fill("refusal")) is not asked
    if asked:
        assert scripted.calls[-1][-1].content == Prompts().fill("no_evidence", question=turn.generated_question)
        assert turn.sources == ()


@pytest.mark.parametrize(
    ("question", "relevance", "refused"),
    [
        ("校长姓什么？", 0.14, True),
        ("校长姓什么？", 0.16, False),
        ("总结一下校长的话", 0.06, False),
        ("它的校长呢？", 0.04, False),
        ("为什么？", 0.04, False),
    ],
)
def test_a_follow_up_on_what_no_document_has_is_refused_though_the_name_before_it_finds_something(
    build: Build, question: str, relevance: float, refused: bool
) -> None:
    judged = FixedReranker({11: 0.9})
    scripted = model(["十天[1]。"], *[["我不知道。"]] * 3)
    engine = build(scripted, decider=FixedDecider(Decision.RETRIEVE, 0.95), reranker=judged)
    engine.ask("年假有几天？", "s")
    judged.relevance = {11: relevance, 12: relevance}
    turn = engine.ask(question, "s")
    assert (turn.budget is None) is refused
    assert any(item.relevant for item in turn.sources) is not refused


def test_a_reader_who_insists_on_the_search_is_answered_from_what_came_nearest(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    knowledge.hits = UNLIKELY
    scripted = model(["年假为十天[1]。"], ["是的，十天[1]。"])
    engine = build(scripted)
    turn = finished(engine.stream("歇几天？", "s", decision=Decision.RETRIEVE))
    assert turn.answer == "年假为十天[1]。"
    assert all(item.relevant for item in turn.sources)
    assert "年假为十天。" in str(scripted.calls[0][-1].content)


def test_what_only_came_nearest_is_not_shown_to_the_model_later(build: Build, knowledge: FixedKnowledgeBase) -> None:
    knowledge.hits = UNLIKELY
    scripted = model(["年假为十天[3]。"])
    engine = build(scripted)
    engine.ask("食堂几点开门？", "s")
    knowledge.hits = HITS[:1]
    engine.ask("员工手册规定年假有几天？", "s")
    said = [str(message.content) for message in scripted.calls[0]]
    assert not any("病假" in text for text in said)
    assert sum("年假为十天。" in text for text in said) == 1


def test_a_follow_up_without_its_subject_is_left_to_the_model(build: Build, knowledge: FixedKnowledgeBase) -> None:
    scripted = model(["十天[1]。"], ["它按入职年数计算。"], ["按年数[2]。"])
    engine = build(scripted, decider=SEARCHES)
    engine.ask("员工手册规定年假有几天？", "s")
    knowledge.hits = UNLIKELY
    assert engine.ask("那它怎么算？", "s").answer == "按年数[2]。"
