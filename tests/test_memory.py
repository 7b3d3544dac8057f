"""Summaries of conversations that have grown too long, with a scripted model and real SQLite."""

import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from rag.conversation.sql import SqlConversationStore
from rag.database import open_database
from rag.errors import (
    ModelGaveNothing,
    ModelStreamBroken,
    OutdatedSummary,
    QuestionTooLong,
    UnfitSummary,
    UnknownSummary,
    WenquError,
)
from rag.llm.current import Answering
from rag.llm.gate import Gate
from rag.llm.replier import Replier
from rag.profile import Profile
from rag.settings import DialogueSettings, ModelSettings, Settings
from rag.tokens import average_estimate, message_tokens
from rag.turn.upkeep import Upkeep
from rag.types import Message, Provider, Turn
from tests.engine.rig import join_upkeep
from tests.samples import evidence, turn
from tests.scripted import CUT, FixedKnowledgeBase, ScriptedChatModel, memory_over, retrieval_over
from tests.waiting import wait_for

# Room for about four of the turns below beside the next turn's evidence and answer.
SETTINGS = DialogueSettings(llm_max_token=3000, max_token_threshold=0.9, evidence_tokens=200, cut_dialogue_scale=2)


class Talk:
    """A conversation in a real store, with the memory over it."""

    def __init__(self, folder: Path, settings: DialogueSettings = SETTINGS) -> None:
        database = open_database(f"sqlite:///{folder / 'test.sqlite3'}")
        self.store = SqlConversationStore(database)
        self.memory = memory_over(database, settings)
        self.conversation_id = self.store.start("session")

    def say(self, count: int) -> tuple[Turn, ...]:
        """`count` more turns, of about 440 tokens each."""
        path = self.path()
        for number in range(len(path) + 1, len(path) + count + 1):
            parent = path[-1].turn_id if path else None
            began = self.memory.transcript(path).turns
            spoken = turn(
                f"第{number}问的内容是什么？",
                "答" * 460,
                (evidence(number, f"资料{number}。" * 30),),
                conversation_id=self.conversation_id,
                parent_turn_id=parent,
                first_turn_in_prompt=began[0].turn_id if began else None,
            )
            self.store.append(spoken)
            path = (*path, spoken)
        return path

    def path(self) -> tuple[Turn, ...]:
        return self.store.turns("session", self.conversation_id)

    def compress(self, *script: object) -> ScriptedChatModel:
        model = ScriptedChatModel(scripts=[list(script)])
        self.memory.compress(self.memory.transcript(self.path()), Replier(Provider.OLLAMA, model), threading.Event())
        return model


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    return Talk(tmp_path)


def test_a_summary_is_wanted_when_the_next_turn_would_pass_the_threshold(talk: Talk) -> None:
    assert not talk.memory.wants_summary(talk.memory.transcript(talk.say(3)), Provider.EMBEDDED)
    assert talk.memory.wants_summary(talk.memory.transcript(talk.say(1)), Provider.EMBEDDED)


def test_the_older_turns_give_way_to_their_summary_and_the_newest_stay(talk: Talk) -> None:
    path = talk.say(4)
    talk.compress("用户问了", "前两问。")
    transcript = talk.memory.transcript(path)
    assert transcript.turns == path[2:]
    assert transcript.summary is not None
    assert transcript.summary.last_turn_id == path[1].turn_id
    system = str(transcript.prefix()[0].content)
    assert system.endswith("用户问了前两问。")
    prompt = "".join(str(message.content) for message in transcript.prefix())
    assert "资料1。" not in prompt
    assert "资料3。" in prompt
    assert not talk.memory.wants_summary(transcript, Provider.EMBEDDED)


@pytest.mark.parametrize(("limit", "spoken"), [(1700, 1), (3000, 4)])
def test_the_newest_turn_stays_however_little_shall_be_kept(tmp_path: Path, limit: int, spoken: int) -> None:
    little = Talk(tmp_path, SETTINGS.model_copy(update={"llm_max_token": limit, "cut_dialogue_scale": 10}))
    path = little.say(spoken)
    assert little.memory.wants_summary(little.memory.transcript(path), Provider.EMBEDDED) is (spoken > 1)
    little.compress("摘要。")
    transcript = little.memory.transcript(path)
    assert transcript.turns == path[-1:]
    assert not little.memory.wants_summary(transcript, Provider.EMBEDDED)


