"""Messages about the talk, its last answer or whoever speaks, or only part of a talk as thanks and greetings are."""

import re
from collections.abc import Iterable

from rag.language.rows import any_of, read_rows
from rag.language.words import ASKS, DOCUMENTS, REQUESTS, SUMMING_UP, PlainQuestion, plainly, stands_in, terms

# By these people agree; by these they thank, greet and part.
_NODS = "好嘞?|[嗯恩哦噢行对懂棒]|可以|明白|知道|了解|收到|清楚|记[住下]|没错|不错|是[的呀]|原来(?:如此|是?这样)|哈+"
_COURTESIES = (
    r"谢谢|多谢|感谢|谢[了啦]|3q|辛苦|打扰|不客气|添麻烦|麻烦(?:你|您|大家)?了|[你您]好|再见|拜拜|[再回]聊|"
    r"\b(?:thanks|thank you|hello|hi|bye|ok(?:ay)?)\b"
)
# Only as a message of their own.
_GREETINGS = (
    r"[你您]好吗|(?:大家|早上|中午|下午|晚上)好|[早晚]安|早(?![^\s，,。.！!~～啊呀])|嗨|哈喽|在吗|在不在|886?|"
    r"想(?:咨询|请教|问)(?:一下|您|你|个问题)*+|thx|thks|ty|hey|how are you(?: doing| today)*+|"
    r"good (?:morning|afternoon|evening|night)|goodbye"
)
_PRAISE = "清晰|详细|有用|有帮助|没(?:有)?问题|没事|呵{2,}|嘻{2,}|6{2,}|厉害|okay|ok|great|cool|got it"
_VERY = "我|都|就|已经|(?:[讲说]|回答|解释)得|很|挺|太|真|非常|十分|特别"
_POLITELY = "请麻烦帮给为跟和我您你们能不会可以想要让听再先那就来吧嗯哈了好的谢大家"
_PAUSES = r"\s，,。.！!?？~～、…"
# Possessive: 你好 is also 好 after what ends in 你, and every reading of a long row of them would be tried.
SMALL_TALK = re.compile(
    rf"^(?>(?:{_VERY})*+(?>{_GREETINGS}|{_COURTESIES}|{_NODS}|{_PRAISE})"
    r"(?:了(?!解)|[啦啊呀吧的你您们]|大家|很多|老师| there| so much| very much| a lot)*+"
    rf"[{_PAUSES}]*+)++$",
    re.IGNORECASE,
)
# What a speaker nods to before coming to the point: "好的，", "嗯，知道了。".
NOD = re.compile(rf"^(?:[{_PAUSES}]|{_NODS}|{_VERY}|ok|是吗|[了啦啊呀吧呢的])+", re.IGNORECASE)
COURTESY = re.compile(
    rf"(?:非常|十分|太|真[是的]|那就?|多|很|实在)?(?:{_COURTESIES})(?:[您你了啦啊呀的哈]|解答|帮助|帮忙|推荐)*",
    re.IGNORECASE,
)
ABOUT_THE_TALK = re.compile(
    rf"(?:{SUMMING_UP}|复述|重复|翻译|改写|简化|缩短|精简|再说一遍|换个说法|summari[sz]e|rephrase|translate|repeat)",
    re.IGNORECASE,
)
# 上面 and its like mean the talk before a saying, a name for what was said, what to do with it, or the end; not in
# 十年以上的员工 or 入职之前要做什么.
_SPEAKING = r"(?:说(?!明)|讲(?![座师义课])|聊(?!城)|谈(?!判))"
_SAYING = rf"(?:{_SPEAKING}|回答|讨论|提[到过及]|列[的出]|给[的出])"
_WHOLE = (
    rf"(?=[吧吗呢啊]*(?:\W|$)|的?(?:再|都)?(?:{ABOUT_THE_TALK.pattern}|内容|回答|答案|答复|对话|聊天|谈话|问答|话|结论|要点|问题|解释|意思|"
    r"文字|所有|全部|[那这一二两三四五六七八九十几\d]*[点句段轮些]))"
)
# Not what was just uploaded, nor a document: 刚才上传的文件, 上述合同.
_JUST_NOW = r"刚才(?![我你您]?们?新?(?:上传|传|添加|导入|拖|发(?!言)))"
_AFORESAID = rf"上述(?!{DOCUMENTS}|材料|合同|条款|制度|规定)"
_SPOKEN = rf"[你您](?:刚|的回答)|(?:刚|[你您我咱]们?){_SPEAKING}"
_SAID_OF = r"(?:关于|有关|对于?)[^，,。]{1,20}?的(?:回答|答案|对话|讨论|解释)"
_ABOVE = rf"(?:上面|前面|以上|之前|刚刚)(?:所?{_SAYING}|{_WHOLE}|{_SAID_OF})"
_THE_TALK = rf"(?:对话|聊天|谈话){_WHOLE}"
_SAID_IN_ENGLISH = (
    r"\bthe above\b|\babove[\s.!?]*$|you said|\bour (?:conversation|chat|talk|discussion)\b|"
    r"\b(?:your|last|previous) (?:answer|reply|response)\b"
)
_WHAT_WAS_SAID = re.compile(
    "|".join((_JUST_NOW, _AFORESAID, _SPOKEN, _ABOVE, _THE_TALK, _SAID_IN_ENGLISH)), re.IGNORECASE
)
# What was said on one subject, or in one answer.
_PART_OF_THE_TALK = re.compile(
    r"关于|有关|对于|[这那上前]一?[个条次段句](?:回答|答案|答复|问题|话)|最后|[你您]的回答|\b(?:about|your|last|previous)\b",
    re.IGNORECASE,
)
# 上面的总结翻译成英文 wants something done with a summary, and none made.
_A_SUMMARY = rf"(?<=[的个份段次])(?:{SUMMING_UP}|小结)(?!一?[下遍]|[成为出给吧]|\W|$)"
_SUMS_UP = re.compile(rf"(?!{_A_SUMMARY})(?:{SUMMING_UP}|回顾|小结|summari[sz]e|recap)", re.IGNORECASE)
# For the rest of an answer that was cut.
GO_ON = re.compile(
    r"^(?:请|你|再|那就?|好的?|[，,\s])*+(?>继续|接着|往下)(?:说|写|讲|回答|答|输出)?(?:完|下去)?[吧呀啊\s。.！!~～]*$|"
    r"^(?:please\s)?(?:go on|continue|keep going)[\s.!]*$",
    re.IGNORECASE,
)
# The whole message tells who its speaker is, clause by clause and briefly. What says more may want something by it:
# 我是女职工，想申请产假. What asks is told by ASKS and REQUESTS.
_TELLS = (
    r"(?:叫(?![车停号])|姓(?![名氏])|的名字[是叫]|住(?![宿院房处所户])|来自|是(?![否说指问想要在来]|不是)|"
    r"今年[\s是刚满快已]*(?=[\d一二三四五六七八九十两零刚读]|上(?!半)|[大高研][一二三四究]))[^，,。；;！!?？]+"
)
_IS_PLEASED = r"(?:请|希望)?(?:以后)?多多?(?:关照|指教|包涵)|(?:很高兴|想)认识(?:[你您]们?|大家)"
_TELLS_OF_SPEAKER = re.compile(
    rf"^(?:[你您]好|[，,。！!\s])*+(?=.{{3,20}}$)我们?(?:公司|学校|单位)?{_TELLS}(?:[，,。；;！!]+(?:我?{_TELLS}|{_IS_PLEASED}))*[。！!]*$"
)
_TELLS_IN_ENGLISH = re.compile(
    r"^(?:(?:hi|hello)[,.! ]+)?(?:my name is|i live|(?:i am|i'm)"
    r"(?! (?:looking|trying|asking|wondering|interested|curious|going|searching|not sure))) (?P<told>[^?.,]{1,40})\W*$",
    re.IGNORECASE,
)
# The whole message asks who its speaker is, of which documents know nothing where the talk does.
_NAME = r"是谁|(?:的名字)?[叫是](?:什么|啥)(?:名字)?|姓[什啥甚]么?"
_AGE = r"(?:今年)?(?:几岁|多[大少]岁?)"
_HOME = r"(?:家?住在?|来自|是)(?:哪[里儿个]?|什么)(?:地方|国家|城市|[省市区县镇村]|街道|小区)?人?"
_ASKS_WHO_SPEAKS = re.compile(
    rf"^(?:请问|那么?|[你您]|还|记得|知道|猜|告诉我|[，,\s])*+我(?:{_NAME}|{_AGE}|{_HOME}|是[做干]什么(?:工作)?的)[了吗呢啊呀来着？?。.！!\s]*$|"
    r"^(?:do you (?:know|remember) )?(?:who (?:am i|i am)|what(?:'s| is) my name|my name|"
    r"where (?:do i|i) live|how old (?:am i|i am))\W*$",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"我|\b(?:i|my|me)\b", re.IGNORECASE)
