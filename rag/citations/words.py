"""The words by which a sentence denies, compares, or says that nothing is known."""

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass

SAYS_NOTHING_IS_KNOWN = re.compile(
    r"(?:我|目前|暂)?不(?:知道|清楚)|(?:资料|文档|文件|文中|原文|上文|内容|材料|手册)[^,，。]{0,8}"
    r"(?:没有|未|并未|无)[^,，。]{0,6}(?:提到|提及|说明|给出|提供|涉及|包含|相关|找到|记载|明确)|"
    r"(?:找不到|没有找到|未找到|无法(?:确定|回答|得知|判断)(?!的(?!是)))|"
    r"\bI do(?:n't| not) know|\b(?:documents?|passages?|sources?) (?:do(?:es)?(?:n't| not)|say nothing)|"
    r"\bnot (?:mentioned|stated)",
    re.IGNORECASE,
)
# What looks like a denial but is not one.
_NO_DENIAL = re.compile(
    r"不仅|不但|不同|不断|不过|不管|不论|不少(?!于)|不得不|不久|不动产|不锈|不等式|不禁(?![止用烟])|不时|不妨|不愧|不惜|不止|不只|不光|"
    r"无论|无故|无线|无锡|无穷|无数|无疑|无机|无人机|无不|非常|非洲|非凡|除非|莫非|是非|未来|未必|未免|未婚|免费|免疫|"
    r"没收|没落|淹没|沉没|埋没|出没|分别|特别|级别|类别|性别|区别|个别|别墅|别名|别称|别的|告别|识别|判别|辨别|"
    r"要不要|是不是|能不能|有没有|会不会|可不可以|是否|有无"
)
# Bounds first: 不少于 is not a denial but a lower bound, like 至少.
_NOT = "(?<!不)(?<!不[得能应可])"
# 可以上传 is not 以上, nor are 以上材料 and 以下三种情形 bounds.
_BOUND = "(?<![可所加予得用足])以"
_OF_A_LIST = "[#这几]?[种个项条点类份]?(?:材料|条件|情形|情况|内容|规定|资料|文件|要求|信息|方式|步骤|原因)"
_ABOVE, _BELOW = (f"{_BOUND}{side}(?:(?<=#.以{side})|(?!{_OF_A_LIST}))" for side in "上下")
LEAST = re.compile(
    rf"不[得能应可]?(?:少|低|小|早|短)于|至少|最少|{_NOT}(?:大|高|多|长|晚)于|{_NOT}超过(?=#)|{_ABOVE}|>=?|≥|"
    r"at least|more than"
)
MOST = re.compile(
    rf"不[得能应可]?(?:超过|大于|高于|多于|长于|晚于)|至多|最多|最长|{_NOT}(?:小|低|少|短|早)于|{_BOUND}内|{_BELOW}|之内|<=?|≤|"
    r"at most|less than"
)
_COMPARISON = re.compile("超过|[大高多长晚少低小早短]于")
_DENIAL = re.compile(
    r"禁止|严禁|(?<![以被可将会再已能违解监])[禁忌](?=[用食烟酒水火入放停带])|切勿|不[得能应可]?|没有|没|未|非|无|勿|莫|别|拒绝|否认|避免|免|缺乏|缺少|除外|"
    r"(?<=[:|])否(?=[|,;。\n]|$)|"
    r"\b(?:not|no|never|without|cannot|none)\b|n't",
    re.IGNORECASE,
)
_PAIRS = """
增加/减少 增长/下降 增长/减少 上升/下降 上涨/下跌 提高/降低 提升/降低 最高/最低 最大/最小 最多/最少 最早/最晚
大于/小于 高于/低于 多于/少于 早于/晚于 以上/以下 之前/之后 以前/以后
盈利/亏损 收入/支出 扩大/缩小 加强/减弱 开始/结束 东部/西部 南部/北部 左侧/右侧 上游/下游
必须/不必 全部/部分 首次/末次 公开/保密 优点/缺点 进口/出口 买入/卖出
"""
# One holds where the other does not: not so 增长, as what does not grow may stay as it is.
_EXCLUSIVE_PAIRS = "支持/反对 允许/禁止 同意/拒绝 成功/失败 合法/非法 有效/无效 正确/错误 开放/关闭"
_EXCLUSIVE = frozenset(re.split("[/ ]", _EXCLUSIVE_PAIRS))
_OPPOSITES = tuple(tuple(pair.split("/")) for pair in (_PAIRS + _EXCLUSIVE_PAIRS).split())
_BOUNDS = {"以上": _ABOVE, "以下": _BELOW, "以前": f"{_BOUND}前", "以后": f"{_BOUND}后"}
_WORDS = {word: re.compile(_BOUNDS.get(word, word)) for pair in _OPPOSITES for word in pair}
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
            if not _has(passage, other) or _has(passage, word) or _has(clause, other):
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


def denials(text: str, compared: Container[int] = ()) -> list[tuple[int, int]]:
    """Where a text denies, as start and end; words such as 不同 are left out.

    So are bounds (不超过), but for those whose comparison stands at one of the places `compared`.
    """
    hidden = text
    for pattern in (LEAST, MOST):
        hidden = pattern.sub(lambda match: match[0] if _compares_at(match, compared) else "\0" * len(match[0]), hidden)
    hidden = _NO_DENIAL.sub(lambda match: "\0" * len(match[0]), hidden)
    return [match.span() for match in _DENIAL.finditer(hidden)]


def _compares_at(bound: re.Match[str], places: Container[int]) -> bool:
    comparison = _COMPARISON.search(bound[0])
    return comparison is not None and bound.start() + comparison.start() in places
