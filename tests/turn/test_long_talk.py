"""A conversation that never ends, as a program has it that names none."""

from dataclasses import replace
from pathlib import Path

from rag.database import open_database
from rag.decision.rules import RulesDecider
from rag.evidence import evidence_of
from rag.llm.current import Answering
from rag.llm.gate import Gate, Ticket, Work
from rag.profile import Profile
from rag.prompts import Prompts
from rag.settings import DialogueSettings
from rag.transcript import Transcript
from rag.turn.context import context_of
from rag.turn.draft import Draft
from rag.turn.prompt_budget import ever_shorter, question_message
from rag.turn.references import questions_before
from rag.types import Decision, Provider
from tests.samples import hit, turn
from tests.scripted import FixedKnowledgeBase, ScriptedChatModel, memory_over, retrieval_over

TURNS = 400
FOUND = (evidence_of(1, hit(11, "年假为十天。"), "年假有几天？"),)


def long_talk() -> Transcript:
    older = tuple(turn(f"第{number}部门的员工工作满一年后年假有几天？", "十天[1]。", FOUND) for number in range(TURNS))
    return Transcript(Prompts(), (), older=older)


def test_of_a_long_talk_a_question_goes_on_from_the_last_ones() -> None:
    talk = long_talk()
    before = questions_before(talk)
    assert before == tuple(one.generated_question for one in talk.older[-len(before) :])
    assert 10 < len(before) < TURNS


def test_a_prompt_that_names_too_many_of_the_older_turns_is_shortened_in_few_tries(tmp_path: Path) -> None:
    tries: list[str] = []

    def estimate(text: str) -> int:
        tries.append(text)
        return len(text)

    dialogue, talk = DialogueSettings(), long_talk()
    memory = memory_over(open_database(f"sqlite:///{tmp_path / 'test.sqlite3'}"), dialogue)
    own = Answering(Provider.OLLAMA, "own", ScriptedChatModel(scripts=[]))
    draft = Draft("总结一下我们聊过的内容", "session", "conversation", None, decision=Decision.NO_RETRIEVE)
    ticket = Ticket(Gate(), Work.FOREGROUND)
    profile = Profile(dialogue, memory, retrieval_over(FixedKnowledgeBase()), lambda: own)
    context = replace(context_of(draft, profile, RulesDecider(), talk, ticket), estimate=estimate, answer_tokens=0)
    whole = len(str(question_message(draft, context).content))
    shortened = next(ever_shorter(draft, replace(context, limit=whole))).transcript
    assert 1 < len(shortened.older) < 12
    assert len(tries) < 40
