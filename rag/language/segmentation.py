"""Where a Chinese text may be cut without splitting a word: the 他 of 吉他 is no pronoun."""

import logging
import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any

from rag.language.folding import CHINESE
from rag.language.lexicon import SURNAMES, lexicon

# Each question of a conversation is looked at a dozen times.
_REMEMBERED = 256
# Two-character names are often ordinary words too: 和平, 同志.
_SHORT_NAME = 2
_LONGEST_OF_A_PERSON = 3


@cache
def segmenter() -> Any:
    """jieba's own instance, shared by the whole process: a second one would take 70 MB."""
    # Imported late: pages are served without it, and it takes a tenth of a second.
    import jieba

    jieba.setLogLevel(logging.WARNING)
    return jieba.dt


def uncut(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of a pattern, from left to right, that neither begin nor end inside a word."""
    inside, place = _inside_words(text), 0
    while place <= len(text) and (match := pattern.search(text, place)):
        if match.start() in inside or match.end() in inside:
            place = match.start() + 1
        else:
            yield match
            place = max(match.end(), match.start() + 1)


def replaced(pattern: re.Pattern[str], by: Callable[[re.Match[str]], str], text: str) -> str:
    """The text with what is put for each uncut match of a pattern."""
    pieces, place = [], 0
    for match in uncut(pattern, text):
        pieces += [text[place : match.start()], by(match)]
        place = match.end()
    return "".join((*pieces, text[place:]))


def blanked(pattern: re.Pattern[str], text: str) -> str:
    """The text with a blank for each uncut match of a pattern."""
    return replaced(pattern, lambda _: " ", text)


def whole_words(text: str, start: int, end: int) -> str:
    """A piece of a text, with the whole words that it begins and ends inside of."""
    inside = _inside_words(text)
    while start in inside:
        start -= 1
    while end in inside:
        end += 1
    return text[start:end]


def begins_with_name(text: str) -> bool:
    """Whether a Chinese text begins with a name of three or more characters from the dictionary."""
    first = _first_word(text, guesses=False)
    return len(first) > _SHORT_NAME and first in lexicon().names


def person_at_beginning(text: str) -> str:
    """The person's name that a Chinese text begins with, mostly in no dictionary: 赵磊, 陈晓东; "" for none."""
    first = _first_word(text, guesses=True)
    is_name = first[:1] in SURNAMES and _SHORT_NAME <= len(first) <= _LONGEST_OF_A_PERSON
    return first if is_name and first not in lexicon().ordinary else ""


def _first_word(text: str, guesses: bool) -> str:
    run = CHINESE.match(text)
    return next(iter(segmenter().cut(run[0], HMM=guesses))) if run else ""


@lru_cache(_REMEMBERED)
def as_name(text: str) -> str:
    """What a text calls by name, without what stands before or behind it: 公司 of 我们公司去年; "" for no name.

    A verb of one character is no part of it, a longer one may be: 装得 of 苹果电脑装得, but not 投入 of 研发投入.
    """
    known, cut = lexicon(), list(segmenter().cut(text))
    while len(cut) > 1 and cut[-1] in known.behind_names and len("".join(cut[:-1]).strip()) >= _SHORT_NAME:
        cut.pop()
    while len(cut) > 1 and cut[0] in known.before_names and len("".join(cut[1:]).strip()) >= _SHORT_NAME:
        cut.pop(0)
    name = "".join(cut).strip()
    return "" if all(word in known.no_names for word in cut) else name


@lru_cache(_REMEMBERED)
def _inside_words(text: str) -> frozenset[int]:
    """The places inside words of content; function words may be cut: 那里, 其中."""
    grammar, inside = lexicon().grammar, set[int]()
    for run in CHINESE.finditer(text):
        begin = run.start()
        # HMM would guess at words that no dictionary has, such as 他演.
        for word in segmenter().cut(run[0], HMM=False):
            inside.update(range(begin + 1, begin + len(word)) if word not in grammar else ())
            begin += len(word)
    return frozenset(inside)
