"""Sentences as an answer has them, made of sentences of real passages: right ones, and ones with a planted mistake.

Right ones are copied, shortened, turned round, worded otherwise or have their numbers written in another form. Every
mistake is planted in one of those too, so that it is not told by the rest of the sentence.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import jieba.posseg

from bench.citation_case import Case

_SENTENCE = re.compile(r"[^。！？!?\n]+[。！？]")
_LIST_NUMBER = re.compile(r"^[^\w《“]*[（(]?\d{1,2}[)）、.](?!\d)\s*|^[^\w《“（(]+")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_CLAUSES = re.compile(r"[，；]")
_DATE = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日(?!\d)")
_YEAR_OR_DAY = re.compile(r"\d{4}(?=年)|\d{1,2}(?=[月日])")
_NUMBER = re.compile(r"(?<![\d.,A-Za-z\-/])\d+(?:,\d{3})*(?:\.\d+)?(?![\d,.A-Za-z\-/]|[年月日])")
COUNTED = re.compile(r"(?<![\d.,A-Za-z\-/])(\d+(?:,\d{3})*(?:\.\d+)?)([\u4e00-\u9fff%])")
_DENIAL = re.compile(
    r"没有(?=[\u4e00-\u9fff])|(?<![\u4e00-\u9fff])不(?=[\u4e00-\u9fff])|不(?=[能得会可应是需])|未(?=[能经被曾])"
)
_SYNONYM_PAIRS = """
使用/采用 由于/因为 因此/所以 但是/不过 可以/能够 位于/坐落于 目前/现在 包括/包含 成立/创立 建立/设立
以及/和 通过/经由 进行/开展 主要/主要是 获得/取得 担任/出任 同时/与此同时 之后/以后 大约/约 需要/须
认为/觉得 拥有/有 提供/给出 负责/主管 开始/起 非常/十分 重要/关键 问题/难题 帮助/协助 全部/所有
"""
_SYNONYMS = [pair.split("/") for pair in _SYNONYM_PAIRS.split()]
_FRAMES = """
根据资料，{} 资料显示，{} 具体来说，{} 此外，{} 综上所述，{} 文中提到，{} 简单来说，{} 需要注意的是，{}
""".split()  # noqa: SIM905 - as they read
_DIGITS = "零一二三四五六七八九"
_SHORTEST, _LONGEST = 14, 90
_MODAL = ("是", "会", "能", "可以", "应", "需", "可")
_NAMED_PASSAGES = 150
_FEWEST_HAN = 10
Name = tuple[str, str]


@dataclass(frozen=True)
class Source:
    """Where a mistake is taken from: the sentence's own passage, and names (with their kind) of others."""

    passage: str
    names: tuple[Name, ...]


def candidates(passage: str) -> list[str]:
    """The sentences of a passage that an answer might give back."""
    # What numbers a list is no part of what its items say.
    found = (_LIST_NUMBER.sub("", match[0].strip()) for match in _SENTENCE.finditer(passage))
    return [text for text in found if _SHORTEST <= len(text) <= _LONGEST and len(_HAN.findall(text)) >= _FEWEST_HAN]


def copied(text: str, _chance: random.Random) -> str | None:
    """As it is."""
    return text


def shortened(text: str, chance: random.Random) -> str | None:
    """Without one of its clauses."""
    clauses = _CLAUSES.split(text[:-1])
    if len(clauses) < 3:
        return None
    del clauses[chance.randrange(1, len(clauses))]
    return "，".join(clauses) + text[-1]


def turned(text: str, chance: random.Random) -> str | None:
    """With its clauses in another order."""
    clauses = _CLAUSES.split(text[:-1])
    if len(clauses) < 2:
        return None
    first = chance.randrange(1, len(clauses))
    return "，".join([*clauses[first:], *clauses[:first]]) + text[-1]


def reworded(text: str, _chance: random.Random) -> str | None:
    """With other words of the same meaning, as many as there are."""
    changed = text
    for one, other in _SYNONYMS:
        changed = changed.replace(one, other)
    return changed if changed != text else None


def renumbered(text: str, _chance: random.Random) -> str | None:
    """With its dates and numbers written in another form."""
    changed = _DATE.sub(lambda match: f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}", text)
    changed = re.sub(r"(\d{4})(?=年)", lambda match: "".join(_DIGITS[int(digit)] for digit in match[1]), changed)
    changed = re.sub(r"(?<![\d.])(\d{1,2})%", lambda match: f"百分之{_spoken(int(match[1]))}", changed)
    changed = re.sub(r"(?<![\d.,\-/年])([1-9]\d)(?=[个名人年天位所])", lambda match: _spoken(int(match[1])), changed)
    changed = re.sub(r"(?<![\d.,])(\d{1,3})(\d{3})(?=[人元名])", r"\1,\2", changed)
    return changed if changed != text else None


def framed(text: str, chance: random.Random) -> str | None:
    """Introduced as answers introduce what they quote, worded otherwise and turned round where that can be."""
    changed = reworded(text, chance) or text
    return chance.choice(_FRAMES).format(turned(changed, chance) or changed)


def _spoken(number: int) -> str:
    tens, ones = divmod(number, 10)
    return (
        ("" if tens == 1 else _DIGITS[tens] if tens else "")
        + ("十" if tens else "")
        + (_DIGITS[ones] if ones or not tens else "")
    )


