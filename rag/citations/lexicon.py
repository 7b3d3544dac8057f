"""Which pieces of a Chinese text are ordinary words and which are names, by jieba's dictionary.

Read as two sets: jieba itself would hold 70 MB more, and its tagger needs 0.1 ms a character.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_LONGEST_WORD = 4
# Rarer entries are as often names by chance as words; the sets stay small.
_LEAST_COUNT = 3
# A single character says nothing to tell a name by, unless it is a very common word of its own.
_LEAST_COUNT_OF_ONE = 4000
_NAME_TAGS = ("nr", "ns", "nt", "nz")
_GRAMMAR_TAGS = ("p", "c", "d", "r", "u", "f", "v", "m", "q", "y", "a")
_SUFFIXES = (
    "大学 学院 中学 小学 公司 集团 银行 医院 研究所 研究院 委员会 出版社 协会 学会 大会 实验室 电视台 博物馆 图书馆 "
    "省 市 县 区 镇 村 州 国 岛 山 河 江 湖 路 街 站 部 局 厅 寺 党 军 队 奖 杯 报 族 语 教"
).split()


@dataclass(frozen=True)
class Lexicon:
    """Ordinary words and names of up to four characters."""

    ordinary: frozenset[str]
    names: frozenset[str]

    def is_ordinary(self, text: str, place: int, start: int, end: int) -> bool:
        """Whether the character at `place` of `text[start:end]` belongs to an ordinary word, and to no longer name."""
        word = self._longest(self.ordinary, text, place, start, end)
        return word > 0 and word >= self._longest(self.names, text, place, start, end)

    @staticmethod
    def _longest(words: frozenset[str], text: str, place: int, start: int, end: int) -> int:
        for length in range(_LONGEST_WORD, 0, -1):
            first = max(start, place - length + 1)
            last = min(place, end - length)
            if any(text[begin : begin + length] in words for begin in range(first, last + 1)):
                return length
        return 0


@cache
def lexicon() -> Lexicon:
    """The lexicon, read once: a constant table, as the sentences of the interface are."""
    ordinary: set[str] = set()
    names: set[str] = set()
    with files("jieba").joinpath("dict.txt").open(encoding="utf-8") as lines:
        for line in lines:
            word, count, tag = line.split(" ")
            if len(word) > _LONGEST_WORD or int(count) < _LEAST_COUNT:
                continue
            if len(word) == 1:
                if int(count) >= _LEAST_COUNT_OF_ONE and tag.startswith(_GRAMMAR_TAGS):
                    ordinary.add(word)
            elif tag.startswith(_NAME_TAGS):
                names.add(word)
            else:
                ordinary.add(word)
    return Lexicon(frozenset(ordinary), frozenset(names))


def ends_a_name(text: str, place: int) -> bool:
    """Whether what follows `place` within three characters turns it into a part of a name: 政法大学, 海淀区."""
    return any(text.startswith(suffix, place + distance) for distance in (1, 2) for suffix in _SUFFIXES)
