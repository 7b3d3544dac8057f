"""What a question names by its place in a document instead of by its subject: pages, a section, or all of it."""

import re
from collections.abc import Iterator, Sequence

from rag.citations.numerals import whole_number
from rag.decision import words
from rag.types import Place, SectionNumber

_NUMBER = r"(?:\d{1,4}|[零〇一二两三四五六七八九十百千]{1,7})"
_DECIMAL = r"\d{1,2}(?:\.\d{1,2}){1,3}"
_PAGES = re.compile(
    rf"第\s*(?P<first>{_NUMBER})\s*页?(?:\s*(?P<through>[到至—–~～-])?[和与、]?\s*第?\s*(?P<last>{_NUMBER})\s*)?页|"
    rf"前\s*(?P<opening>{_NUMBER})\s*页|(?P<end>最后|末)一?页|"
    r"\bpages?\s*(?P<page>\d{1,4})(?:\s*(?:to|[–—-])\s*(?P<until>\d{1,4}))?\b",
    re.IGNORECASE,
)
_MOST_PAGES = 50
_SECTION = re.compile(
    rf"第\s*(?P<number>{_DECIMAL}|{_NUMBER})\s*(?P<unit>[编篇卷章节课讲回]|部分|单元)|"
    rf"(?<![\d.])(?P<decimal>{_DECIMAL})\s*[章节]|"
    rf"\b(?:chapter|section|part|lesson)\s*(?P<english>\d{{1,2}}(?:\.\d{{1,2}}){{0,3}})\b",
    re.IGNORECASE,
)
_TITLE = re.compile(
    rf"\s*(?:第\s*(?P<number>{_NUMBER})\s*(?P<unit>[编篇卷章节课讲回]|部分|单元)|(?P<english>Chapter|Section|Part)\s*(?P<counted>\d{{1,2}})\b|"
    rf"(?P<decimal>{_DECIMAL}|\d{{1,2}})(?![\d.]*\d)[\s、.．:：]|(?P<listed>[一二三四五六七八九十]{{1,3}})[、.．])",
    re.IGNORECASE,
)
# What those call a document who ask about all of it. The second kind is a subject as well, but for 这 or its like.
_KINDS = r"文档|文件|资料|文章|论文|报告|[年季]报|手册|文本|pdf|document|paper|file|article|report|book"
_KINDS_TOO = (
    r"书|材料|指南|教程|课件|讲义|教材|小说|说明书|合同|协议|规定|制度|办法|条例|标准|规范|白皮书|"
    r"方案|计划|manual|guide"
)
_THE_DOCUMENT = re.compile(
    rf"全文|全书|通篇|本[文书]|正文|(?:整|这|那|该|此|本|(?:我|刚才?|新)?上传的|我的|\b(?:the|this|that|my)\b)\s*[一两几\d]?[份篇本个部套些]?"
    rf"[\u4e00-\u9fffA-Za-z ]{{0,8}}?(?:{_KINDS}|{_KINDS_TOO})|{_KINDS}",
    re.IGNORECASE,
)
_PLEASE = (
    r"(?:请|麻烦|帮我?|给我?|为我|你|您|能不能|能否|可以|先|用[一两三几\d]+[句段]?话|用中文|简单|简要|大致|[\s，,])*+"
)
_MAIN = r"(?:主要|核心|大致|主体|全部|整体|重要|中心|关键|基本)"
_GIST = r"(?:内容|主题|主旨|大意|思想|摘要|概要|梗概|要点|重点|观点|结论)"
_DIVISION = r"(?:目录|章节|结构|框架|大纲|提纲)"
_TELLS = r"(?:讲|说|写|介绍|描述|讨论|谈|关于|涉及)(?:的|了|述)?(?:是|些)?(?:什么|啥|哪些)"
_ASKED = (
    r"(?:和|与|、|以及|分别|都|是|有|什么|啥|哪些|怎样|怎么样|的|安排|内容|东西|方面|吗|呢|吧|"
    r"一下|给我|[？?。.！!\s])*+$"
)
_MAIN_POINTS = r"(?: the)?(?: main| key)? (?:topics?|points?|contents?|ideas?|chapters?)(?: are)? (?:of|in)"
_WHOLE = tuple(
    re.compile(rf"^{_PLEASE}{pattern}{_ASKED}", re.IGNORECASE)
    for pattern in (
        r"(?:总结|概括|归纳|概述|简述|介绍|提炼|梳理)(?:一?下|出)?"
        rf"(?P<about>.{{0,30}}?)的?{_MAIN}?(?:{_GIST}|{_DIVISION})?",
        rf"(?P<about>.{{1,30}}?)(?:主要|大概|大致|到底|究竟|都|一共|总共|具体|是|在)*{_TELLS}",
        rf"(?P<about>.{{0,30}}?)的?{_MAIN}{_GIST}",
        rf"(?P<about>.{{0,30}}?)的?(?:一?共)?(?:有|分为?|分成)?(?:哪些|几|多少|什么)?个?{_DIVISION}",
        r"(?P<about>.{1,30}?)的?(?:一?共)?(?:分为?|分成|有)(?:哪|几|多少)[些几]?个?(?:部分|章)",
        r"(?:please |can you |could you |give me )*"
        rf"(?:summari[sz]e|(?:an? )?(?:summary|overview|outline) of|what(?: are|'s| is)?(?:{_MAIN_POINTS})?|what does)"
        r"\s*(?P<about>.{0,40}?)(?: all)?(?: about| say| tell(?: us| me)?| cover| talk about)?",
    )
)
_DIVIDED = re.compile(rf"{_DIVISION}|部分|几章|\b(?:outline|chapters?|contents)\b", re.IGNORECASE)
# What may stand beside a place without asking for anything in particular there.
_NOTHING = re.compile(
    r"总结|概括|归纳|概述|简述|解释|说明|提炼|梳理|主要|大概|大致|具体|详细|全部|所有|上面|里面|内容|要点|重点|大意|主题|观点|结论|"
    rf"规定|标题|文字|原文|东西|方面|部分|提到|描述|包括|包含|涉及|关于|分别|中文|英文|[讲说写谈中页]|{_KINDS}|"
    r"\b(?:on|in|say|says|summari[sz]e|please|explain|content)\b",
    re.IGNORECASE,
)


