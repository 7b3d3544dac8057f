"""Denials that a sentence or its passage has and the other lacks."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from rag.citations.cited import Alignment, Cited, Gap
from rag.citations.claim import Claim
from rag.citations.opposites import opposites
from rag.citations.plain import PAUSE, PAUSES, Plain
from rag.language.denials import WHETHER, denials

_Span = tuple[int, int]

_PART = f"[^{PAUSES}]"
# A denial that the passage has and the clause leaves out counts where it stands right before what the clause repeats.
_REACH = 4
# Of what is denied before it: 考不了, 咽不下去.
_CANNOT = re.compile(r"(?<=.)不(?:[上下出进过回起]去?|[了来动住开懂清见]|[得成]了)")
# So few characters may stand in another clause, too.
_BY_CHANCE = 2
# 不得将房屋转租: what is done to something is denied across it.
_OBJECT = re.compile(rf"[得能可应会]?(?:擅自|私自|随意)?[将把对向给]{_PART}{{1,20}}")
# 未经批准，不得外借: who has what it takes may.
_UNLESS = re.compile(r"未经(?P<leave>[^|:;。!?\n]{2,20}?),?[^|,:;。!?\n]{0,8}?(?:不得|不能|不可|不准|不予|禁止|严禁)")
_NO_LEAVE = re.compile(
    r"(?:无[需须]|不[需用必须]要?)[^,;。!?\n]{0,8}?(?P<leave>同意|批准|许可|授权|允许|审批|备案|登记)"
)
# 无线充电：不支持, in a line or in two cells. A label may ask: 是否独生子女：否.
_LABELLED = re.compile(
    rf"(?<!{_PART})(?=(?:{WHETHER})?(?P<label>{_PART}{{2,12}})[:|](?P<value>{_PART}{{1,6}})(?!{_PART})"
    rf"(?P<more>\|(?:是(?!否)|[否有无不未可√×✓✗]|支持){_PART}{{0,4}}(?!{_PART}|:))?)"
)
_YES = re.compile("是|有|可以?|能|支持|允许|提供|具备|√|✓")
_RULES = re.compile("可以|[可能](?!能)|能够|允许|准许|不[可能得许应宜]|不允许|禁|严禁|没有|无法")
# What a denial behind a label denies if it has nothing of its own to say.
_NOTHING_ELSE = re.compile("|是|有|可以?|能|支持|允许|提供|具备|需要?|适用|开通|安装")
# 不能，周日不办理 denies once: the verdict before it is that of what follows.
_VERDICT = re.compile(r"(?:不(?:可以?|能|行|会|得|是|用|需要|允许)?|没有|无)的?[,、。]")
_DENIAL_CHARACTERS = frozenset("不没未无非")
# A label that is less of a clause stands in it by chance: 其他 | 无.
_LEAST_OF_A_CLAUSE = 0.25


def wrong_denials(alignments: Sequence[Alignment], granted: str = "") -> Iterator[str]:
    """Denials that one side has and the other lacks, where the two differ; a double denial affirms.

    With what it denies, of which the passage says nothing, a denial may be `granted`: 对分数不满意可以申请复核.
    """
    for alignment in alignments:
        clause, passage = alignment.clause.folded, alignment.passage.folded
        if answers := _answers(alignment.clause.valued, alignment.passage.valued):
            said = denials(clause)
            if len(said) % 2 not in answers:
                yield _with_what_it_denies(clause, said[0]) if said else next(iter(answers.values()))
            continue
        # Where both compare in the same words, only a denial tells a bound from its opposite.
        ours, theirs = alignment.common
        denied, denied_there = _without_verdict(denials(clause, ours), clause), denials(passage, theirs)
        # 不允许 is told by 禁止, and 禁止 by 不允许.
        told = [one for one in opposites(clause, passage) if one.agrees]
        denied = _without(denied, clause, {one.word for one in told})
        denied_there = _without(denied_there, passage, {one.instead for one in told})
        said, meant = list[_Span](), list[_Span]()
        for gap in alignment.gaps:
            own = [span for span in denied if gap.start <= span[0] < gap.end]
            there = [span for span in denied_there if gap.passage_start <= span[0] < gap.passage_end]
            # Where both deny in the same place, they say the same.
            if len(own) % 2 == 0 or not there:
                said += own
                meant += [span for span in there if _governs(span, gap, clause, passage)]
        # Clauses may be turned round: 概不退还，缴费后.
        said, meant = (
            _without_repeated(said, alignment.clause, passage),
            _without_repeated(meant, alignment.passage, clause),
        )
        if not meant:
            said = [span for span in said if not _is_granted(clause, span, granted, passage)]
        if (len(said) - len(meant)) % 2:
            yield _with_what_it_denies(clause, said[0]) if said else _with_what_it_denies(passage, meant[0])


def _without_repeated(denied: Sequence[_Span], text: Plain, other: str) -> list[_Span]:
    """Those denials that stand in no clause which another text has word for word."""
    clauses = ((span, text.begin_of_clause(span[0]), text.end_of_clause(span[1])) for span in denied)
    return [span for span, start, end in clauses if text.folded[start:end] not in other]


def _without_verdict(denied: list[_Span], clause: str) -> list[_Span]:
    """The denials of a clause, those behind its verdict alone where there are any."""
    verdict = _VERDICT.match(clause)
    return [span for span in denied if span[0] >= verdict.end()] or denied if verdict else denied


def _is_granted(clause: str, denial: _Span, granted: str, passage: str) -> bool:
    """Whether what was asked denies so what a passage does not speak of, or what somebody cannot do: 咽不下去."""
    if cannot := _CANNOT.match(clause, denial[0]):
        return clause[denial[0] - 1 : cannot.end()] in granted
    denied = _with_what_it_denies(clause, denial)
    return denied in granted and len(denied) > _BY_CHANCE and denied[-_BY_CHANCE:] not in passage


def tells_of_leave(claim: Claim, cited: Cited) -> bool:
    """Whether a sentence says what is so with the leave without which a passage forbids it."""
    return any(leave in claim.text.folded for leave in _leaves(cited)) and not claim.text.denials


def needs_no_leave(claim: Claim, cited: Cited) -> Iterator[str]:
    """What a sentence says to be so without the leave without which its passages forbid it."""
    leaves = _leaves(cited)
    return (match[0] for match in _NO_LEAVE.finditer(claim.text.folded) if match["leave"] in leaves)


def _leaves(cited: Cited) -> frozenset[str]:
    """The ends of what it takes for something that passages forbid without it: 批准 of 主管批准."""
    return frozenset(match["leave"][-2:] for match in _UNLESS.finditer(cited.folded))


def _without(spans: Iterable[_Span], text: str, words: Collection[str]) -> list[_Span]:
    """Those denials that neither are nor precede one of some words."""
    return [span for span in spans if not any(text.find(word, span[0], span[1] + 1 + len(word)) >= 0 for word in words)]


def _answers(clause: str, passage: str) -> dict[bool, str]:
    """Whether a passage denies what a label calls that the clause repeats, with its words for it; empty: not so told.

    It may do both: in a table each column has its own answer.
    """
    found: dict[bool, str] = {}
    longest = ""
    for match in _LABELLED.finditer(passage):
        label, value = match["label"], match["value"]
        if label not in clause or len(label) < max(len(longest), _LEAST_OF_A_CLAUSE * len(clause)):
            continue
        denied = _denies(value, clause)
        if denied is None:
            continue
        if len(label) > len(longest):
            found, longest = {}, label
        found[denied] = value
        if match["more"]:
            found[not denied] = value
    return found


def _denies(value: str, clause: str) -> bool | None:
    """Whether what stands behind a label denies it; None where it says something else."""
    if _YES.fullmatch(value):
        return False
    # As a cell: 否 is a denial by itself only.
    denial = next(iter(denials(f"|{value}")), None)
    if denial is None or denial[0] != 1:
        return None
    rest = value[denial[1] - 1 :]
    return True if _NOTHING_ELSE.fullmatch(rest) or set(rest) - _DENIAL_CHARACTERS <= set(clause) else None


def _with_what_it_denies(text: str, denial: _Span) -> str:
    """A denial with what it denies."""
    return PAUSE.split(text[denial[0] : denial[1] + 2])[0]


def _governs(denial: _Span, gap: Gap, clause: str, passage: str) -> bool:
    """Whether a denial that a clause lacks belongs to what the clause repeats after it, or answers what it ends with.

    可以吸烟 or 不能吸烟 are answered by 禁烟, where what is before them is the same.
    """
    start, end = denial
    if not gap.followed:
        return start == gap.passage_start and _RULES.match(clause, gap.start) is not None
    if not gap.passage_start <= start < gap.passage_end or PAUSE.search(passage, end, gap.passage_end):
        return False
    # At the beginning of the clause, what precedes it in the passage may well end another sentence.
    reach = 0 if gap.start == gap.end == 0 else _REACH
    return gap.passage_end - end <= reach or _OBJECT.fullmatch(passage, end, gap.passage_end) is not None
