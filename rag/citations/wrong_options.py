"""What a sentence counts among some where its passage does not, and the greatest, which is but one of several there."""

import re
from collections.abc import Iterator

from rag.citations.cited import Alignment, Cited, Gap
from rag.citations.claim import Claim
from rag.citations.plain import PAUSES

_LISTED = re.compile(f"[^、和及与{PAUSES}]*")
_ITEM_BEGINS = re.compile(rf"[、和及与{PAUSES}]|以及|包[括含]|分[为成]|[有为即如设]")
_ITEM_ENDS = re.compile(rf"[、和及与等{PAUSES}]|以及")
_LIST_END = re.compile(rf"等?[{PAUSES}]*$")
_SHORTEST, _LONGEST = 2, 10
# Behind 除A外 something is told of all others, and not of A as well: 除A外，还.
_ALL_BUT = re.compile(
    rf"除了?(?P<what>[^{PAUSES}]{{2,20}}?)(?:以外|之外|外),?(?=其[余他它]|均|都|一律|全|所有|不)|"
    rf"(?P<aside>[^{PAUSES}]{{2,20}})除外"
)
_ONE_OF = "之一"
_GREATEST = re.compile(f"最[^{PAUSES}]{{2,}}")


def strange_items(claim: Claim, cited: Cited) -> Iterator[str]:
    """An item of a list in whose place the passage has another one, which the sentence leaves out."""
    for alignment, gap in cited.gaps:
        own, told = _items(alignment, gap)
        are_two = own and told and own not in told and told not in own
        if are_two and told not in claim.text.folded and own in cited.folded:
            yield own


def _items(alignment: Alignment, gap: Gap) -> tuple[str, str]:
    """The items of a list that a gap lies in, in the clause and in the passage; "" where these are no lists."""
    if not gap.said or not gap.told:
        return "", ""
    clause, passage = alignment.clause.folded, alignment.passage.folded
    return _item(clause, gap.start, gap.said), _item(passage, gap.passage_start, gap.told)


def _item(text: str, start: int, told: str) -> str:
    """The item of a list in which something is told: the first or the last may stand where its text begins or ends."""
    begins = max(_ITEM_BEGINS.finditer(text, 0, start), key=lambda found: found.end(), default=None)
    ends = _ITEM_ENDS.search(text, start + len(_LIST_END.sub("", told)))
    begin, end = begins.end() if begins else 0, ends.start() if ends else len(text)
    item = text[begin:end]
    is_listed = "、" in (text[begin - 1 : begin], text[end : end + 1])
    return item if is_listed and _SHORTEST <= len(item) <= _LONGEST and _LISTED.fullmatch(item) else ""


def excepted(claim: Claim, cited: Cited) -> Iterator[str]:
    """What a sentence counts in, and its passages except: 包括周一在内 beside 除周一外，其余各天."""
    for found in _ALL_BUT.finditer(cited.folded):
        what = found["what"] or found["aside"]
        if f"包括{what}" in claim.text.folded or f"包含{what}" in claim.text.folded:
            yield what


def only_one_of(claim: Claim, cited: Cited) -> Iterator[str]:
    """The greatest of all, which its passages only have as one of the greatest: 最早的学校 beside 最早的学校之一."""
    for greatest in _GREATEST.findall(claim.text.folded):
        one_of = cited.folded.count(f"{greatest}{_ONE_OF}")
        if one_of and one_of == cited.folded.count(greatest):
            yield greatest
