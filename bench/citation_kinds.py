"""Mistakes as language models make them, planted in sentences of real passages; each kind is a function.

Most put a word for the one that it is often mistaken for: the other party, period, side or unit. What the passage says
as well is no mistake, and is left out.
"""

import random
import re
from collections.abc import Callable

import jieba.posseg

Mistake = Callable[[str, str, random.Random], str | None]

_NOT_BEFORE, _UNITS = r"(?<![\u4e00-\u9fff])", r"(?:(?<=[\d万千百])|(?<=[\d万千百][余多]))"
_NUMERALS = "一二三四五六七八九十"
# Of each kind: what stands before a word, the words by pairs, and what stands behind.
_PAIRS = {
    "party": (
        "(?<![购提被])",
        """甲方/乙方 出租人/承租人 出租方/承租方 买方/卖方 借款人/出借人 发包人/承包人 发包方/承包方
        转让方/受让方 用人单位/劳动者 原告/被告 债权人/债务人 男方/女方 主队/客队 买受人/出卖人 委托人/受托人
        供方/需方 父亲/母亲 上诉人/被上诉人""",
        "(?![知双人])",
    ),
    "period": (
        "",
        """每年/每月 每天/每周 每日/每月 上半年/下半年 一季度/二季度 三季度/四季度 年初/年末 年初/年底 月初/月底
        上年/本年 去年/今年 上旬/下旬 期初/期末 上午/下午 春季/秋季 上学期/下学期 初期/末期 早上/晚上 同比/环比
        工作日/自然日""",
        "",
    ),
    "comparison": (
        "",
        """增长/下降 上升/下降 提高/降低 增加/减少 高于/低于 多于/少于 大于/小于 早于/晚于 优于/劣于 盈利/亏损
        升至/降至 扩大/缩小 上调/下调 领先/落后 上涨/下跌 强于/弱于 流入/流出 偏高/偏低 进口/出口 买入/卖出
        加快/放缓""",
        "",
    ),
    "superlative": (
        "",
        "最高/最低 最大/最小 最多/最少 最早/最晚 最长/最短 最强/最弱 最快/最慢 最重/最轻",
        "(?!人民|法院|检察|限度|程度|化|劲|要|点|视)",
    ),
    "bound": (
        r"(?<=[\d%一二三四五六七八九十百千万亿年月日天岁周元人个时分名级米克吨倍次年后前期届成课束立止战])",
        "以上/以下 以内/以外 之前/之后 以前/以后",
        "",
    ),
    "limit": (
        "(?<!不)",
        "不超过/不低于 至少/至多 不少于/不超过 不得低于/不得高于 不满/已满 未满/已满 提前/推迟 不足/超过 不晚于/不早于",
        r"(?=[^，。；]{0,2}[\d一二两三四五六七八九十])",
    ),
    "rule": (
        "",
        """可以/不得 可以/必须 应当/不必 必须/不必 需要/无需 禁止/允许 有权/无权 免费/收费 有效/无效 自愿/强制
        必修/选修 允许/禁止 支持/反对 同意/拒绝 成功/失败 全部/部分 直接/间接 主动/被动 长期/短期""",
        "",
    ),
    "unit": (
        _UNITS,
        """万元/亿元 万人/亿人 公里/米 公斤/克 千克/克 小时/分钟 分钟/秒 平方公里/平方米 公顷/亩 吨/公斤
        厘米/毫米 米/厘米 毫克/克 美元/元 万吨/吨 天/个月""",
        r"(?![\da-zA-Z])",
    ),
}
_POINTS = re.compile(r"(?<=\d)(?:个百分点|%(?!）))")
_NUMBER = re.compile(r"(?<![\d.,，A-Za-z\-/第])(\d[\d,]*(?:\.\d+)?)(?=[\u4e00-\u9fff%])(?![年月日号时点分章条])")
_ORDINAL = re.compile(rf"第(?P<which>[{_NUMERALS}]|\d{{1,2}})(?P<of>[批届轮期次名条款位大代集部季班组阶等学])")
_DAY = re.compile(
    r"(?:(?<![\u4e00-\u9fff])周|(?<=[每本上下个])周|星期)(?P<day>[一二三四五六日])(?![^，。]{0,3}[至到般班次岁元列])"
)
_LIST = re.compile(
    r"(?:包[括含]|分为|设有|涵盖|涉及|即|如|有|为|：)(?P<items>[\u4e00-\u9fff]{2,8}(?:(?:以及|[、和及与])[\u4e00-\u9fff]{2,8}){2,})(?=等|[，。；：])"
)
_ITEM = re.compile(r"以及|[、和及与]")
_LINK = re.compile("向|给|由|把|将|被|击败|战胜|起诉|委托|授予|不敌|支持|反对|收购|任命|袭击|指控")
_NAME, _GOES_ON = ("nr", "nt", "ns"), ("v", "p", "d", "x", "m", "r", "t")
_ALL_BUT = re.compile(r"除了?(?P<what>[^，。；（）]{2,20}?)(?:以外|之外|外)，?(?=其[余他它]|均|都|一律|全|所有|不得)")
_ASIDE = re.compile(r"[（(，](?P<what>[^，。；（）()]{2,20})除外[）)]?")
_AGREED = "[^，。；]{0,12}(?:同意|批准|许可|授权|允许|审核|审批)"
_LEAVE = re.compile(rf"(?P<not>未经|(?<![^，。；须需应由在并])经)(?![营济理费验常])过?(?P<leave>{_AGREED})")
_ONE_OF = re.compile(r"(?<=最)(?P<what>[^，。；]{2,24})之一(?![^，。；])")


