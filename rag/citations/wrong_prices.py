"""Figures for a price that measure something else, 安装要花40MB, or are the price of something else."""

import re
from collections.abc import Iterator

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.language.measures import is_measure, times

_ASKS_FOR_MONEY = re.compile("多少(?:钱|元|块)|什么价|[价费]格?(?:是|为)?多少|how much .{0,40}cost")
# What is told of money without a sum, 免费 or 按次收费, answers as well.
_OF_MONEY = re.compile("[费价钱款资薪元付缴补免折税]|free|cost|price|paid|charge")
# Some fee or sum was asked for, whose passages tell others: 加盟费.
_ASKS_FOR_A_SUM = re.compile("多少[钱元]|[费价金税租款]用?[是要]?(?:多少|几)")
_FEW_TERMS = 2
_MONEY = ("元", "美元", "港元", "欧元", "日元", "英镑")


def unasked_measures(claim: Claim, _: Cited) -> Iterator[str]:
    """The measured number of a sentence that says nothing of money, where a question asks what something costs."""
    if not _ASKS_FOR_MONEY.search(claim.asked.folded) or _OF_MONEY.search(claim.text.folded):
        return
    measured = [number for number in claim.own_numbers if is_measure(number.unit)]
    if measured and not any(times(number.unit, unit) for number in measured for unit in _MONEY):
        yield measured[0].written


def numbers_of_another_matter(claim: Claim, cited: Cited) -> Iterator[str]:
    """A price that stands only in sentences without a character of what was asked: 租金预付15万元 for 加盟费."""
    asked = claim.asked_about
    if not asked or len(claim.own_terms) > _FEW_TERMS or not _ASKS_FOR_A_SUM.search(claim.asked.folded):
        return
    titles = "".join(title.folded for title in (*cited.titles, *cited.called))
    for number in claim.own_numbers:
        told = [part.folded for part in cited.sentences if part.has(number)]
        if told and asked.isdisjoint("".join((*told, titles))):
            yield number.written
