"""What the answer to a question has by its form: a date, a number or a place, or several parts."""

import re

from rag.language.words import DIFFERENCES

# By what a question asks, and what its answer has; a question for anything else cannot be told by a pattern.
_NUMERAL = r"[\d一二三四五六七八九十百千万亿两]"
_FORMS = (
    (
        re.compile(r"什么时[候间]|何时|哪[一]?[年天日月]|几[年月日号点]|时间|日期|年份|\bwhen\b"),
        re.compile(rf"{_NUMERAL}+\s*(?:年|月|日|号|点|时|世纪|周|星期)|\d{{1,4}}[-/.:]\d|\d{{4}}"),
    ),
    (
        re.compile(r"多[少大久长高远宽深重快]|几|人数|数量|金额|比例|百分|总[额数]|编号|代码|how (?:many|much|long)"),
        re.compile(r"\d|[一二三四五六七八九十百千万亿两]+(?:[个名人次种项条家位年月日天元米倍部]|分之)"),
    ),
    (
        re.compile(r"哪里|哪儿|何处|何地|在哪|地点|地址|位于|\bwhere\b"),
        re.compile(r"[省市县区镇村路街道号楼州岛国]|位于|地处"),
    ),
)

_ASKS_FOR_SEVERAL = re.compile(
    rf"哪[些几两二三四五六七八九十]|有什么|分别|各自|[几多][种类点条项步]|{DIFFERENCES}|对比|列[出举]|步骤|流程|"
    r"\b(?:all|each|every|list|differences?|compare|steps)\b",
    re.IGNORECASE,
)


def asks_for_several(question: str) -> bool:
    """Whether the answer has several parts, 哪些, 哪三种, 分别: a passage or a sentence may be but one of them."""
    return _ASKS_FOR_SEVERAL.search(question) is not None


def answer_form(question: str) -> re.Pattern[str] | None:
    """What finds the form that the answer to a folded question has; None where no pattern can tell."""
    return next((answer for asks, answer in _FORMS if asks.search(question)), None)
