"""Units of measure: 90分钟 is 1.5小时, 5GB is not 5MB, and 元 is not 美元 (`measures.toml`)."""

import tomllib
from decimal import Decimal
from functools import cache
from pathlib import Path


def _folded(form: str) -> str:
    return form.lower() if len(form) > 1 else form


_DIMENSIONS: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_FORMS = {
    form: (dimension, Decimal(factor))
    for dimension, forms in _DIMENSIONS.items()
    for factor, written in forms.items()
    for form in written.split()
}
_LONGEST_FIRST = sorted(_FORMS, key=len, reverse=True)
# Of one letter, g and G are two; of what a unit is not followed by, 元旦, nothing is part of it.
_VALUES = {_folded(form.partition("(")[0]): value for form, value in _FORMS.items()}
# Units in Chinese: 三 before one of them is a number.
HAN_MEASURES = "|".join(form for form in _LONGEST_FIRST if not form[0].isascii())
_LETTERS = [form for form in _LONGEST_FIRST if form[0].isalpha() and form.isascii()]
_SEVERAL, _ONE = ("|".join(form for form in _LETTERS if (len(form) > 1) is several) for several in (True, False))
MEASURE = rf"(?:{HAN_MEASURES}|%|(?:(?i:{_SEVERAL})|{_ONE})(?![A-Za-z\d]))"


def is_measure(unit: str) -> bool:
    """Whether it is clear what a unit measures."""
    return _folded(unit) in _VALUES


# What is counted so is no measure: of 15个公园 a passage on 15公顷 says nothing.
_COUNTERS = frozenset("个名人位次台辆件家所座册套只棵枚篇种类户间栋")


@cache
def times(unit: str, other: str) -> Decimal | None:
    """How many of another unit one is worth, 0 where they tell different things; None where one is no measure."""
    ours, theirs = _VALUES.get(_folded(unit)), _VALUES.get(_folded(other))
    if ours is None or theirs is None:
        return Decimal(0) if (unit if ours is None else other) in _COUNTERS and (ours or theirs) else None
    return ours[1] / theirs[1] if ours[0] == theirs[0] else Decimal(0)


def worth(unit: str, other: str) -> Decimal | None:
    """Like `times`, and 1 of a unit and itself, be it no measure: 个, 人."""
    return Decimal(1) if unit == other else times(unit, other)
