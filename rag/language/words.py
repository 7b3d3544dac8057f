"""What a question asks by, its terms, without the words that any question may have, and how far texts have these."""

import re
from collections.abc import Callable, Sequence
from typing import NewType, TypeVar

from loaders.cleaning import normalise
from rag.language.denials import WHETHER_AT_END
from rag.language.folding import CHINESE, HAN, simplified
from rag.language.han_numerals import COUNT
from rag.language.lexicon import lexicon
from rag.language.segmentation import blanked

# A question in the form that these patterns read: what `plainly` makes of it.
PlainQuestion = NewType("PlainQuestion", str)
Item = TypeVar("Item")
# The end of a message, with however many marks: 呢？？, 呢～.
NO_MORE = r"[\s？?！!。.，,~～…]*$"
# What documents are called: whatever they are, and by kinds that may be a subject as well.
DOCUMENTS = "文档|文件|资料|文章|论文|报告|年报|季报|手册|文本|pdf"
KINDS_OF_DOCUMENT = (
    "书|材料|指南|教程|课件|讲义|教材|小说|说明书|合同|协议|规定|制度|办法|条例|标准|规范|白皮书|方案|计划"
)
# By these people ask for a summary, of a text or of the talk.
SUMMING_UP = "总结|概括|归纳|提炼|梳理"
# By which a Chinese sentence asks for something, and by which it asks anything, wherever they stand in it.
OPEN_WORDS = (
    r"谁|为什么|什么时候|啥时候|什么|为何|啥|哪[些里儿个种位家天年月周次层楼类期门条本款项台]?|"
    rf"干嘛|(?:周|星期|礼拜)几|(?<![茶新无])第?几(?![何乎率十百千万亿内经近被])[{HAN}]?|"
    r"多[少大久长高远重厚快宽深]|怎[么样]|咋|如何"
)
ASKING_WORDS = (
    rf"[?？]|{OPEN_WORDS}|[吗呢]|是否|是不是|有没有|能不能|可不可以|会不会|要不要|[好对行贵]不|{WHETHER_AT_END}"
)
OPEN_WORDS_IN_ENGLISH = "what|which|who|whom|whose|when|where|why|how"
ASKS = re.compile(
    rf"{ASKING_WORDS}|([{HAN}])[不没]\1|么[。]?$|\b(?:{OPEN_WORDS_IN_ENGLISH}|is|are|does|do|can)\b",
    re.IGNORECASE,
)
REQUESTS = re.compile(
    r"告诉|帮[我忙查找]|请[帮你您问给把]|麻烦.{0,3}[查找问再]|查[一下询]|说说|讲讲|给我|推荐|发给|发我|发过来|发一下|"
    r"想知道|想了解|想问|问一?下|问问|找[个一家到]|看看|来一|\b(?:tell|show|explain|find|give|list|describe)\b",
    re.IGNORECASE,
)
# By what is told of several things beside each other.
DIFFERENCES = "区别|差[异别距]|不同|异同"
COMPARISONS = f"{DIFFERENCES}|对比|比较|相比|相同|一样|一致"
# One of several things that were told.
ONE_OF_THEM = re.compile(rf"[前后第]{COUNT}[位个种条项点步类]")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FILLER = re.compile(
    rf"最[多少早晚](?:多长时间|{OPEN_WORDS})|"
    r"谢谢|你好|您好|请问|知道|告诉|麻烦|帮我|一下|可以|什么|怎么[办样]?|怎样|咋[办样]|如何|多少|哪些|哪里|哪个|为什么|这个|那个|好的|"
    r"有没有|是不是|能不能|会不会|要不要|好不好|是否|能够|不会|没有?|还有|就是|听说|[说想][起到]|喜欢|看[看过]|感觉|希望|"
    r"今天|明天|现在|刚刚|最近|推荐|介绍|需要|觉得|应该|[的了吗呢吧啊呀啦哦嗯么是在有我你您他她它这那哪谁啥几就都也还再很太真好能会想要去吃找个家给把和与跟"
    rf"被让说看来到上下里为以及或]|{WHETHER_AT_END}|\b(?:{OPEN_WORDS_IN_ENGLISH}|the|is|are|does|do|can|and|of|to|in|about|you|me)\b",
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


def names(title: str) -> frozenset[str]:
    """What a title may be called by: itself, and itself without its number or asides in brackets; 【禁忌】 by 禁忌."""
    title = _LABEL.sub(r"\1", simplified(title))
    unnumbered = _NUMBERING.sub("", title)
    candidates = (title, unnumbered, _ASIDE.sub("", unnumbered))
    return frozenset(name for name in (one.strip().lower() for one in candidates) if len(name) >= _SHORTEST_NAME)


def by_cover(question: str, groups: Sequence[Sequence[Item]], text_of: Callable[[Item], str]) -> list[Sequence[Item]]:
    """Groups of evidence, those with most of a question's terms first; equal ones stay in their order."""
    asked = terms(question)

    def covered(group: Sequence[Item]) -> int:
        text = "\n".join(map(text_of, group)).lower()
        return sum(term in text for term in asked)

    return sorted(groups, key=covered, reverse=True)


def adding(question: str, held: Sequence[Item], found: Sequence[Item], text_of: Callable[[Item], str]) -> list[Item]:
    """What of the found has terms of a question that nothing held has."""
    text = "\n".join(map(text_of, held)).lower()
    missing = [term for term in terms(question) if term not in text]
    return [item for item in found if any(term in text_of(item).lower() for term in missing)]
