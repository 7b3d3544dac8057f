"""Chains over scripted models and fixed documents."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_classic.memory import ConversationBufferMemory
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import BaseLanguageModel
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from rag.chain import ConversationalRetrievalChain
from rag.decision.base import Situation, Verdict
from rag.types import Decision, Message
from tests.scripted import ScriptedChatModel

LEAVE = Document(id="1", page_content="员工每年有十天年假。", metadata={"source": "手册.pdf"})
FORM = Document(id="2", page_content="休假应填写申请表。", metadata={"source": "手册.pdf"})
FIRST = "员工手册规定年假有几天？"
PAST = [(FIRST, "十天。")]


class FixedRetriever(BaseRetriever):
    """Finds one list of documents after the other, and the last one from then on; remembers its questions."""

    found: list[list[Document]]
    asked: list[str] = Field(default_factory=list)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        self.asked.append(query)
        return self.found[min(len(self.asked), len(self.found)) - 1]


def chat(*scripts: Sequence[Any]) -> ScriptedChatModel:
    return ScriptedChatModel(scripts=list(scripts))


def build(model: BaseLanguageModel[Any], *found: Document, **fields: Any) -> ConversationalRetrievalChain:
    return ConversationalRetrievalChain.from_llm(model, FixedRetriever(found=[list(found)]), **fields)


def memory(**fields: Any) -> ConversationBufferMemory:
    return ConversationBufferMemory(memory_key="chat_history", return_messages=True, **fields)


def asked(chain: ConversationalRetrievalChain) -> list[str]:
    """What the retriever was asked."""
    assert isinstance(chain.retriever, FixedRetriever)
    return chain.retriever.asked


def said_to(model: ScriptedChatModel, call: int = -1) -> str:
    return "\n".join(str(message.content) for message in model.calls[call])


@dataclass
class DecidesInTurn:
    """Gives one decision after the other, and remembers what it was asked."""

    decisions: list[Decision]
    situations: list[Situation] = field(default_factory=list)
    certainty: float = 1.0

    def decide(self, situation: Situation) -> Verdict:
        self.situations.append(situation)
        return Verdict(self.decisions[len(self.situations) - 1], Message("decision.signal.none"), self.certainty)
