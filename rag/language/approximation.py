"""How loosely a number of a text is told: 约3000人, 3000人左右, 超过15%; and what is a limit: 35分钟以上."""

import re
from decimal import Decimal

# By how much of itself a number may be rounded: as much as the last of two digits allows; told as 约, a tenth.
ROUNDED = Decimal("0.05")
_ABOUT = Decimal("0.1")
_TOLD_AS_ABOUT = re.compile(
    r"(?:(?<![合违节预签续条契])约(?!定)|大概|大致|差不多|\b(?:about|around|roughly)\b)[^#,;。]{0,3}#|"
    r"#[\w%‰]{0,2}(?:左右|上下)",
    re.IGNORECASE,
)
# 超过1万 may be told of 1.4万, 近1万 of 0.96万: within one of the last digit, on that side. Not 超市, 近期, 来自, 余额.
_TOLD_AS_MORE = re.compile(
    r"(?:(?<![不得应可能])超[过出]|逾(?!期)|突破|不止|\b(?:over|more than)\b)[^#,;。]{0,3}#|(?<![不得应可能])超#|"
    r"#\w?(?:多|余(?![额数款下])|(?<=#)来(?![自源访到函电]))",
    re.IGNORECASE,
)
_TOLD_AS_LESS = re.compile(
    r"(?<![最附])近[于乎了有到]{0,2}(?:人民币|[¥$])?#|(?:不足|不到|\b(?:nearly|almost|less than)\b)[^#,;。]{0,3}#",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"(?:[至最][少多高低]|[上下]限|(?<![圆美])满|不[得能应可]?(?:[少低小早短大高多长晚]于|超过)|[<>≤≥]=?|"
    r"\b(?:at (?:least|most)|no more than|no less than|up to|within)\b)[^#,;。]{0,3}#|"
    r"#(?:[\w%‰]|个工作){0,4}?(?:\(不?含\w{0,3}\))?(?:[及含或]?以[上下内外]|之内|起(?![来点草])|封顶|为限)|"
    r"# ?\w{0,8} ?or (?:more|less)\b",
    re.IGNORECASE,
)
# 超过30分钟算旷工, 超过500元的须审批.
_RULE = re.compile(r"#[\w%‰]{0,4}?的?(?:者|人员)?,?(?:[须需]|应(?![聘用收付])|算|视[为作]|按|则|不[得予能]|方可|才)")
_NEAR = 14


def looseness(text: str, start: int, end: int) -> tuple[Decimal, int]:
    """By how much of itself a number of a text may be rounded, and to which side: 1 where it is more, -1 less."""
    around = _around(text, start, end)
    side = bool(_TOLD_AS_MORE.search(around)) - bool(_TOLD_AS_LESS.search(around))
    if side:
        return Decimal(1), side
    return (_ABOUT if _TOLD_AS_ABOUT.search(around) else ROUNDED), 0


def is_limit(text: str, start: int, end: int) -> bool:
    """Whether a number of a text is the limit of a rule, which is told exactly."""
    around = _around(text, start, end)
    return any(pattern.search(around) for pattern in (_LIMIT, _RULE))


def _around(text: str, start: int, end: int) -> str:
    return f"{text[max(0, start - _NEAR) : start]}#{text[end : end + _NEAR]}"