def test_the_request_for_a_summary_stands_on_the_whole_prefix_so_that_a_question_may_end_it(talk: Talk) -> None:
    path = talk.say(4)
    whole = talk.memory.transcript(path).prefix()
    (asked,) = talk.compress("摘要。").calls
    assert asked[:-1] == whole


def test_the_request_for_a_summary_names_the_questions_that_leave(talk: Talk) -> None:
    talk.say(4)
    (asked,) = talk.compress("摘要。").calls
    named = [f"第{number}问" in str(asked[-1].content) for number in range(1, 5)]
    assert named == [True, True, False, False]


@pytest.mark.parametrize("limit", [1700, 8192])
@pytest.mark.parametrize(
    ("asked", "answered"), [("请看：" + "一大段粘贴的内容。" * 3000, "看过了。"), ("问？", "答" * 30_000)]
)
def test_the_request_for_a_summary_of_what_was_pasted_in_fits_with_its_reply(
    tmp_path: Path, limit: int, asked: str, answered: str
) -> None:
    talk = Talk(tmp_path, SETTINGS.model_copy(update={"llm_max_token": limit}))
    for number in range(1, 5):
        parent = path[-1].turn_id if (path := talk.path()) else None
        pasted = f"{asked}第{number}段说了什么？"
        talk.store.append(turn(pasted, answered, conversation_id=talk.conversation_id, parent_turn_id=parent))
    (request,) = talk.compress("摘要。").calls
    told = "\n".join(str(message.content) for message in request)
    assert asked[:3] in told and "第1段说了什么？" in told
    assert sum(message_tokens(message, average_estimate) for message in request) + limit / 8 <= limit


def test_a_summary_has_no_markers_of_passages_that_leave(talk: Talk) -> None:
    path = talk.say(4)
    talk.compress("保质期为 12 个月[2]。")
    summary = talk.memory.transcript(path).summary
    assert summary is not None and summary.text == "保质期为 12 个月。"


def test_a_second_summary_keeps_the_first_and_says_what_both_have_once(talk: Talk) -> None:
    talk.say(4)
    talk.compress("年假十天。病假五天。")
    path = talk.say(2)
    (asked,) = talk.compress("病假五天。班车七点。").calls
    assert str(asked[0].content).endswith("年假十天。病假五天。")
    transcript = talk.memory.transcript(path)
    assert transcript.summary is not None
    assert transcript.summary.text == "年假十天。\n病假五天。班车七点。"
    assert transcript.turns == path[4:]


def test_of_summaries_that_are_too_long_together_the_oldest_sentences_go(talk: Talk) -> None:
    talk.say(4)
    talk.compress("最早的一句。" + "此前说过的话。" * 40 + "上一份的末句。")
    path = talk.say(2)
    talk.compress("新的一份摘要的话。" * 30)
    summary = talk.memory.transcript(path).summary
    assert summary is not None
    assert "最早的一句。" not in summary.text and "上一份的末句。\n新的" in summary.text
    assert average_estimate(summary.text) <= 400


def test_numbers_go_on_after_turns_that_are_only_in_the_summary(talk: Talk) -> None:
    path = talk.say(4)
    talk.compress("摘要。")
    assert talk.memory.transcript(path).last_number == 4


def test_a_branch_before_the_summary_does_not_see_it(talk: Talk) -> None:
    path = talk.say(4)
    talk.compress("摘要。")
    assert talk.memory.transcript(path[:1]).summary is None
    assert talk.memory.transcript(path[:1]).turns == path[:1]


def test_a_summary_longer_than_was_asked_for_is_cut_at_a_sentence_end(talk: Talk) -> None:
    path = talk.say(4)
    talk.compress("用户问了前两问的内容。" * 500)
    summary = talk.memory.transcript(path).summary
    assert summary is not None and summary.text.endswith("。")
    assert 300 < average_estimate(summary.text) <= 400


def test_a_failed_summary_keeps_the_turns(talk: Talk) -> None:
    path = talk.say(4)
    with pytest.raises(ModelStreamBroken):
        talk.compress("开头", ModelStreamBroken(model="m"))
    assert talk.memory.transcript(path).turns == path


def test_a_summary_of_markers_alone_is_none_and_keeps_the_turns(talk: Talk) -> None:
    path = talk.say(4)
    with pytest.raises(ModelGaveNothing):
        talk.compress("[1][2]")
    assert talk.memory.transcript(path).turns == path


