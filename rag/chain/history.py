"""Chat histories in the forms that LangChain and Gradio have them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from rag.language import lead
from rag.language.parted import parted
from rag.language.words import plainly
from rag.prompts import Prompts
from rag.rewriting.condense import in_full
from rag.rewriting.prompt_form import prompt_form
from rag.types import Exchange

_ROLES = {
    "user": HumanMessage,
    "human": HumanMessage,
    "assistant": AIMessage,
    "ai": AIMessage,
    "system": SystemMessage,
}
# Of an answer that a question goes on from; it only tells what was talked of.
_ANSWER_LENGTH = 200
# A follow-up goes on from no earlier exchange: the rules look at each with all before it.
_RECENT = 20
_TEXTS = {"human": "history_user", "ai": "history_assistant"}


@dataclass(frozen=True)
class Talk:
    """A conversation: as prompts are `given` it, as text, and by its messages, oldest first."""

    given: Any
    text: str
    messages: tuple[BaseMessage, ...]

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Questions with their answers."""
        found: list[Exchange] = []
        question = ""
        for message in self.messages:
            if isinstance(message, HumanMessage):
                question = message.text
            elif isinstance(message, AIMessage) and question:
                found.append(Exchange(question, message.text))
                question = ""
        return tuple(found)

    @property
    def earlier(self) -> tuple[tuple[str, str], ...]:
        """Questions with their answers; of a conversation that is known as text only, all as one answer."""
        pairs = tuple((exchange.question, exchange.answer) for exchange in self.exchanges)
        return pairs or ((("", self.text),) if self.text else ())

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """What was asked so far, as later questions go on from it."""
        return in_full((parted(exchange.question).asked, "") for exchange in self.exchanges[-_RECENT:])

    def put(self, question: str, whole: str, prompts: Prompts) -> str:
        """A whole question as a model is asked it that is told nothing else of the conversation.

        Of "病假发多少工资？ 那加班呢？" a small model answers the first again, too. From the rest alone none knows
        what is asked of 加班, nor what 说详细点 is about, so that comes behind the first with its answer.
        """
        asked = prompt_form(question, whole)
        former = whole.removesuffix(f" {prompt_form(parted(question).asked, whole)}")
        recent = self.exchanges[-_RECENT:]
        told = [(parted(exchange.question).asked, exchange.answer) for exchange in self.exchanges]
        told += [(full, one.answer) for full, one in zip(self.questions, recent, strict=True)]
        answers: dict[str, str] = {lead.without_lead(plainly(before)): answer for before, answer in told}
        if former == whole or former not in answers:
            return asked
        turn = prompts.fill("recalled_turn", question=former, answer=answers[former][:_ANSWER_LENGTH])
        return f"{prompts.fill('recalled', turns=turn)}\n\n{asked}"


def read_history(history: Any, to_prompt: Callable[[Any], Any] | None, prompts: Prompts) -> Talk:
    """The conversation of a history: (question, answer, …) or (role, content) tuples, messages, or dictionaries.

    With a `to_prompt` of the caller's the history may have any form, and prompts are given what that makes of it; what
    cannot be read then is one message that is nobody's. Raises ValueError for an unknown form without it.
    """
    if to_prompt is None:
        messages = _messages(history)
        text = _text(messages, prompts)
        return Talk(text, text, messages)
    given = to_prompt(history)
    text = given if isinstance(given, str) else _text(_readable(given) or (), prompts) or str(given or "")
    readable = _readable(history)
    return Talk(given, text, (SystemMessage(text),) if readable is None else readable)


def _readable(history: Any) -> tuple[BaseMessage, ...] | None:
    try:
        return _messages(history)
    except (ValueError, TypeError):
        return None


def _messages(history: Any) -> tuple[BaseMessage, ...]:
    messages: list[BaseMessage] = []
    for entry in history:
        match entry:
            case BaseMessage():
                messages.append(entry)
            case (str() as role, str() as content) if isinstance(entry, tuple) and role in _ROLES:
                messages.append(_ROLES[role](content))
            case (str() | None as question, str() | None as answer, *_) if isinstance(entry, tuple):
                messages += [HumanMessage(question or ""), AIMessage(answer or "")]
            case {"role": str(role), "content": str() | list() as content} if role in _ROLES:
                messages.append(_ROLES[role](content))
            case _:
                # LangChain's own words, which its users may look for.
                raise ValueError(f"Unsupported chat history format: {type(entry)}. Full chat history: {history} ")
    return tuple(message for message in messages if message.text)


def _text(messages: Sequence[BaseMessage], prompts: Prompts) -> str:
    return "\n".join(
        prompts.fill(_TEXTS[message.type], text=message.text) if message.type in _TEXTS else message.text
        for message in messages
    )
