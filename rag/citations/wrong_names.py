"""Names and codes in a sentence that its passages do not have, or have in another's place."""

import re
from collections.abc import Iterator, Sequence

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import PAUSE, Plain
from rag.language.denials import denials
from rag.language.folding import CHINESE
from rag.language.lexicon import lexicon
from rag.language.segmentation import whole_words

_CODE = re.compile(r"[A-Za-z_][A-Za-z\d_]*(?:[-.][A-Za-z\d_]+)*")
_QUOTED = re.compile(r"《([^《》]{2,40})》|“([^“”]{2,40})”|「([^「」]{2,40})」")
# A title may be quoted with a word more or less.
_LEAST_OF_A_QUOTE = 0.7
_MOSTLY_LATIN = 0.2
_LONGEST_NAME = 12
# By which a document speaks of itself: 本条例, 本合同.
_OWN = "本"
_LINKS = re.compile("^[由是]|[是为系叫]$")
_PER = re.compile(r"#[^#\s/]{0,3}/\Z")


def unknown_names(claim: Claim, cited: Cited) -> Iterator[str]:
    """Titles in quotes, codes and names that neither the passages have nor what else is known or was asked."""
    folded = claim.text.folded
    for name in names_beside(claim.text, [*cited.passages, *cited.known, claim.asked], claim.asked.folded):
        start = folded.find(name)
        # The reader is told of whole words: 由刘备批准, where what is unknown ends inside of 批准.
        yield name if start < 0 else whole_words(folded, start, start + len(name))


def names_beside(text: Plain, known: Sequence[Plain], asked: str = "") -> Iterator[str]:
    """Titles in quotes, codes and names that no known text has; a character that was `asked` with is none by itself."""
    everything = "\n".join(part.folded for part in known)
    pairs = frozenset[str]().union(*(part.pairs for part in known))
    yield from _unknown_titles(text, everything)
    yield from _unknown_codes(text, everything)
    yield from _unknown_runs(text, pairs, asked)


def exchanged_names(_: Claim, cited: Cited) -> Iterator[str]:
    """Names in whose place the passage has another one."""
    for alignment, gap in cited.gaps:
        said, there = gap.said, gap.told
        if denials(said) and denials(there):  # 不可以飞无人机 by 禁止无人机飞行
            continue
        if not said or not there or max(len(said), len(there)) > _LONGEST_NAME or PAUSE.search(said + there):
            continue
        # 本条例, in a document that is called so.
        if there.endswith(_OWN) and any(said in text.folded for text in (*cited.titles, *cited.called)):
            continue
        named = _holds_a_name(alignment.clause.folded, gap.start, gap.end)
        if not named or not _holds_a_name(alignment.passage.folded, gap.passage_start, gap.passage_end):
            continue
        # 贺云是第一作者 turns round 第一作者为贺云.
        named_there = _LINKS.sub("", said) in alignment.between_pauses(gap)
        if not named_there and not set(said) & set(there):
            yield said


def _unknown_titles(text: Plain, known: str) -> Iterator[str]:
    for quoted in _QUOTED.finditer(text.folded):
        title = str(quoted[quoted.lastindex or 0])
        inside = [title[place : place + 2] for place in range(len(title) - 1)]
        if title not in known and sum(pair in known for pair in inside) < _LEAST_OF_A_QUOTE * len(inside):
            yield title


def _unknown_codes(text: Plain, known: str) -> Iterator[str]:
    """Unknown Latin words; in Latin text only those written like names."""
    han = sum(len(run[0]) for run in CHINESE.finditer(text.text))
    is_latin = han < _MOSTLY_LATIN * len(text.text)
    for match in _CODE.finditer(text.text):
        word = match[0]
        is_plain = is_latin and (word.islower() or match.start() == 0)
        is_unit = text.text[: match.start()].rstrip().endswith("#")
        if len(word) > 1 and not is_plain and not is_unit and word.lower() not in known:
            yield word


def _unknown_runs(text: Plain, known: frozenset[str], asked: str) -> Iterator[str]:
    """Runs of Chinese characters that no known text has side by side and that are not ordinary words."""
    folded = text.folded
    for run in CHINESE.finditer(folded):
        shared = "".join("+-"[_is_shared(folded, place, known)] for place in range(*run.span()))
        for strange in re.finditer(r"\++", shared):
            start, end = (run.start() + place for place in strange.span())
            is_counted = "#" in folded[max(0, start - 2) : start] or _PER.search(folded, 0, start) is not None
            if is_counted and end == start + 1:  # 两只狗, 15.4元/盒
                continue
            # What counts is no part of a name: 两者合计.
            start += folded[start - 1 : start] == "#"
            if _is_of_a_name(folded, run.span(), start, end, "" if is_counted else asked):
                yield folded[max(run.start(), start - 1) : min(run.end(), end + 1)]


def _is_shared(text: str, place: int, known: frozenset[str]) -> bool:
    return text[max(0, place - 1) : place + 1] in known or text[place : place + 2] in known


def _holds_a_name(text: str, start: int, end: int) -> bool:
    """Whether a name lies in `text[start:end]`."""
    return any(_is_of_a_name(text, run.span(), start, end) for run in CHINESE.finditer(text))


def _is_of_a_name(text: str, run: tuple[int, int], start: int, end: int, asked: str = "") -> bool:
    """Whether a run has a name in `text[start:end]`, of other characters than were `asked` with: 轻症赔3次."""
    places = range(max(start, run[0]), min(end, run[1]))
    return any(text[place] not in asked and lexicon().is_of_a_name(text, place, run, (start, end)) for place in places)
