"""No model at all: the sentences of the evidence that say most of what the question asks, quoted with their numbers."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.chat_models import generate_from_stream
from langchain_core.messages import AIMessageChunk, BaseMessage, HumanMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from pydantic import Field

from loaders.sentences import sentence_spans
from rag import i18n
from rag.tokens import average_estimate
from rag.types import Evidence

_WORD = re.compile(r"\w")
# Words that a question has and its answer need not have.
_QUESTION_WORD = re.compile(
    "的|了|是|吗|呢|什么|怎么|怎样|如何|哪些|哪个|哪|多少|几|为什么|请|请问|我|你|它|有|在|和|与|以及|the|of|is|what|how|which|a"
)
_SHORTEST_SENTENCE = 4
_ENDS = tuple("。.!！;；")
# The number of a chapter, before its title.
_COUNTED = re.compile(r"(?:第?[\d一二三四五六七八九十.]+[章节条]?[、.)）\s]+)+")
# A sentence that shares less than this part of the question's weight says something else.
_LEAST_OVERLAP = 0.2
# A text in words. Given, for a dictionary takes 70 MB, and one is enough.
Cut = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class _Sentence:
    number: int
    text: str
    words: frozenset[str]


def extract(
    evidence: Sequence[tuple[int, str]],
    question: str,
    cut: Cut,
    limit: int = 3,
    language: i18n.Language = i18n.Language.ZH,
) -> str:
    """Up to `limit` sentences of the evidence (number, text), best by shared words, in the evidence's order.

    `cut` cuts a text into words. They weigh by their rarity among the sentences (inverse frequency). Where no
    sentence shares enough with the question, the answer is that it is not known, and where the nearest passage stands.
    A question without words asks for nothing in particular: each passage is quoted from its beginning.
    """
    wanted = _words(cut(question))
    # Neighbouring passages overlap by whole sentences: each is quoted once, from where it stands first.
    first: dict[str, int] = {}
    for number, passage in evidence:
        for text in sentences_of(passage):
            first.setdefault(text, number)
    if not question and first:
        return _beginnings(first, limit)
    sentences = [_Sentence(number, text, _words(cut(text))) for text, number in first.items()]
    frequency = Counter(word for sentence in sentences for word in sentence.words)
    weight = {word: math.log(1 + len(sentences) / (1 + frequency[word])) for word in wanted}
    scores = [sum(weight[word] for word in sentence.words & wanted) for sentence in sentences]
    for place, (title, behind) in enumerate(pairwise(sentences)):
        if title.number == behind.number and _only_asks(title, wanted, cut):
            # The answer stands behind a title, or a question, that says what was asked.
            scores[place : place + 2] = 0.0, max(scores[place : place + 2])
    enough = _LEAST_OVERLAP * sum(weight.values())
    ranked = sorted(range(len(sentences)), key=lambda place: (-scores[place], place))
    best = [place for place in ranked if scores[place] > 0 and scores[place] >= enough][:limit]
    if best:
        return "\n".join(f"{sentences[place].text}[{sentences[place].number}]" for place in sorted(best))
    if ranked:
        return i18n.text(language, "extractive.unknown_nearest", number=sentences[ranked[0]].number)
    return i18n.text(language, "extractive.unknown")


def quotable(question: str, evidence: Sequence[Evidence], found: bool = True) -> dict[str, Any]:
    """What a message carries so that it is answered without a model whatever its prompt looks like.

    An empty question has passages quoted from their beginnings. Where nothing was `found`, earlier passages are not
    quoted in its place.
    """
    return {"question": question, "evidence": [(item.number, item.text) for item in evidence], "found": found}


class ExtractiveChatModel(BaseChatModel):
    """Answers without a model, from the question and the evidence that messages carry beside their text.

    A question without evidence of its own is answered from what earlier ones brought.
    """

    cut: Cut = Field(exclude=True, repr=False)
    language: i18n.Language = i18n.Language.ZH
    limit: int = 3

    @property
    def model_name(self) -> str:
        """What the page and the turns call it."""
        return "extractive"

    @property
    def _llm_type(self) -> str:
        return "wenqu-extractive"

    def get_num_tokens(self, text: str) -> int:
        """An estimate, like that of the models it stands in for."""
        return average_estimate(text)

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
        **_kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        asked = [message.additional_kwargs for message in messages if isinstance(message, HumanMessage)]
        if not asked or "question" not in asked[-1]:
            answer = i18n.text(self.language, "extractive.talk")
        else:
            own = asked[-1]
            earlier = asked if own["found"] else ()
            evidence = own["evidence"] or [passage for one in earlier for passage in one.get("evidence", ())]
            answer = extract(evidence, own["question"], self.cut, self.limit, self.language)
        for mark in stop or ():
            answer = answer.partition(mark)[0]
        for sentence in answer.splitlines(keepends=True):
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=sentence))
            if run_manager:
                run_manager.on_llm_new_token(sentence, chunk=chunk)
            yield chunk
        read = sum(average_estimate(str(message.text)) for message in messages)
        written = average_estimate(answer)
        usage = UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)
        metadata = {"finish_reason": "stop", "model_name": self.model_name}
        last = AIMessageChunk(content="", usage_metadata=usage, response_metadata=metadata, chunk_position="last")
        yield ChatGenerationChunk(message=last)


def _beginnings(sentences: Mapping[str, int], limit: int) -> str:
    """The first sentence of each passage, then the second; `sentences` have their passages' numbers."""
    turns: dict[int, int] = {}
    in_turn = []
    for text, number in sentences.items():
        turns[number] = turns.get(number, 0) + 1
        in_turn.append((turns[number], number, text))
    chosen = sorted(sorted(in_turn, key=lambda one: one[0])[:limit], key=lambda one: (one[1], one[0]))
    return "\n".join(f"{text}[{number}]" for _, number, text in chosen)


def sentences_of(passage: str) -> list[str]:
    """The sentences of a passage that say something."""
    found = (passage[start:end] for start, end in sentence_spans(passage, 0, len(passage), len(passage)))
    return [sentence for sentence in found if len(_WORD.findall(sentence)) >= _SHORTEST_SENTENCE]


def _only_asks(sentence: _Sentence, wanted: frozenset[str], cut: Cut) -> bool:
    """Whether a sentence says nothing beside what the question says, as a title does."""
    return not sentence.text.endswith(_ENDS) and _words(cut(_COUNTED.sub("", sentence.text, count=1))) <= wanted


def _words(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in words if _WORD.search(word) and not _QUESTION_WORD.fullmatch(word))
