"""Follow-ups made to stand alone by rules: with the subject of the question before, or as that asked of another."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rag.language.asked_again import ASPECT, asked_of, of_another, of_another_proper, other_way_round, pointed_at
from rag.language.folding import CHINESE, HAN
from rag.language.lexicon import lexicon
from rag.language.segmentation import blanked, segmenter, uncut
from rag.language.topic import ASKING, YEAR, before_asking, is_of_something, spoken_of, topic, whole_of
from rag.language.whole_document import without_document
from rag.language.words import DIFFERENCES, NO_MORE, matters, terms, without_filler

# Openings without a subject that may begin a new question as well: 可以远程办公吗？
_MAY_BEGIN = re.compile("能|可以|需要|[有会是][没不否]|有|对|怎么|在哪")

# An opening without a subject, which is then that of the conversation. Of 各有关部门 and 各用户 no word is cut.
_NO_SUBJECT = re.compile(
    r"^(?:(?:同比|环比)(?:增[长加]|上升|下降|减少|变化)?|那|还有|分别|各[自占是有用要需]|另外|和|与|跟|比如?|同(?![步城款分])|对(?!账)|离|除了|"
    r"能[够否]?|可以|需要|有没有|是不是|会不会|也|都|还|就|有[点关]?|是否|是(?!谁)|在哪|怎么(?!样)|难道|不是|感觉|具体|里面|整个|"
    r"今天|明天|增[长加]|上升|下降|减少|占(?:比|了|总|[^比了总]{1,8}的?(?:比[例重]|份额))|一?共(?:有|是|多少)|总共|合计)"
)
# 该公司, but not 应该, 我该怎么, 该找谁 and 新手该装哪个.
_THIS = r"(?<![应活你您我他她它们人都也还才])该(?![不怎咋如去找谁多几什何为]|先?.[给到在]?(?:[哪啥谁几]|什么|多少))"
# What 这 and 那 are followed by where they point to one thing that was said.
_OF_ONE = "(?:[个位本部首家种款句张座条份篇台间处里儿边]|一?期(?![间初末限]))"
_OF_THEN = "(?:时候|会儿|一年|段时间)"
_THAT_ONE = re.compile(f"那(?:{_OF_ONE}|{_OF_THEN}|天)")
# 有那种带泳池的酒店吗 tells itself which kind.
_PRONOUN = re.compile(
    rf"它|[他她](?!国|人|乡)|这(?!些年|几年|样|么)|那(?!种)(?:{_OF_ONE}|{_OF_THEN}|[些是])|当时|其(?:中|余|他|它)|"
    rf"{_THIS}|上述|前者|后者|此|另外|还有|别的|\b(?:it|its|they|them|this|that|these|those|he|she|his|her)\b",
    re.IGNORECASE,
)
# A bare 那 goes on from what was said, but often to another subject, as in 那日志规约有哪些要求？ As a pronoun it would
# show that the evidence in hand is meant.
_POINTS_BACK = re.compile(rf"{_PRONOUN.pattern}|那(?!么)", _PRONOUN.flags)
# Pronouns that a name can replace: 其他 and 另外 have to stay, and with all of them the completed questions agree less
# with what people wrote (ROUGE-L .777 against .778).
_POINTER = re.compile(
    rf"(?<!其)[他她它]们?(?!国|人|乡)|[这那](?:{_OF_ONE}|(?![么样些时年天]|{_OF_THEN}))|"
    rf"{_THIS}|其(?![他它她实中余])"
)
# "And the sick leave?" asks the same again of another subject, and so does 儿童的…
WHAT_ABOUT = re.compile(rf"(?:呢|(?<=的)(?=…)){NO_MORE}")
# 家小 is in the dictionary, but 那家小店 has no such word.
_LINK = re.compile(r"^(?:那么?(?!家小)|但是?|所以|然后|另外|还有(?=[，,])|[哦嗯啊哎，,\s])+")
LINK_IN_ENGLISH = re.compile(r"(?:and|or|but|so|then|(?:what|how) about)\b", re.IGNORECASE)
# What is told of two things by how they differ; 哪个部门 is told of one.
_COMPARES_SEVERAL = re.compile(
    r"^(?:那么?|[，,\s])*(?:哪[个种款家](?:[更最]|比较|要).{1,4}|哪[个种款家](?:[长短多少大小高低好贵快慢远近难]|便宜|划算|合适|安全)|"
    rf"(?:[有是]|有(?:什么|啥|哪些|没有))?(?:{DIFFERENCES})(?:之处|点|吗|呢|是什么|有哪些|在哪里?|大吗?)*|"
    r"相?差(?:了?多少|几).{0,3})[？?]?$"
)
# 哪天人最多 says of what; 哪年最多 goes on about something.
_ONE_OF_ALL = re.compile(
    rf"哪(?:[天年月][^是最]{{1,4}}最|[些个首款种位家类篇章](?:[{HAN}]{{3,6}}最|[{HAN}]{{1,3}}最(?![多少高低大小])|"
    rf"[{HAN}]{{0,3}}?是(?![谁否什哪不])))"
)
_BOTH = re.compile(
    r"(?:[两二]者|[这那]两[个种者]|两[个种](?=都|之间|哪|有(?![效关限机])|能(?![源力量耗效])|可(?![转选再变])|要(?![素点件求])))(?:之间)?(?=.)"
)
_AND = re.compile("(?<=.)[和与跟及、](?=.)")
_BOTH_COMPARED = re.compile("[它他她]们(?:之间)?")
_ONE_OF_TWO = re.compile("[前后]者")
# "And that of the other?" asks it of another whole.
_OF_ANOTHER = re.compile(rf"的(?:呢|(?=…)){NO_MORE}")
# Of these nobody asks more by 它.
_NO_REFERENT = re.compile("(?:[人次件户]数|数量|额|率|比例|收入|利润|价格|地址|代码)$")
_ASKS_WHY = re.compile("(?=为什么|为何|为啥)")
_ASKS_HOW = re.compile("怎么|怎样|如何")
# 我想退学 says all there is to say, though 退学 is no noun.
_WISHES = re.compile("我们?(?:想|要|打算|准备)")
_LATIN = re.compile("[A-Za-z]{2}")
_BARE = re.compile(r"^(?:为什么|为何|为啥|怎么(?:说|办|会)?|真的|是)[吗呢啊呀]?[？?]?$")


def compares(question: str) -> bool:
    """Whether a question asks how several things that were talked of differ, and names none: 哪个更长？"""
    return _COMPARES_SEVERAL.match(question) is not None


def of_all(question: str) -> bool:
    """Whether a question asks which of all that a document has it is: 哪天人最多, 哪些是热饮; 哪个最贵 is of a few."""
    return _ONE_OF_ALL.match(question) is not None


def of_several(question: str, subjects: Sequence[str]) -> str | None:
    """A follow-up about the last two of some subjects, 哪个更长 or 前者要审批吗, with these; None for another."""
    subjects = [*dict.fromkeys(filter(None, subjects))][-2:]
    own = without_link(question)
    if subjects and compares(own) and any(uncut(_AND, subjects[-1])):
        return f"{subjects[-1]}{own}"
    if len(subjects) < 2:
        return None
    if one := _ONE_OF_TWO.match(own):
        return f"{subjects[one[0] == '后者']}{own[one.end() :]}"
    compared = _BOTH_COMPARED.sub("", own, count=1)
    rest = compared if compares(compared) else _BOTH.sub("", own, count=1) if _BOTH.match(own) else ""
    return f"{'和'.join(subjects)}{rest}" if rest else None


def has_pronoun(text: str) -> bool:
    """Whether a text has a word that stands for something said before or in it."""
    return any(uncut(_PRONOUN, text))


def pointing_back(question: str) -> int | None:
    """Where the first word of a question stands that may stand for something said before, 那 among them."""
    found = next(uncut(_POINTS_BACK, question), None)
    return found.start() if found else None


def asks_of_document(question: str) -> bool:
    """Whether a question asks something of one document that it points to: 这本书的作者是谁."""
    rest = without_document(question)
    return rest != question and bool(terms(rest)) and pointing_back(rest) is None and not WHAT_ABOUT.search(rest)


def lacks_subject(question: str) -> bool:
    """Whether a question begins without a subject, which is then that of the conversation: 需要申请吗, 和2019年比呢."""
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
    # 那个 points to something, and 那 of 那首付 only links.
    end -= any(match.start() + 1 == end for match in uncut(_THAT_ONE, question))
    return question[:end], question[end:]


def completed(question: str, anchor: str) -> str | None:
    """A Chinese follow-up with the anchor's subject in place of its pronoun, else where its own subject would stand.

    None where more than a name is missing: "那病假呢？" and "为什么？" lack what is said of it, not so "Y200的呢？".
    """
    about = topic(anchor) or spoken_of(anchor)
    begin, rest = _parted(question)
    if not about or _BARE.match(rest) or not CHINESE.search(rest):
        return None
    if asks_the_same(rest) and not lacks_subject(rest):
        return of_another(named_again(rest), about, anchor) if _OF_ANOTHER.search(rest) else None
    if about in question:
        return question
    pointer = next(uncut(_POINTER, rest), None)
    before, after = (rest[: pointer.start()], rest[pointer.end() :]) if pointer else ("", rest)
    return f"{begin}{before}{pointed_at(about, after) if pointer else f'{about}{after}'}"


def otherwise(question: str, anchor: str, of_document: bool = False) -> tuple[str, ...]:
    """What else a follow-up may mean, of which only the documents can tell.

    它 and 为什么 may be of the whole whose amount was asked for. "病假呢？" may ask the anchor's question again, of a
    part or of a whole, which it is where it is `of_document`. A question with a topic of its own may be about the whole
    that the anchor's topic is a part of, or about something new, as may one without, 可以远程办公吗, that says enough.
    """
    question = without_link(question)
    about, own = topic(anchor), topic(question)
    if about and about in question:
        return ()
    if not about:
        return (question,) if has_own_topic(question) and _may_be_new(question, own) else ()
    whole = whole_of(about).removesuffix("的")
    if pointer := next(uncut(_POINTER, question), None) or _ASKS_WHY.match(question):
        is_of_whole = whole and _NO_REFERENT.search(about) and not asks_the_same(question)
        return (f"{question[: pointer.start()]}{whole}{question[pointer.end() :]}",) if is_of_whole else ()
    if YEAR.fullmatch(own):
        return _asked_again(own, about, anchor)
    if asks_the_same(question) and not lacks_subject(question):
        of_whole = of_another(named_again(question), about, anchor) if of_document else None
        return _asked_again(WHAT_ABOUT.sub("", question), about, anchor, of_whole)
    if lacks_subject(question) and not _MAY_BEGIN.match(question):
        return ()
    own = own if has_own_topic(question) else ""
    further = [f"{whole}{question}"] if own and whole and whole not in question else []
    return (*further, *([question] if _may_be_new(question, own) else []))


def _asked_again(name: str, about: str, anchor: str, of_whole: str | None = None) -> tuple[str, ...]:
    """The anchor's question asked of what a follow-up names: of the opposite, of a whole, of another part or name."""
    if again := other_way_round(name, about, anchor) or of_whole:
        return (again,)
    # Of a mere name nothing was asked.
    of_proper = of_another_proper(name, about, anchor) if about != anchor else None
    return asked_of(name, about, anchor) or ((of_proper,) if of_proper else ())


