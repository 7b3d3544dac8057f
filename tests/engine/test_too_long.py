"""Conversations that a model finds too long, since its tokens are more than they were estimated at."""

from collections.abc import Iterator

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk

from rag.errors import PromptTooLong
from rag.types import TurnStatus
from tests.engine.rig import SEARCHES, Build, join_upkeep
from tests.samples import hit
from tests.scripted import FixedKnowledgeBase, ScriptedChatModel


class _ShortModel(ScriptedChatModel):
    """Answers at length any prompt of at most so many characters."""

    limit: int

    def _stream(self, messages: list[BaseMessage], *_: object, **__: object) -> Iterator[ChatGenerationChunk]:
        length = sum(len(str(message.content)) for message in messages)
        if length > self.limit:
            raise PromptTooLong(tokens=length, limit=self.limit)
        yield ChatGenerationChunk(message=AIMessageChunk(content="答" * 400))


def test_each_question_of_a_conversation_is_answered_however_much_of_it_the_model_finds_too_long(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    short = _ShortModel(scripts=[], limit=10_000)
    engine = build(short, decider=SEARCHES)
    for number in range(1, 10):
        # As where the model is changed for one that has less room than it is taken to have.
        short.limit = 10_000 if number < 6 else 800
        knowledge.hits = (hit(number, f"第{number}段。" * 20),)
        turn = engine.ask(f"员工手册第{number}条规定了什么内容？", "s")
        join_upkeep()
        assert turn.status is TurnStatus.FINISHED
