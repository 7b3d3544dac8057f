"""Questions as whoever types by sound misspells them: one character for a common other of the same sound."""

import random
from collections import Counter, defaultdict
from functools import cache

from pypinyin import lazy_pinyin

from rag.language.folding import CHINESE
from rag.language.segmentation import segmenter
from rag.language.words import without_filler

# A character that jieba's dictionary counts so often in its words is offered by any keyboard.
_COMMON = 3000
# Of so many drawn the most common one is picked.
_OFFERED = 3


def misspelt(question: str, count: int) -> list[str]:
    """The question with one character of a word typed for another, in so many ways; the same ones each time."""
    chance = random.Random(question)
    words = [word for word in segmenter().cut(without_filler(question)) if len(word) > 1 and CHINESE.fullmatch(word)]
    return [_misspelt(question, chance.choice(words), chance) for _ in range(count if words else 0)]


def _misspelt(question: str, word: str, chance: random.Random) -> str:
    place = question.index(word) + chance.randrange(len(word))
    others = [other for other in _of_sound()[lazy_pinyin(question[place])[0]] if other != question[place]]
    offered = chance.sample(others, min(_OFFERED, len(others)))
    typed = max(offered, key=lambda other: _counts()[other], default=question[place])
    return question[:place] + typed + question[place + 1 :]


@cache
def _counts() -> Counter[str]:
    """How often the dictionary counts each character in its words."""
    segmenter().initialize()
    counts = Counter[str]()
    for word, count in segmenter().FREQ.items():
        for character in word:
            counts[character] += count
    return counts


@cache
def _of_sound() -> dict[str, list[str]]:
    """The common characters by their sound, without tones."""
    found = defaultdict[str, list[str]](list)
    for character, count in _counts().items():
        if count > _COMMON and CHINESE.fullmatch(character):
            found[lazy_pinyin(character)[0]].append(character)
    return found
