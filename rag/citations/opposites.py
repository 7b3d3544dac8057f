"""Words whose opposite says the contrary, 增加 and 减少, and where a passage has it instead."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

# 可以上传 is not 以上, nor are 以上材料 and 以下三种情形 bounds.
_BOUND = "(?<![可所加予得用足])以"
_OF_A_LIST = "[#这几]?[种个项条点类份]?(?:材料|条件|情形|情况|内容|规定|资料|文件|要求|信息|方式|步骤|原因)"
_ABOVE, _BELOW = (f"{_BOUND}{side}(?:(?<=#.以{side})|(?!{_OF_A_LIST}))" for side in "上下")
_PAIRS = """
增加/减少 增长/下降 增长/减少 上升/下降 上涨/下跌 提高/降低 提升/降低 最高/最低 最大/最小 最多/最少 最早/最晚
大于/小于 高于/低于 多于/少于 早于/晚于 以上/以下 之前/之后 以前/以后
盈利/亏损 收入/支出 扩大/缩小 加强/减弱 开始/结束 东部/西部 南部/北部 左侧/右侧 上游/下游
必须/不必 全部/部分 首次/末次 公开/保密 优点/缺点 进口/出口 买入/卖出
上午/下午 白天/夜间 同比/环比 期初/期末 年初/年末 月初/月末 总资产/净资产 债权人/债务人 法定/约定
横向/纵向 单向/双向 单面/双面 顺时针/逆时针 升高/降低 输入/输出 串联/并联 直流/交流 正极/负极
增强/减弱 增强/降低 上浮/下浮 提前/推迟 提前/延后 原件/复印件 禁用/慎用
领先/落后 加快/放缓 流入/流出 直接/间接 优于/劣于 强于/弱于 上调/下调 必修/选修
偏高/偏低 正常/偏高 正常/偏低 正常/超标
"""
# One holds where the other does not: not so 增长, as what does not grow may stay as it is.
_EXCLUSIVE_PAIRS = """
支持/反对 允许/禁止 同意/拒绝 成功/失败 合法/非法 有效/无效 有效/废止 有效/失效 有效/作废 正确/错误 开放/关闭
书面/口头 线上/线下 手动/自动 主动/被动 自愿/强制 免费/收费 固定/浮动 在职/离职 阳性/阴性 正常/异常
按期/逾期 按时/逾期 及时/逾期
"""
_EXCLUSIVE = frozenset(re.split(r"[/\s]", _EXCLUSIVE_PAIRS.strip()))
_OPPOSITES = tuple(tuple(pair.split("/")) for pair in (_PAIRS + _EXCLUSIVE_PAIRS).split())
_FORMS = {"有效": "有效(?!期)", "以上": _ABOVE, "以下": _BELOW, "以前": f"{_BOUND}前", "以后": f"{_BOUND}后"}
# Of a case or a fact: 未按时付款的, 已按时付款. Whoever 应按时付款 may do so 逾期.
_FORMS |= {
    word: f"{word}(?:(?<=[未没不能已曾]{word})|(?=[^,:;。!?]{{1,16}}(?:的[,:;]|者|了)))"
    for word in ("按期", "按时", "及时")
}
# What says the contrary of a word in any form: 增加 and 增长 of 减少.
_AGAINST = {
    word: frozenset(other for pair in _OPPOSITES if word in pair for other in pair if other != word)
    for word in chain.from_iterable(_OPPOSITES)
}
_WORDS = {word: re.compile(_FORMS.get(word, word)) for pair in _OPPOSITES for word in pair}
_DENIED = re.compile("(?:不[得能应可予会再]?|没有?|未[能曾予]?|无法|并非)$")
_LONGEST_DENIAL = 2


@dataclass(frozen=True, slots=True)
class Opposite:
    """A word of a clause, what the passage has instead, and whether they agree, as one of the two is denied."""

    word: str
    instead: str
    agrees: bool


def opposites(clause: str, passage: str) -> Iterator[Opposite]:
    """Words of a clause that its passage lacks while it has their opposite."""
    for pair in _OPPOSITES:
        for word, other in (pair, pair[::-1]):
            if not _has(clause, word) or not _has(passage, other) or _has(clause, other):
                continue
            # 增加…的趋势, where 增长 is said, tells of both.
            if any(_has(passage, one) for one in _AGAINST[other]):
                continue
            denied_there = all(_denied(other, passage))
            for denied in _denied(word, clause):
                # What is not greater may be as great: a bound denied is not its opposite.
                may_agree = not word.endswith("于") if denied else word in _EXCLUSIVE
                yield Opposite(word, other, may_agree and denied != denied_there)


def _denied(word: str, text: str) -> list[bool]:
    """Whether a denial stands before a word, for each place where a text has it."""
    places = [match.start() for match in _WORDS[word].finditer(text)]
    return [_DENIED.search(text, max(0, place - _LONGEST_DENIAL), place) is not None for place in places]


def _has(text: str, word: str) -> bool:
    return _WORDS[word].search(text) is not None
