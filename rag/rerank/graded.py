"""The reranker that asks the chat model: one call grades the first passages."""

from collections.abc import Sequence
from dataclasses import replace

from rag.errors import RerankFailed
from rag.prompts import Prompts
from rag.rerank.ask import Judge, numbered
from rag.types import Hit

# The relevance of each grade: unrelated, on the subject, part of the answer, the answer. A small model's grades are
# coarse; neither end is certain.
_RELEVANCE = (0.02, 0.2, 0.6, 0.95)
# More would not fit into a small context, and a small model loses count.
_GRADED = 20
# `2, ` is three tokens at most; what stands around the list is a dozen.
_TOKENS_A_GRADE = 3
_TOKENS_AROUND = 24


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
        prompt = self._prompts.fill("rerank", passages=numbered(shown), question=question, count=str(count))
        tokens = _TOKENS_A_GRADE * count + _TOKENS_AROUND
        grades = self._judge.ask(prompt, "grades", _schema(count), tokens).get("grades")
        if not isinstance(grades, list) or len(grades) != count or not all(map(_is_grade, grades)):
            raise RerankFailed(model="llm", detail=f"grades ≠ {count} × 0–3")
        judged = [replace(hit, relevance=_RELEVANCE[grade]) for hit, grade in zip(shown, grades, strict=True)]
        return (*sorted(judged, key=lambda hit: -(hit.relevance or 0.0)), *hits[_GRADED:])


def _is_grade(value: object) -> bool:
    return type(value) is int and 0 <= value < len(_RELEVANCE)


def _schema(count: int) -> dict[str, object]:
    grade = {"type": "integer", "enum": list(range(len(_RELEVANCE)))}
    grades = {"type": "array", "items": grade, "minItems": count, "maxItems": count}
    return {"type": "object", "properties": {"grades": grades}, "required": ["grades"]}
