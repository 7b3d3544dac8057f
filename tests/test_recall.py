"""Turns that have left the prompt and are found again, over a real store."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from rag.conversation.sql import SqlConversationStore
from rag.conversation.summaries import SummaryStore
from rag.database import open_database
from rag.embeddings.encoder import Encoder
from rag.llm.replier import Replier
from rag.memory import Memory
from rag.prompts import Prompts
from rag.recall import Recall, asked_in
from rag.settings import DialogueSettings
from rag.tokens import average_estimate
from rag.transcript import Transcript
from rag.types import Decision, Provider, Turn
from tests.fakes import FakeEmbeddings
from tests.samples import evidence, turn
from tests.scripted import ScriptedChatModel

SETTINGS = DialogueSettings(llm_max_token=2850, evidence_tokens=200)
HOLIDAY = "员工手册规定年假有几天？"
TRAVEL = "差旅住宿的报销标准是多少？"
OTHERS = ("食堂几点开门？", "班车从哪里出发？", "打印机怎样连接？", "门禁卡丢了怎么办？")


class Talk:
    """A conversation whose turns are remembered, with the memory over it."""

    def __init__(self, folder: Path, most: int = 2) -> None:
        database = open_database(f"sqlite:///{folder / 'test.sqlite3'}")
        self.embeddings = FakeEmbeddings()
        self.store = SqlConversationStore(database)
        recall = Recall(self.store, Encoder(self.embeddings, "fake"), most)
        self.memory = Memory(SETTINGS, SummaryStore(database), Prompts(), recall, average_estimate)
        self.path: tuple[Turn, ...] = ()
        self.conversation_id = self.store.start("session")

    def say(self, question: str, answer: str, **changes: object) -> Turn:
        """One more turn, remembered."""
        began = self.transcript().turns
        said = turn(
            question,
            answer,
            (evidence(len(self.path) + 1),),
            conversation_id=self.conversation_id,
            parent_turn_id=self.path[-1].turn_id if self.path else None,
            first_turn_in_prompt=began[0].turn_id if began else None,
            **changes,
        )
        self.store.append(said)
        self.memory.remember(said)
        self.path = (*self.path, said)
        return said

    def transcript(self) -> Transcript:
        return self.memory.transcript(self.path)

    def compress(self) -> None:
        """Put the older half of the turns into a summary."""
        replier = Replier(Provider.OLLAMA, ScriptedChatModel(scripts=[["摘要。"]]))
        self.memory.compress(self.transcript(), replier, threading.Event())

    def recall(self, question: str) -> tuple[str, ...]:
        return tuple(found.question for found in self.memory.recall(question, self.transcript()))


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    """Two topics that have left the prompt, and three others that are in it."""
    said = Talk(tmp_path)
    said.say(HOLIDAY, "员工手册规定年假为十天[1]。")
    said.say(TRAVEL, "差旅住宿每晚报销四百元[2]。")
    for question in OTHERS[:3]:
        said.say(question, "见公告[3]。")
    said.compress()
    return said


def test_a_turn_that_has_left_the_prompt_is_found_by_a_question_that_comes_back_to_it(talk: Talk) -> None:
    assert [item.question for item in talk.transcript().turns] == [*OTHERS[1:3]]
    assert talk.recall("员工手册规定的年假，刚才说有几天来着？") == (HOLIDAY,)
    assert talk.recall("差旅住宿的报销标准，刚才说是多少？") == (TRAVEL,)


def test_what_is_found_comes_oldest_first_and_no_more_than_allowed(talk: Talk, tmp_path: Path) -> None:
    both = f"{TRAVEL}还有，{HOLIDAY}"
    assert talk.recall(both) == (HOLIDAY, TRAVEL)
    few = Talk(tmp_path, most=1)
    few.path, few.conversation_id = talk.path, talk.conversation_id
    assert len(few.recall(both)) == 1


def test_a_question_about_something_else_finds_nothing(talk: Talk) -> None:
    assert talk.recall("会议室怎样预订？") == ()


def test_turns_that_the_prompt_holds_are_not_found_a_second_time(talk: Talk) -> None:
    assert talk.recall(OTHERS[2]) == ()
    recalled = talk.say("年假有几天？", "十天。", recalled=(talk.path[0].turn_id,))
    assert recalled in talk.transcript().turns
    assert talk.recall(HOLIDAY) == ()


NOTHING = "我不知道，资料中没有相关内容。"


def test_what_a_question_without_an_answer_came_back_to_is_found_again(talk: Talk) -> None:
    talk.say("年假有几天？", NOTHING, recalled=(talk.path[0].turn_id,))
    assert HOLIDAY not in "".join(str(message.content) for message in talk.transcript().prefix())
    assert talk.recall(HOLIDAY) == (HOLIDAY,)


def test_what_had_no_answer_is_not_found_but_tells_how_near_others_are(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    talk.say(HOLIDAY, "员工手册规定年假为十天[1]。")
    talk.say(TRAVEL, NOTHING)
    for question in OTHERS[:3]:
        talk.say(question, NOTHING)
    talk.compress()
    assert talk.recall("员工手册规定的年假，刚才说有几天来着？") == (HOLIDAY,)
    assert talk.recall("差旅住宿的报销标准，刚才说是多少？") == ()


def test_an_older_turn_is_not_found_where_its_question_was_asked_again(talk: Talk) -> None:
    talk.say(f" {HOLIDAY}", "十天。")
    assert HOLIDAY in str(talk.transcript().prefix()[-2].content)
    assert talk.recall("员工手册规定的年假，刚才说有几天来着？") == ()


def test_small_talk_is_not_remembered(talk: Talk) -> None:
    embedded = len(talk.embeddings.embedded)
    talk.say("谢谢！", "不客气。", decision=Decision.NO_RETRIEVE)
    assert len(talk.embeddings.embedded) == embedded


def test_a_short_conversation_is_not_searched(tmp_path: Path) -> None:
    short = Talk(tmp_path)
    short.say(HOLIDAY, "十天。")
    short.embeddings.refused = {"年假"}
    assert short.recall(HOLIDAY) == ()


def test_of_what_was_pasted_into_an_older_question_its_beginning_and_its_end_are_told_again(talk: Talk) -> None:
    pasted = turn("请看：" + "一大段粘贴的内容。" * 300 + "这说的是什么？", "是年假。")
    told = talk.transcript().repeat((pasted,))
    assert "问：请看：一大段" in told and told.endswith("这说的是什么？\n答：是年假。") and len(told) < 500


def test_an_embedding_that_fails_leaves_the_question_without_older_turns(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    talk.embeddings.refused = {"年假"}
    assert talk.recall(HOLIDAY) == ()
    assert "refused" in caplog.text


def test_a_later_prompt_repeats_what_was_found_word_for_word(talk: Talk) -> None:
    transcript = talk.transcript()
    question = "员工手册规定的年假，刚才说有几天来着？"
    found = talk.memory.recall(question, transcript)
    asked = transcript.ask(question, Decision.NO_RETRIEVE, (), found=False, recalled=found)
    assert str(asked.content) == f"前面谈到过：\n问：{HOLIDAY}\n答：员工手册规定年假为十天。\n\n{question}"
    ids = tuple(item.turn_id for item in found)
    conversation = talk.conversation_id
    said = turn(question, "十天。", decision=Decision.NO_RETRIEVE, recalled=ids, conversation_id=conversation)
    talk.path = (*talk.path, said)
    assert talk.transcript().prefix()[:-1] == [*transcript.prefix(), asked]


def test_the_summary_of_a_turn_that_repeats_older_ones_stands_on_its_prefix(talk: Talk) -> None:
    talk.say("年假有几天？", "十天。", recalled=(talk.path[0].turn_id,))
    talk.say(OTHERS[3], "补办。")
    whole = talk.transcript()
    transcript = replace(whole, turns=whole.turns[-2:])
    model = ScriptedChatModel(scripts=[["摘要。"]])
    talk.memory.compress(transcript, Replier(Provider.OLLAMA, model), threading.Event())
    (asked,) = model.calls
    assert asked[:-1] == transcript.prefix()[: len(asked) - 1]
    assert HOLIDAY in str(asked[-5].content)


def test_what_was_asked_is_named_without_how_it_was_to_be_answered() -> None:
    whole = turn("年假有几天？请用一句话回答。", "十天[1]。", generated_question="年假有几天？")
    again = turn("那病假呢？不要超过50字。", "五天[1]。", generated_question="病假有几天？")
    assert asked_in([whole, again]) == ("年假有几天？", "病假有几天？")
