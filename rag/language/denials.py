"""Where a text denies; what only looks like a denial, as 不同 or 要不要, and bounds, as 不超过, are none."""

import re
from collections.abc import Container

from rag.language.bounds import TOLD_BY_A_DENIAL
from rag.language.folding import HAN

# By these something is asked whether it is so, or left open.
WHETHER = "是否|能否|可否|有无(?!法)"
# 能洗澡不, 有发票没; 当然不 and 还没 deny.
WHETHER_AT_END = (
    rf"(?<=[{HAN}])(?<![不没也都还就才并从本根当然绝决可要我你他她它们沉淹出埋吞])(?<!觉得|从来)[不没]"
    r"(?=\s*(?:[?？!！。.，,～~…]|$))"
)
_NO_DENIAL = re.compile(
    r"不仅|不但|不同(?!意)|不断|不过|不管|不论|不少(?!于)|不得不|不久|不动产|不锈|不等式|不禁(?![止用烟])|不时|不妨|不愧|不惜|不止|不只|不光|"
    r"不错|不好意思|差不多|没事|没错|没关系|没问题|"
    r"无论|无故|无线|无锡|无穷|无数|无疑|无机|无人机|无不|非法|非常|非洲|非凡|除非|莫非|是非|未来|未必|未免|未婚|免[费疫租息押检试签赔冠]|推免|扣非|"
    r"没收|没落|淹没|沉没|埋没|出没|分别|特别|级别|类别|性别|区别|个别|别墅|别名|别称|别的|别[人处]|告别|识别|判别|辨别|"
    rf"(?<!可(?=能))(.)[不没]\1|{WHETHER}|{WHETHER_AT_END}"
)
_DENIAL = re.compile(
    r"禁止|严禁|(?<![以被可将会再已能违解监])[禁忌](?=[用食烟酒水火入放停带])|切勿|不[得能应可]?|没有|没|未|非|无|勿|切莫|莫[要再入]|缺席|别|拒绝|否认|避免|免|缺乏|缺少|除外|"
    r"(?<=[:|])否(?=[|,;。\n]|$)|"
    r"\b(?:not|no|never|without|cannot|none)\b|n't",
    re.IGNORECASE,
)


def denials(text: str, compared: Container[int] = ()) -> list[tuple[int, int]]:
    """Where a text denies, as start and end.

    Bounds do where their comparison stands at one of the places `compared`.
    """
    hidden = TOLD_BY_A_DENIAL.sub(
        lambda bound: bound[0] if bound.start("comparison") in compared else _blank(bound), text
    )
    return [match.span() for match in _DENIAL.finditer(_NO_DENIAL.sub(_blank, hidden))]


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match[0])
