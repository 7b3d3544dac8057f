"""How loosely a number of a text is told: 约3000人, 3000人左右, 超过15%."""

import re
from decimal import Decimal

# By how much of itself a number may be rounded: as much as the last of two digits allows; told as 约, a tenth.
ROUNDED = Decimal("0.05")
_ABOUT = Decimal("0.1")
_TOLD_AS_ABOUT = re.compile(
    r"(?:(?<![合违节预签续条契])约(?!定)|大概|大致|差不多|about|around|roughly)[^#,;。]{0,3}#|#[\w%‰]{0,2}(?:左右|上下)",
    re.IGNORECASE,
)
# 超过1万 may be told of 1.4万, 近1万 of 0.96万: within one of the last digit, on that side.
_TOLD_AS_MORE = re.compile(
    r"(?:(?<![不得应可能])超过?|逾(?!期)|突破|不止|over|more than)[^#,;。]{0,3}#|#\w?[多余来]", re.IGNORECASE
)
_TOLD_AS_LESS = re.compile(r"(?:(?<![最附])近|不足|不到|nearly|almost|less than)[^#,;。]{0,3}#", re.IGNORECASE)
_NEAR = 8


def looseness(text: str, start: int, end: int) -> tuple[Decimal, int]:
    """By how much of itself a number of a text may be rounded, and to which side: 1 where it is more, -1 less."""
    around = f"{text[max(0, start - _NEAR) : start]}#{text[end : end + _NEAR]}"
    if side := bool(_TOLD_AS_MORE.search(around)) - bool(_TOLD_AS_LESS.search(around)):
        return Decimal(1), side
    return (_ABOUT if _TOLD_AS_ABOUT.search(around) else ROUNDED), 0
