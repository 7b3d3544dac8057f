"""An answer and its score in one reply, as LangChain's map_rerank asks for them and models write them in Chinese."""

import re
from decimal import Decimal

from langchain_classic.output_parsers.regex import RegexParser
from pydantic import Field

from rag.language.han_numerals import HAN_NUMERALS, whole_number
from rag.llm.think import answer_of

_LABEL = r"(?:分[数數]|得分|[评評]分|打分|\bScore)"
_NUMBER = rf"(?P<score>\d+(?:\.\d+)?|[{HAN_NUMERALS}]{{1,5}})\s*"
_OUT_OF = r"(?:[/／]\s*(?P<most>[1-9]\d*))?"
# Surest first: a label that begins a line or clause, one with a colon at a line's end, a last line of nothing else.
_SCORES = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        rf"(?:^|(?<=\W)){_LABEL}\W{{0,4}}(?:[是为為]|is|of)?\W{{0,4}}(?:大?[约約]|about)?\s*{_NUMBER}分?\s*{_OUT_OF}(?!\w)",
        rf"[^\n，。；:：]{{0,10}}{_LABEL}\W{{0,2}}[:：]\W{{0,4}}{_NUMBER}分?\s*{_OUT_OF}\W*$",
        rf"^[^\w\n]*+(?:[^\n]{{0,20}}[，,；;] ?)?[给給得打评評]?[^\S\n]*+{_NUMBER}分\s*{_OUT_OF}\W*\Z",
    )
)
_ANSWER_LABEL = re.compile(r"^\W{0,3}(?:回答|答案|Helpful Answer|Answer)\W{0,3}[：:]\W{0,3}", re.IGNORECASE)


class ScoreParser(RegexParser):
    """Reads an answer and its score from 0 to 100; a reply without a score is an answer of score 0."""

    regex: str = ""
    output_keys: list[str] = Field(default_factory=lambda: ["answer", "score"])

    def parse(self, text: str) -> dict[str, str]:
        """The answer and its score, as strings. What is no answer has no score: beside others it must not win."""
        reply = answer_of(text).strip()
        found = next((matches[-1] for pattern in _SCORES if (matches := list(pattern.finditer(reply)))), None)
        if found is None:
            return {"answer": _stripped(reply), "score": "0"}
        answer = _stripped(reply[: found.start()]) or _stripped(reply[found.end() :])
        return {"answer": answer, "score": str(_score(found) if answer else 0)}


def _stripped(text: str) -> str:
    return _ANSWER_LABEL.sub("", text.strip()).rstrip("*#（( \n").lstrip("*)） \n")


def _score(found: re.Match[str]) -> int:
    written = found["score"]
    value = Decimal(written if written[0].isdecimal() else whole_number(written))
    return round(min(Decimal(100), value * 100 / Decimal(found["most"] or 100)))
