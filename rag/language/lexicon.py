"""Which pieces of a Chinese text are ordinary words and which are names, by jieba's dictionary.

Read as sets: jieba itself would hold 70 MB more, and its tagger needs 0.1 ms a character.
"""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_LONGEST_WORD = 4
# Rarer entries are as often names as words.
_LEAST_COUNT = 3
# A single character counts as a word only where it is a very common function word, or a verb: 赔, 扣.
_LEAST_COUNT_OF_ONE, _LEAST_COUNT_OF_A_VERB = 2000, 400
# Common ones of another or a rarer tag, which are no part of a name all the same.
_MORE_OF_ONE = frozenset("您较很且此每仍虽即若须应内时男女员件休今往掉度够稍甚丢失选罚抵挡搜门期钱饭券款报换穿当")
# What people and their papers speak of and the dictionary lacks, or has as a name.
_EVERYDAY = frozenset(
    """
年假 育儿假 哺乳假 陪产假 旷工 入职 调岗 时薪 年终奖 餐补 房补 车补 五险一金 商务舱 网约车 报销单 工牌 内推 绩点 挂科
营收 毛利 归母 扣非 微信 支付宝 扫码 付款码 收款码 银行卡 盖章 扫描件 包邮 快递员 网购 换货 充电宝 充电桩 蓝牙 触屏
车贷 过敏 断网 卡顿 排队 一站式 线上 热搜 点赞 的人
""".split()  # noqa: SIM905 - as they read
)
_NAME_TAGS = ("nr", "ns", "nt", "nz")
_NOUN_TAGS = ("n", "vn", "j", "b", "s")
_GRAMMAR_TAGS = ("p", "c", "d", "r", "u", "f", "v", "m", "q", "y", "a")
# For words of two or more characters. Exactly these tags: vn, vg, dg … only begin alike.
_WORDS_OF_GRAMMAR = ("p", "c", "d", "r", "u", "m", "q", "y", "uj", "ul", "f")
# What may stand before a name, 对于 or 我, and behind one, 好 or 去年; and what is none by itself.
_BEFORE_TAGS = ("r", "d", "c", "y", "p", "e", "o", "uj", "ul")
_BEHIND_TAGS = ("r", "d", "c", "y", "p", "u", "tg", "t", "a")
_NO_NAME_TAGS = ("r", "d", "c", "y", "p", "u", "t")
_VERB, _NAME_LIKE = "v", "an"
# Tagged as adverbs, times, a preposition, a place and no words there.
_MISTAGGED = {
    **dict.fromkeys("罚判选丢抵刷催搜垫", "v"),
    **dict.fromkeys(["也门"], "ns"),
    **dict.fromkeys(["首都", "故都", "日期", "周期", "依据", "初中", "车", "费"], "n"),
    **dict.fromkeys(["一期", "三期"], "b"),
}
_LONG_SUFFIX = re.compile(
    "大学|学院|中学|小学|公司|集团|银行|医院|研究所|研究院|委员会|出版社|协会|学会|大会|实验室|电视台|博物馆|图书馆"
)
_SHORT_SUFFIX = re.compile("[省市县区镇村州国岛山河江湖路街站部局厅寺党军队奖杯报族语教]")

# The most frequent ones but for those that are words as often: 高, 何, 万.
SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱林郭马罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈彭吕苏卢蒋蔡贾丁魏薛叶阎潘杜戴夏钟汪姜范姚谭廖邹熊陆郝孔崔邱秦顾侯邵孟"
)


@dataclass(frozen=True)
class Lexicon:
    """Words of up to four characters: ordinary ones, those of them that are nouns or of grammar, and names.

    Of any length and as rare as they are: words that may stand before or behind a name, and those that are none.
    """

    ordinary: Set[str]
    nouns: Set[str]
    grammar: Set[str]
    names: Set[str]
    before_names: Set[str]
    behind_names: Set[str]
    no_names: Set[str]

    def is_of_a_name(self, text: str, place: int, run: tuple[int, int], strange: tuple[int, int]) -> bool:
        """Whether the character at `place` belongs to a name, by the longest word that holds it.

        Ordinary words may lie anywhere in the `run` of Chinese characters, names only in what is `strange` of it.
        """
        start, end = run
        ordinary = self._longest(self.ordinary, text, place, start, end)
        if ordinary == 0 or ordinary < self._longest(self.names, text, place, *strange):
            return True
        is_noun = ordinary > 1 and ordinary == self._longest(self.nouns, text, place, start, end)
        return is_noun and self._has_suffix(text, place, end)

    def _has_suffix(self, text: str, place: int, end: int) -> bool:
        """Whether a suffix follows that turns a noun into a name: 政法大学, 新城区, but not 得奖章."""
        if any(_LONG_SUFFIX.match(text, place + distance, end) for distance in (1, 2)):
            return True
        suffix = _SHORT_SUFFIX.match(text, place + 1, end)
        return suffix is not None and text[place + 1 : place + 3] not in self.ordinary

    @staticmethod
    def _longest(words: Set[str], text: str, place: int, start: int, end: int) -> int:
        for length in range(_LONGEST_WORD, 0, -1):
            first = max(start, place - length + 1)
            last = min(place, end - length)
            if any(text[begin : begin + length] in words for begin in range(first, last + 1)):
                return length
        return 0


@cache
def lexicon() -> Lexicon:
    """The lexicon, read once: a constant table."""
    ordinary, nouns, grammar, names = set[str](), set[str](), set[str](), set[str]()
    before, behind, no_names = set[str](), set[str](), set[str]()
    for word, count, tag in _entries():
        is_short_verb = tag == _VERB and len(word) == 1
        if is_short_verb or tag.startswith(_BEFORE_TAGS):
            before.add(word)
        if is_short_verb or (tag.startswith(_BEHIND_TAGS) and tag != _NAME_LIKE):
            behind.add(word)
        if tag.startswith(_NO_NAME_TAGS):
            no_names.add(word)
        if len(word) == 1:
            least = _LEAST_COUNT_OF_A_VERB if is_short_verb else _LEAST_COUNT_OF_ONE
            if count >= least and tag.startswith(_GRAMMAR_TAGS):
                ordinary.add(word)
            if count >= _LEAST_COUNT_OF_ONE and tag in _NOUN_TAGS:
                nouns.add(word)
        elif len(word) <= _LONGEST_WORD and count >= _LEAST_COUNT:
            (names if tag.startswith(_NAME_TAGS) else ordinary).add(word)
            if tag.startswith(_NOUN_TAGS) and not tag.startswith(_NAME_TAGS):
                nouns.add(word)
            if tag in _WORDS_OF_GRAMMAR:
                grammar.add(word)
    ordinary = (ordinary - SURNAMES) | _MORE_OF_ONE | _EVERYDAY
    # As nouns, 排队 would end in what turns one into a name.
    nouns -= _EVERYDAY
    return Lexicon(ordinary, nouns, grammar, names, before, behind, no_names)


def _entries() -> Iterator[tuple[str, int, str]]:
    """The words of jieba's dictionary with their counts and tags."""
    with files("jieba").joinpath("dict.txt").open(encoding="utf-8") as lines:
        for line in lines:
            word, count, tag = line.split()
            yield word, int(count), _MISTAGGED.get(word, tag)
