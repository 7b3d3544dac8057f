"""Emphasis beside Chinese punctuation: `**粗体：**正文` is bold here, which CommonMark's rule for Latin text denies."""

import unicodedata

from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline.state_inline import Scanned, StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType


class CjkInline(ParserInline):
    """markdown-it's inline parser with the flanking rule of the CJK-friendly amendments to CommonMark.

    Source: github.com/tats-u/markdown-cjk-friendly. Beyond it, quotation marks, dashes and dots that Chinese shares
    with other scripts count as Chinese.
    """

    def parse(self, src: str, md: object, env: EnvType, tokens: list[Token]) -> list[Token]:
        """The tokens of a paragraph's text."""
        state = _CjkState(src, md, env, tokens)  # type: ignore[arg-type]
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


class _CjkState(StateInline):
    """Only punctuation that is not Chinese, and figures on both sides, keep a run of asterisks from an emphasis."""

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:
        end = start
        while end < self.posMax and self.src[end] == self.src[start]:
            end += 1
        before = self.src[start - 1] if start else " "
        after = self.src[end] if end < self.posMax else " "
        # Between figures it is a sign of multiplication: 100*200*300mm.
        counts = before.isdecimal() and after.isdecimal()
        opens, closes = not counts and _flanks(before, after), not counts and _flanks(after, before)
        if not canSplitWord:
            between = opens and closes
            opens = opens and (not between or _punctuation(before))
            closes = closes and (not between or _punctuation(after))
        return Scanned(opens, closes, end - start)


def _flanks(outer: str, inner: str) -> bool:
    """Whether a run between the two characters can hold on to `inner`."""
    if isWhiteSpace(ord(inner)):
        return False
    if not _punctuation(inner) or _chinese(inner):
        return True
    return isWhiteSpace(ord(outer)) or _punctuation(outer) or _chinese(outer)


def _punctuation(character: str) -> bool:
    return isMdAsciiPunct(ord(character)) or isPunctChar(character)


def _chinese(character: str) -> bool:
    """Whether a character is full-width, or would be among Chinese ones."""
    width = unicodedata.east_asian_width(character)
    return width in "WF" or (width == "A" and unicodedata.category(character).startswith("P"))