def named_place(question: str, alone: bool = True) -> Place | None:
    """The place that a question names; None for one that names a subject only, as most do.

    One that is not `alone` names whole documents only by their name or a word for them: "总结一下" means the talk.
    """
    question = words.plainly(question)
    if found := [*_PAGES.finditer(question)]:
        pages = tuple(dict.fromkeys(page for match in found for page in _pages(match)))
        return Place(pages[:_MOST_PAGES], about=_besides(question, found))
    if found := [*_SECTION.finditer(question)]:
        return Place(sections=tuple(map(_section, found)), about=_besides(question, found))
    for match in filter(None, (pattern.match(question) for pattern in _WHOLE)):
        rest, count = _THE_DOCUMENT.subn(" ", match["about"])
        about = words.terms(_NOTHING.sub(" ", rest))
        if not rest.strip() or count or about:
            return Place(about=about, divided=_DIVIDED.search(question) is not None) if alone or count else None
    return None


def title_number(title: str) -> SectionNumber | None:
    """The number that a heading begins with: 第三章, 3.2, 三、."""
    match = _TITLE.match(title)
    if not match:
        return None
    if match["number"]:
        return SectionNumber((whole_number(match["number"]),), match["unit"])
    if match["english"]:
        return SectionNumber((int(match["counted"]),), match["english"].lower())
    return SectionNumber(_decimal(match["decimal"]) if match["decimal"] else (whole_number(match["listed"]),))


def _pages(match: re.Match[str]) -> Sequence[int]:
    if match["end"]:
        return (-1,)
    if match["opening"]:
        return range(1, whole_number(match["opening"]) + 1)
    first = whole_number(match["first"] or match["page"])
    written = match["last"] or match["until"]
    last = whole_number(written) if written else first
    return range(first, last + 1) if match["through"] or match["until"] else (first, last)


def _section(match: re.Match[str]) -> SectionNumber:
    if written := match["decimal"] or match["english"]:
        return SectionNumber(_decimal(written))
    number = match["number"]
    numbers = _decimal(number) if "." in number else (whole_number(number),)
    return SectionNumber(numbers, match["unit"])


def _decimal(written: str) -> tuple[int, ...]:
    return tuple(int(number) for number in written.split("."))


def _besides(question: str, places: list[re.Match[str]]) -> tuple[str, ...]:
    """The terms of a question besides the places that it names."""
    return words.terms(_NOTHING.sub(" ", "".join(_around(question, places))))


def _around(question: str, places: list[re.Match[str]]) -> Iterator[str]:
    begin = 0
    for match in places:
        yield f"{question[begin : match.start()]} "
        begin = match.end()
    yield question[begin:]
