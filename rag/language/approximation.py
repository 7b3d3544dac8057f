"""How loosely a number of a text is told: 约3000人, 3000人左右, 超过15%; and what is a limit: 35分钟以上."""

import re
from decimal import Decimal

from rag.language.bounds import beyond, limits

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
    if side := beyond(around):
        return TO_ONE_SIDE, side
    return (_ABOUT if _TOLD_AS_ABOUT.search(around) else ROUNDED), 0


def is_limit(text: str, start: int, end: int) -> bool:
    """Whether a number of a text is the limit of a rule, which is told exactly."""
    around = _around(text, start, end)
    return limits(around) or _RULE.search(around) is not None


def _around(text: str, start: int, end: int) -> str:
    return f"{text[max(0, start - _NEAR) : start]}#{text[end : end + _NEAR]}"
