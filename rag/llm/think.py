"""Splits `<think>…</think>` from an answer while it streams."""

import re
from dataclasses import dataclass

_OPEN = "<think>"
_CLOSE = "</think>"
# Where the prompt has begun the thoughts already: at the end of a sentence, so that an answer may still name the tag.
_UNOPENED = re.compile(r"(?:^|[\n。！？.!?…])[^\S\n]*</think>")


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

    Once something is said, a tag is what is spoken of. The blanks that models put after a tag are dropped.
    """

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._after_tag = False
        self._said = False

    def feed(self, text: str) -> list[Thought | Text]:
        """The pieces that are certain now; what may be the beginning of a tag is held back."""
        self._held += text
        parts: list[Thought | Text] = []
        while not self._said:
            before, found, after = self._held.partition(self._tag())
            if not found or (before.strip() and not self._thinking):
                break
            parts += self._part(before)
            self._held, self._thinking, self._after_tag = after, not self._thinking, True
        certain = self._certain()
        parts += self._part(self._held[:certain])
        self._held = self._held[certain:]
        return parts

    def close(self) -> list[Thought | Text]:
        """What was held back: the text has ended, so it is no tag."""
        parts = self._part(self._held)
        self._held = ""
        return parts

    def _tag(self) -> str:
        return _CLOSE if self._thinking else _OPEN

    def _certain(self) -> int:
        """How many of the characters held cannot belong to a tag."""
        certain = len(self._held) - _begun(self._held, self._tag())
        self._said = self._said or (not self._thinking and bool(self._held[:certain].strip()))
        return len(self._held) if self._said else certain

    def _part(self, text: str) -> list[Thought | Text]:
        if self._after_tag:
            text = text.lstrip()
        if not text:
            return []
        self._after_tag = False
        return [Thought(text) if self._thinking else Text(text)]


def answer_of(reply: str) -> str:
    """A whole reply without the thoughts in it, also where they only end in it."""
    end = None if _OPEN in reply else _UNOPENED.search(reply)
    if end is not None:
        return reply[end.end() :].lstrip()
    splitter = ThinkSplitter()
    parts = [*splitter.feed(reply), *splitter.close()]
    return "".join(part.text for part in parts if isinstance(part, Text))


def _begun(text: str, tag: str) -> int:
    """How many characters at the end of `text` are the beginning of `tag`."""
    return next((length for length in range(len(tag) - 1, 0, -1) if text.endswith(tag[:length])), 0)
