"""What a passage tells of another thing of the same kind, 病假 for 年假, or of another party, 甲方 for 乙方."""

import re
from collections.abc import Iterator

from rag.citations.cited import Alignment, Cited, Gap
from rag.citations.claim import Claim
from rag.citations.plain import PAUSES_OF_A_LIST, WHOLE_END, Plain
from rag.language.folding import HAN

# What tells one of a kind from another, and the kind itself up to what is told of it: few are called by one character,
# 病假 and 年假, while 客户 and 用户 are the same; 月卡 and 年卡 are two, 门卡 and 房卡 may be one.
_WHICH = re.compile(rf"[{HAN}A-Za-z\d*+-]{{1,8}}")
_KIND = re.compile(
    rf"(?:[{HAN}]{{2,6}}?|[假锁税键])(?=是|为|指|即|属于|用于|负责|包[括含]|不|可|需|应|会|期间|按|由|享)|(?<=[年季月周日次金银])[卡票]"
)
# What is told of all is told of each.
_ANY = re.compile(
    "全体|所有|全部|一切|任何|其[他它余]|[各每本该此我这]|一般|普通|通常|首先|因此|所以|其中|上述|以下|[有相]关|[两几]|联系|[的后请休放长]$"
)
# What stands behind is told of it too: 电子发票同样可以, 包括核心代码.
_TOO_BEFORE, _TOO_BEHIND = r"(?:包[括含]|[（(:：])", r".{0,2}?(?:同样|[相等]同|一致|亦|也|参照)"
_LEAST_COMMON = 0.6
# Who is a party to a contract or a case, each beside those that it is called so with.
_PARTIES = re.compile(
    "([甲乙丙丁]方)|([买卖]方)|([供需]方)|([出承]租[方人])|([发承分]包[方人])|([委受]托[方人])|([转受]让[方人])|"
    "((?:出借|借款)[方人])|(原告|被告(?!知))|(用人单位|劳动者)"
)
_PAUSE = re.compile("[,:;]")
# What somebody does to somebody else, and how long either may be called, with an adverb between.
_ACTS = re.compile("向|给|把|将|被|由|击败|战胜|不敌|收购|任命|起诉|委托|授予|袭击|指控|支持|反对")
_SHORTEST_SIDE, _LONGEST_SIDE, _ADVERB = 2, 8, 2
_PAUSES_ANY = re.compile(f"[{PAUSES_OF_A_LIST}]")
# Of so much of a sentence a clause of the passage has to speak.
_LEAST, _LEAST_SHARE = 2, 0.5


def subjects_of_another(claim: Claim, cited: Cited) -> Iterator[str]:
    """The subject of a clause, where its passage tells the same of another of the kind.

    Passages, question or heading call both so: 职工年假 may be but another word for 员工年假.
    """
    for alignment in cited.changed:
        gap = next(iter(alignment.gaps), None)
        if gap and (subject := _exchanged_subject(alignment, gap)) and _is_known(subject, claim, cited):
            yield subject


def _exchanged_subject(alignment: Alignment, gap: Gap) -> str:
    """What a clause is of where its passage has another of that kind in its place, and the same behind; else ""."""
    clause, passage = alignment.clause.folded, alignment.passage.folded
    kind, there = _KIND.match(clause, gap.end), _KIND.match(passage, gap.passage_end)
    # Of 月卡、季卡 the last is compared, and all are told of.
    which = gap.said, gap.told.rpartition("、")[2]
    if not kind or not there or kind[0] != there[0] or not all(map(_WHICH.fullmatch, which)):
        return ""
    if set(gap.said) & set(gap.told) or _ANY.search(gap.said + gap.told):
        return ""
    common = sum(block.size for block in alignment.blocks) - len(kind[0])
    return gap.said + kind[0] if common >= _LEAST_COMMON * (len(clause) - kind.end()) else ""


def _is_known(subject: str, claim: Claim, cited: Cited) -> bool:
    """Whether anything tells of a subject by this name, be it what was asked, and no passage the same of it too."""
    name = re.escape(subject)
    told_too = re.compile(f"{_TOO_BEFORE}{name}|{name}{_TOO_BEHIND}")
    if any(told_too.search(passage.folded) for passage in cited.passages):
        return False
    return any(subject in text.folded for text in (claim.asked, *cited.passages, *cited.titles))


def exchanged_sides(_: Claim, cited: Cited) -> Iterator[str]:
    """Who does something, where its passages have the one that it is done to: 乙向甲借款 beside 甲向乙借款."""
    for alignment in cited.changed:
        clause = alignment.clause.folded
        for act in _ACTS.finditer(clause):
            sides = (
                _turned(clause, act, passage.folded, told)
                for passage in cited.passages
                for told in re.finditer(act[0], passage.folded)
            )
            for one, other in filter(None, sides):
                as_said = re.compile(f"{re.escape(one)}.{{0,{_ADVERB}}}{act[0]}{re.escape(other)}")
                if not as_said.search(cited.folded):
                    yield one


def _turned(clause: str, act: re.Match[str], passage: str, told: re.Match[str]) -> tuple[str, str] | None:
    """Who stands before and behind an act in a clause, where the passage has the two the other way round."""
    one = _on_both(clause[: act.start()], passage[told.end() :])
    other = _on_both(passage[: told.start()], clause[act.end() :])
    return (one, other) if one and other and one != other else None


def _on_both(before: str, behind: str) -> str:
    """The longest piece that one text ends with, but for an adverb, and the other begins with; "" for a short one."""
    for length in range(_LONGEST_SIDE, _SHORTEST_SIDE - 1, -1):
        piece = behind[:length]
        place = before.rfind(piece) if len(piece) == length and not _PAUSES_ANY.search(piece) else -1
        if place >= 0 and len(before) - place - length <= _ADVERB:
            return piece
    return ""


def exchanged_roles(claim: Claim, cited: Cited) -> Iterator[str]:
    """The one party that a sentence names, where the clause that says most of it, in any order, tells it of the other.

    Clauses that say as much of it, one of either party, tell nothing.
    """
    if len(_parties(claim.text.folded)) != 1:
        return
    for clause in (alignment.clause for alignment in cited.changed):
        for party, role in _parties(clause.folded).items():
            wanted = frozenset(term for term in clause.vocabulary if not set(term) & set(party))
            told = [one for passage in cited.passages for one in _clauses_of_parties(passage, role, wanted)]
            most = max((held for _, held in told), default=0)
            best = [parties for parties, held in told if held == most >= max(_LEAST, _LEAST_SHARE * len(wanted))]
            if best and all(parties and party not in parties for parties in best):
                yield next(match[0] for match in _PARTIES.finditer(clause.folded))


def _clauses_of_parties(passage: Plain, role: int, wanted: frozenset[str]) -> Iterator[tuple[frozenset[str], int]]:
    """The parties of such a role that each clause tells of, and how much it has of what is wanted.

    One that names none goes on with whom its sentence began.
    """
    for sentence in WHOLE_END.split(passage.folded):
        subject = frozenset[str]()
        for clause in _PAUSE.split(sentence):
            parties = frozenset(name for name, its in _parties(clause).items() if its == role)
            subject = subject or parties
            yield parties or subject, sum(term in clause for term in wanted)


def _parties(text: str) -> dict[str, int]:
    """The parties that a text names, 承租人 and 承租方 as one, with what they are parties to."""
    return {match[0][:-1]: match.lastindex or 0 for match in _PARTIES.finditer(text)}
