"""What a speaker says before a question or around it, which is none of its own words."""

import re

from rag.language.talk import NOD
from rag.language.words import NO_MORE, SUMMING_UP, PlainQuestion

_TO_SPEAK = r"(?:[，,。.！!\s]|好的?|那就?|请|麻烦|帮我?|给我|我们?|咱们?|[你您]|再|先|还是)*+"
_AND_NO_MORE = r"[吧啊呀呢吗好了。.！!？?~～\s]*$"
_BEFORE = "刚才|刚刚|之前|前面|一开始|最开始"
_NTH = r"第[一二三四五六七八九十\d]+个"
_WHAT_WAS_SPOKEN_OF = (
    rf"{_TO_SPEAK}(?:{_BEFORE}|上面){_TO_SPEAK}(?:都|一共)?(?:问|聊|说|谈|讨论|讲|提)[了过到]?的?(?:都?是)?"
    r"(?:些?什么|些?啥|哪些)(?:问题|话题|内容)?"
)
_BACK_TO_IT = rf"{_TO_SPEAK}(?:回到|说回)我?们?(?:刚才|之前|前面|最初|最开始|{_NTH}?|上一?个)的?(?:那个)?(?:问题|话题)"
# Not 第二个问题是什么, which may be asked of a document.
_WHAT_WAS_ASKED = (
    rf"(?=.*(?:我|刚|之前|前面|一开始|上一?个)){_TO_SPEAK}(?:{_BEFORE})?问?的?"
    rf"(?:{_NTH}|上一?个|最后一个)问题是(?:什么|啥|哪个)"
)
# The whole message asks what was talked about, or asks to go back to it.
RECALLS = re.compile(
    rf"^(?:{_WHAT_WAS_SPOKEN_OF}|{_BACK_TO_IT}|{_WHAT_WAS_ASKED}){_AND_NO_MORE}|"
    r"^what did (?:i|we|you) (?:just )?(?:ask|say|talk about)\W*$",
    re.IGNORECASE,
)
# The whole message says that another question is to come.
WILL_ASK = re.compile(rf"^{_TO_SPEAK}(?:换一?个?(?:话题|问题)|[聊说问谈]点别的){_AND_NO_MORE}")
# The whole message asks for the same search again.
SEARCH_AGAIN = re.compile(
    rf"^(?:不对|不是|错了|刚才的?)?{_TO_SPEAK}(?:不对|错了)?{_TO_SPEAK}(?:(?<=再)|重新)(?:仔细|好好)?(?:检索|搜索|查询|查找|[查搜找])"
    rf"(?:一[下次遍]|[下查找搜]|看看?)?(?:资料|文档|文件)?{_AND_NO_MORE}|^search again\W*$",
    re.IGNORECASE,
)
# What a misunderstood speaker says before the real question.
CORRECTS = re.compile(
    r"^(?:不对|不是这个|不是|错了|[你您]?(?:搞|弄|看|理解)错了)[，,。！!\s]+我们?(?:是|其?实)?想?(?:问|要|找|查|说|指|知道)的?是?"
)
# Phrases that open a new subject: "and tell me about the logs".
_TURNS_TO = re.compile(
    r"^(?:那么?|接下来|然后|再|我们|咱们|来|请|帮我|给我|[，,\s])*+(?:说说|讲讲|聊聊|谈谈|介绍一?下|看看|[看讲说]一下)(?=[^它他她这那其你您吧呀啊。！!])"
)
# What asks for a summary of what it names, or of the talk where it names nothing.
SUMS_UP = re.compile(
    rf"^{_TO_SPEAK}(?:能否|能不能|能|可以)?{_TO_SPEAK}(?:(?:{SUMMING_UP}|整理)(?![性会表者费]|报告|材料)|summari[sz]e\b)",
    re.IGNORECASE,
)
# What leads over to another subject, and is none of its words: "换个话题，".
_LEADS_OVER = re.compile(
    rf"^{_TO_SPEAK}(?:换一?个?(?:话题|问题)|顺便(?:再|也)?问一?[下句]?|对了|话说回来|言归正传|by the way)"
    r"[吧啊呀]?[，,。：:!！]+\s*(?=\S)",
    re.IGNORECASE,
)
# 不是，我问的是信用卡的 asks the same of that.
_OF_ANOTHER = re.compile(rf"的{NO_MORE}")
_PAUSE = re.compile(r"[，,。.！!~～、\s]+")


def without_lead(question: str) -> str:
    """The question without what leads over to it, which a search would look for as well."""
    return _LEADS_OVER.sub("", question)


def to_the_point(question: PlainQuestion) -> PlainQuestion:
    """The question without what its speaker corrects, nods to or leads over with; "" where it says to search again.

    A nod ends with a pause: 行 alone begins 行政处罚 as well.
    """
    if SEARCH_AGAIN.match(question):
        return PlainQuestion("")
    corrected = CORRECTS.sub("", question)
    point = without_lead(corrected if corrected == question else _OF_ANOTHER.sub("的呢", corrected))
    nod = NOD.match(point)
    pauses = list(_PAUSE.finditer(nod[0])) if nod else []
    return PlainQuestion(_TURNS_TO.sub("", point[pauses[-1].end() :] if pauses else point))


def names_another(question: PlainQuestion) -> bool:
    """Whether a question says by its first words that it is about something other than the talk so far."""
    turns = any(_TURNS_TO.match(text) for text in (question, NOD.sub("", question)))
    return turns or CORRECTS.match(question) is not None
