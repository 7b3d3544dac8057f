"""The place of a passage that a small model puts before its answer, left out while it streams: 员工手册 · 第 3 页 · ….

It begins as the passages in its prompt do, and so do all answers that follow one such.
"""

import re
from collections.abc import Iterable

from rag.evidence import brief_heading, brief_name
from rag.llm.stream import Done
from rag.turn.held_back import Holder
from rag.types import Evidence

# Behind the document's name: 第 3 页 or page 3, and a heading that is seldom longer.
_PAGE = r"[^·\d\n]{1,6}\d+[^·\d\n]{0,2}"
_LONGEST_REST = 48


class WithoutPlace(Holder):
    """Drops a passage's place from the beginning of an answer that has more to say than that."""

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
        """What was held back, too, once it goes on otherwise than a place does; without that."""
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