def wrong_number(text: str, _source: Source, chance: random.Random) -> str | None:
    """With one of its numbers replaced by one of as many digits."""
    return _replace_one(_NUMBER, text, chance)


def wrong_date(text: str, _source: Source, chance: random.Random) -> str | None:
    """With a year, month or day replaced."""
    return _replace_one(_YEAR_OR_DAY, text, chance)


def denied(text: str, _source: Source, chance: random.Random) -> str | None:
    """With a denial put in before a verb, or taken out."""
    if there := list(_DENIAL.finditer(text)):
        match = chance.choice(there)
        return text[: match.start()] + text[match.end() :]
    words = [(word.word, word.flag) for word in jieba.posseg.cut(text)]
    verbs = [place for place, (word, flag) in enumerate(words) if flag == "v" and len(word) <= 2]
    if not verbs:
        return None
    place = chance.choice(verbs)
    verb = words[place][0]
    past = place + 1 < len(words) and words[place + 1][0] in "了过"
    denial = (
        "没" if verb == "有" else "没有" if past else "不" if verb in _MODAL else chance.choice(["不", "没有", "未"])
    )
    return "".join([*(word for word, _ in words[:place]), denial, *(word for word, _ in words[place:])])


def wrong_name(text: str, source: Source, chance: random.Random) -> str | None:
    """With a name replaced by another of its kind."""
    own = names(text)
    if not own:
        return None
    name, kind = chance.choice(own)
    strangers = [other for other, flag in source.names if flag == kind and other not in text and name not in other]
    return text.replace(name, chance.choice(strangers)) if strangers else None


def other_number(text: str, source: Source, chance: random.Random) -> str | None:
    """With one of its numbers replaced by another of the same passage that counts the same."""
    passage = source.passage
    there = [match for match in COUNTED.finditer(text)]
    chance.shuffle(there)
    for match in there:
        if others := sorted({m[1] for m in COUNTED.finditer(passage) if m[2] == match[2] and m[1] not in text}):
            return text[: match.start(1)] + chance.choice(others) + text[match.end(1) :]
    return None


def other_name(text: str, source: Source, chance: random.Random) -> str | None:
    """With a name replaced by another of its kind and of the same passage."""
    own = names(text)
    if not own:
        return None
    name, kind = chance.choice(own)
    there = [other for other, flag in names(source.passage) if flag == kind]
    others = [other for other in there if other not in text and other not in name and name not in other]
    return text.replace(name, chance.choice(others)) if others else None


def names(text: str) -> list[Name]:
    """The names in a text by jieba's tags: persons, places, organisations."""
    found = ((word.word, word.flag[:2]) for word in jieba.posseg.cut(text))
    return [(word, flag) for word, flag in found if flag in ("nr", "ns", "nt") and len(word) > 1]


RIGHT: dict[str, Callable[[str, random.Random], str | None]] = {
    "copied": copied,
    "shortened": shortened,
    "turned": turned,
    "reworded": reworded,
    "renumbered": renumbered,
    "framed": framed,
}
MISTAKES: dict[str, Callable[[str, Source, random.Random], str | None]] = {
    "number": wrong_number,
    "date": wrong_date,
    "name": wrong_name,
    "denial": denied,
    "other_number": other_number,
    "other_name": other_name,
}


def cases(passages: Sequence[str], per_kind: int, chance: random.Random) -> Iterator[Case]:
    """Up to `per_kind` cases of every kind, from different sentences."""
    named = chance.sample(passages, min(len(passages), _NAMED_PASSAGES))
    foreign = tuple(dict.fromkeys(name for passage in named for name in names(passage)))
    sentences = [(text, passage) for passage in passages for text in candidates(passage)]
    chance.shuffle(sentences)
    left = dict.fromkeys([*RIGHT, *MISTAKES], per_kind)
    for text, passage in sentences:
        for kind in sorted(left, key=lambda kind: -left[kind]):
            if left[kind] and (changed := _changed(text, kind, Source(passage, foreign), chance)):
                left[kind] -= 1
                # A mistake that the passage happens to bear out is none.
                if kind in RIGHT or changed.rstrip("。！？") not in passage:
                    yield Case(changed, passage, kind)
                break


def _changed(text: str, kind: str, source: Source, chance: random.Random) -> str | None:
    if kind in RIGHT:
        return RIGHT[kind](text, chance)
    wording = chance.choice([change for name, change in RIGHT.items() if name != "framed"])
    return MISTAKES[kind](wording(text, chance) or text, source, chance)


def _replace_one(pattern: re.Pattern[str], text: str, chance: random.Random) -> str | None:
    there = list(pattern.finditer(text))
    if not there:
        return None
    match = chance.choice(there)
    changed = _other_number(match[0], chance)
    return text[: match.start()] + changed + text[match.end() :]


def _other_number(number: str, chance: random.Random) -> str:
    """A number of as many digits; a year stays within its century, a month or day may be another's."""
    is_year = len(number) == 4 and number[:2] in ("18", "19", "20")
    while True:
        digits = [
            char if not char.isdigit() or (is_year and place < 2) else str(chance.randrange(place == 0, 10))
            for place, char in enumerate(number)
        ]
        if (changed := "".join(digits)) != number:
            return changed
