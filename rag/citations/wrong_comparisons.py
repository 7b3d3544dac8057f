"""What a sentence compares the other way round than its passage: growth for a fall, 至少 for 至多, before for after."""

import re
from collections.abc import Iterator, Sequence

from rag.citations.cited import Alignment, Cited
from rag.citations.claim import Claim
from rag.citations.opposites import opposites
from rag.citations.plain import PAUSE, Plain
from rag.citations.wrong_times import SAME_PERIOD
from rag.language.bounds import bound
from rag.language.numbers import DATED, Number
from rag.language.titles import common_ends

_SIDE_PAIRS = """
前后 内外 左右 早晚 长短 大小 高低 多少 增减 升降 进出 男女 新旧 冷热 父母 夫妻 春秋 夏冬 春夏 夏秋 秋冬 春冬 初末 初底
上下 上本 去今 明今 始末 首末 东西 南北 日夜 昼夜 强弱 快慢 轻重 胜负 胜败 盈亏 收支 借贷 远近 深浅 厚薄
宽窄 粗细 软硬 干湿 单双 攻守 涨跌 存取 正负 正反 优劣 老少 兄弟 姐妹
"""
_SIDES = frozenset(frozenset(pair) for pair in _SIDE_PAIRS.split())
# 以上 of what precedes a list are 以下 of what follows.
_NO_SIDE = re.compile("以[上下]")
_DAY = re.compile("(?:周|星期|礼拜)[一二三四五六日天]$")
_MAY_MUST = frozenset({"可以", "可"}), frozenset({"必须", "须", "务必"})
# Behind 每, which stands before the gap or in it.
_EACH = re.compile("(?<=每)(?:年|季度|月|周|星期|日|天|小时)$")


def wrong_comparisons(_: Claim, cited: Cited) -> Iterator[str]:
    """Words whose opposite stands in the passage instead, and bounds turned round."""
    for alignment in cited.changed:
        said, told = alignment.clause.text, alignment.passage.text
        yield from (one.word for one in opposites(said, told) if not one.agrees)
        yield from _instead(alignment)
    for alignment in cited.changed:
        clause, window = alignment.clause, alignment.window
        # 满1年的，…；不满1年的，… stand in one sentence.
        begin = window.passage.text.rfind("。", 0, window.start) + 1
        end = f"{window.passage.text}。".find("。", window.end)
        of_sentence = set(_turned_round(clause, _numbers(window.passage, begin, end)))
        nearby = _turned_round(clause, _numbers(window.passage, window.start, window.end))
        yield from (wrong for wrong in nearby if wrong in of_sentence)
        yield from _turned_round(clause, cited.numbers)


def _numbers(passage: Plain, start: int, end: int) -> list[tuple[Plain, Number]]:
    """The numbers of a passage from one place to another."""
    return [(passage, number) for number in passage.numbers if start <= number.place < end]


def _instead(alignment: Alignment) -> Iterator[str]:
    """Words in whose very place the passage has their opposite, be they elsewhere; 可以 for 必须, 每月 for 每年."""
    # 每月400元 may be told as 每年4800元.
    amounts = any(number.kind not in DATED for number in alignment.clause.numbers)
    for gap in alignment.gaps:
        ours, theirs = _each(alignment.clause, gap.end), _each(alignment.passage, gap.passage_end)
        if gap.followed and gap.said and gap.told and ours and theirs and ours != theirs and not amounts:
            yield f"每{ours}"
        if not PAUSE.search(gap.told) and PAUSE.sub("", gap.said):
            yield from (one.word for one in opposites(gap.said, gap.told) if gap.is_between and not one.agrees)
            if any(gap.said in ours and gap.told in theirs for ours, theirs in (_MAY_MUST, _MAY_MUST[::-1])):
                yield gap.said


def _each(text: Plain, end: int) -> str:
    """Of which period something is told to be so in each, right before a place; "" for none."""
    found = _EACH.search(text.folded, 0, end)
    return SAME_PERIOD.get(found[0], found[0]) if found else ""


def _turned_round(clause: Plain, told: Sequence[tuple[Plain, Number]]) -> Iterator[str]:
    """Numbers of a clause that passages bound from the other side only, where they count the same."""
    for number in clause.numbers:
        side, words = bound(clause.around(number))
        alike = [(passage, other) for passage, other in told if side and number.agrees(other)]
        # 不足2000 is 1842 as well, and yet not 超过2000.
        exact = [(passage, other) for passage, other in alike if other.value == number.value]
        there = {(bound(passage.around(other))[0], other.unit == number.unit) for passage, other in exact or alike}
        # What is unbounded and counts something else is another number: 1号 beside ≤1.
        if side and {its for its, is_alike in there if its or is_alike} == {-side}:
            yield words.replace("#", number.written.rstrip("%％"))


def other_sides(_: Claim, cited: Cited) -> Iterator[str]:
    """Characters in whose place, between the same text, stands what is on the other side, or another day.

    期满前 for 期满后, 周五 for 周六. That text may be a pause.
    """
    for alignment, gap in cited.gaps:
        clause, passage = alignment.clause.folded, alignment.passage.folded
        without_pause = PAUSE.sub("", gap.said)
        begin, behind = common_ends(without_pause, gap.told)
        start, end = gap.start + begin, gap.start + len(without_pause) - behind
        said, told = clause[start:end], gap.told[begin : len(gap.told) - behind]
        days = _DAY.search(clause, 0, end), _DAY.search(passage, 0, gap.passage_end - behind)
        are_days = all(days) and len(said) == len(told) == 1
        is_side = frozenset({said, told}) in _SIDES and not _NO_SIDE.fullmatch(clause, start - 1, end)
        if (are_days or is_side) and not any(part in cited.folded for part in _near(clause, start, end)):
            yield alignment.clause.part(max(0, start - 2), max(2, end)).as_written


def _near(text: str, start: int, end: int) -> tuple[str, ...]:
    """A part of a text with the two characters before it, and with those behind it, as far as there are any."""
    parts = text[max(0, start - 2) : end], text[start : end + 2]
    return tuple(part for part in parts if len(part) > end - start)
