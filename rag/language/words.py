"""The words by which a question shows what it does, and what is left of it: its terms, numbers and names."""

import re
from collections.abc import Iterable
from typing import NewType

from loaders.cleaning import normalise
from rag.language.folding import CHINESE, HAN, simplified
from rag.language.lexicon import lexicon
from rag.language.segmentation import blanked

# A question in the form that these patterns read: what `plainly` makes of it.
PlainQuestion = NewType("PlainQuestion", str)
# The end of a message, with however many marks: 呢？？, 呢～.
NO_MORE = r"[\s？?！!。.，,~～…]*$"
# Possessive: 你好 is also 好 after what ends in 你, and every reading of a long row of them would be tried.
SMALL_TALK = re.compile(
    r"^(?>(?:我|都|已经|[讲说]得|回答得|解释得|很|挺|太|真|非常|十分|特别)*+(?>[你您]好吗|好|嗯|哦|行|可以|明白|知道|懂|了解|收到|清楚|清晰|"
    r"详细|有用|有帮助|棒|谢谢|多谢|感谢|辛苦|麻烦(?:你|您|大家)?了|打扰|你好|您好|大家好|早上好|早安|早(?![^\s，,。.！!~～啊呀])|中午好|下午好|晚上好|晚安|嗨|哈喽|在吗|在不在|"
    r"想(?:咨询|请教|问)(?:一下|您|你|个问题)*+|再见|拜拜|886?|不错|没(?:有)?问题|没事|哈{2,}|呵{2,}|嘻{2,}|6{2,}|厉害|"
    r"thanks|thank you|thx|thks|ty|how are you(?: doing| today)*+|hello|hi|hey|"
    r"good (?:morning|afternoon|evening|night)|(?:good)?bye|"
    r"okay|ok|great|cool|got it)"
    r"(?:了(?!解)|啦|啊|呀|吧|的|你|您|大家|们|很多|老师| there| so much| very much| a lot)*+"
    r"[\s，,。.！!?？~～、]*+)++$",
    re.IGNORECASE,
)
ABOUT_THE_TALK = re.compile(
    r"(?:总结|概括|归纳|复述|重复|翻译|改写|简化|缩短|精简|再说一遍|换个说法|summari[sz]e|rephrase|translate|repeat)",
    re.IGNORECASE,
)
# 上面 and its like mean the talk after a verb or a speaker, and before a saying, a name for what was said, what to do
# with it, or the end; not in 十年以上 or 入职之前.
_SPEAKING = r"(?:说(?!明)|讲(?![座师义课])|聊(?!城)|谈(?!判))"
_SAYING = rf"(?:{_SPEAKING}|回答|讨论|提[到过及]|列[的出]|给[的出])"
_HERE = r"(?<![^把将对请下结括纳述复译写化短简遍你您我们就再和与据从在，,。.！!？?：:\s])"
_WHOLE = (
    rf"(?=[吧吗呢啊]*(?:\W|$)|的?(?:再|都)?(?:{ABOUT_THE_TALK.pattern}|内容|回答|答案|答复|对话|聊天|谈话|问答|话|结论|要点|问题|解释|意思|"
    r"文字|所有|全部|[那这一二两三四五六七八九十几\d]*[点句段轮些]))"
)
# Not what was just uploaded, nor a document: 刚才上传的文件, 上述合同.
_JUST_NOW = r"刚才(?![我你您]?们?新?(?:上传|传|添加|导入|拖|发(?!言)))"
_AFORESAID = r"上述(?!文件|文档|材料|合同|条款|报告|论文|制度|规定)"
_SPOKEN = rf"[你您](?:刚|的回答)|(?:刚|[你您我咱]们?){_SPEAKING}"
_SAID_OF = r"(?:关于|有关|对于?)[^，,。]{1,20}?的(?:回答|答案|对话|讨论|解释)"
_ABOVE = rf"{_HERE}(?:上面|前面|以上|之前|刚刚)(?:所?{_SAYING}|{_WHOLE}|{_SAID_OF})"
_THE_TALK = rf"(?:{_HERE}|[这本整][次个段场轮]|[们天]的)(?:对话|聊天|谈话){_WHOLE}"
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
_A_SUMMARY = (
    r"(?<=[的个份段次])(?:总结|概括|归纳|小结)(?!一?[下遍])(?=(?:请|再|帮我|给我|重新)*(?:翻译|译|改|写|变|转|换|做|整理|精简|缩|简化|"
    r"压缩|浓缩|扩|润色|展开|太|用|以|短|长))"
)
_SUMS_UP = re.compile(rf"(?!{_A_SUMMARY})(?:总结|概括|归纳|梳理|回顾|小结|summari[sz]e|recap)", re.IGNORECASE)
# For the rest of an answer that was cut.
GO_ON = re.compile(
    r"^(?:请|你|再|那就|那|好的?|[，,\s])*+(?>继续|接着|往下)(?:说|写|讲|回答|答|输出)?(?:完|下去)?[吧呀啊\s。.！!~～]*$|"
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
    r"^(?:[请麻烦帮给为跟和我您你们能不会可以想要让听再先那就来吧嗯哈了好的谢大家，,。！!~～、\s]|please|can you)*"
    r"(?:[讲说来](?:一?[个段])?(?:笑话|故事|段子)|[写作](?:一?[首篇个段])?(?:诗|歌|故事|作文)|"
    r"唱(?:一?[首个])?歌|tell me a joke)"
    r"(?:给我们?|给大家|please|[听看吧吗呢啊呀嘛呗好不行，,。.！!？?~～\s])*$",
    re.IGNORECASE,
)
COURTESY = re.compile(
    r"(?:非常|十分|太|真是|真的|那就|那|多|很|实在)?"
    r"(?:谢谢|多谢|感谢|谢了|谢啦|3Q|辛苦|再见|拜拜|再聊|回聊|你好|您好|不客气|麻烦你?了|添麻烦|打扰)"
    r"(?:您|你|了|啦|啊|呀|的|哈|解答|帮助|帮忙|推荐)*|\b(?:thanks|thank you|ok|okay|hello|hi|bye)\b",
    re.IGNORECASE,
)
# By which a Chinese sentence asks for something, and by which it asks anything, wherever they stand in it.
OPEN_WORDS = (
    r"谁|为什么|什么时候|啥时候|什么|为何|啥|哪[些里儿个种位家天年月周次层楼类期门条本款项台]?|(?:周|星期|礼拜)几|"
    r"几[个点家位岁年月天号次人种部首张章页条块寸层薪倍题步项遍趟场节门段轮期级楼站名本台辆套件间瓶盒袋包片粒斤克米"
    r"版届集代份局盘场班组栋户排根支双对只箱桶杯碗幅封则笔针剂秒分周升吨亩元毛扇匹艘架头颗朵类行列折科股环回小公星]|第几|"
    r"多[少大久长高远重厚快宽深]|怎[么样]|咋|如何"
)
ASKING_WORDS = rf"[?？]|{OPEN_WORDS}|[吗呢]|是否|是不是|有没有|能不能|可不可以|会不会|要不要|[好对行贵]不"
ASKS = re.compile(
    rf"{ASKING_WORDS}|([{HAN}])[不没]\1|么[。]?$|\b(?:what|who|when|where|why|how|which|is|are|does|do|can)\b",
    re.IGNORECASE,
)
REQUESTS = re.compile(
    r"告诉|帮[我忙查找]|请[帮你您问给把]|麻烦.{0,3}[查找问再]|查[一下询]|说说|讲讲|给我|推荐|发给|发我|发过来|发一下|"
    r"想知道|想了解|想问|问一?下|问问|找[个一家到]|看看|来一|\b(?:tell|show|explain|find|give|list|describe)\b",
    re.IGNORECASE,
)
# Characters of statements; a few words without any of these are search words: "年假天数".
STATES = re.compile(r"[我你您他她了呀啊吧啦哈是都也就很太真好不没！!~～]")
SEEKS = re.compile(
    r"(?:找|推荐|挑选?|选|介绍|订|搜|换(?!个?话题)|来)(?:到|出|上)?(?:一?[下个家款间处部首位条座所些种份本]|一|[几两]|点)|"
    r"\b(?:recommend|find|suggest)\b",
    re.IGNORECASE,
)
NEW_TOPIC = re.compile(r"换个?话题|说到|说起|话说|提到|聊聊|谈谈|接下来|至于|change the subject", re.IGNORECASE)
# One of several things that were told.
ONE_OF_THEM = re.compile(r"(?:前|后|第)[一二三四五六七八九十两几\d]+[位个种条项点步类]")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FILLER = re.compile(
    r"谢谢|你好|您好|请问|知道|告诉|麻烦|帮我|一下|可以|什么|怎么[办样]?|怎样|咋[办样]|如何|多少|哪些|哪里|哪个|为什么|这个|那个|好的|"
    r"有没有|是不是|能不能|会不会|要不要|好不好|是否|能够|不会|没有?|还有|就是|听说|[说想][起到]|喜欢|看[看过]|感觉|希望|"
    r"今天|明天|现在|刚刚|最近|推荐|介绍|需要|觉得|应该|[的了吗呢吧啊呀啦哦嗯么是在有我你您他她它这那哪谁啥几就都也还再很太真好能会想要去吃找个家给把和与跟"
    r"被让说看来到上下里为以及或]|\b(?:what|who|when|where|why|how|which|the|is|are|does|do|can|and|of|to|in|about|you|me)\b",
    re.IGNORECASE,
)
_HAN_ALONE = re.compile(rf"(?<![{HAN}])[{HAN}](?![{HAN}])")
# B树, U 盘: a letter tells nothing without what it is put before.
_WORD = re.compile(
    rf"[A-Za-z][A-Za-z0-9'-]+|(?<![A-Za-z0-9])[A-Za-z](?:[{HAN}]| (?!区[别域])[盘股树型罩恤超光轮线座栋区级])|"
    r"\d+(?:\.\d+)?"
)
# 多少钱 and 什么人 may be asked of anything.
_OF_ANY_MATTER = frozenset("钱人事话字")
_ASIDE = re.compile(r"[（(\[【][^（(\[【)）\]】]*[)）\]】]")
_NUMBERING = re.compile(
    r"^(?:第[一二三四五六七八九十百\d]+[章节部篇条][\s：:、]*|[\d.]+[\s、]+|[（(]?[一二三四五六七八九十\d]+[)）、.]\s*)"
)
_LABEL = re.compile(r"^【([^【】]+)】$")
_PICTURES = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u20e3]")
_SHORTEST_NAME = 2


