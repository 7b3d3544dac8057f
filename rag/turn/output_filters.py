"""Filters of an answer as it streams: what of it a reader shall not have is held back, or left out.

A model's answer goes through several, in this order: without the place of a passage at its beginning, not what was
answered before (`said_before`), without its question (`trimming`), without words that there is no answer, and up to a
stop text of its client.
"""

import re
from collections.abc import Callable, Generator, Iterable, Sequence

from rag.errors import WenquError
from rag.evidence import brief_heading, brief_name
from rag.language.refusals import may_refuse, refuses
from rag.llm.stream import Done, Part
from rag.llm.think import Text, ThoughtsEnd
from rag.turn.draft import Draft
from rag.types import Evidence

# Behind the document's name: 第 3 页 or page 3, and a heading that is seldom longer.
_PAGE = r"[^·\d\n]{1,6}\d+[^·\d\n]{0,2}"
_LONGEST_REST = 48
# How the prompts have it said that there is no answer, and what separates that from one that was given.
_DENIALS = ("资料中没有相关内容", "the documents say nothing about it")
_COMMAS = "，,"
_STOPS = "。. "
# What asks for several things may be answered in part.
_SEVERAL = re.compile(r"[和与及跟、]|分别|各|\band\b")


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


class NearestInstead(OutputFilter):
    """Replaces an answer that only says that there is none by what comes nearest, which `near` makes of that answer.

    Small models say so where the documents have the answer in other words. What may be no more than that is held back.
    """

    def __init__(self, draft: Draft, near: Callable[[str], str]) -> None:
        super().__init__()
        self._draft, self._near = draft, near

    def holds(self, said: str) -> bool:
        """Whether it may say no more than that."""
        return may_refuse(said)

    def end(self, done: Done) -> str:
        """What is near, or what was held back."""
        answer, was_open = self._draft.answer + self.held, self.is_open
        is_refusal = not done.cut and not self._draft.cancel.is_set() and refuses(answer)
        held = self.release()
        # One that only repeats the question is told so, and tries again.
        self.is_open = bool(answer)
        said = (self._near(answer) if is_refusal else "") or held
        return f"\n\n{said}" if said and was_open else said


class WithoutDenial(OutputFilter):
    """Leaves out the words that there is no answer behind one that `is_borne_out`.

    A small model adds them to a right figure: 1.20元，资料中没有相关内容。
    """

    def __init__(self, draft: Draft, is_borne_out: Callable[[str], bool]) -> None:
        super().__init__()
        self._draft, self._is_borne_out = draft, is_borne_out

    def feed(self, text: str) -> str:
        """All that stands before such words."""
        said = self.held + text
        begins = _denial_begins(said)
        self.held = said[begins:]
        return said[:begins]

    def end(self, done: Done) -> str:
        """What was held back, unless it is left out."""
        held = self.release()
        denies = _bare(held[1:]) in _DENIALS and not _SEVERAL.search(self._draft.question)
        if done.cut or self._draft.cancel.is_set() or not denies or not self._is_borne_out(self._draft.answer):
            return held
        return held[-1].strip() if held[-1] in _STOPS else ""


def _denial_begins(said: str) -> int:
    """Where, behind a comma, words begin that may become a denial; without such, where the text ends."""
    comma = max(map(said.rfind, _COMMAS))
    rest = _bare(said[comma + 1 :])
    return comma if comma >= 0 and any(denial.startswith(rest) for denial in _DENIALS) else len(said)


def _bare(clause: str) -> str:
    return clause.strip().rstrip(_STOPS).lower()


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
