"""What does not answer what was asked: 能喝水 or 普票 of 普票还是专票, taken from it alone, and 40MB for a price."""

import re
from collections.abc import Iterator

from rag.citations.cited import Cited
from rag.citations.claim import EITHER, Claim
from rag.citations.plain import PAUSES, plain
from rag.language.folding import HAN
from rag.language.measures import is_measure, times
from rag.language.titles import common_ends
from rag.language.whether import PIECE, as_statement, asks_whether

# What may be done, or is there, 喝水 of 体检前能喝水; or no more than that: 防水.
_PREDICATE = re.compile(
    rf".*(?:可以|能够?|会|要|需要?|允许|提供|支持|有)(?P<told>[^{PAUSES}#]{{2,}})|(?P<alone>[{HAN}]{{2,3}})\W*\Z"
)
_DENIED = "[不无免未非没][^,:;。!?|\\n]{0,2}"
_ASKS_FOR_MONEY = re.compile("多少(?:钱|元|块)|什么价|[价费]格?(?:是|为)?多少|how much .{0,40}cost")
# What is told of money without a sum, 免费 or 按次收费, answers as well.
_OF_MONEY = re.compile("[费价钱款资薪元付缴补免折税]|free|cost|price|paid|charge")
_MONEY = ("元", "美元", "港元", "欧元", "日元", "英镑")


def unspoken_predicates(claim: Claim, cited: Cited) -> Iterator[str]:
    """What was asked whether it is so, and is affirmed or denied, though no passage has a word of it.

    A no alone may be told in other words, and so may what is denied: 不能喝酒 by 禁止饮酒.
    """
    if claim.only_answers and (claim.denies or claim.text.denials):
        return
    spoken_of = {term for text in (*cited.passages, *cited.titles) for term in text.vocabulary}
    if claim.text.denials:
        spoken_of |= {term[-1] for term in spoken_of}
    for piece in PIECE.findall(claim.asked.text):
        found = _PREDICATE.match(as_statement(piece)) if asks_whether(piece) else None
        told = (found["told"] or found["alone"]) if found else ""
        asked = plain(told).vocabulary
        if asked and asked <= claim.text.vocabulary and spoken_of.isdisjoint({*asked, told[-1]}):
            yield told


def wrong_choices(claim: Claim, cited: Cited) -> Iterator[str]:
    """Of two that were asked for, the one that no passage has where it has the other."""
    for found in filter(None, map(EITHER.search, PIECE.findall(claim.asked.text))):
        other = found["other"]
        pair = (found["one"][-len(other) :], other)
        said = [choice for choice in pair if choice in claim.text.folded]
        if len(said) == 1 and len(pair[0]) == len(pair[1]):
            own, rival = _apart(said[0], pair[said[0] == pair[0]])
            if own not in cited.folded and rival in re.sub(f"{_DENIED}{re.escape(rival)}", "", cited.folded):
                yield said[0]


def _apart(one: str, other: str) -> tuple[str, str]:
    """Two words without what they begin and end with alike: 普 and 专 of 普票 and 专票."""
    begin, end = common_ends(one, other)
    return one[begin : len(one) - end], other[begin : len(other) - end]


def unasked_measures(claim: Claim, _: Cited) -> Iterator[str]:
    """The measured number of a sentence that says nothing of money, where a question asks what something costs."""
    # A row of a table as it stands has its price under its header.
    if "|" in claim.text.text or not _ASKS_FOR_MONEY.search(claim.asked.folded) or _OF_MONEY.search(claim.text.folded):
        return
    measured = [number for number in claim.own_numbers if is_measure(number.unit)]
    if measured and not any(times(number.unit, unit) for number in measured for unit in _MONEY):
        yield measured[0].written
