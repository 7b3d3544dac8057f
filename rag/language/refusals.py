"""Answers that say no more than that there is none."""

import re

# The whole answer says that there is none, not that something does not apply.
_REFUSES = re.compile(
    r"^(?!.*(?:但|不过|然而|\bbut\b|however))(?:抱歉|对不起|很遗憾|不好意思|根据(?:提供的|现有的|给出的)?资料[，,]|[，,。.！!\s])*+"
    r"(?:(?:根据资料)?我?(?:不知道|不清楚|无法回答)(?![^，,]{0,12}的[，,])(?!的)|"
    r"(?:[在据]|根据)?(?:提供的|现有的|给出的)?资料[中里内]?(?:并?没有|并?未|不包含|找不到)(?:找到)?(?:相关|直接|任何|与|有关|关于|提到|提及|提供|说明|涉及|给出)|"
    r"(?:没有|未)(?:提到|提及|说明)|"
    r"(?:并?没有|并?未|不包含|找不到)(?:找到|提到|提及|说明|给出)?(?:任何)?(?:相关|直接)的?(?:内容|信息|资料|说明|规定|记载|答案|回答)(?=[，,。.]|$))"
    r"[^，,。.\n]{0,40}(?:[，,](?:因为|由于|因此|所以|故)?(?:资料|没有|未|我|也|请|建议|无法|不能|不知道|最接近)[^。.\n]{0,40})?[。.]?$|"
    r"^(?!.*(?:\bbut\b|however))(?:sorry, )?(?:i (?:do not|don['’]t) know|"
    r"the documents (?:(?:say|hold) nothing|(?:do not|don['’]t) (?:mention|say|state|contain|hold|include|specify)))"
    r"[^.\n]{0,80}\.?$",
    re.IGNORECASE,
)
# How models begin to say that there is no answer.
_BEGINNINGS = (
    "我不知道",
    "我不清楚",
    "我无法回答",
    "不知道",
    "不清楚",
    "无法回答",
    "抱歉",
    "对不起",
    "很遗憾",
    "资料中没有",
    "资料里没有",
    "资料没有",
    "i do not know",
    "i don't know",
    "the documents do not",
    "sorry",
)
# One that is longer says something.
_LONGEST = 100


def refuses(answer: str) -> bool:
    """Whether an answer only says that it does not know one."""
    return "[" not in answer and _REFUSES.match(answer.strip()) is not None


def may_refuse(said: str) -> bool:
    """Whether an answer that begins so may be no more than that there is none."""
    begun = said.strip().lower().replace("’", "'")
    may_begin = any(begun.startswith(one) or one.startswith(begun) for one in _BEGINNINGS)
    return may_begin and len(begun) <= _LONGEST and "[" not in begun and "\n" not in begun