def test_turns_stay_while_they_fit_though_there_are_more_than_wanted_and_no_summary(tmp_path: Path) -> None:
    few = Talk(tmp_path, SETTINGS.model_copy(update={"llm_max_token": 8192, "max_recent_turns": 3}))
    path = few.say(2)
    assert not few.memory.wants_summary(few.memory.transcript(path), Provider.EMBEDDED)
    for count in range(3, 9):
        path = few.say(1)
        transcript = few.memory.transcript(path)
        assert (transcript.turns, len(path)) == (path, count)
        assert few.memory.wants_summary(transcript, Provider.EMBEDDED)


def test_turns_that_left_the_prompt_without_a_summary_are_summarised_first(talk: Talk) -> None:
    path = talk.say(8)
    cut = talk.memory.transcript(path)
    assert (cut.turns, cut.forgotten()) == (path[6:], path[:6])
    assert talk.memory.wants_summary(cut, Provider.EMBEDDED)
    (asked,) = talk.compress("前三问的摘要。").calls
    told = "".join(str(message.content) for message in asked)
    assert [f"第{number}问" in told for number in range(1, 5)] == [True, True, True, False]
    assert "资料1。" not in told
    assert talk.memory.transcript(path).forgotten() == path[3:6]
    (asked,) = talk.compress("前六问的摘要。").calls
    assert str(asked[0].content).endswith("前三问的摘要。")
    whole = talk.memory.transcript(path)
    assert (whole.forgotten(), whole.turns) == ((), path[6:])


def test_a_summary_is_not_thought_about(talk: Talk) -> None:
    talk.say(4)
    assert [call["reasoning"] for call in talk.compress("摘要。").arguments] == [False]


def test_thoughts_about_a_summary_are_none(talk: Talk) -> None:
    path, cancel = talk.say(4), threading.Event()
    for script, text in ((["先想想要写什么", CUT], None), (["先想。\n</think>\n年假的摘要。"], "年假的摘要。")):
        replier = Replier(Provider.OPENAI, ScriptedChatModel(scripts=[script]), begins_inside=True)
        with suppress(ModelGaveNothing):
            talk.memory.compress(talk.memory.transcript(path), replier, cancel)
        summary = talk.memory.transcript(path).summary
        assert (summary and summary.text) == text


def test_a_cancelled_summary_is_not_kept(talk: Talk) -> None:
    path = talk.say(4)
    cancel = threading.Event()
    cancel.set()
    replier = Replier(Provider.OLLAMA, ScriptedChatModel(scripts=[["一半"]]))
    assert talk.memory.compress(talk.memory.transcript(path), replier, cancel) is None
    assert talk.memory.transcript(path).summary is None


def test_a_summary_that_goes_while_it_is_edited_is_told_to_be_unknown(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = talk.say(4)
    talk.compress("摘要。")
    transcript = talk.memory.transcript(path)
    monkeypatch.setattr(talk.memory, "transcript", lambda _: transcript)
    talk.store.delete("session", talk.conversation_id)
    assert transcript.summary is not None
    with pytest.raises(UnknownSummary):
        talk.memory.edit(path, transcript.summary.summary_id, "我的说法。")


def test_a_summary_can_be_put_into_the_readers_own_words_by_its_session_only(talk: Talk) -> None:
    path = talk.say(4)
    talk.compress("摘要。")
    summary = talk.memory.transcript(path).summary
    assert summary is not None
    with pytest.raises(UnknownSummary):
        talk.memory.holding("other", summary.summary_id)
    assert talk.memory.holding("session", summary.summary_id) == talk.conversation_id
    talk.memory.edit(path, summary.summary_id, "我的说法。")
    edited = talk.memory.transcript(path).summary
    assert edited is not None
    assert (edited.text, edited.edited) == ("我的说法。", True)


def test_a_readers_own_words_stay_whole_in_every_later_summary(talk: Talk) -> None:
    own = "我对花粉过敏，预算上限是五万元。" + "我还说过别的事。" * 118
    path = talk.say(4)
    talk.compress("摘要。")
    summary = talk.memory.transcript(path).summary
    assert summary is not None
    talk.memory.edit(path, summary.summary_id, own)
    talk.say(2)
    talk.compress("第二份摘要。" * 20)
    talk.say(2)
    talk.compress("第三份摘要的话。" * 40)
    last = talk.memory.transcript(talk.path()).summary
    assert last is not None and last.text.startswith(own)
    assert "第三份摘要" in last.text and "第二份摘要" not in last.text


@pytest.mark.parametrize("limit", [1000, 1024, 2048])
def test_a_question_of_some_length_fits_into_the_smallest_prompt_that_the_settings_allow(limit: int) -> None:
    dialogue, models = DialogueSettings(llm_max_token=limit), ModelSettings(default=(), catalogue=())
    settings = Settings(models=models, multi_dialogue_rag=dialogue)
    memory = memory_over(open_database("sqlite://"), dialogue)
    memory.answer_tokens = settings.answer_tokens
    memory.check("这一条款里的期限从哪一天算起？" * 20)


def test_a_question_may_be_as_long_as_one_that_is_too_long_is_told(talk: Talk) -> None:
    talk.memory.estimate = len
    with pytest.raises(QuestionTooLong) as caught:
        talk.memory.check("问" * 5000)
    longest = int(str(caught.value.message.values["limit"]))
    talk.memory.check("问" * longest)
    with pytest.raises(QuestionTooLong):
        talk.memory.check("问" * (longest + 1))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", UnfitSummary),
        (" \n", UnfitSummary),
        ("长" * 1001, UnfitSummary),
        ("长" * 1000, OutdatedSummary),  # which would do; there is none to put it in the place of
    ],
)
def test_a_summary_is_neither_empty_nor_longer_than_a_prompt_has_room_for(
    talk: Talk, text: str, error: type[WenquError]
) -> None:
    with pytest.raises(error):
        talk.memory.edit(talk.say(1), "any", text)


