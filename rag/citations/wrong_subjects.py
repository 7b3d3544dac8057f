"""What a passage tells of another thing of the same kind: 事件管理是“调查研究”过程 where 问题管理 is."""

import re
from collections.abc import Iterator

from rag.citations.alignment import Alignment, Gap
from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.language.folding import HAN

# What tells one of a kind from another, and the kind itself up to what is told of it: few are called by one character,
# 病假 and 年假, while 客户 and 用户 are the same.
_WHICH = re.compile(rf"[{HAN}A-Za-z\d*+-]{{1,8}}")
_KIND = re.compile(
    rf"(?P<kind>[{HAN}]{{2,6}}?|[假锁税键])(?:是|为|指|即|属于|用于|负责|包[括含]|不|可|需|应|会|期间|按|由|享)"
)
# What is told of all is told of each.
_ANY = re.compile(
    "全体|所有|全部|一切|任何|其[他它余]|[各每本该此我这]|一般|普通|通常|首先|因此|所以|其中|上述|以下|[有相]关|[两几]|联系|[的后请休放长]$"
)
# What stands behind is told of it too: 电子发票同样可以, 包括核心代码.
_TOO_BEFORE, _TOO_BEHIND = r"(?:包[括含]|[（(:：])", r".{0,2}?(?:同样|[相等]同|一致|亦|也|参照)"
_LEAST_COMMON = 0.6


def subjects_of_another(claim: Claim, cited: Cited) -> Iterator[str]:
    """The subject of a clause, where its passage tells the same of another of the kind.

    Passages, question or heading call both so: 职工年假 may be but another word for 员工年假.
    """
    for alignment in cited.changed:
        gap = next(alignment.gaps(), None)
        if gap and (subject := _exchanged_subject(alignment, gap)) and _is_known(subject, claim, cited):
            yield subject


def _exchanged_subject(alignment: Alignment, gap: Gap) -> str:
    """What a clause is of where its passage has another of that kind in its place, and the same behind; else ""."""
    clause, passage = alignment.clause.folded, alignment.passage.folded
    named = _KIND.match(clause, gap.end)
    if not named or not (_WHICH.fullmatch(gap.said) and _WHICH.fullmatch(gap.told)) or set(gap.said) & set(gap.told):
        return ""
    if _ANY.search(gap.said + gap.told) or not passage.startswith(named["kind"], gap.passage_end):
        return ""
    told = len(clause) - named.end("kind")
    common = sum(block.size for block in alignment.blocks) - len(named["kind"])
    return gap.said + named["kind"] if common >= _LEAST_COMMON * told else ""


def _is_known(subject: str, claim: Claim, cited: Cited) -> bool:
    """Whether anything tells of a subject by this name, be it what was asked, and no passage the same of it too."""
    name = re.escape(subject)
    told_too = re.compile(f"{_TOO_BEFORE}{name}|{name}{_TOO_BEHIND}")
    if any(told_too.search(passage.folded) for passage in cited.passages):
        return False
    return any(subject in text.folded for text in (claim.asked, *cited.passages, *cited.titles))
