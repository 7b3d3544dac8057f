"""Splits `<think>…</think>` from an answer while it streams."""

from dataclasses import dataclass

_OPEN = "<think>"
_CLOSE = "</think>"


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of the model's thoughts."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer."""

    text: str


class ThinkSplitter:
    """Tells thoughts from answer in text that arrives cut anywhere, even inside a tag.

    The blanks that models put after a tag are dropped.
    """

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._after_tag = False

    def feed(self, text: str) -> list[Thought | Text]:
        """The pieces that are certain now; what may be the beginning of a tag is held back."""
        self._held += text
        parts: list[Thought | Text] = []
        while True:
            tag = _CLOSE if self._thinking else _OPEN
            before, found, after = self._held.partition(tag)
            if not found:
                break
            parts += self._part(before)
            self._held, self._thinking, self._after_tag = after, not self._thinking, True
        certain = len(self._held) - _begun(self._held, tag)
        parts += self._part(self._held[:certain])
        self._held = self._held[certain:]
        return parts

    def close(self) -> list[Thought | Text]:
        """What was held back: the text has ended, so it is no tag."""
        parts = self._part(self._held)
        self._held = ""
        return parts

    def _part(self, text: str) -> list[Thought | Text]:
        if self._after_tag:
            text = text.lstrip()
        if not text:
            return []
        self._after_tag = False
        return [Thought(text) if self._thinking else Text(text)]


def answer_of(reply: str) -> str:
    """A whole reply without the thoughts in it."""
    splitter = ThinkSplitter()
    parts = [*splitter.feed(reply), *splitter.close()]
    return "".join(part.text for part in parts if isinstance(part, Text))


def _begun(text: str, tag: str) -> int:
    """How many characters at the end of `text` are the beginning of `tag`."""
    return next((length for length in range(len(tag) - 1, 0, -1) if text.endswith(tag[:length])), 0)