def test_a_summary_that_another_has_followed_is_not_edited(talk: Talk) -> None:
    talk.say(4)
    talk.compress("第一份摘要。")
    first = talk.memory.transcript(talk.path()).summary
    path = talk.say(2)
    talk.compress("第二份摘要。")
    assert first is not None
    with pytest.raises(OutdatedSummary):
        talk.memory.edit(path, first.summary_id, "我的说法。")
    with pytest.raises(OutdatedSummary):  # as a branch from before the summary has none
        talk.memory.edit(path[:1], first.summary_id, "我的说法。")
    second = talk.memory.transcript(path).summary
    assert second is not None and (second.text, second.edited) == ("第一份摘要。\n第二份摘要。", False)


def profile(talk: Talk, model: ScriptedChatModel) -> Profile:
    retrieval = retrieval_over(FixedKnowledgeBase())
    return Profile(SETTINGS, talk.memory, retrieval, lambda: Answering(Provider.EMBEDDED, "scripted", model))


def gate_is_idle_after_upkeep(gate: Gate) -> bool:
    join_upkeep()
    return gate.idle.is_set()


def test_a_full_conversation_is_summarised_in_the_background_after_its_turn(talk: Talk) -> None:
    model = ScriptedChatModel(scripts=[["摘要。"]])
    gate = Gate()
    upkeep = Upkeep(gate)
    path = talk.say(4)
    upkeep.after_turn(path, profile(talk, model))
    assert gate_is_idle_after_upkeep(gate)
    transcript = talk.memory.transcript(path)
    assert transcript.summary is not None
    # The new prefix was read ahead: the next turn finds it in the model's cache.
    assert [read[:-1] for read in model.read_ahead] == [transcript.prefix()]


def test_a_summary_that_is_edited_while_the_next_one_is_made_counts_for_it(talk: Talk) -> None:
    talk.say(4)
    talk.compress("第一份摘要。")
    path = talk.say(2)
    first, held = talk.memory.transcript(path).summary, threading.Event()
    assert first is not None
    model = ScriptedChatModel(scripts=[["从前", held, "的话。"], ["第二份摘要。"]])
    gate = Gate()
    upkeep = Upkeep(gate)
    upkeep.after_turn(path, profile(talk, model))
    assert wait_for(lambda: len(model.calls) == 1)
    talk.memory.edit(path, first.summary_id, "我的说法。")
    upkeep.after_edit(path, profile(talk, model))
    held.set()
    assert gate_is_idle_after_upkeep(gate)
    assert str(model.calls[1][0].content).endswith("我的说法。")
    summary = talk.memory.transcript(path).summary
    assert summary is not None and summary.text == "我的说法。\n第二份摘要。"


