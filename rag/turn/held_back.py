"""What of an answer is held back, as it streams, until it is certain that the reader shall have it."""

from collections.abc import Generator

from rag.errors import WenquError
from rag.llm.stream import Done, Part
from rag.llm.think import Text, ThoughtsEnd


class Holder:
    """Holds back an answer as long as it is one to be held; from then on it `is_open`.

    One that `is_refused` ends there, and its model with it.
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


def held_back(parts: Generator[Part, None, None], holder: Holder) -> Generator[Part, None, None]:
    """The parts of an answer as a holder gives its text. Of one that breaks off, what was said stays."""
    try:
        for part in parts:
            match part:
                case Text(text):
                    given = holder.feed(text)
                case ThoughtsEnd():
                    given = holder.restart()
                case Done():
                    given = holder.end(part)
                case _:
                    given = ""
            if given:
                yield Text(given)
            if not isinstance(part, Text):
                yield part
            elif holder.is_refused:
                parts.close()
                return
    except WenquError:
        if held := holder.release():
            yield Text(held)
        raise
