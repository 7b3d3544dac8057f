"""What small models put into an answer though it says nothing, left out while it streams."""

import re
from collections.abc import Sequence

# A marker, or what may become one.
_MARKER = re.compile(r"\s*\[\d*\]?")
_NOT_WORDS = re.compile(r"\[\d*\]?|\W")
# "…，编号为[2]": the marker says it itself. The prompt speaks of numbers, and a 1.5B repeats the word.
_ANNOUNCED = re.compile(r"[，,、；;]?\s*(?:编号|来源|出处)(?:为|是)?[:：]?\s*(?=\[\d)")
_PERHAPS_ANNOUNCED = re.compile(r"[，,、；;]?\s*(?:编|来|出|(?:编号|来源|出处)(?:为|是)?[:：]?\s*\[?)?$")
_SHORTEST_ECHO = 4


class AnswerTrimmer:
    """Drops the question from the beginning of its answer, and the words that only announce a marker."""

    def __init__(self, questions: Sequence[str]) -> None:
        """`questions` are the ways in which this one was put; `held` is what was not given yet."""
        self._questions = [_bare(question) for question in questions]
        self.held = ""
        self._begun = False

    def feed(self, text: str) -> str:
        """What of the answer so far is certain and was not given yet; `text` is its next piece."""
        self.held += text
        if not self._begun and not self._begins():
            return ""
        self.held = _ANNOUNCED.sub("", self.held)
        perhaps = _PERHAPS_ANNOUNCED.search(self.held)
        certain = perhaps.start() if perhaps else len(self.held)
        given, self.held = self.held[:certain], self.held[certain:]
        return given

    def close(self) -> str:
        """What was held back of an answer that has ended, without blanks: a marker may be put behind it."""
        return "" if not self._begun and self._echo() else self.held.rstrip()

    def _begins(self) -> bool:
        """Whether it is certain what the answer begins with; a question before it is dropped."""
        if echo := self._echo():
            rest = self.held[echo:]
            marker = _MARKER.match(rest)
            if not rest.strip() or (marker and marker.end() == len(rest)):
                return False  # more of the marker may come
            self.held = (rest[marker.end() :] if marker else rest).lstrip()
        elif any(_bare(self.held) in question for question in self._questions):
            return False
        self._begun = True
        return True

    def _echo(self) -> int:
        """Where the answer's first sentence ends, if that only repeats the question; else 0."""
        end = re.search(r"[?？]", self.held)
        first = _bare(self.held[: end.end()]) if end else ""
        repeats = len(first) >= _SHORTEST_ECHO and any(first in question for question in self._questions)
        return end.end() if end and repeats else 0


def _bare(text: str) -> str:
    return _NOT_WORDS.sub("", text).lower()
