"""Figures that measure something else than what was asked for: 安装要花40MB, where 多少钱 was asked."""

import re
from collections.abc import Iterator

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.language.measures import is_measure, times

_ASKS_FOR_MONEY = re.compile("多少(?:钱|元|块)|什么价|[价费]格?(?:是|为)?多少|how much .{0,40}cost")
# What is told of money without a sum, 免费 or 按次收费, answers as well.
_OF_MONEY = re.compile("[费价钱款资薪元付缴补免折税]|free|cost|price|paid|charge")
_MONEY = ("元", "美元", "港元", "欧元", "日元", "英镑")


def unasked_measures(claim: Claim, _: Cited) -> Iterator[str]:
    """The measured number of a sentence that says nothing of money, where a question asks what something costs."""
    if not _ASKS_FOR_MONEY.search(claim.asked.folded) or _OF_MONEY.search(claim.text.folded):
        return
    measured = [number for number in claim.own_numbers if is_measure(number.unit)]
    if measured and not any(times(number.unit, unit) for number in measured for unit in _MONEY):
        yield measured[0].written
