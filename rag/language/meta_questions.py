"""Questions that no passage answers: which files there are, what can be done here, and who or what the assistant is."""

import re

from rag.language import talk
from rag.language.rows import any_of, read_rows
from rag.language.words import DOCUMENTS, KINDS_OF_DOCUMENT, PlainQuestion, plainly

_ROWS = read_rows(__file__)
_LISTS, _WHAT, _ADDED = (any_of(_ROWS["files"][name]) for name in ("lists", "what", "added"))
_AROUND = _ROWS["around"]
# 文件里有什么 is about what stands in them.
_FILE = r"(?:(?:文件|资料|文档|文献|论文|pdf)(?![里中内上])|知识库|资料库)"
# What must be there, that 上传什么文件 and 这份文件讲什么 do not ask for a list.
_IS_THERE = rf"(?:有|看[到得]|{_LISTS}|(?:已经?|刚刚?|都|我){_ADDED}|{_ADDED}(?:[了过的到]|进))"
_UNIT = any_of(_AROUND["before_files"], (_FILE, _WHAT, _ADDED, _IS_THERE), _AROUND["chinese"])
_IN_CHINESE = rf"^(?=.*?(?:{_WHAT}|{_LISTS}))(?=.*?(?:{_FILE}|{_ADDED}))(?=.*?{_IS_THERE})(?>{_UNIT})++$"
_IN_ENGLISH = (
    r"^(?=.*?\b(?:files|documents|docs|pdfs|papers|upload(?:ed)?)\b)(?:(?:please|so|and|can you|could you) )*+"
    rf"(?:what|which|how many|list|show)\b ?(?>{any_of(_AROUND['english'])}\b\W*)++$"
)
_ABOUT_FILES = re.compile(f"{_IN_CHINESE}|{_IN_ENGLISH}", re.IGNORECASE)
_COURTEOUS, _SAID = r"^(?:请问|那么?|[，,\s])*+", r"[吗呢啊呀吧？?。.！!\s]*$"
_ABILITIES = re.compile(
    rf"{_COURTEOUS}[你您](?:[都还]*(?:能|会|可以)(?:[帮为]我)?(?:做|干|回答)?[些点]?(?:什么|啥|哪些)(?:事情?|问题)?|"
    rf"[都还]?有(?:什么|啥|哪些)(?:功能|本事|能力|用处?)|的功能(?:是什么|有哪些)){_SAID}|"
    r"^(?:what can (?:you|i|this)(?: app)? do(?: here)?|help)\W*$",
    re.IGNORECASE,
)
_MODELS = "通义千问|千问|文心一言|豆包|混元|智谱|星火|元宝|问渠"
ABOUT_THE_ASSISTANT = re.compile(
    rf"{_COURTEOUS}[你您](?:是谁|叫什么(?:名字)?|是(?:什么|哪个|哪种)(?:大?模型|ai|人|东西)|用的是?(?:什么|哪个|哪种)(?:大?模型|ai)|"
    rf"是(?:不是)?\s*(?:真?人|机器人|人工智能|{_MODELS}|[a-z][a-z\d. -]{{1,20}})){_SAID}|"
    r"^(?:who are you|what(?:'s| is) your name|(?:which|what) model are you)\W*$",
    re.IGNORECASE,
)
# 这份手册一共多少页: the list of the files tells.
_PAGES = re.compile(
    rf"{_COURTEOUS}(?:(?:这|那|该|本|我|上传)[几两些]?[份个本篇]?(?:上传)?的?(?:{DOCUMENTS}|{KINDS_OF_DOCUMENT}|ppt|工作簿)?)?"
    rf"(?:分别|各|一共|总共|共|总)?有?(?:多少|几)(?:页|张(?:ppt|幻灯片)|个工作表){_SAID}|"
    r"^how many (?:pages|slides|sheets)"
    r"(?: (?:are there|do(?:es)? (?:it|they|(?:this|the) (?:file|document|pdf)) have))?\W*$",
    re.IGNORECASE,
)
# 在第几页: where what was answered stands.
_ITS_PAGE = re.compile(
    rf"{_COURTEOUS}(?:[这那](?:个|些|句话?|段话?|条|一?点)?|上面|刚才|答案|原文|原话|内容|它)*(?:都|分别|具体)?(?:是|写|说|讲|出)?[在自于]?"
    rf"(?:原文|资料|文件|文档|书)?[里中]?的?(?:第几页|哪一?页|页码(?:是(?:多少|几))?)[上里]?(?:[说写]?的)?{_SAID}|"
    r"^(?:(?:on|at) )?(?:which|what) page(?: (?:is|was) (?:it|this|that)(?: on)?)?\W*$",
    re.IGNORECASE,
)
# Behind a question on a telephone it asks for what that has.
_ABILITIES_ALONE = re.compile(rf"{_COURTEOUS}(?:这里)?[都还]?有(?:什么|啥|哪些)功能{_SAID}")

_ABOUT_NOTHING = (talk.RETELL, talk.REWORK, talk.SMALL_TALK, ABOUT_THE_ASSISTANT)


def about_files(question: str) -> bool:
    """Whether a question is about which files there are or how long, and nothing else: "我上传了什么"."""
    plain = plainly(question)
    return any(about.match(plain) for about in (_ABOUT_FILES, _PAGES))


def asks_its_page(question: str) -> bool:
    """Whether a question asks on which page the last answer stands, and nothing else: 在第几页？"""
    return _ITS_PAGE.match(plainly(question)) is not None


def about_abilities(question: PlainQuestion, alone: bool) -> bool:
    """Whether a question is about what can be done here: 你能做什么, or 有什么功能 where nothing was said before."""
    return bool(_ABILITIES.match(question) or (alone and _ABILITIES_ALONE.match(question)))


def is_about_nothing(question: PlainQuestion) -> bool:
    """Whether a former question is only small talk or about the talk; 年终总结什么时候提交 is about a summary."""
    is_of_the_talk = talk.asks_about_the_talk(question) or about_abilities(question, alone=True)
    return is_of_the_talk or any(about.match(question) for about in _ABOUT_NOTHING)
