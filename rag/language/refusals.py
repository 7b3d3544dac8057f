"""Answers that say no more than that there is none."""

import re

from rag.language.rows import any_of

_APOLOGIES = ("抱歉", "对不起", "很遗憾", "不好意思")
_KNOWS_NOT = ("不知道", "不清楚", "无法回答")
# How models begin to say that there is no answer.
_BEGINNINGS = (
    *_APOLOGIES,
    *(f"{speaker}{said}" for speaker in ("我", "") for said in _KNOWS_NOT),
    *(f"资料{within}没有" for within in ("", "中", "里")),
    "i do not know",
    "i don't know",
    "the documents do not",
    "sorry",
)


# Where something follows that holds all the same, that is the answer.
_NO_MORE = r"^(?!.*(?:但|不过|然而|\bbut\b|however))"
_DOCUMENTS = "(?:提供的|现有的|给出的)?资料"
_APOLOGY = rf"(?:{any_of(_APOLOGIES)}|根据{_DOCUMENTS}[，,]|[，,。.！!\s])*+"
_LACK = "(?:并?没有|并?未|不包含|找不到)"
_NAME = "提到|提及|说明|给出"
# 不知道密码的，可拨打总机 tells what those may do.
_SPEAKER_KNOWS_NOT = rf"(?:根据资料)?我?{any_of(_KNOWS_NOT)}(?![^，,]{{0,12}}的[，,])(?!的)"
_DOCUMENTS_LACK = (
    rf"(?:[在据]|根据)?{_DOCUMENTS}[中里内]?{_LACK}(?:找到)?(?:相关|直接|任何|与|有关|关于|{_NAME}|提供|涉及)"
)
_IS_NOT_NAMED = "(?:没有|未)(?:提到|提及|说明)"
# Not 没有相关工作经验的人.
_NOTHING_ON_IT = (
    rf"{_LACK}(?:找到|{_NAME})?(?:任何)?(?:相关|直接)的?"
    r"(?:内容|信息|资料|说明|规定|记载|答案|回答)(?=[，,。.]|$)"
)
_REASON = "(?:因为|由于|因此|所以|故)?(?:资料|没有|未|我|也|请|建议|无法|不能|不知道|最接近)"
_TAIL = rf"[^，,。.\n]{{0,40}}(?:[，,]{_REASON}[^。.\n]{{0,40}})?[。.]?$"
_IN_ENGLISH = (
    r"(?:sorry, )?(?:i (?:do not|don['’]t) know|"
    r"the documents (?:(?:say|hold) nothing|(?:do not|don['’]t) (?:mention|say|state|contain|hold|include|specify)))"
    r"[^.\n]{0,80}\.?$"
)
# The whole answer says that there is none, not that something does not apply.
_REFUSES = re.compile(
    rf"{_NO_MORE}{_APOLOGY}(?:{_SPEAKER_KNOWS_NOT}|{_DOCUMENTS_LACK}|{_IS_NOT_NAMED}|{_NOTHING_ON_IT}){_TAIL}|"
    rf"{_NO_MORE}{_IN_ENGLISH}",
    re.IGNORECASE,
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