_PATTERNS = {
    kind: [
        (re.compile(f"{before}{word}{behind}"), other)
        for one, two in (pair.split("/") for pair in pairs.split())
        for word, other in ((one, two), (two, one))
    ]
    for kind, (before, pairs, behind) in _PAIRS.items()
}


def swaps(kind: str, text: str) -> list[tuple[re.Match[str], str]]:
    """The words of a text that it has once, each with its counterpart, which it has not."""
    found = ([*word.finditer(text)] for word, _ in _PATTERNS[kind])
    there = zip(found, (other for _, other in _PATTERNS[kind]), strict=True)
    return [(one[0], other) for one, other in there if len(one) == 1 and other not in text]


def _swapped(kind: str) -> Mistake:
    def mistaken(text: str, _passage: str, chance: random.Random) -> str | None:
        there = swaps(kind, text)
        if not there:
            return None
        found, other = chance.choice(there)
        return text[: found.start()] + other + text[found.end() :]

    mistaken.__doc__ = f"With a word of its {kind} for its counterpart."
    return mistaken


def points(text: str, _passage: str, chance: random.Random) -> str | None:
    """With percentage points told in percent, or what grew by percent in points."""
    there = [
        one
        for one in _POINTS.finditer(text)
        if one[0] != "%" or re.search(r"[增升降减涨跌][^，。]{0,8}$", text[: one.start()])
    ]
    if not there:
        return None
    found = chance.choice(there)
    number = re.search(r"[\d.]+$", text[: found.start()])
    if number is None:
        return None
    return text[: found.start()] + ("个百分点" if found[0] == "%" else "%") + text[found.end() :]


def magnitude(text: str, _passage: str, chance: random.Random) -> str | None:
    """With a number ten times as much, or a tenth."""
    there = [one for one in _NUMBER.finditer(text) if len(one[1]) > 1]
    if not there:
        return None
    found = chance.choice(there)
    value = float(found[1].replace(",", ""))
    told = value * 10 if value < 100 or value % 10 else value / 10
    return text[: found.start()] + f"{round(told, 4):.10g}" + text[found.end() :]


