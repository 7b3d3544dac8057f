"""What a question says that a passage can be held against: its words, numbers and names, and the kind of its answer."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rag.language import words
from rag.language.answer_forms import answer_form
from rag.language.folding import CHINESE, HAN, fold
from rag.language.han_numerals import COUNT
from rag.language.numerals import Forms, forms
from rag.language.whether import without_supposed_amounts

Words = Callable[[str], list[str]]
# What a question says of itself or of the documents as such: an answering passage need not have these words.
_NOT_THE_SUBJECT = re.compile(
    r"总结|概括|归纳|概述|摘要|大意|梗概|主要|内容|资料|文件|文档|文章|全文|本文|原文|文中|文本|重点|要点|根据|依据|请问|"
    r"时候|名字|意思|含义|包[含括]|[几多哪这那][^\W\d]|[哪这那][一几][^\W\d]|summar\w+|documents?|files?|text"
)
# What asks how much, which would be cut as a part of words, 多大面积 as 大面积; and which of several, of which texts
# tell what each is: 哪项报名最早, 安装的第一步.
_ASKS_WHICH = re.compile(
    r"(?<![许很众最更差不太诸较])多(?:长时间|大(?![学型量数众蒜])|少(?![数见])|长(?!期)|高(?![层校管])|[久远宽深])|"
    rf"最[早晚高低多少大小长短贵快慢远近](?=[的了呢啊]*\W*$)|(?:第{COUNT}|最后一)步"
)
# B树 is one word, which no dictionary has; of A公司 the second half begins one.
_LETTERED = re.compile(rf"(?<![a-z\d])[a-z][{HAN}](?=[是的有和与呢吗在叫]|[^{HAN}]|$)")
_CODE = re.compile(r"[a-z0-9][a-z0-9._+/#-]*[a-z0-9%]|\d")
# So many of the hits tell in which script a question is answered.
_FOREMOST = 5
_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9]*[A-Z0-9](?:-[A-Z0-9]+)*\b")


@dataclass(frozen=True, slots=True)
class Question:
    """A question, folded: what it says, its words, those that are numbers, codes or Latin names, its answer's form.

    `numbers` is how it writes its own.
    """

    text: str
    words: tuple[str, ...]
    codes: tuple[str, ...]
    answer: re.Pattern[str] | None
    numbers: Forms


def read_question(text: str, cut: Words) -> Question:
    """The question in parts; `cut` gives a text's words."""
    folded = fold(without_supposed_amounts(text))
    # Filler is dropped after cutting: a name such as 三悦有了新工作 has it inside.
    cut_words = (word for piece in _ASKS_WHICH.split(_LETTERED.sub(" ", folded)) for word in _joined(cut(piece)))
    said = dict.fromkeys([*_LETTERED.findall(folded), *filter(_tells, cut_words)])
    codes = dict.fromkeys(_CODE.findall(folded))
    return Question(folded, tuple(said), tuple(codes), answer_form(folded), forms(folded))


def comparable(question: Question, texts: Sequence[str]) -> bool:
    """Whether words can tell if texts, the likeliest first, answer a question: it has some, most share its script.

    `Summarise the document` has no such words, and an English question shares none with Chinese passages. What comes
    last does not count: a Chinese manual with configuration files has those among the hits for every question.
    """
    foremost = texts[:_FOREMOST]
    chinese = sum(CHINESE.search(text) is not None for text in foremost)
    same = chinese if CHINESE.search(question.text) else len(foremost) - chinese
    return bool(question.words) and 2 * same >= len(foremost)


def lacks_codes(question: str, texts: Sequence[str]) -> bool:
    """Whether search words call something by a code, `ERP` or `MFA-2024`, and no text has any of them.

    Of an English sentence a Chinese text may speak all the same: of the CEO, or of the GDP.
    """
    codes = [] if words.ASKS.search(question) else _CAPITALS.findall(question)
    everything = "\n".join(texts).lower()
    return bool(codes) and not any(words.stands_in(code.lower(), everything) for code in codes)


def _joined(cut: Iterable[str]) -> Iterator[str]:
    """The words, with adjacent single characters merged: the dictionary does not know 年假."""
    for single, group in groupby(cut, key=lambda word: bool(len(word) == 1 and CHINESE.match(word) and _says(word))):
        found = list(group)
        yield from ["".join(found)] if single else found


def _says(word: str) -> bool:
    return bool(words.without_filler(word).strip())


def _tells(word: str) -> bool:
    """Whether a word says what the question is about: not filler, `how many`, `document` or a single character."""
    if len(word) == 1 and CHINESE.match(word):
        return False
    return _says(word) and not _NOT_THE_SUBJECT.fullmatch(word)