def plainly(question: str) -> PlainQuestion:
    """A question in Simplified characters of the usual width, without pictures."""
    return PlainQuestion(_PICTURES.sub("", simplified(normalise(question))).strip())


def without_filler(text: str) -> str:
    """Filler words blanked; a filler character inside another word stays."""
    return blanked(_FILLER, text)


def terms(text: str) -> tuple[str, ...]:
    """What a text is about: bigrams of its Chinese runs between filler words, Latin words and numbers, each once."""
    plain = without_filler(text)
    bigrams = [run[start : start + 2] for run in CHINESE.findall(plain) for start in range(len(run) - 1)]
    named = (word.lower().replace(" ", "") for word in _WORD.findall(plain))
    return tuple(dict.fromkeys([*bigrams, *named]))


def matters(text: str) -> tuple[str, ...]:
    """The terms of a text, or where it has none its nouns of one character: 盐 of 要多少盐."""
    alone = dict.fromkeys(_HAN_ALONE.findall(without_filler(text)))
    return terms(text) or tuple(noun for noun in alone if noun in lexicon().nouns and noun not in _OF_ANY_MATTER)


def stands_in(term: str, text: str) -> bool:
    """Whether a text has a term; 5 is none of 2015, nor "it" of "audit"."""
    if not term.isascii():
        return term in text or (term[0].isascii() and f"{term[0]} {term[1:]}" in text)
    kind = r"\d" if term[0].isdigit() else "[a-z]"
    return re.search(rf"(?<!{kind}){re.escape(term)}(?!{kind})", text) is not None


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


def names(title: str) -> frozenset[str]:
    """What a title may be called by: itself, and itself without its number or asides in brackets; 【禁忌】 by 禁忌."""
    title = _LABEL.sub(r"\1", simplified(title))
    unnumbered = _NUMBERING.sub("", title)
    candidates = (title, unnumbered, _ASIDE.sub("", unnumbered))
    return frozenset(name for name in (one.strip().lower() for one in candidates) if len(name) >= _SHORTEST_NAME)