def ordinal(text: str, passage: str, chance: random.Random) -> str | None:
    """Of one of several that are numbered, what is told of another that the passage names, or of the next."""
    there = [*_ORDINAL.finditer(text)]
    if not there:
        return None
    found = chance.choice(there)
    others = sorted({one["which"] for one in _ORDINAL.finditer(passage) if one["of"] == found["of"]})
    others = [one for one in others if f"第{one}{found['of']}" not in text]
    if not others and found["which"] in _NUMERALS[:-1]:
        others = [_NUMERALS[_NUMERALS.index(found["which"]) + 1]]
    if not others:
        return None
    return text[: found.start("which")] + chance.choice(others) + text[found.end("which") :]


def weekday(text: str, _passage: str, chance: random.Random) -> str | None:
    """On another day of the week."""
    there = [*_DAY.finditer(text)]
    others = [day for day in _NUMERALS[:6] if day not in {one["day"] for one in there}]
    if not there or not others:
        return None
    found = chance.choice(there)
    return text[: found.start("day")] + chance.choice(others) + text[found.end("day") :]


def option(text: str, passage: str, chance: random.Random) -> str | None:
    """With an item of one list put for one of another list of the passage."""
    own = _LIST.search(text)
    if own is None:
        return None
    others = {item for one in _LIST.finditer(passage) for item in _ITEM.split(one["items"]) if item not in text}
    mine = [item for item in _ITEM.split(own["items"]) if text.count(item) == 1]
    return text.replace(chance.choice(mine), chance.choice(sorted(others))) if mine and others else None


def roles(text: str, _passage: str, chance: random.Random) -> str | None:
    """With who does something and to whom exchanged: A向B for B向A."""
    words = [(word.word, word.flag) for word in jieba.posseg.cut(text)] if _LINK.search(text) else []
    pairs = [
        (one, behind)
        for one, (name, _) in enumerate(words)
        for behind in (one + 2, one + 3)
        if behind + 1 < len(words)
        and _is_name(*words[one])
        and _is_name(*words[behind])
        and name != words[behind][0]
        and (one == 0 or words[one - 1][1] in ("x", "t", "c"))
        and words[behind + 1][1].startswith(_GOES_ON)
        and _LINK.fullmatch(words[behind - 1][0])
    ]
    if not pairs:
        return None
    one, behind = chance.choice(pairs)
    words[one], words[behind] = words[behind], words[one]
    return "".join(word for word, _ in words)


def _is_name(word: str, flag: str) -> bool:
    return word in _PARTIES or (flag.startswith(_NAME) and len(word) > 1)


def exception(text: str, _passage: str, _chance: random.Random) -> str | None:
    """With what is excepted told to be among the rest."""
    if found := _ALL_BUT.search(text):
        return f"{text[: found.start()]}包括{found['what']}在内，{text[found.end() :]}"
    found = _ASIDE.search(text)
    return f"{text[: found.start()]}（包括{found['what']}）{text[found.end() :]}" if found else None


def leave(text: str, _passage: str, _chance: random.Random) -> str | None:
    """With a leave that was given, or is needed, told to be wanting, or not needed."""
    found = _LEAVE.search(text)
    return (
        f"{text[: found.start()]}{'经' if found['not'] == '未经' else '未经'}{found['leave']}{text[found.end() :]}"
        if found
        else None
    )


def one_of(text: str, _passage: str, _chance: random.Random) -> str | None:
    """With one of the greatest told to be the greatest."""
    found = _ONE_OF.search(text)
    return f"{text[: found.start()]}{found['what']}{text[found.end() :]}" if found else None


_PARTIES = frozenset(word for pair in _PAIRS["party"][1].split() for word in pair.split("/"))
KINDS: dict[str, Mistake] = {
    **{kind: _swapped(kind) for kind in _PAIRS},
    "points": points,
    "magnitude": magnitude,
    "ordinal": ordinal,
    "weekday": weekday,
    "option": option,
    "roles": roles,
    "exception": exception,
    "leave": leave,
    "one_of": one_of,
}
