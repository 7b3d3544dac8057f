"""What a question names by its place in a document instead of by its subject: pages, sections, or all of it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from rag.language import words
from rag.language.english import with_chinese_places
from rag.language.han_numerals import PLACE_NUMBER, whole_number
from rag.language.segmentation import replaced, uncut
from rag.language.whole_document import besides, kind_called, titled_part, whole_document
from rag.types import Place, SectionNumber

_DECIMAL = r"\d{1,2}(?:\.\d{1,2}){1,3}"
_NUMBER = rf"(?:{_DECIMAL}|{PLACE_NUMBER})"
_RANGE = r"[到至—–~～-]"
_LINK = rf"(?:{_RANGE}|以及|[和与及跟、,，])"
_UNIT = r"(?:页|章节?|[小大]?(?:节(?!课)|部分)|单元|[编篇卷课回]|讲讲?|条(?![件码路例消信新建评意]))"
ARTICLE = "条"
_PLACE = re.compile(
    rf"(?P<from>倒数第|最后|开头|第|前|头|后)\s*(?P<row>{_NUMBER}(?:\s*{_LINK}\s*第?\s*{_NUMBER}){{0,9}})\s*(?P<unit>{_UNIT})"
)
_LINKED = re.compile(rf"({_LINK})?\s*第?\s*({_NUMBER})")
_STEP = re.compile(r"(?:(?P<on>下|(?<!最)后)|[上前])面?一(?P<unit>页|章|小?节(?!课)|部分)")
_TELLS = r"\s*(?:[讲说写]|主要|的?内容)"
# Elsewhere it may tell how long something is: 简历写1-2页.
_PAGES = rf"\d{{1,4}}\s*(?:{_RANGE}|[和、])\s*\d{{1,4}}\s*[页章]"
# Other ways to write the same: 第3页到第5页 and 3-5页 are 第3到5页. A paragraph of an article is read with that.
_ALIKE = (
    (re.compile(r"张\s*(?:幻灯片|ppt)", re.IGNORECASE), "页"),
    (re.compile(rf"({_UNIT})\s*({_LINK})\s*第?\s*(?={_NUMBER}\s*\1)"), r"\2"),
    (re.compile(rf"(?<![\d.第])({_DECIMAL})\s*(小?节|章)"), r"第\1\2"),
    (re.compile(rf"^({_DECIMAL})(?={_TELLS})"), r"第\1节"),
    (re.compile(rf"^({_NUMBER})\s*([页章])(?={_TELLS})"), r"第\1\2"),
    (re.compile(rf"(?:^|(?<=[看读讲译结括下把])){_PAGES}"), r"第\g<0>"),
    (re.compile(r"(?<![期周月年])末页(?!面)"), "最后一页"),
    (re.compile(rf"(?<=条)(?:\s*第\s*{_NUMBER}\s*[款项])+"), ""),
)
# 第三章以后 is read to the end of the document, 以前 from its beginning; 学完第三章以后 tells when something is done.
_OPEN = re.compile(
    rf"(?<![完过了])(?P<english>\b(?:from|after|before)\s+)?[从自]?第\s*(?P<number>{PLACE_NUMBER})"
    rf"\s*(?P<unit>{_UNIT})\s*(?P<end>[及和与]?(?:其?[之以]后|往?后面)|往后|(?:开始|起)(?![到至])|到?[之以]前|前面|"
    r"[到至](?:最后(?:一\s*[页章节])?(?!\s*[\d一两二三])|结尾|末尾)|onwards?\b|on\b|to the end\b)?",
    re.IGNORECASE,
)
_LAST = 9999
_TO_THE_LAST = re.compile(rf"(第\d+)到{_LAST}({_UNIT})")
# What stands beside a place that is left out, or only begins what is meant: 除了第三章, 第三章之外.
_BUT = re.compile(r"(?:除了?|\b(?:after|before|except|since|beyond))\s*$", re.IGNORECASE)
_BEYOND = re.compile(r"^\s*(?:(?:之|以|往)(?:[前后外]|$)|[前后外]|开始|起)")
# 第三章的最后一页 is a page of that chapter.
_OF = re.compile(r"\s*[的里中]?\s*")
# 第二三章 are two.
_MOST_SUCCESSIVE = 4
# 第三章呢, 那第三章, 再看看第三章.
_GOES_ON = re.compile(rf"呢{words.NO_MORE}|^(?:那|再|还有|然后|and\b|what about|how about)")
_AND = re.compile(
    r"[\s，,。?？!！的呢吧啊]|那么?|再看看|再|还有|然后|看看|它|\b(?:and|what about|how about)\b", re.IGNORECASE
)
# 那租赁合同的|第十条呢; 结论在第5页呢 tells where something is.
_WHOSE = re.compile(r"(?:那么?|还有|然后|[\s，,])*(.{2,20}(?<![在是到见]))")
_DIGITS = "一二三四五六七八九"
_TITLE = re.compile(
    rf"\s*(?:第\s*(?P<number>{_NUMBER})\s*(?P<unit>[编篇卷章节课讲回条]|部分|单元)|"
    rf"(?P<decimal>{_DECIMAL}|\d{{1,2}})(?![\d.]*\d)[\s、.．:：]|[（(]?(?P<listed>[一二三四五六七八九十]{{1,3}})[、.．)）])"
)
_MOST = 50
# A prompt is made of all of a conversation's questions, several times in a turn.
_REMEMBERED = 512


@lru_cache(_REMEMBERED)
def named_place(question: str, alone: bool = True) -> Place | None:
    """The place that a question names; None for one that names a subject only, as most do.

    One that is not `alone` names whole documents only by their name or a word for them: "总结一下" means the talk.
    """
    question = _alike(question)
    place = _numbered(question)
    if place is None and (step := _step(question)):
        return Place(step=step[0])
    place = place or titled_part(question, alone) or whole_document(question, alone)
    return replace(place, kind=kind_called(question)) if place else None


def asked_place(question: str, rewrite: str, earlier: Sequence[str], alone: bool) -> Place | None:
    """The place that a turn's question names, or its rewrite where that tells what the question goes on from.

    `earlier` are the questions before it: one about a place may have named the document that this one leaves out.
    """
    place = named_place(question, alone)
    if place is None or goes_on(question):
        place = (named_place(rewrite, alone) if rewrite else None) or place
    if place and place.is_numbered and not place.called:
        return replace(place, formerly=_document_before(earlier))
    return place


def goes_on(question: str) -> bool:
    """Whether a question has a place and no more, 第三章呢, or a step from one: what is asked there was said before."""
    question = _alike(question)
    return _step(question) is not None or _only(question) is not None


def moved(question: str, earlier: Sequence[str]) -> str | None:
    """For a question that goes on to a place: what was asked of the last one `earlier`, of that.

    One that names its place stays as it is where nothing was asked of one; None for one that names none.
    """
    plain, former = _alike(question), [_alike(one) for one in reversed(earlier)]
    if step := _step(plain):
        return _stepped(step, former)
    if only := _only(plain):
        before = ((one, list(uncut(_PLACE, one))) for one in former if not _only(one))
        one, found = next(((one, found) for one, found in before if found), ("", []))
        asked = f"{only[0] or one[: found[-1].start()]}{only[1]}{one[found[-1].end() :]}" if found else question
        # The reader is shown it, and no document has so many pages.
        return _TO_THE_LAST.sub(r"\1\2到最后", asked)
    return None


def _stepped(step: tuple[int, str], former: Sequence[str]) -> str | None:
    """What was asked of the last place in the unit of a step, of the place that this leads to."""
    distance, unit = step
    for one in former:
        again = _step(one)
        found = [match for match in uncut(_PLACE, one) if _unit(match["unit"]) == unit and _numbers(match)]
        if again and again[1] == unit:
            distance += again[0]
        elif found:
            *above, last = _numbers(found[-1])[-1]
            origin, number = ("倒数第", -last - distance) if last < 0 else ("第", last + distance)
            there = f"{origin}{'.'.join(map(str, (*above, max(0, number))))}{unit}"
            return f"{one[: found[-1].start()]}{there}{one[found[-1].end() :]}"
    return None


def _only(question: str) -> tuple[str, str] | None:
    """The one place of a question that has nothing besides but that it goes on, and by what it calls its document."""
    found = list(uncut(_PLACE, question)) if _GOES_ON.search(question) else []
    if len(found) != 1:
        return None
    before, behind = _around(question, found)
    if not _AND.sub("", before + behind):
        return "", found[0][0]
    whose = _WHOSE.fullmatch(before) if "呢" in behind and not _AND.sub("", behind) else None
    return (whose[1], found[0][0]) if whose and not words.ASKS.search(whose[1]) else None


def _document_before(earlier: Sequence[str]) -> tuple[str, ...]:
    """By which terms the last question about a place that has any calls its document; of a row of such only."""
    places = (named_place(question, alone=False) for question in reversed(earlier))
    row = takewhile(lambda place: place is not None and place.is_numbered, places)
    return next((place.called for place in row if place and place.called), ())


def title_number(title: str) -> SectionNumber | None:
    """The number that a heading begins with: 第三章, 3.2, 三、."""
    match = _TITLE.match(with_chinese_places(title))
    if not match:
        return None
    if match["number"]:
        return SectionNumber(_value(match["number"]), match["unit"])
    return SectionNumber(_value(match["decimal"] or match["listed"]))


def _numbered(question: str) -> Place | None:
    """The pages and sections that a question tells the numbers of."""
    found = list(uncut(_PLACE, question)) if _PLACE.search(question) else []
    # Documents count their articles: 最后一条 may be one of anything.
    found = [match for match in found if match["unit"] != ARTICLE or match["from"] == "第"]
    sections = [SectionNumber(number, _unit(match["unit"])) for match in found for number in _numbers(match)][:_MOST]
    around = _around(question, found)
    if not sections or any(map(_BUT.search, around[:-1])) or any(any(uncut(_BEYOND, behind)) for behind in around[1:]):
        return None
    pages = tuple(dict.fromkeys(section.numbers[0] for section in sections if section.unit == "页"))
    others = tuple(section for section in sections if section.unit != "页")
    within = all(map(_OF.fullmatch, around[1:-1])) and sections[-1].unit == "页"
    return Place(pages, others if within or not pages else (), besides(" ".join(around)))


def _numbers(match: re.Match[str]) -> list[tuple[int, ...]]:
    """The numbers of a row, each of a range; those that count from the end are negative."""
    numbers: list[tuple[int, ...]] = []
    for link, written in _LINKED.findall(match["row"]):
        if 1 < len(written) <= _MOST_SUCCESSIVE and written in _DIGITS:
            numbers += map(_value, written)
            continue
        number = _value(written)
        if link and re.match(_RANGE, link) and numbers and len(number) == len(numbers[-1]) == 1:
            first, last = sorted((numbers.pop()[0], number[0]))
            numbers += [(each,) for each in range(first, min(last, first + _MOST) + 1)]
        else:
            numbers.append(number)
    count = min(numbers[-1][0], _MOST)
    match match["from"]:
        case "第":
            return numbers
        case "倒数第":
            return [(-number[0],) for number in numbers]
        case "前" | "头" | "后" if count == 1:
            # 前一页 is the one before.
            return []
        case "最后" | "后":
            return [(number,) for number in range(-count, 0)]
    return [(number,) for number in range(1, count + 1)]


def _step(question: str) -> tuple[int, str] | None:
    """How far from the last place a question goes, and in what: the next page, the chapter before."""
    found = list(uncut(_STEP, question)) if _STEP.search(question) else []
    if len(found) != 1 or besides(" ".join(_around(question, found))):
        return None
    return 1 if found[0]["on"] else -1, _unit(found[0]["unit"])


def _unit(written: str) -> str:
    return {"章节": "章", "讲讲": "讲"}.get(written, written.lstrip("小大"))


def _value(written: str) -> tuple[int, ...]:
    return tuple(int(number) for number in written.split(".")) if "." in written else (whole_number(written),)


def _alike(question: str) -> str:
    """The question with its places written alike."""
    question = with_chinese_places(words.plainly(question))
    for pattern, alike in _ALIKE:
        question = pattern.sub(alike, question)
    return replaced(_OPEN, _closed, question)


def _closed(match: re.Match[str]) -> str:
    """A place that is open at one end as a range; any other as it is."""
    english, end = (match["english"] or "").strip().lower(), (match["end"] or "").lower()
    number = whole_number(match["number"])
    if end.endswith("前") or end == "前面" or (english == "before" and not end):
        return f"第1到{number - 1}{match['unit']}" if number > 1 else match[0]
    if end.startswith(("之", "以", "后", "往后面")) or (english == "after" and not end):
        return f"第{number + 1}到{_LAST}{match['unit']}"
    # "From chapter 3" alone may only tell where something is, as "chapter 3 on testing" does.
    is_open = end and english != "before" and (end != "on" or english)
    return f"第{number}到{_LAST}{match['unit']}" if is_open else match[0]


def _around(question: str, places: Sequence[re.Match[str]]) -> list[str]:
    begins, ends = [0, *(match.end() for match in places)], [*(match.start() for match in places), len(question)]
    return [question[begin:end] for begin, end in zip(begins, ends, strict=True)]
