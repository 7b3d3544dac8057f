"""What the turns of a session work with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rag.llm.current import Answering, CurrentModel, Habits
from rag.llm.replier import Replier
from rag.memory import Memory
from rag.retrieval import Retrieval
from rag.settings import DialogueSettings


@dataclass(frozen=True, slots=True)
class Profile:
    """A session's way of holding a conversation: the server's, save for what the session has set otherwise.

    `arguments` go with the call for an answer, such as `temperature`. `named` tells who answers where a turn asks for
    one by name, None where there is none.
    """

    settings: DialogueSettings
    memory: Memory
    retrieval: Retrieval
    current_model: CurrentModel
    arguments: Mapping[str, object] = field(default_factory=dict)
    habits: Habits = field(default_factory=Habits)
    named: Callable[[str], Answering | None] = lambda _: None

    def answering(self, name: str = "") -> Answering:
        """Who answers now: the model of that name where there is one, else the session's."""
        return self.named(name) or self.current_model()

    def replier(self) -> Replier:
        """Who is asked at present for short replies beside the answers."""
        return Replier.of(self.current_model(), self.habits)