def _may_be_new(question: str, own: str) -> bool:
    """Whether a follow-up may be a question of its own: 年假有几天, but not 电话是多少, which each thing has one of."""
    if not terms(question):
        return bool(matters(question))
    is_own_matter = bool(own and before_asking(question)) and not ASPECT.search(own)
    says_enough = is_own_matter or len(terms(question)) > 1 or names_matter(question)
    return bool(says_enough or _WISHES.match(question)) and not is_of_something(topic(question))


def asks_how(question: str) -> bool:
    """Whether a question asks how something is done that it names: 怎么制作U盘, 怎么离开vim, but not 怎么申请."""
    return bool(_ASKS_HOW.match(question)) and names_matter(question)


def names_matter(question: str) -> bool:
    """Whether a question has a noun of its own, which is no relation or aspect of something else: 可以养宠物吗？"""
    of_another = (is_of_something(noun) or ASPECT.search(noun) for noun in _nouns(question))
    return _LATIN.search(question) is not None or not all(of_another)


def _nouns(question: str) -> Iterator[str]:
    """The nouns of a question besides what it asks by; 温泉 is a name in the dictionary, and 吃晚饭 one word."""
    known, names = lexicon().nouns, lexicon().names
    for run in CHINESE.findall(without_filler(blanked(ASKING, question))):
        cut = [*segmenter().cut(run, HMM=False)]
        yield from (piece for piece in cut if len(piece) > 1 and (piece in known or piece in names))
        yield from (piece[1:] for piece in cut if len(piece[1:]) > 1 and piece[1:] in known)
        # One of a single character stands behind its verb, 养狗, or begins the question, 店有多大.
        yield from (noun for verb, noun in pairwise(cut) if len(verb) == len(noun) == 1 and noun in known)
        yield from (piece for piece in cut[:1] if piece in known and question.startswith(piece))


def asks_the_same(question: str) -> bool:
    """Whether a follow-up only names of what the last question is asked again: "那病假呢？"."""
    return WHAT_ABOUT.search(question) is not None and not ASKING.search(WHAT_ABOUT.sub("", question))


def named_again(question: str) -> str:
    """What such a follow-up names: Y200 of 那Y200的呢."""
    return WHAT_ABOUT.sub("", without_link(question)).removesuffix("的")


def has_own_topic(question: str) -> bool:
    """Whether a follow-up names what it asks about, which then is another part of the whole that was talked about."""
    own = topic(question)
    return bool(own) and question.startswith(own) and not (WHAT_ABOUT.search(question) or lacks_subject(question))
