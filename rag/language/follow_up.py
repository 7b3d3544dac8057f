"""Follow-ups made to stand alone by rules: with the subject of the question before, or as that asked of another."""

import re
from itertools import takewhile

from rag.language.folding import HAN
from rag.language.lexicon import lexicon
from rag.language.segmentation import segmenter, uncut
from rag.language.topic import ASKING, YEAR, before_asking, is_of_something, may_be_of_something, topic, whole_of
from rag.language.words import terms

# Times that stand beside each other in a table: where one was asked of, another is asked of the same.
_TIMES = tuple(map(re.compile, ("[期年][初末]", "[本上]期", "[上下]半年", "第?[一二三四]季度", "[今去前]年")))
# A condition, a question whether, or what only points to something: no name.
_NO_NAME = r"如果|要是|超过|满|[没不别]|其[他余它]|上[述一]|前一|后来|结果|原因|.*(.)[不没]\1"
# What can stand in the place of a part: a name without pronoun, place or time.
_NAME = re.compile(rf"(?!{_NO_NAME})(?![{HAN}]*[你我他她它这那里年季])[{HAN}A-Za-z]{{2,14}}(?<!的)")
# What can stand in the place of the whole: Y200, without pronoun.
_OF_A_WHOLE = re.compile(rf"(?!{_NO_NAME}|.*[你我他她它这那])[\w·-]{{2,20}}")
_LATIN = re.compile(r"[A-Za-z]")
_CODE = re.compile(r"[A-Za-z][\w.+#-]*", re.ASCII)
# Openings without a subject that may begin a new question as well: 可以远程办公吗？
_MAY_BEGIN = re.compile("能|可以|需要|[有会是][没不否]|有|对|怎么")
# A topic that is more than a name: "公司2020年的净利润同比增长".
_SAYS_MORE = re.compile(r"[，,。；]|增[长加]|上升|下降|减少|占|比(?![例率重])|还是")
# What is told in days or pieces, and what never is: 年假有几天 asks nothing of 公积金比例, 学费分几次交 does of 住宿费.
_COUNTS = re.compile(rf"几(?!号)[{HAN}]|多[久长高重快远宽深厚]|多少[个天日年月次人名种项页条米岁周]")
_AMOUNT = re.compile(r"(?:比[例重]|[率额费价金]|费用|工资|收入|利润|成本|标准|补贴|津贴)$")
# What each thing has its own of.
_ASPECT = re.compile("(?:电话|邮箱|[地网住]址|名[称字]|[价规]格|单价|功率|面积|尺寸|重量|型号|颜色|寿命|人)$")
_HAN = re.compile(rf"[{HAN}]")

# An opening without a subject, which is then that of the conversation.
_NO_SUBJECT = re.compile(
    r"^(?:(?:同比|环比)(?:增[长加]|上升|下降|减少|变化)?|那|还有|另外|和|与|跟|比如?|同(?![步城款])|对(?!账(?![户号]))|离|除了|能[够否]?|可以|需要|有没有|是不是|会不会|也|都|还|就|有[点关]?|"
    r"是否|是(?!谁)|在哪|怎么(?!样)|难道|不是|感觉|具体|里面|整个|今天|明天|"
    r"增[长加]|上升|下降|减少|占(?:比|了|总|[^比了总]{1,8}的?(?:比[例重]|份额))|一?共(?:有|是|多少)|总共|合计)"
)
# 该公司, but not 应该, 我该怎么 and 该找谁.
_THIS = r"(?<![应活你您我他她它们人都也还才])该(?![不怎咋如去找谁多几什何为])"
_PRONOUN = re.compile(
    r"它|[他她](?!国|人|乡)|这(?!些年|几年|样|么)|那(?:个|家|里|张|部|位|儿|些|座|首|本|款|间|边|是|处)|其(?:中|余|他|它)|"
    rf"{_THIS}|上述|前者|后者|此|另外|还有|别的|\b(?:it|its|they|them|this|that|these|those|he|she|his|her)\b",
    re.IGNORECASE,
)
# A bare 那 goes on from what was said, but often to another subject, as in 那日志规约有哪些要求？ As a pronoun it would
# show that the evidence in hand is meant.
_POINTS_BACK = re.compile(rf"{_PRONOUN.pattern}|那(?!么)", _PRONOUN.flags)
# Pronouns that a name can replace: 其他 and 另外 have to stay, and with all of them the completed questions agree less
# with what people wrote (ROUGE-L .777 against .778).
_POINTER = re.compile(
    r"(?<!其)[他她它]们?(?!国|人|乡)|[这那](?:[个位本部首家种款句张座条里儿边]|(?![么样些时年天]))|"
    rf"{_THIS}|其(?![他它她实中余])"
)
# "And the sick leave?" asks the same again of another subject.
WHAT_ABOUT = re.compile(r"呢[？?]?$")
_LINK = re.compile(
    r"^(?:那么?(?![个位本部首家种款句张座条里儿边])|但是?|所以|然后|另外|还有(?=[，,])|[哦嗯啊哎，,\s])+"
)
# "And that of the other?" asks it of another whole.
_OF_ANOTHER = re.compile(r"的呢[？?]?$")
# "和2019年比…": no subject of its own.
_COMPARES = re.compile(r"[和跟与同比]")
_BARE = re.compile(r"^(?:为什么|为何|为啥|怎么(?:说|办|会)?|真的|是)[吗呢啊呀]?[？?]?$")


