"""What small models put into an answer though it says nothing, left out while it streams."""

import re
from collections.abc import Sequence

from rag.language.topic import before_asking

# A marker, or what may become one.
_MARKER = re.compile(r"\s*\[\d*\]?")
_NOT_WORDS = re.compile(r"\[\d*\]?|\W")
# "…，编号为[2]": the marker says it itself. The prompt speaks of numbers, and a 1.5B repeats the word.
_ANNOUNCED = re.compile(r"[，,、；;]?\s*(?:编号|来源|出处)(?:为|是)?[:：]?\s*(?=\[\d)")
_PERHAPS_ANNOUNCED = re.compile(r"[，,、；;]?\s*(?:编|来|出|(?:编号|来源|出处)(?:为|是)?[:：]?\s*\[?)?$")
_SHORTEST_ECHO = 4
# How what stands before the asking may end: 天数是|多少.
_LEADS = "是有在要能会"
_ASKS = re.compile(r"[?？]")


class AnswerTrimmer:
    """Drops the question from the beginning of its answer, and the words that only announce a marker.

    What a question says before it asks is given at once: mostly the answer begins so, too. `opening` is what was given
    so; where the question was repeated after all, the answer goes on from it.
    """

    def __init__(self, questions: Sequence[str], opening: str = "") -> None:
        """`questions` are the ways in which this one was put; `held` is what was not given yet."""
        self._questions = {_bare(question): len(_bare(before_asking(question))) for question in questions}
        self._asked = {_bare(question) for question in questions if _ASKS.search(question)}
        self._left_out = opening
        self.opening = ""
        self.held = ""
        self._begun = False

    def feed(self, text: str) -> str:
        """What of the answer so far is certain and was not given yet; `text` is its next piece."""
        self.held += text
        if not self._begun and not self._begins():
            return self._open()
        self.held = _ANNOUNCED.sub("", self.held)
        perhaps = _PERHAPS_ANNOUNCED.search(self.held)
        certain = perhaps.start() if perhaps else len(self.held)
        given, self.held = self.held[:certain], self.held[certain:]
        return given

    def close(self) -> str:
        """What was held back of an answer that has ended, without blanks: a marker may be put behind it."""
        return "" if self.only_repeated else self.held.rstrip()

    @property
    def only_repeated(self) -> str:
        """All that was said so far, where that is the question and no more; else ""."""
        said = self.opening + self.held
        bare = _bare(said)
        # "年假的天数是[1]" says no more either.
        opened = any(
            most and bare.rstrip(_LEADS) == asked[:most].rstrip(_LEADS) for asked, most in self._questions.items()
        )
        return said if not self._begun and (self._echo(said) or bare in self._asked or opened) else ""

    def _begins(self) -> bool:
        """Whether it is certain what the answer begins with; a question before it is dropped."""
        said = self.opening + self.held
        if echo := self._echo(said):
            rest = said[echo:]
            marker = _MARKER.match(rest)
            rest, more = rest[marker.end() if marker else 0 :].lstrip(), marker and marker.end() == len(rest)
            given = self.opening or self._left_out
            if more or given.startswith(rest):
                return False  # more of the marker may come, or of what was given already
            self.held = rest.removeprefix(given)
        elif self._left_out.startswith(said) or any(_bare(said) in question for question in self._questions):
            return False
        else:
            self.held = self.held.removeprefix(self._left_out)
        self._begun = True
        return True

    def _open(self) -> str:
        """What may be given though it is not certain that an answer comes: no more than stands before the asking."""
        said = _bare(self.opening + self.held)
        most = max((most for asked, most in self._questions.items() if asked.startswith(said)), default=0)
        if self._left_out or len(said) > most or "[" in self.held:
            return ""
        given, self.held = self.held, ""
        self.opening += given
        return given

    def _echo(self, said: str) -> int:
        """Where the answer's first sentence ends, if that only repeats the question; else 0."""
        asks, tells = _ASKS.search(said), re.search(r"[。！!\n]", said)
        if asks and len(first := _bare(said[: asks.end()])) >= _SHORTEST_ECHO:
            return asks.end() if any(first in question for question in self._questions) else 0
        return tells.end() if tells and _bare(said[: tells.end()]) in self._asked else 0


def _bare(text: str) -> str:
    return _NOT_WORDS.sub("", text).lower()
