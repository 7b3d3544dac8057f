"""InsertBlock: a model keeps only the passages that can be used directly, each with its key passage and the reason."""

import re
from collections.abc import Sequence
from dataclasses import replace

from rag.errors import RerankFailed
from rag.prompts import Prompts
from rag.rerank.ask import Judge, numbered
from rag.types import Hit, Use

# The passages shown to the model: more would not fit beside its reply in a small context.
_SHOWN = 8
_TOKENS_A_PASSAGE = 120
_REASON_LENGTH = 200
_BLANKS = re.compile(r"\s+")
_SCHEMA = {
    "type": "object",
    "properties": {
        "usable": {
            "type": "array",
            "maxItems": _SHOWN,
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "key_passage": {"type": "string"},
                    "reason": {"type": "string"},
                },
                "required": ["number", "key_passage", "reason"],
            },
        }
    },
    "required": ["usable"],
}


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
        prompt = self._prompts.fill("insert_block", passages=numbered(shown), question=question)
        items = self._judge.ask(prompt, "usable", _SCHEMA, _TOKENS_A_PASSAGE * len(shown)).get("usable")
        if not isinstance(items, list):
            raise RerankFailed(model="llm", detail="usable: []?")
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
