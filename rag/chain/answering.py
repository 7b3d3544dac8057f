"""The answering half of a turn: from documents, from the conversation where there are none, or without any need."""

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any

from langchain_classic.chains.combine_documents.base import BaseCombineDocumentsChain
from langchain_classic.chains.combine_documents.stuff import StuffDocumentsChain
from langchain_classic.chains.llm import LLMChain
from langchain_core.documents import Document
from pydantic import Field

from rag.chain import documents
from rag.chain.caller import CallersChain
from rag.chain.history import Talk
from rag.chain.steps import Ask
from rag.chain.tokens import Outputs
from rag.errors import ModelGaveNothing
from rag.llm.stream import model_name
from rag.llm.think import answer_of
from rag.prompts import Prompts
from rag.types import Decision


class AnsweringChain(CallersChain):
    """A chain whose answers are neither empty nor thoughts."""

    prompts: Prompts = Field(default_factory=Prompts, exclude=True)
    """The texts used where no prompt is given: Chinese by default."""
    reply_chain: LLMChain | None = None
    """Answers what needs no documents, from `chat_history` and `question`; None: the model that answers does."""

    @property
    def _answering(self) -> LLMChain:
        return next(iter(documents.asking_chains(self.combine_docs_chain)), self.question_generator)

    @property
    def _has_own_prompts(self) -> bool:
        """Whether the prompts for documents are the caller's own: they are told where nothing was found.

        Otherwise the `no_evidence` prompt answers then, from the conversation, of which those know nothing.
        """
        return documents.has_own_prompt(self.combine_docs_chain, self.prompts)

    def _asked_by(self, name: str) -> LLMChain:
        """The model that answers, asked by one of our prompts."""
        asking = self._answering
        model: Any = asking.llm
        prompt = self.prompts.selector(name).get_prompt(model)
        return LLMChain(llm=model, prompt=prompt, verbose=asking.verbose, callbacks=asking.callbacks)

    def _answer(
        self, inputs: Outputs, talk: Talk, found: list[Document], decision: Decision
    ) -> Generator[Ask, Outputs, Any]:
        """The answer to the question in `inputs`. Raises ModelGaveNothing."""
        if decision is Decision.NO_RETRIEVE:
            own = self.reply_chain
            told = talk.given if own else talk.text
            return (yield from self._said(own or self._asked_by("talk"), {**inputs, "chat_history": told}, 1))
        chain = self.combine_docs_chain
        nothing = [Document(self.prompts.fill("nothing_found"))] if type(chain) in documents.LANGCHAINS else []
        given = found or nothing
        call = documents.answering_call(chain, len(given))
        inputs = {**inputs, "chat_history": talk.given, chain.input_key: given}
        return (yield from self._said(chain, inputs, call))

    def _without_evidence(self, inputs: Outputs, question: str, told: str) -> Generator[Ask, Outputs, Any]:
        """The answer where nothing was found, from what was `told`. Raises ModelGaveNothing."""
        chain = self._asked_by("no_evidence_history")
        asked = self.prompts.fill("no_evidence", question=question)
        role = self.prompts.fill("answer")
        return (yield from self._said(chain, {**inputs, "chat_history": told, "question": asked, "role": role}, 1))

    def _said(
        self, chain: LLMChain | BaseCombineDocumentsChain, inputs: Outputs, call: int | None
    ) -> Generator[Ask, Outputs, Any]:
        outputs = yield Ask(chain, inputs, "answer", call)
        if not isinstance(given := outputs[chain.output_key], str):
            return given  # of a parser of the caller's
        answer = answer_of(given)
        if not answer.strip():
            raise ModelGaveNothing(model=model_name(self._answering.llm))
        return answer

    def _reduce_tokens_below_limit(self, docs: list[Document]) -> list[Document]:
        # The limit is for what several searches find together; a document cut by one would be another's twin.
        return docs

    def _within_limit(self, docs: list[Document]) -> list[Document]:
        if not self.max_tokens_limit or not isinstance(self.combine_docs_chain, StuffDocumentsChain):
            return docs
        return self._fit(docs, self.max_tokens_limit)

    def _fit(self, found: Sequence[Document], limit: int) -> list[Document]:
        count = partial(documents.count_tokens, self._answering.llm)
        return documents.fit_documents(found, limit, count)
