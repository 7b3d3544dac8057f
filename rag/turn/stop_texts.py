"""The answer of a client that wants none of what begins with one of its stop texts."""

from collections.abc import Sequence

from rag.turn.held_back import Holder


class StopTexts(Holder):
    """Gives what stands before the first of some texts, however it comes in pieces, and ends the answer there."""

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
