"""A question asked again of something else: of 病假 after 年假有几天, of Y200 after X200的电池."""

import re
from itertools import accumulate

from rag.language.folding import HAN
from rag.language.lexicon import lexicon
from rag.language.segmentation import segmenter, uncut
from rag.language.titles import common_start
from rag.language.topic import YEAR, before_asking, may_be_of_something, topic, whole_of
from rag.language.words import terms

# Times that stand beside each other in a table: where one was asked of, another is asked of the same.
_TIMES = tuple(map(re.compile, ("[期年][初末]", "[本上]期", "[上下]半年", "第?[一二三四]季度", "[今去前]年")))
# A condition or a case, 电梯坏了, a question whether, or what only points to something: no name.
_NO_NAME = (
    r"如果|要是|超过|满(?![意勤减])|没|不(?![良锈动])|别(?!墅)|其[他余它]|上[述一]|前一|后来|结果|原因|想(?![象法])|打算|.*(.)[不没]\1|"
    r".*(?:了的?|[^售税术产]后)$"
)
# What can stand in the place of a part: a name without pronoun, place or time.
_NAME = re.compile(rf"(?!{_NO_NAME})(?![{HAN}]*[你我他她它这那里年季])[{HAN}A-Za-z]{{2,14}}(?<!的)")
# What can stand in the place of the whole: Y200, without pronoun.
_OF_A_WHOLE = re.compile(rf"(?!{_NO_NAME}|.*[你我他她它这那])[\w·-]{{2,20}}")
_CODE = re.compile(r"[A-Za-z][\w.+#-]*", re.ASCII)
# A topic that is more than a name: "公司2020年的净利润同比增长".
_SAYS_MORE = re.compile(r"[，,。；]|增[长加]|上升|下降|减少|占|比|还是")
# What is told in days or pieces, and what never is: 年假有几天 asks nothing of 公积金比例, 学费分几次交 does of 住宿费.
_COUNTS = re.compile(rf"几(?!号)[{HAN}]|多[久长高重快远宽深厚]|多少[个天日年月次人名种项页条米岁周]")
_AMOUNT = re.compile(r"(?:比[例重]|[率额费价金]|费用|工资|收入|利润|成本|标准|补贴|津贴)$")
# What each thing has its own of.
ASPECT = re.compile(
    "(?:电话|邮箱|[地网住]址|名[称字]|[价规]格|单价|功率|面积|尺寸|重量|型号|颜色|寿命|保[修质]期|质保期|"
    "作者|译者|编[者剧]|导演|主[演编]|人)$"
)
# What documents are about as a whole, and who is named in them.
_WHOLE = re.compile("公司|企业|单位|集团|学[校院]|大学|医院|机构|项目|工程|银行|(?P<person>人)")

_ALSO = re.compile("也")

# 调慢呢 behind 怎么调快 asks the other way round.
_OPPOSITES = """
快/慢 大/小 高/低 多/少 长/短 宽/窄 早/晚 上/下 进/出 入/离 升/降 增/减 加/减 开/关 涨/跌 买/卖 借/还 收/支 存/取
打开|开启|启用/关闭|停用|禁用 安装/卸载 开始/结束 登录/退出 增加/减少 添加|新增/删除 导入/导出 申请/取消 允许/禁止
"""
_OPPOSITE = tuple(ways for pair in re.findall(r"(\S+)/(\S+)", _OPPOSITES) for ways in (pair, pair[::-1]))


def asked_of(name: str, about: str, anchor: str) -> tuple[str, ...]:
    """The anchor's question asked of another part of the same whole, of another whole, or as either.

    A name is of the kind whose name ends alike, also within a topic: 乙方 is another 方 than 甲方, 病假 another 假 than
    年假. One that ends like neither is a part first, as the rows of a table are.
    """
    kind, whole = _of_its_kind(name, about), YEAR.sub("", whole_of(about)).removesuffix("的")
    ways = ((_in_place(name, kind, anchor), kind), (_in_place_of_whole(name, about, whole, anchor), whole))
    offered = [(asked, _alike(name, of)) for asked, of in ways if asked]
    most = max((alike for _, alike in offered), default=0)
    return tuple(dict.fromkeys(asked for asked, alike in offered if alike == most))


def _in_place_of_whole(name: str, about: str, whole: str, anchor: str) -> str | None:
    """The anchor's question asked of another whole; None where a name cannot take the place of that."""
    is_time = any(time.fullmatch(name) for time in (YEAR, *_TIMES))
    is_nested = whole_of(about.removeprefix(whole_of(about)))
    # 净利润 is told beside 云岭食品的营业收入, and has no 营业收入.
    is_beside = _AMOUNT.search(name) and _AMOUNT.search(about) and not _AMOUNT.search(whole)
    # Only a document's name replaces that of one: 手册里.
    is_document = whole.endswith(("里", "中"))
    if is_time or is_nested or is_beside or is_document or not _asks_plainly(about, anchor):
        return None
    return of_another(name.removesuffix("的"), about, anchor)


def _of_its_kind(name: str, about: str) -> str:
    """What of a topic another name takes the place of: 橙色 of 大风橙色预警 for 黄色; all where nothing is alike."""
    ends = [0, *accumulate(map(len, segmenter().cut(about, HMM=False)))]
    runs = [about[end - len(name) : end] for end in ends if end - len(name) in ends]
    alike = [run for run in runs if run[-1] == name[-1] and run != name and "的" not in run]
    return alike[0] if len(alike) == 1 else about


def _alike(name: str, other: str) -> int:
    """How many characters two names have in common at their ends."""
    return common_start(name[::-1], other[::-1])


