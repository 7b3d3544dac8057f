"""Fakes at the engine's seams: a model that says what it is told to, a knowledge base with fixed hits."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.chat_models import generate_from_stream
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from pydantic import PrivateAttr
from sqlalchemy import Engine as Database

from rag.conversation.sql import SqlConversationStore
from rag.conversation.summaries import SummaryStore
from rag.decision.rules import RulesDecider
from rag.embeddings.encoder import Encoder
from rag.engine import Engine
from rag.knowledge.base import SHARED_COLLECTION, KnowledgeBase
from rag.knowledge.reading_order import ReadingOrder
from rag.knowledge.request import SearchRequest
from rag.llm.current import Answering
from rag.llm.gate import Gate
from rag.memory import Memory
from rag.profile import Profile
from rag.prompts import Prompts
from rag.recall import Recall
from rag.rerank import Reranker
from rag.retrieval import Retrieval
from rag.settings import DialogueSettings, RerankSettings
from rag.tokens import average_estimate
from rag.types import (
    EVERYTHING,
    Hit,
    Message,
    Provider,
    Scope,
    SearchResult,
    SearchTrace,
    Section,
    Similarity,
    TermGains,
)
from tests.fakes import FakeEmbeddings

BY_RULES = DialogueSettings(decide_by="rules")
# What a model ends with that has reached its limit.
CUT = AIMessageChunk(content="", response_metadata={"finish_reason": "length"})
Script = Sequence[str | AIMessageChunk | Exception | threading.Event]


class ScriptedChatModel(BaseChatModel):
    """Gives one script per call: text is said, an exception raised, an event waited for.

    A prompt that is only read ahead takes none.
    """

    scripts: list[Any]
    _calls: list[list[BaseMessage]] = PrivateAttr(default_factory=list)
    _arguments: list[dict[str, Any]] = PrivateAttr(default_factory=list)
    _read_ahead: list[list[BaseMessage]] = PrivateAttr(default_factory=list)

    @property
    def calls(self) -> list[list[BaseMessage]]:
        """The messages of each call so far."""
        return self._calls

    @property
    def arguments(self) -> list[dict[str, Any]]:
        """The keyword arguments of each call so far."""
        return self._arguments

    @property
    def read_ahead(self) -> list[list[BaseMessage]]:
        """The prompts that were read for what may follow them."""
        return self._read_ahead

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return generate_from_stream(self._stream(messages, stop, run_manager, **kwargs))

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        if kwargs.get("max_tokens") == 1:
            self._read_ahead.append(messages)
            yield ChatGenerationChunk(message=AIMessageChunk(content="好"))
            return
        self._calls.append(messages)
        self._arguments.append(kwargs)
        script: Script = self.scripts[len(self._calls) - 1]
        for item in script:
            if isinstance(item, Exception):
                raise item
            if isinstance(item, threading.Event):
                item.wait(30)
            else:
                message = item if isinstance(item, AIMessageChunk) else AIMessageChunk(content=item)
                yield ChatGenerationChunk(message=message)
        usage = {
            "input_tokens": 100,
            "output_tokens": 7,
            "total_tokens": 107,
            "input_token_details": {"cache_read": 60},
        }
        yield ChatGenerationChunk(message=AIMessageChunk(content="", usage_metadata=usage))  # type: ignore[arg-type]


class FixedKnowledgeBase:
    """A knowledge base that finds the same hits for every question and remembers what it was asked."""

    def __init__(self, *hits: Hit) -> None:
        self.hits = hits
        self.notes: tuple[Message, ...] = ()
        self.searches: list[tuple[tuple[str, ...], tuple[str, ...]]] = []

    def search(
        self,
        questions: Sequence[str],
        collections: Sequence[str],
        request: SearchRequest,
        scope: Scope = EVERYTHING,
    ) -> SearchResult:
        """The hits, the guide's in its own collection alone, no more than are asked for."""
        self.searches.append((tuple(questions), tuple(collections)))
        of_guide = tuple(collections) == (SHARED_COLLECTION,)
        hits = tuple(hit for hit in self.hits if (hit.chunk.collection_id == SHARED_COLLECTION) == of_guide)
        return SearchResult(hits[: request.limit], SearchTrace(notes=self.notes))

    def explain(self, question: str, collections: Sequence[str], chunk_ids: Sequence[int]) -> dict[int, TermGains]:
        """Nothing: it has no index."""
        return {}

    def similarities(self, question: str, texts: Sequence[str], collections: Sequence[str]) -> list[Similarity]:
        """The share of the question's characters that each text has."""
        return [Similarity(words=len(set(question) & set(text)) / len(set(question))) for text in texts]

    def lacking(self, collections: Sequence[str], scope: Scope = EVERYTHING) -> int:
        """None: it has no vectors."""
        return 0

    def check(self, request: SearchRequest) -> None:
        """It has every field."""

    def sections(self, parent_ids: Sequence[int]) -> dict[int, Section]:
        """None: the hits are without surroundings."""
        return {}


class FixedReranker:
    """Gives chunks, by id, how probably they answer, whatever is asked; the others are not judged."""

    def __init__(self, relevance: Mapping[int, float]) -> None:
        self.relevance = relevance

    def rank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """The hits with what they are given, in their order."""
        return tuple(replace(hit, relevance=self.relevance.get(hit.chunk.chunk_id)) for hit in hits)


class RerankerBy:
    """Gives a chunk what a function says of the question and of it."""

    def __init__(self, relevance: Callable[[str, Hit], float]) -> None:
        self._relevance = relevance

    def rank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """The hits with what they are given, in their order."""
        return tuple(replace(hit, relevance=self._relevance(question, hit)) for hit in hits)


def reranker_by_word(word: str, relevance: float, without: float = 0.1) -> RerankerBy:
    """Gives all chunks so much by a word of the question, and nearly enough without where nothing else is said."""
    return RerankerBy(lambda question, _: relevance if word in question else without)


def memory_over(database: Database, settings: DialogueSettings, most: int = 0) -> Memory:
    """The memory of the conversations in a database; `most` turns are recalled, by default none."""
    recall = Recall(SqlConversationStore(database), Encoder(FakeEmbeddings(), "fake"), most)
    return Memory(settings, SummaryStore(database), Prompts(), recall, average_estimate)


def scripted_engine(
    database: Database,
    retrieval: Retrieval,
    model: BaseChatModel,
    provider: Provider = Provider.OLLAMA,
    *,
    dialogue: DialogueSettings = BY_RULES,
    gate: Gate | None = None,
    named: Callable[[str], Answering | None] = lambda _: None,
    **parts: Any,
) -> Engine:
    """An engine whose conversations are in a database, and whose turns the rules decide on."""
    answering = Answering(provider, "scripted", model)
    memory = memory_over(database, dialogue, dialogue.max_relevant_turns)
    profile = Profile(dialogue, memory, retrieval, lambda: answering, named=named)
    store = SqlConversationStore(database)
    return Engine(profile, store, gate or Gate(), decider=RulesDecider(), **parts)


def retrieval_over(
    knowledge: KnowledgeBase,
    room: int = 360,
    insert_block: Reranker | None = None,
    reranker: Reranker | None = None,
    order: ReadingOrder | None = None,
) -> Retrieval:
    """Retrieval from a knowledge base, without a reranker if none is given."""
    return Retrieval(
        knowledge,
        SearchRequest(),
        RerankSettings(),
        reranker,
        room=room,
        estimate=average_estimate,
        insert_block=insert_block,
        order=order,
    )
