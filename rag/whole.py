"""How people ask about all of a document, or about a part of it that they call by its title."""

import re

from rag.decision import words

# What those call a document who ask about all of it. The second kind is a subject as well, but for 这 or its like.
_KINDS = r"文档|文件|资料|文章|论文|报告|[年季]报|手册|文本|pdf|document|paper|file|article|report|book"
_KINDS_TOO = (
    r"书|材料|指南|教程|课件|讲义|教材|小说|说明书|合同|协议|规定|制度|办法|条例|标准|规范|白皮书|"
    r"方案|计划|manual|guide"
)
_THIS = (
    r"全文|全书|通篇|本[文书]|正文|(?:知识|资料)库|"
    r"(?:整|这|那|该|此|本|(?:我|刚才?|新)*上传的|我的|\b(?:the|this|that|these|those|all|both|my)\b)\s*[一两几\d]?[份篇本个部套些]?"
    rf"(?:(?![的里])[\u4e00-\u9fffA-Za-z ]){{0,8}}?(?:{_KINDS}|{_KINDS_TOO})"
)
THE_DOCUMENT = re.compile(rf"{_THIS}|{_KINDS}", re.IGNORECASE)
_ANY = rf"(?:{_THIS}|{_KINDS})"
_PLEASE = (
    r"(?:请|麻烦|帮我?|给我?|为我|你|您|能不能|能否|可以|先|再|快速|我?想|知道|告诉|看看|看一?下|列出|列一下|显示|"
    r"用?[一二两三四五六七八九十百几\d]+个?(?:[句段]话|字|点)(?:以内|左右)?|用中文|简单|简要|详细|"
    rf"(?:根据|基于|通读|阅读|读一?下){_ANY}(?:的?内容)?[并后]?|[\s，,])*+"
)
_MAIN = r"(?:主要|大概|核心|大致|主体|全部|整体|重要|中心|关键|基本)"
_GIST = r"(?:内容|主题|主旨|大意|思想|摘要|概要|梗概|要点|重点|观点|结论|情节)"
_DIVISION = r"(?:目录|章节|结构|框架|大纲|提纲)"
_MOSTLY = r"(?:主要|大概|大致|到底|究竟|都|一共|总共|具体|是|在)"
_TELLS = r"(?:讲|说|写|介绍|描述|讨论|谈|关于|涉及)(?:的|了|述)?(?:是|些)*(?:什么|啥|哪些)"
_HOLDS = r"(?:有|(?<=文件)是|(?<=文档)是|包括|包含|规定|研究|分析|做(?=了)|想?表达)(?:的|了)?(?:是|些)*(?:什么|啥|哪些)"
_SUMS_UP = r"(?:总结|概括|归纳|概述|简述|提炼|梳理)"
_ASKED = (
    r"(?:和|与|、|以及|分别|都|是|有|什么|啥|哪些|怎样|怎么样|的|安排|内容|东西|故事|方面|吗|呢|吧|"
    r"一下|给我|[？?。.！!\s])*+$"
)
_LEAD = (
    r"(?:(?:please|can you|could you|give me|show me|tell me(?: about)?|list|describe|explain|summari[sz]e|sum up|"
    r"tl;?dr|what(?:'s| is| are| does| do)?|how (?:is|many)|(?:an? |the )?(?:(?:brief|short|main|key) )*(?:table of )?"
    r"(?:summary|overview|outline|topics?|points?|contents?|ideas?|takeaways|chapters?)(?: are)?(?: of| in)?)\b\s*)++"
    r"(?:in )?"
)
_TAIL = (
    r"(?: ?\b(?:all|about|says?|tell(?: us| me)?|cover|contain|talk about|(?:are )?there|structured|please|for me))*"
)
_WHOLE = tuple(
    re.compile(rf"^{_PLEASE}{pattern}{_ASKED}", re.IGNORECASE)
    for pattern in (
        rf"(?:大致|大概)?(?:{_SUMS_UP}|介绍)(?:一?下|出)?"
        rf"(?P<about>.{{0,30}}?)的?{_MAIN}?(?:{_GIST}|{_DIVISION})?",
        rf"(?:大概)?(?:说说|讲讲|谈谈|解读|了解|[说讲]一下)(?P<about>.{{0,30}}?{_ANY})的?{_MAIN}?(?:{_GIST}|{_DIVISION})?",
        rf"(?:[把将对]|给(?!我))?(?P<about>.{{0,30}}?)的?(?:[做作写来]|生成|进行)?一?[个份篇段下]?(?:{_SUMS_UP}|[摘概]要)(?:[成为].{{1,6}})?",
        rf"(?P<about>.{{1,30}}?){_MOSTLY}*{_TELLS}",
        rf"(?P<about>)(?:主要|大概|大致|都)+{_TELLS}",
        rf"(?P<about>{_THIS}|(?:{_KINDS})(?=[里中]))[里中]?面?{_MOSTLY}*{_HOLDS}",
        rf"(?:[这那](?:都|[份篇本个])?是|我?刚?上传(?:了|的是))(?:一[份篇本个])?(?:关于)?什么的?(?P<about>{_KINDS}|{_KINDS_TOO})",
        rf"(?P<about>.{{0,30}}?)的?{_MAIN}{_GIST}",
        rf"(?P<about>{_ANY})的?{_GIST}",
        rf"(?P<about>.{{0,30}}?)的?(?:一?共)?(?:有|分为?|分成)?(?:哪些|几|多少|什么)?个?{_DIVISION}",
        r"(?P<about>.{0,30}?)的?[一总]?共?(?:分为?|分成|有|包括)?(?:哪|几|多少)[些几]?个?(?:部分|章)",
        rf"{_LEAD}(?:(?:this|it)(?={_TAIL}\W*$))?(?P<about>.{{0,40}}?){_TAIL}",
    )
)
_DIVIDED = re.compile(rf"{_DIVISION}|部分|[几少些]章|\b(?:outline|chapters?|contents|structured)\b", re.IGNORECASE)
_TITLED = re.compile(
    rf"^{_PLEASE}(?:介绍|{_SUMS_UP}|说说|讲讲)?(?:一?下)?(?:{_LEAD})?(?:the )?(?P<about>.{{0,30}}?)的?"
    r"(?P<title>摘要(?=部分|[讲说写])|内容提要|[前引序导]言|[绪导]论|结论|结束?语|后记|总则|附则|参考文献|致谢|首页|封面|"
    r"附(?:[录件表]\s*[a-z]?|\s*(?=[一二三四五六七八九十\d]))[一二三四五六七八九十\d]{0,2}|"
    r"\b(?:abstract|preface|introduction|conclusions?|references|appendix(?: [a-z\d])?)\b)"
    rf"(?:{_MOSTLY}|(?P<said>部分|里面?|中|{_TELLS}))*的?{_MAIN}?{_GIST}?{_TAIL}{_ASKED}",
    re.IGNORECASE,
)
# What may stand beside a place without asking for anything in particular there.
_NOTHING = re.compile(
    rf"{_SUMS_UP}|解释|说明|解读|讲解|展开|主要|大概|大致|具体|详细|全部|所有|上面|里面|内容|要点|重点|大意|主题|观点|结论|"
    r"规定|标题|文字|原文|东西|方面|部分|提到|描述|包括|包含|涉及|关于|分别|中文|英文|[讲说写谈中页]|"
    rf"[这那每各两三几\d]+[份篇本部套个些]|{_KINDS}|"
    r"\b(?:on|in|says?|said|tell|contain|summari[sz]e|please|explain|content)\b",
    re.IGNORECASE,
)
# What asks for something in particular by itself: 第3章是谁写的.
_PARTICULAR = re.compile(
    r"谁|为[什何]|多少|多[大久长]|几|哪(?!些)|怎么(?![说讲]|写的)|如何|\b(?:who|why|when|where|how)\b", re.IGNORECASE
)


