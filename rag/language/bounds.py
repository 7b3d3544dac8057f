"""How exactly a number is told: as a bound and from which side, 至少500元, 3天内; loosely, 约3000人; as a limit.

Read in the text around a number, which stands there as `#`.
"""

import re
from decimal import Decimal

from rag.language.rows import pattern_of

# 不得超过 is at most, 可超过 is more.
_DENIALS = ("[不未没勿禁]", "没有", "禁止", "不允许", "不[得能应可会宜准许]")
_DENIED, _UNDENIED = f"(?:{'|'.join(_DENIALS)})", "".join(f"(?<!{denial})" for denial in _DENIALS)
_GREATER, _SMALLER = "超[过出]|[大高多长晚迟]于", "[小低少短早]于"
# 严禁在无水状态下运行超过#秒: what is forbidden is denied across what stands between.
_FORBIDDEN = re.compile(rf"(?:严禁|禁止|不得)[^#,;。:|]{{1,12}}?(?P<comparison>{_GREATER}|{_SMALLER})")
# What may stand between a bound and its number, 最低为合同金额的#, or a number and its bound: #个工作日, #元(含).
_UP_TO, _SOON = r"(?![^#]{0,8}(?:超[过出]|[大高多小低少]于))[^#,;。\d]{0,8}#", r"[^#,;。\d]{0,4}#"
_FROM = r"#(?:[^\W\d以]|[%‰°]){0,4}?(?:\(不?含\w{0,3}\))?"
# 三家国内企业 and 3年内部审计 bound nothing.
_WITHIN = "(?<=[年月日天周时钟秒米里])内(?![部容外])"
_LIMITS = {
    1: pattern_of(
        rf"(?:{_DENIED}(?:{_SMALLER})|至少|最[少低小早短]|下限|(?<![不未圆美])满(?![意足分])|[>≥]=?){_UP_TO}",
        rf"{_FROM}(?:[及含或]?以[上外]|(?<![日月年])起(?![来点草]|\w{{0,4}}(?:事故|案件|诉讼)))",
        rf"\b(?:at least|no(?:t)? (?:less|fewer) than)\b{_UP_TO}|# ?\w{{0,8}} ?or more\b",
    ),
    -1: pattern_of(
        rf"(?:{_DENIED}(?:{_GREATER})|封顶|至多|最(?:[多高长晚迟]|大(?!的?(?:单一|客户|股东|供应商)))|上限|[<≤]=?){_UP_TO}|{_DENIED}超#",
        rf"{_FROM}(?:[及含或]?以[下内]|之内|{_WITHIN}|封顶|为限)",
        rf"\b(?:at most|no(?:t)? more than|up to|within)\b{_UP_TO}|# ?\w{{0,8}} ?or less\b",
    ),
}
# What is told so may be more by less than one of the last digit: 超过1万 of 1.4万, 近1万 of 0.96万.
_BEYOND = {
    1: pattern_of(
        rf"(?:{_UNDENIED}(?:{_GREATER})|逾(?!期)|突破|不止){_SOON}|{_UNDENIED}超#|#(?:\w?多|[余来])",
        rf"\b(?:over|(?<!no )(?<!not )more than)\b{_SOON}",
    ),
    -1: pattern_of(
        rf"(?<![最附])近[于乎了有到]{{0,2}}(?:人民币|[¥$])?#(?!个?[年月天日周])|(?:{_UNDENIED}(?:{_SMALLER})|不[足到]|[不未]满){_SOON}",
        rf"\b(?:nearly|almost|(?<!no )(?<!not )less than)\b{_SOON}",
    ),
}
# A bound told by a denial, and its comparison: no denial of what else stands there.
TOLD_BY_A_DENIAL = re.compile(rf"{_DENIED}(?P<comparison>{_GREATER}|{_SMALLER})|(?:[不未]满|不[足到])(?=#)")


# By how much of itself a number may be rounded: as much as the last of two digits allows; told as 约, a tenth.
ROUNDED = Decimal("0.05")
_ABOUT = Decimal("0.1")
# Told as 超过1万 it is of any size on that side, up to its last digit.
TO_ONE_SIDE = Decimal(1)
_TOLD_AS_ABOUT = re.compile(
    r"(?:(?<![合违节预签续条契])约(?!定)|大概|大致|差不多|\b(?:about|around|roughly)\b)[^#,;。]{0,3}#|"
    r"#[\w%‰]{0,2}(?:左右|上下)",
    re.IGNORECASE,
)
# 超过30分钟算旷工, 超过500元的须审批.
_RULE = re.compile(r"#[\w%‰]{0,4}?的?(?:者|人员)?,?(?:[须需]|应(?![聘用收付])|算|视[为作]|按|则|不[得予能]|方可|才)")
_NEAR = 14


def looseness(text: str, start: int, end: int) -> tuple[Decimal, int]:
    """By how much of itself a number of a text may be rounded, and to which side: 1 where it is more, -1 less."""
    around = _around(text, start, end)
    if side := sum(side for side, pattern in _BEYOND.items() if pattern.search(around)):
        return TO_ONE_SIDE, side
    return (_ABOUT if _TOLD_AS_ABOUT.search(around) else ROUNDED), 0


def is_limit(text: str, start: int, end: int) -> bool:
    """Whether a number of a text is the least or the most that may be, as a rule has it, which is told exactly."""
    around = _around(text, start, end)
    return any(pattern.search(around) for pattern in (*_LIMITS.values(), _RULE))


def bound(around: str) -> tuple[int, str]:
    """1 where a number is bounded from below, -1 from above, 0 from neither or both; and the words that do so."""
    around = _near(around)
    found = [
        (side, match[0])
        for bounds in (_LIMITS, _BEYOND)
        for side, pattern in bounds.items()
        if (match := pattern.search(around))
    ]
    return found[0] if len({side for side, _ in found}) == 1 else (0, "")


def _around(text: str, start: int, end: int) -> str:
    return _near(f"{text[max(0, start - _NEAR) : start]}#{text[end : end + _NEAR]}")


def _near(around: str) -> str:
    """What stands around a number, a comparison that is forbidden right behind its denial."""
    return _FORBIDDEN.sub(r"不得\g<comparison>", around)
