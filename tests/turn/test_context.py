"""What the stages of a turn work with."""

from pathlib import Path

from rag.database import open_database
from rag.decision.rules import RulesDecider
from rag.llm.current import Answering
from rag.llm.gate import Gate, Ticket, Work
from rag.profile import Profile
from rag.prompts import Prompts
from rag.settings import DialogueSettings
from rag.transcript import Transcript
from rag.turn.context import context_of
from rag.turn.draft import Draft
from rag.types import Provider, TurnOptions
from tests.scripted import FixedKnowledgeBase, ScriptedChatModel, memory_over, retrieval_over


def test_the_room_for_evidence_is_that_of_the_model_that_a_turn_names(tmp_path: Path) -> None:
    dialogue, model = DialogueSettings(), ScriptedChatModel(scripts=[])
    profile = Profile(
        dialogue,
        memory_over(open_database(f"sqlite:///{tmp_path / 'test.sqlite3'}"), dialogue),
        retrieval_over(FixedKnowledgeBase()),
        lambda: Answering(Provider.EMBEDDED, "own", model),
        named=lambda name: Answering(Provider.OLLAMA, name, model) if name else None,
    )
    rooms, ticket = {}, Ticket(Gate(), Work.FOREGROUND)
    for name in ("", "large:70b"):
        draft = Draft("年假有几天？", "s", "c", None, options=TurnOptions(model=name))
        rooms[name] = context_of(draft, profile, RulesDecider(), Transcript(Prompts(), ()), ticket).evidence_tokens
    assert rooms == {"": dialogue.evidence_tokens, "large:70b": dialogue.evidence_tokens_served}
