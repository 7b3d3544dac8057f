"""Characters of a question that were typed for others of the same sound: 营夜收入 for 营业收入.

Whoever types by sound picks the wrong one easily. A character is taken for such a one only where no word of the
dictionary holds it and the texts found do not have it beside its neighbours, but a word with another of its sound.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from rag.language.folding import CHINESE, fold, simplified
from rag.language.lexicon import lexicon
from rag.language.words import without_filler
from rag.retrieval.query import Query
from rag.types import Message, SearchResult

_LONGEST_WORD = 4
# A question with more such places is no question of these texts.
_MOST = 2


def search_respelled(search: Callable[[Query], SearchResult], query: Query) -> tuple[Query, SearchResult]:
    """What a question finds; where it is misspelt, put as the texts found have it."""
    result = search(query)
    put = respelled(query.question, (hit.chunk.passage.text for hit in result.hits))
    if not put:
        return query, result
    query = replace(query, phrasings=(put, *query.phrasings))
    return query, search(query).noted(Message("search.respelled", {"question": put}))


def respelled(question: str, texts: Iterable[str]) -> str:
    """The question with the characters that `texts` have in the place of those typed for them; "" where there are none.

    Of 120 questions to two PDFs with one character of the same sound typed for another .71 are put right; of 971
    questions to five sets, as they were asked, none is changed.
    """
    asked = simplified(question)
    runs = [run for run in CHINESE.findall(without_filler(asked)) if _has_strange(run)]
    if not runs:
        return ""
    found, put, changes = fold("\n".join(texts)), asked, 0
    for run in runs:
        right = _respelled(run, found)
        put = put.replace(run, right)
        changes += sum(one != other for one, other in zip(run, right, strict=True))
    return put if 0 < changes <= _MOST else ""


def _respelled(run: str, found: str) -> str:
    """A run of Chinese characters as the texts found write it."""
    for place in range(len(run)):
        if _is_known(run, place, found):
            continue
        others = (run[:place] + other + run[place + 1 :] for other in _of_one_sound(run, place, found))
        told = {other: words for other in others if (words := _words_at(other, place, found))}
        if told:
            run = max(told, key=lambda other: (max(map(len, told[other])), sum(map(found.count, told[other]))))
    return run


def _is_known(run: str, place: int, found: str) -> bool:
    """Whether the dictionary has a word there, or the texts have the character beside a neighbour."""
    beside = [run[start : start + 2] for start in (place - 1, place) if 0 <= start < len(run) - 1]
    return _is_in_a_word(run, place) or any(pair in found for pair in beside)


def _has_strange(run: str) -> bool:
    """Whether a character is in no word of the dictionary: of most questions there is none, and no text is read."""
    return not all(_is_in_a_word(run, place) for place in range(len(run)))


def _is_in_a_word(run: str, place: int) -> bool:
    return any(map(_is_word, _pieces(run, place)))


def _of_one_sound(run: str, place: int, found: str) -> list[str]:
    """The characters that the texts have beside a neighbour of this one, and that sound as it does."""
    # Split, for to look at each character of the texts takes eighty times as long. Nothing between two: one is doubled.
    near = {piece[:1] or run[place - 1] for piece in found.split(run[place - 1])[1:]} if place else set[str]()
    if place + 1 < len(run):
        near.update(piece[-1:] or run[place + 1] for piece in found.split(run[place + 1])[:-1])
    sounds = _sounds(run[place])
    return sorted(other for other in near if other != run[place] and sounds & _sounds(other))


def _words_at(run: str, place: int, found: str) -> list[str]:
    """The words that a run has there and the texts have too; those of grammar come about by chance: 意经, 已经."""
    return [
        piece for piece in _pieces(run, place) if piece in found and _is_word(piece) and piece not in lexicon().grammar
    ]


def _pieces(run: str, place: int) -> Iterator[str]:
    """The pieces of two to four characters that hold the one at a place."""
    for length in range(2, _LONGEST_WORD + 1):
        for start in range(max(0, place - length + 1), min(place, len(run) - length) + 1):
            yield run[start : start + length]


def _is_word(piece: str) -> bool:
    return piece in lexicon().ordinary or piece in lexicon().names


@lru_cache(maxsize=4096)
def _sounds(character: str) -> frozenset[str]:
    """How a character may be read, without tones; z and zh, n and ng, which many do not tell apart, are one."""
    if not CHINESE.match(character):
        return frozenset()
    # Imported late: it takes a third of a second, and few questions need it.
    from pypinyin import Style, pinyin

    readings = pinyin(character, style=Style.NORMAL, heteronym=True)[0]
    return frozenset(re.sub(r"(?<=^[zcs])h|(?<=n)g$", "", reading) for reading in readings)
