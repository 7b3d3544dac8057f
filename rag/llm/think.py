"""Splits `<think>…</think>` from an answer while it streams."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

_OPEN = "<think>"
_CLOSE = "</think>"
_SENTENCE_ENDS = tuple("。！？.!?…")


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of the model's thoughts."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThoughtsEnd:
    """All that came as text so far were thoughts, which the prompt had begun: the answer follows."""


@dataclass(frozen=True, slots=True)
class NoThoughts:
    """What came as thoughts was the answer; it follows again as text."""


Piece = Thought | Text | ThoughtsEnd | NoThoughts


class ThinkSplitter:
    """Tells thoughts from answer in text that arrives cut anywhere, even inside a tag.

    After answer text, tags are literal, except one closing thoughts opened by the prompt. The blanks that models put
    after a tag are dropped.
    """

    def __init__(self, *, inside: bool = False) -> None:
        """`inside`: the model's earlier answers had thoughts that its prompt had begun, so this one's will too."""
        self._inside = inside
        self._held = ""
        self._told = ""
        self._thinking = False
        self._tagged = False
        self._after_tag = False
        self._said = False

    def feed(self, text: str) -> list[Piece]:
        """The pieces that are certain now; what may be the beginning of a tag is held back."""
        self._held += text
        parts: list[Piece] = []
        # A model that was expected to be inside its thoughts may still begin them itself.
        if self._inside and not self._tagged and not self._thinking:
            begun = self._held.lstrip()
            if begun != _OPEN and _OPEN.startswith(begun):
                return []
            self._thinking = not begun.startswith(_OPEN)
        while not self._said:
            before, found, after = self._held.partition(self._tag())
            if not found or (before.strip() and not self._thinking):
                break
            parts += self._part(before)
            self._held, self._thinking, self._tagged, self._after_tag = after, not self._thinking, True, True
        for tag in re.finditer(_CLOSE, self._held):
            if self._ends_thoughts(self._held[: tag.start()]):
                parts += [*self._part(self._held[: tag.start()]), ThoughtsEnd()]
                self._held = self._held[tag.end() :]
                self._said = self._tagged = self._after_tag = True
                break
        certain = self._certain()
        parts += self._part(self._held[:certain])
        self._held = self._held[certain:]
        return parts

    def close(self, *, whole: bool = False) -> list[Piece]:
        """What was held back: the text has ended, so it is no tag. `whole`: it was not broken off or stopped."""
        parts = self._part(self._held)
        self._held = ""
        if whole and self._thinking and not self._tagged:
            parts += [NoThoughts(), Text(self._told)]
        return parts

    def _tag(self) -> str:
        return _CLOSE if self._thinking else _OPEN

    def _certain(self) -> int:
        """How many of the characters held cannot belong to a tag."""
        certain = len(self._held) - _begun(self._held, self._tag())
        self._said = self._said or (not self._thinking and bool(self._held[:certain].strip()))
        if not self._said:
            return certain
        begun = _begun(self._held, _CLOSE)
        certain = len(self._held) - begun
        return certain if begun and self._ends_thoughts(self._held[:certain]) else len(self._held)

    def _ends_thoughts(self, text: str) -> bool:
        """Whether a closing tag behind `text` would end thoughts that the prompt had begun.

        Only at the end of a sentence, so that an answer may still name the tag.
        """
        if self._tagged:
            return False
        told = self._told + text
        said = told.rstrip()
        is_at_end = not said or said.endswith(_SENTENCE_ENDS) or "\n" in told[len(said) :]
        return is_at_end and _OPEN not in told

    def _part(self, text: str) -> list[Piece]:
        self._told += text
        if self._after_tag:
            text = text.lstrip()
        if not text:
            return []
        self._after_tag = False
        return [Thought(text) if self._thinking else Text(text)]


def answer_of(reply: str) -> str:
    """A whole reply without the thoughts in it, also where they only end in it."""
    splitter = ThinkSplitter()
    return said([*splitter.feed(reply), *splitter.close()])


def said(parts: Iterable[object]) -> str:
    """What is said in the parts of a reply, whatever else they are."""
    return reduce(said_with, parts, "")


def said_with(text: str, part: object) -> str:
    """What has been said in a reply once another part of it has come."""
    match part:
        case Text(piece):
            return text + piece
        case ThoughtsEnd():
            return ""
        case _:
            return text


def _begun(text: str, tag: str) -> int:
    """How many characters at the end of `text` are the beginning of `tag`."""
    return next((length for length in range(len(tag) - 1, 0, -1) if text.endswith(tag[:length])), 0)