# Only as the whole message: questions about a poet have 写诗 too.
MAKE_SOMETHING_UP = re.compile(
    rf"^(?:[{_POLITELY}{_PAUSES}]|please|can you)*"
    r"(?:[讲说来](?:一?[个段])?(?:笑话|故事|段子)|[写作](?:一?[首篇个段])?(?:诗|歌|故事|作文)|"
    r"唱(?:一?[首个])?歌|tell me a joke)"
    r"(?:给我们?|给大家|please|[听看吧吗呢啊呀嘛呗好不行，,。.！!？?~～\s])*$",
    re.IGNORECASE,
)
# What messages about the last answer are made of: `talk.toml`.
_ROWS = read_rows(__file__)["about_the_last_answer"]
_RETELLING = any_of(_ROWS["retelling"], [SUMMING_UP])
_REWORKING, _DOUBTING = any_of(_ROWS["reworking"]), any_of(_ROWS["doubting"])
_BETWEEN = any_of(_ROWS["between"], [f"[{_POLITELY}]"])
# The whole message asks for the last answer again, in another language or shorter.
RETELL = re.compile(rf"^(?=.*?{_RETELLING})(?>{_RETELLING}|{_REWORKING}|{_BETWEEN})++$", re.IGNORECASE)
# The whole message asks for more of what the last answer is about, or for it in another form, or doubts it.
REWORK = re.compile(rf"^(?=.*?(?:{_REWORKING}|{_DOUBTING}))(?>{_REWORKING}|{_DOUBTING}|{_BETWEEN})++$", re.IGNORECASE)
# The whole message asks whether the last answer is right: 你确定吗？
DOUBT = re.compile(rf"^(?=.*?{_DOUBTING})(?>{_DOUBTING}|{_BETWEEN})++$", re.IGNORECASE)