def has_pronoun(text: str) -> bool:
    """Whether a text has a word that stands for something said before or in it."""
    return any(uncut(_PRONOUN, text))


def may_have_pronoun(text: str) -> bool:
    """Whether a text has the characters of such a word, be it within another, as its weight was fitted."""
    return _PRONOUN.search(text) is not None


def pointing_back(question: str) -> int | None:
    """Where the first word of a question stands that may stand for something said before, 那 among them."""
    found = next(uncut(_POINTS_BACK, question), None)
    return found.start() if found else None


def lacks_subject(question: str) -> bool:
    """Whether a question begins without a subject, which is then that of the conversation: 需要申请吗？"""
    return any(uncut(_NO_SUBJECT, question))


def goes_on_about(question: str) -> bool:
    """Whether a question without a subject asks more of the last one, and not the same of another: 那病假呢？"""
    return lacks_subject(question) and not WHAT_ABOUT.search(question)


def without_link(question: str) -> str:
    """A follow-up without the words that link it to what was said: 那, 然后."""
    return _parted(question)[1]


def _parted(question: str) -> tuple[str, str]:
    link = _LINK.match(question)
    end = link.end() if link else 0
    return question[:end], question[end:]


def completed(question: str, anchor: str) -> str | None:
    """A Chinese follow-up with the anchor's subject in place of its pronoun, else where its own subject would stand.

    None where more than a name is missing: "那病假呢？" and "为什么？" lack what is said of it, not so "Y200的呢？".
    """
    about = topic(anchor)
    begin, rest = _parted(question)
    if not about or _BARE.match(rest) or not _HAN.search(rest):
        return None
    if asks_the_same(rest) and not _goes_on(rest):
        return _of_another(rest, about, anchor) if _OF_ANOTHER.search(rest) else None
    if about in question:
        return question
    pointer = next(uncut(_POINTER, rest), None)
    before, after = (rest[: pointer.start()], rest[pointer.end() :]) if pointer else ("", rest)
    return f"{begin}{before}{about}{after}"


def otherwise(question: str, anchor: str, of_document: bool = False) -> tuple[str, ...]:
    """What else a follow-up without a pronoun may mean, of which only the documents can tell.

    "病假呢？" may ask the anchor's question again, of a part or of a whole, which it is where it is `of_document`. A
    question with a topic of its own may be about the whole that the anchor's topic is a part of, or about something
    new, as may one without, 可以远程办公吗, that says enough.
    """
    question = without_link(question)
    about, own = topic(anchor), topic(question)
    if not about or about in question or any(uncut(_POINTER, question)):
        return ()
    if YEAR.fullmatch(own) or (asks_the_same(question) and not _goes_on(question)):
        of_whole = _of_another(question, about, anchor) if of_document else None
        name = own if YEAR.fullmatch(own) else WHAT_ABOUT.sub("", question)
        return (of_whole,) if of_whole else _asked_of(name, about, anchor)
    if _begins(_SAYS_MORE, question) or (_goes_on(question) and not _MAY_BEGIN.match(question)):
        return ()
    has_own = has_own_topic(question)
    whole = whole_of(about).removesuffix("的") if has_own else ""
    return (
        *([f"{whole}{question}"] if whole and whole not in question else []),
        *([question] if _may_be_new(question, own if has_own else "") else []),
    )


def _may_be_new(question: str, own: str) -> bool:
    """Whether a follow-up may be a question of its own: 年假有几天, but not 电话是多少, which each thing has one of."""
    names_matter = own and before_asking(question) and not _ASPECT.search(own)
    return not is_of_something(topic(question)) and (bool(names_matter) or len(terms(question)) > 1)


def asks_the_same(question: str) -> bool:
    """Whether a follow-up only names of what the last question is asked again: "那病假呢？"."""
    return WHAT_ABOUT.search(question) is not None and not ASKING.search(WHAT_ABOUT.sub("", question))


def has_own_topic(question: str) -> bool:
    """Whether a follow-up names what it asks about, which then is another part of the whole that was talked about."""
    own = topic(question)
    return bool(own) and question.startswith(own) and not (WHAT_ABOUT.search(question) or _goes_on(question))


def _goes_on(question: str) -> bool:
    """Whether a follow-up says more of the last subject by its first word: 同比增长, 占收入的比例."""
    return _begins(_COMPARES, question) or lacks_subject(question)


def _begins(pattern: re.Pattern[str], question: str) -> bool:
    """Whether a question begins with a pattern, and not with a longer word that does: 同等学力, 比赛."""
    return next((match.start() for match in uncut(pattern, question)), -1) == 0


