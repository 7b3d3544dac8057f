"""Filters of an answer as it streams: what of it a reader shall not have is held back, or left out.

A model's answer goes through several, in this order: without the place of a passage at its beginning, not what was
answered before (`said_before`), without its question (`trimming`), without words that there is no answer (`no_answer`),
and up to a stop text of its client.
"""

import re
from collections.abc import Generator, Iterable, Sequence

from rag.errors import WenquError
from rag.evidence import brief_heading, brief_name
from rag.llm.stream import Done, Part
from rag.llm.think import Text, ThoughtsEnd
from rag.types import Evidence

# Behind the document's name: 第 3 页 or page 3, and a heading that is seldom longer.
_PAGE = r"[^·\d\n]{1,6}\d+[^·\d\n]{0,2}"
_LONGEST_REST = 48


class OutputFilter:
    """Holds back an answer while it `holds` it; from then on the filter `is_open`, and gives all that comes.

    Where it `is_refused`, the answer ends there, and its model is stopped.
    """

    def __init__(self) -> None:
        self.held = ""
        self.is_open = self.is_refused = False

    def holds(self, _: str) -> bool:
        """Whether an answer that begins so is to be held back."""
        return False

    def feed(self, text: str) -> str:
        """What may be given now that the answer goes on with `text`."""
        self.held += text
        self.is_open = self.is_open or not self.holds(self.held)
        return self.release() if self.is_open else ""

    def restart(self) -> str:
        """What is given where thoughts end that began without a sign: what was fed so far was one of them."""
        self.is_open = False
        return self.release()

    def end(self, _: Done) -> str:
        """What is given where the model has ended."""
        return self.release()

    def release(self) -> str:
        """All that is held back."""
        held, self.held = self.held, ""
        return held


def filtered(parts: Generator[Part, None, None], output_filter: OutputFilter) -> Generator[Part, None, None]:
    """The parts of an answer with its text as a filter gives it. Of one that breaks off, what was said stays."""
    try:
        for part in parts:
            match part:
                case Text(text):
                    given = output_filter.feed(text)
                case ThoughtsEnd():
                    given = output_filter.restart()
                case Done():
                    given = output_filter.end(part)
                case _:
                    given = ""
            if given:
                yield Text(given)
            if not isinstance(part, Text):
                yield part
            elif output_filter.is_refused:
                parts.close()
                return
    except WenquError:
        if held := output_filter.release():
            yield Text(held)
        raise


class WithoutPlace(OutputFilter):
    """Drops the place of a passage that a small model begins its answer with, if it says more: 员工手册 · 第 3 页 · ….

    The passages in its prompt begin so, and all answers that follow one such would.
    """

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        super().__init__()
        read = tuple(evidence)
        self._names = {f"{brief_name(item)} · " for item in read}
        self._place = re.compile(rf"\s*{_one_of(self._names)}{_PAGE}(?:\s*·)?\s*")
        self._heading = re.compile(rf"\A{_one_of({brief_heading(item) for item in read})}\s*")

    def holds(self, said: str) -> bool:
        """Whether what an answer begins with is, or may become, the place of a passage."""
        begun = said.lstrip()
        return any(
            name.startswith(begun) or (begun.startswith(name) and len(begun) < len(name) + _LONGEST_REST)
            for name in self._names
        )

    def feed(self, text: str) -> str:
        """What was held back, without a place, once it is certain whether the answer begins with one."""
        was_open, given = self.is_open, super().feed(text)
        return given if was_open else self._without_place(given)

    def end(self, _: Done) -> str:
        """What was held back of an answer that has ended."""
        return self._without_place(self.release())

    def _without_place(self, answer: str) -> str:
        place = self._place.match(answer)
        rest = answer[place.end() :] if place else ""
        return self._heading.sub("", rest) or rest or answer


def _one_of(told: Iterable[str]) -> str:
    """A pattern for the longest of some texts that is there."""
    return f"(?:{'|'.join(map(re.escape, sorted(told, key=len, reverse=True)))})"


class StopTexts(OutputFilter):
    """Ends an answer before the first of some texts that its client names, however they come in pieces."""

    def __init__(self, stops: Sequence[str]) -> None:
        super().__init__()
        self._stops = stops

    def feed(self, text: str) -> str:
        """What certainly stands before a stop text; what may be the beginning of one is held back."""
        said = self.held + text
        if not self.is_open:
            said = said.lstrip()  # a blank line before the answer stops none
        # Of several the one that is whole first.
        found = [(place + len(stop), place) for stop in self._stops if (place := said.find(stop)) >= 0]
        self.is_refused = bool(found)
        certain = min(found)[1] if found else len(said) - self._begun(said)
        self.held = "" if found else said[certain:]
        self.is_open = self.is_open or certain > 0
        return said[:certain]

    def _begun(self, said: str) -> int:
        """How many characters at the end may be the beginning of a stop text."""
        lengths = (length for stop in self._stops for length in range(1, len(stop)) if said.endswith(stop[:length]))
        return max(lengths, default=0)


def before_stop(answer: str, stops: Sequence[str]) -> str:
    """A whole answer up to the first of some texts."""
    stopping = StopTexts(stops)
    return stopping.feed(answer) + stopping.release()