def test_of_a_short_conversation_only_what_stands_before_the_next_question_is_read(talk: Talk) -> None:
    model = ScriptedChatModel(scripts=[])
    gate = Gate()
    path = talk.say(2)
    Upkeep(gate).after_turn(path, profile(talk, model))
    assert gate_is_idle_after_upkeep(gate)
    assert (model.calls, [read[:-1] for read in model.read_ahead]) == ([], [talk.memory.transcript(path).prefix()])


@pytest.mark.parametrize(("turns", "summaries"), [(2, 0), (4, 1)])
def test_a_server_reads_nothing_ahead(talk: Talk, turns: int, summaries: int) -> None:
    model = ScriptedChatModel(scripts=[["摘要。"]])
    gate = Gate()
    served = replace(profile(talk, model), current_model=lambda: Answering(Provider.OLLAMA, "scripted", model))
    Upkeep(gate).after_turn(talk.say(turns), served)
    assert gate_is_idle_after_upkeep(gate)
    assert (len(model.calls), model.read_ahead) == (summaries, [])


def test_upkeep_that_begins_behind_a_question_waits_for_its_end(talk: Talk) -> None:
    model = ScriptedChatModel(scripts=[["摘要。"]])
    gate = Gate()
    upkeep = Upkeep(gate)
    path = talk.say(4)
    with gate.ticket():
        upkeep.interrupt()
        upkeep.after_turn(path, profile(talk, model))
        assert wait_for(lambda: gate.length() == 2)
        time.sleep(0.05)
        assert model.calls == []
    assert gate_is_idle_after_upkeep(gate)
    assert talk.memory.transcript(path).summary is not None


def test_a_question_ends_every_upkeep_that_is_before_it(talk: Talk) -> None:
    model = ScriptedChatModel(scripts=[])
    gate = Gate()
    upkeep = Upkeep(gate)
    path = talk.say(4)
    with gate.ticket():
        upkeep.after_turn(path, profile(talk, model))
        upkeep.after_turn(path, profile(talk, model))
        upkeep.interrupt()
        time.sleep(0.3)
    assert gate_is_idle_after_upkeep(gate)
    assert model.calls == []


def test_a_question_ends_the_upkeep_and_finds_everything_as_it_was(talk: Talk) -> None:
    held = threading.Event()
    model = ScriptedChatModel(scripts=[["摘", held, "要"]])
    gate = Gate()
    upkeep = Upkeep(gate)
    path = talk.say(4)
    upkeep.after_turn(path, profile(talk, model))
    upkeep.interrupt()
    assert gate.idle.wait(30)
    held.set()
    assert talk.memory.transcript(path).summary is None


def test_a_summary_that_failed_is_told_of_until_one_succeeds(talk: Talk) -> None:
    broken = ModelStreamBroken(model="m")
    model = ScriptedChatModel(scripts=[[broken], ["摘要。"]])
    gate = Gate()
    upkeep = Upkeep(gate)
    path = talk.say(4)
    upkeep.after_turn(path, profile(talk, model))
    assert gate_is_idle_after_upkeep(gate)
    trouble = upkeep.summary_trouble("session", talk.conversation_id)
    assert trouble == Message("web.memory.trouble", {"reason": broken.message})
    assert upkeep.summary_trouble("other", talk.conversation_id) is None
    upkeep.after_turn(path, profile(talk, model))
    assert gate_is_idle_after_upkeep(gate)
    assert upkeep.summary_trouble("session", talk.conversation_id) is None
    assert talk.memory.transcript(path).summary is not None


def test_nothing_is_written_for_a_session_that_is_forgotten_meanwhile(talk: Talk) -> None:
    held = threading.Event()
    gate = Gate()
    upkeep = Upkeep(gate)
    path = talk.say(4)
    upkeep.after_turn(path, profile(talk, ScriptedChatModel(scripts=[["摘", held, "要"]])))
    talk.store.forget("session")
    upkeep.forget("session")
    assert gate.idle.wait(30)
    held.set()
    assert gate_is_idle_after_upkeep(gate)
    assert talk.memory.transcript(path).summary is None


def test_the_summary_of_a_conversation_that_is_deleted_meanwhile_goes_with_it(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    held = threading.Event()
    gate = Gate()
    path = talk.say(4)
    Upkeep(gate).after_turn(path, profile(talk, ScriptedChatModel(scripts=[["摘", held, "要"]])))
    talk.store.delete("session", talk.conversation_id)
    held.set()
    assert gate_is_idle_after_upkeep(gate)
    assert talk.memory.transcript(path).summary is None
    assert "FOREIGN KEY" in caplog.text