def _asked_of(name: str, about: str, anchor: str) -> tuple[str, ...]:
    """The anchor's question asked of another part of the same whole, of another whole, or as either.

    A name is of the kind whose name ends alike: 乙方 is another 方 than 甲方, 病假 another 假 than 年假. One that ends
    like neither is a part first, as the rows of a table are.
    """
    part, of_whole = _in_place(name, about, anchor), None
    is_time = any(time.fullmatch(name) for time in (YEAR, *_TIMES))
    whole, is_nested = YEAR.sub("", whole_of(about)).removesuffix("的"), whole_of(about.removeprefix(whole_of(about)))
    # Only a document's name replaces that of one: 手册里.
    if not (is_time or is_nested or whole.endswith(("里", "中"))) and _asks_plainly(about, anchor):
        of_whole = _of_another(name, about, anchor)
    offered = [(one, _alike(name, of)) for one, of in ((part, about), (of_whole, whole)) if one]
    most = max((alike for _, alike in offered), default=0)
    return tuple(one for one, alike in offered if alike == most)


def _alike(name: str, other: str) -> int:
    """How many characters two names have in common at their ends."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(name[::-1], other[::-1], strict=False)))


def _of_another(question: str, about: str, anchor: str) -> str | None:
    """The anchor's question asked of another whole: of Y200 after X200的电池; None where its topic is part of none."""
    name = WHAT_ABOUT.sub("", without_link(question)).removesuffix("的")
    is_name = _OF_A_WHOLE.fullmatch(name) and not YEAR.fullmatch(name) and name not in whole_of(about)
    return _of_whole(name, about, anchor) if is_name else None


def _of_whole(name: str, about: str, anchor: str) -> str | None:
    """The anchor's question with the name of another whole that its topic is part of."""
    whole = whole_of(about)
    if not whole or about not in anchor or anchor.count(whole) != 1:
        return None
    before, part = anchor.split(whole)
    return f"{before}{name}的{part.removeprefix('的')}"


def asked_of_like(question: str, anchor: str) -> str | None:
    """The anchor's question asked of what "X呢？" names; None where that is none of the kind of what it is about.

    After 北京机房 上海 is of its kind, and so is 病假 after 年假. 电话 is not: what follows goes on about 北京机房. No
    search is made for the question: it only says what the next one, 怎么申请, is about.
    """
    about, name = topic(anchor), WHAT_ABOUT.sub("", without_link(question)).removesuffix("的")
    if not about or anchor.count(about) != 1 or name in about or not _OF_A_WHOLE.fullmatch(name):
        return None
    if len(others := _asked_of(name, about, anchor)) == 1:
        return others[0]
    codes = _CODE.findall(about)
    if _CODE.fullmatch(name) and codes:
        return anchor.replace(codes[0], name) if anchor.count(codes[0]) == 1 else None
    head = _proper(about)
    if _proper(name) == name and head:
        return anchor.replace(about, f"{name}{about[len(head) :]}")
    is_of_it = may_be_of_something(name) or (_is_measured(name) and not _is_measured(about))
    alike = name[-1] == about[-1] or not (head or _proper(name) or is_of_it)
    return anchor.replace(about, f"{whole_of(about)}{name}") if alike and topic(name) == name else None


def _is_measured(name: str) -> bool:
    return any(kind.search(name) for kind in (_ASPECT, _AMOUNT))


def _proper(name: str) -> str:
    """What a name begins with that is no ordinary word: 北京 of 北京机房, P1 of P1故障, all of 氯雷他定."""
    length = 0
    for word in segmenter().cut(name, HMM=False):
        if word == "的" or (len(word) > 1 and word in lexicon().ordinary):
            break
        length += len(word)
    return name[:length]


def _in_place(another: str, about: str, anchor: str) -> str | None:
    """The anchor's question asked of another time or part of the same whole; None where it says more than that."""
    years = YEAR.findall(anchor)
    if len(years) > 1:
        return None
    if YEAR.fullmatch(another):
        return (
            anchor.replace(years[0], another)
            if years
            else _of_whole(f"{whole_of(about).removesuffix('的')}{another}", about, anchor)
        )
    for time in _TIMES:
        if time.fullmatch(another):
            there = time.findall(anchor)
            if not there and about not in anchor:
                return None
            return anchor.replace(there[0] if there else about, another if there else f"{about}{another}", 1)
    whole = whole_of(about)
    # 病假 is another 假 than 年假.
    is_part = whole or another[-1:] == about[-1]
    is_name = _NAME.fullmatch(another) and not (_LATIN.match(another) and _LATIN.search(whole))
    if _AMOUNT.search(another) and _COUNTS.search(anchor) and not _AMOUNT.search(about):
        return f"{whole}{another}是多少？" if is_part and is_name else None
    return anchor.replace(about, f"{whole}{another}") if is_part and is_name and _asks_plainly(about, anchor) else None


def _asks_plainly(about: str, anchor: str) -> bool:
    """Whether the anchor says nothing of its topic that may not be so of another name."""
    return bool(before_asking(anchor)) and not any(uncut(_SAYS_MORE, about)) and anchor.count(about) == 1