def tells_of_speaker(question: PlainQuestion) -> bool:
    """Whether a message only tells something of its speaker, and asks for nothing."""
    english = _TELLS_IN_ENGLISH.match(question)
    if english is None and not _TELLS_OF_SPEAKER.match(question):
        return False
    told = english["told"] if english else question
    return not (ASKS.search(told) or REQUESTS.search(told))


def telling_of_speaker(messages: Iterable[str]) -> list[str]:
    """Those of some messages that only tell something of their speaker."""
    return [message for message in messages if tells_of_speaker(plainly(message))]


def asks_about_the_talk(question: PlainQuestion) -> bool:
    """Whether a message asks for something to be done with what was said."""
    return bool(ABOUT_THE_TALK.search(question) and _WHAT_WAS_SAID.search(question))


def asks_who_speaks(question: PlainQuestion) -> bool:
    """Whether a message only asks who its speaker is."""
    return _ASKS_WHO_SPEAKS.match(question) is not None


def asks_of_speaker(question: PlainQuestion, told: str) -> bool:
    """Whether a question is about its speaker, of whom something was `told`, or most of its terms are in that."""
    asked = terms(question)
    known = sum(stands_in(term, told.lower()) for term in asked)
    return bool(told) and (_SPEAKER.search(question) is not None or 2 * known > len(asked))


def sums_up_the_talk(question: str) -> bool:
    """Whether a message asks for a summary of all that was said, not of one answer or subject."""
    plain = plainly(question)
    return bool(_SUMS_UP.search(plain) and _WHAT_WAS_SAID.search(plain)) and not _PART_OF_THE_TALK.search(plain)