def whole_document(question: str, alone: bool) -> tuple[tuple[str, ...], bool] | None:
    """What a question about whole documents says besides, in terms, and whether it asks how they are divided."""
    for match in filter(None, (pattern.match(question) for pattern in _WHOLE)):
        rest, count = THE_DOCUMENT.subn(" ", match["about"])
        if about := besides(rest):
            return (about, _divided(question)) if alone or count else None
        if count or not _NOTHING.sub(" ", rest).strip():
            return ((), _divided(question)) if alone or count else None
    return None


def titled_part(question: str, alone: bool) -> tuple[str, tuple[str, ...]] | None:
    """The title of a part that a question is about, and the question's terms besides: 前言写了什么."""
    match = _TITLED.match(question)
    if not match or words.ASKS.search(match["about"]):
        return None
    rest, count = THE_DOCUMENT.subn(" ", match["about"])
    return (match["title"], besides(rest)) if alone or count or match["said"] else None


def besides(text: str) -> tuple[str, ...]:
    """The terms of what a question says besides a place, less what asks for nothing in particular."""
    particular = _PARTICULAR.search(text)
    return words.terms(_NOTHING.sub(" ", text)) or ((particular[0],) if particular else ())


def _divided(question: str) -> bool:
    return _DIVIDED.search(question) is not None
