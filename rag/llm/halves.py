"""Characters that a model's server has cut in two."""

import re

_SURROGATE = re.compile("[\ud800-\udfff]")
_FIRST_HALF = re.compile("[\ud800-\udbff]")
_REPLACEMENT = "\ufffd"


class Halves:
    """Joins the halves of an emoji which JSON brings escaped one by one, even in two pieces of a stream.

    A half without the other is no text: no encoding has it, and nothing could send or store it.
    """

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """The text that is certain now: a first half at its end waits for the second."""
        text, self._held = self._held + piece, ""
        if _FIRST_HALF.match(text[-1:]):
            text, self._held = text[:-1], text[-1]
        return text if not _SURROGATE.search(text) else _joined(text)

    def close(self) -> str:
        """What waited in vain."""
        held, self._held = self._held, ""
        return held and _REPLACEMENT


def _joined(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
