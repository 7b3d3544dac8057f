"""What the chat model says of passages: one question, whose reply is JSON of a given form.

One asks for a grade of each, by which they are put in order (`GradingReranker`); the other which of them can be used
directly, each with its key passage and the reason (`InsertBlock`).
"""

import json
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from langchain_core.messages import HumanMessage

from rag.errors import RerankFailed
from rag.llm.constraint import by_schema
from rag.llm.replier import Replier
from rag.llm.stream import model_name
from rag.llm.think import said_with
from rag.prompts import Prompts
from rag.tokens import average_estimate
from rag.types import Hit, Provider, Use

# Tokens a second of the built-in 1.5B on two cores; `bench/results` has them.
_READ, _WRITTEN = 30, 7.5
# The relevance of each grade: unrelated, on the subject, part of the answer, the answer. A small model's grades are
# coarse; neither end is certain.
_RELEVANCE = (0.02, 0.2, 0.6, 0.95)
# More would not fit into a small context, and a small model loses count.
_GRADED = 20
# `2, ` is three tokens at most; what stands around the list is a dozen.
_TOKENS_A_GRADE = 3
_TOKENS_AROUND = 24
# The passages shown to the model: more would not fit beside its reply in a small context.
_SHOWN = 8
_TOKENS_A_PASSAGE = 120
_REASON_LENGTH = 200
_BLANKS = re.compile(r"\s+")
_USE = {
    "type": "object",
    "properties": {
        "number": {"type": "integer"},
        "key_passage": {"type": "string"},
        "reason": {"type": "string"},
    },
    "required": ["number", "key_passage", "reason"],
}
_GRADE = {"type": "integer", "enum": list(range(len(_RELEVANCE)))}


@dataclass(frozen=True, slots=True)
class Judge:
    """The model that answers at present, asked with patience for this many seconds, until `cancel` is set.

    A model in this process also gets the time it takes to read the prompt and write the reply.
    """

    replier: Callable[[], Replier]
    timeout: float
    cancel: threading.Event = field(default_factory=threading.Event)

    def ask(self, prompt: str, name: str, items: Mapping[str, object], max_tokens: int) -> list[Any]:
        """The list that is the one value, called `name`, of the object in the model's reply; `items` is its schema.

        Raises RerankFailed, or what the model itself raises.
        """
        replier = self.replier()
        provider, model = replier.provider, model_name(replier.model)
        if provider is Provider.EXTRACTIVE:
            raise RerankFailed(model=model, detail="provider: extractive")
        schema = {"type": "object", "properties": {name: {"type": "array", **items}}, "required": [name]}
        seconds = self.timeout
        if not provider.is_served:
            seconds += average_estimate(prompt) / _READ + max_tokens / _WRITTEN
        deadline, reply = time.monotonic() + seconds, ""
        form = by_schema(provider, name, schema)
        # Leaving the loop closes the stream, which ends the model's work.
        for part in replier.parts([HumanMessage(prompt)], self.cancel, max_tokens, **form):
            reply = said_with(reply, part)
            if time.monotonic() > deadline:
                raise RerankFailed(model=model, detail=f"> {seconds:.3g} s")
        try:
            values = json.loads(reply)
        except (ValueError, RecursionError) as error:
            # Python refuses numbers of thousands of digits, and brackets within a thousand others, in its own ways.
            raise RerankFailed(model=model, detail=f"JSON: {error}") from error
        found = values.get(name) if isinstance(values, Mapping) else None
        if not isinstance(found, list):
            raise RerankFailed(model=model, detail=f"JSON: {{{name}: []}}?")
        return found


def _numbered(hits: Sequence[Hit]) -> str:
    """The passages of hits under numbers from 1, each with its document's name, its headings and its context."""
    return "\n\n".join(
        f"[{number}] {' > '.join((chunk.document_name, *chunk.passage.heading_path))}\n{chunk.passage.text_in_context}"
        for number, chunk in enumerate((hit.chunk for hit in hits), start=1)
    )


class GradingReranker:
    """Lets a model grade the first passages from 0 to 3. Raises ModelError."""

    def __init__(self, judge: Judge, prompts: Prompts) -> None:
        self._judge = judge
        self._prompts = prompts

    def rank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """The hits by their grade, otherwise in their order; then those without a grade.

        Raises RerankFailed unless each that was shown has a grade.
        """
        if not hits:
            return ()
        shown, count = hits[:_GRADED], min(len(hits), _GRADED)
        prompt = self._prompts.fill("rerank", passages=_numbered(shown), question=question, count=str(count))
        tokens = _TOKENS_A_GRADE * count + _TOKENS_AROUND
        grades = self._judge.ask(prompt, "grades", {"items": _GRADE, "minItems": count, "maxItems": count}, tokens)
        if len(grades) != count or not all(map(_is_grade, grades)):
            raise RerankFailed(model="llm", detail=f"grades ≠ {count} × 0–3")
        judged = [replace(hit, relevance=_RELEVANCE[grade]) for hit, grade in zip(shown, grades, strict=True)]
        return (*sorted(judged, key=lambda hit: -(hit.relevance or 0.0)), *hits[_GRADED:])


def _is_grade(value: object) -> bool:
    return type(value) is int and 0 <= value < len(_RELEVANCE)


class InsertBlock:
    """A filter of ranked hits: of the first ones, those that the model keeps have a relevance of 1, all others 0."""

    def __init__(self, judge: Judge, prompts: Prompts) -> None:
        self._judge = judge
        self._prompts = prompts

    def rank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """The hits that can be used, each with its use, then the others. Raises ModelError."""
        if not hits:
            return ()
        uses = self._uses(question, hits[:_SHOWN])
        used = [replace(hit, relevance=1.0, use=use) for hit, use in zip(hits, uses, strict=False) if use is not None]
        kept = {hit.chunk.chunk_id for hit in used}
        others = [replace(hit, relevance=0.0) for hit in hits if hit.chunk.chunk_id not in kept]
        return (*used, *others)

    def _uses(self, question: str, shown: Sequence[Hit]) -> list[Use | None]:
        """What the model says of each passage; nothing where its key passage does not stand in the passage."""
        prompt = self._prompts.fill("insert_block", passages=_numbered(shown), question=question)
        form = {"items": _USE, "maxItems": _SHOWN}
        items = self._judge.ask(prompt, "usable", form, _TOKENS_A_PASSAGE * len(shown))
        uses: list[Use | None] = [None] * len(shown)
        for item in items:
            number = item.get("number") if isinstance(item, dict) else None
            if type(number) is int and 1 <= number <= len(shown):
                uses[number - 1] = uses[number - 1] or _use(item, shown[number - 1])
        return uses


def _use(item: dict[str, object], hit: Hit) -> Use | None:
    key, reason = (str(item.get(name) or "").strip() for name in ("key_passage", "reason"))
    stands_there = _BLANKS.sub("", key) in _BLANKS.sub("", hit.chunk.passage.text_in_context)
    return Use(key, reason[:_REASON_LENGTH]) if key and stands_there else None