def of_another(name: str, about: str, anchor: str) -> str | None:
    """The anchor's question asked of another whole: of Y200 after X200的电池; None where its topic is part of none."""
    is_name = _OF_A_WHOLE.fullmatch(name) and not YEAR.fullmatch(name) and name not in whole_of(about)
    return _of_whole(name, about, anchor) if is_name else None


def _of_whole(name: str, about: str, anchor: str) -> str | None:
    """The anchor's question with the name of another whole that its topic is part of."""
    whole = whole_of(about)
    if not whole or about not in anchor or anchor.count(whole) != 1:
        return None
    before, part = anchor.split(whole)
    return f"{before}{name}的{part.removeprefix('的')}"


def asked_of_like(name: str, anchor: str) -> str | None:
    """The anchor's question asked of what "X呢？" names; None where that is none of the kind of what it is about.

    After 北京机房 上海 is of its kind, and so is 病假 after 年假. 电话 is not: what follows goes on about 北京机房. No
    search is made for the question: it only says what the next one, 怎么申请, is about.
    """
    about = topic(anchor)
    if not _may_replace(name, about, anchor):
        return None
    if of_proper := of_another_proper(name, about, anchor):
        return of_proper
    head = _proper(about)
    is_of_it = may_be_of_something(name) or (_is_measured(name) and not _is_measured(about))
    alike = name[-1] == about[-1] or not (head or _proper(name) or is_of_it)
    return anchor.replace(about, f"{whole_of(about)}{name}") if alike and topic(name) == name else None


def of_another_proper(name: str, about: str, anchor: str) -> str | None:
    """The anchor's question asked of another proper name or code: of 上海 after 北京机房有几个; None for others."""
    if not _may_replace(name, about, anchor):
        return None
    codes, head = _CODE.findall(about), _proper(about)
    if codes and _CODE.fullmatch(name):
        return anchor.replace(codes[0], name) if anchor.count(codes[0]) == 1 else None
    return anchor.replace(about, f"{name}{about[len(head) :]}") if head and _proper(name) == name else None


def _may_replace(name: str, about: str, anchor: str) -> bool:
    """Whether something may be asked of a name in the place of what the anchor is about, and says once."""
    return bool(about) and anchor.count(about) == 1 and name not in about and _OF_A_WHOLE.fullmatch(name) is not None


def other_way_round(name: str, about: str, anchor: str) -> str | None:
    """The anchor's question asked of the opposite of what it asks: 怎么调慢 behind 怎么调快; None for another name."""
    begin, of_topic, asked = anchor.partition(about)
    for one, other in _OPPOSITE:
        for part in re.finditer(one, name):
            # Where one of several stands is compared by its text: a pattern for each would have to be compiled.
            ways = [f"{name[: part.start()]}{word}{name[part.end() :]}" for word in other.split("|")]
            there = [way for way in ways if way in asked]
            if len(name) > 1 and there:
                return f"{begin}{of_topic}{asked.replace(min(there, key=asked.index), name, 1)}"
    return None


def asks_as_well(question: str) -> bool:
    """Whether a question asks if what was said is so of what it names as well, and does not say it: 重疾也有吗."""
    also = next(uncut(_ALSO, question), None)
    return also is not None and bool(terms(question[: also.start()])) and not terms(question[also.end() :])


def is_asked_again(question: str, former: str) -> bool:
    """Whether a question asks what a former one does of something else, as "病假呢？" made whole does."""
    about, before = topic(question), topic(former)
    return bool(about and before) and about != before and question.replace(about, before) == former


def is_proper(name: str) -> bool:
    """Whether a name has no ordinary word: 青海湖, X200, but not 年假 or 支付接口."""
    return bool(name) and name not in lexicon().ordinary and _proper(name) == name


def pointed_at(about: str, following: str) -> str:
    """A name in place of the 这个 that stands before a text: 星河公司的电话 of 星河公司去年的营业收入 and 公司的电话.

    What documents are about as a whole is nothing that 年假 or 营业收入 has: 这个公司 is the one that they are of then.
    """
    kind = _WHOLE.match(following)
    if kind and kind[0] in about:
        return about[: about.rindex(kind[0])] + following
    return following if kind and not kind["person"] and not is_proper(about) else about + following


def _is_measured(name: str) -> bool:
    return any(kind.search(name) for kind in (ASPECT, _AMOUNT))


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
    if len(YEAR.findall(anchor)) > 1:
        return None
    if YEAR.fullmatch(another):
        of_year = _of_whole(f"{whole_of(about).removesuffix('的')}{another}", about, anchor)
        return YEAR.sub(another, anchor) if YEAR.search(anchor) else of_year
    if time := next((time for time in _TIMES if time.fullmatch(another)), None):
        if time.search(anchor):
            return time.sub(another, anchor, count=1)
        return anchor.replace(about, f"{about}{another}", 1) if about in anchor else None
    whole = whole_of(about)
    # 病假 is another 假 than 年假.
    is_part = whole or another[-1:] == about[-1]
    if not (is_part and _NAME.fullmatch(another)):
        return None
    if _AMOUNT.search(another) and _COUNTS.search(anchor) and not _AMOUNT.search(about):
        return f"{whole}{another}是多少？"
    return anchor.replace(about, f"{whole}{another}") if _asks_plainly(about, anchor) else None


def _asks_plainly(about: str, anchor: str) -> bool:
    """Whether the anchor says nothing of its topic that may not be so of another name."""
    return bool(before_asking(anchor)) and not any(uncut(_SAYS_MORE, about)) and anchor.count(about) == 1
