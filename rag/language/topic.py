"""What a question is about, by its place in the sentence: Chinese names the subject first, then asks."""

import re
from collections.abc import Iterator

from rag.language.folding import CHINESE, HAN
from rag.language.measures import HAN_MEASURES
from rag.language.rows import any_of, read_rows
from rag.language.segmentation import as_name, segmenter, uncut
from rag.language.words import ASKING_WORDS, SUMMING_UP
from rag.language.writing import asks_to_write

_QUOTED = re.compile(r"《[^》]+》")
_ROWS = read_rows(__file__)["opening"]
_A_LITTLE = f"{any_of(_ROWS['a_little'], [SUMMING_UP])}(?:一下|下(?!一))"
_ASKS_TO_BE_TOLD = f"{any_of(_ROWS['may_i'])}*{any_of(_ROWS['tell_me'], [_A_LITTLE])}"
# What comes before the subject: links to the talk, and whether one knows it.
_OPENING = re.compile(f"{_ASKS_TO_BE_TOLD}|{any_of(_ROWS['links'], _ROWS['who'], _ROWS['knows'])}")
# And after it: whether one has seen or read it, or whether it is any good.
_FAMILIAR = re.compile(
    r"[你您]?(?:知道|认识|了解|喜欢|(?:听说|看|听|读|玩|去|用|吃)过?)(?:没有?)?$|(?:还是|太|真|很|挺)?(?:好[看听读玩吃喝用]|有用)的?$"
)
_TOLD_OF = "提[到及]|[说写讲]到?(?!明书)|约定|规定|说明(?!书)|包[括含]|涉及|要求|载明|列[出明]|介绍|描述|定义"
# Behind a place in a document it says no more, 建表规约里规定, but 考勤规定; nor does a verb whose object is asked for,
# 代号来自哪里.
_TELLS = re.compile(rf"(?<=[里中])(?:{_TOLD_OF})$|(?<=..)(?:[来源出]自|源于|位于|属于|[设放存建安]在|[汇寄]到)$")
# 合同里有没有提到|违约金: the subject comes behind the document that may tell of it.
_INSIDE = re.compile(r"(?<=[^\W\d_])[里中]$")
_TOLD = re.compile(f"^(?:{_TOLD_OF})[了过]?")
# 哪一章讲|打印机.
_WHERE_IT_IS_TOLD = re.compile(
    f"^(?:哪一?|第几)(?:[章节页篇段条款]|部分|个?地方|[里儿])[里中]?有?(?:{_TOLD_OF})[了过]?"
)
# Under what condition something is asked, 提前5天退扣多少, and no subject of what is asked next.
_CONDITION = re.compile(
    r"(?:提前|超过|不[到足满]|[未不]?满)(?:\d+|[一二两三四五六七八九十百半]+)个?[天日周月年岁次元倍]"
)
# How much of it is asked about, 伙食费22天; a date is part of a name: 2020年营业收入.
_QUANTITY = re.compile(rf"(?<![A-Za-z\d.第])\d+(?:\.\d+)?(?![年月日周])(?:{HAN_MEASURES})$")
# What asks for the object of a verb.
_OBJECT = re.compile(r"什么$|啥$|哪|谁|几")
# From here on a sentence asks, or asks for something.
ASKING = re.compile(rf"{ASKING_WORDS}|[嘛吧么]|一下|(?P<verb>[{HAN}])[不没](?P=verb)")
_WHETHER = re.compile(r"[?？吗嘛呢吧么要会能可是有好对行贵一不没]")
# What leads over to the asking; no name begins or ends with these. The longer ones first: 是 alone would cut 是指.
_LEADING_OVER = re.compile(
    r"[一每](?:个月|[天日周月年次回])|[一总]共|属于|是指|是个|没有|还有|应该|大概|一般|通常|主要|分别|到底|究竟|可以|"
    r"需要|必须|很(?!多)|[是有在的都会能要被叫了过去来又也就个些啊呀，,、。！!…\s]"
)
_CLAUSE = re.compile("(?<=[^，,；;])[，,；;]")
# Behind a verb it leads over (看过), before a name it is part of it: 过拟合 is in no dictionary.
_ONLY_BEHIND = "过"
# Here the subject ends and what it does begins: 我的资料会保存在.
_MODAL = re.compile(
    r"要钱|[也都就不仍只]?(?<!还)是(?=..)|算(?=..)|不[能可会要得许该]以?|会|能|可以|要|应该|需要|主要(?=[做从经负讲用])|至少|最多|最少|通常|一般(?=[^般])"
)
# What a topic is part of ends here: X200的|电池, 手册里|错误码, 2020年|营业收入; but 别的银行 is part of nothing.
_WITHIN = re.compile(r"(?<!别)(?<!所有|全部|任何|相关|有关)的|(?<=[^\W\d_])[里中](?!国|心|间|文|学)")
YEAR = re.compile(r"(?:19|20)\d\d ?年度?")
# What is always of something, 流程 or 主要原因, and names no subject itself; 申请流程 does, and may be of another.
_RELATION = (
    r"(?:原因|理由|条件|前提|流程|步骤|程序|标准|依据|后果|结果|影响|目的|意义|期限|时间|日期|范围|对象|区别|优缺点|[优缺]点|[优劣]势|"
    r"[好坏]处|特[点征]|方式|方法|措施|单位|[上下]限|要求|材料|手续|结论|背景|性质|含义|定义)"
)
_RELATIONS = rf"{_RELATION}(?:[和与及、]{_RELATION})*"
_OF_SOMETHING = re.compile(rf"(?:(?:主要|具体|根本|直接|最终|基本|详细|一般|相关|重要|其他)的?)?{_RELATIONS}")
_OF_A_MATTER = re.compile(
    r"(?:申请|申报|审批|审核|办理|报名|报销|提交|登记|适用|使用|执行|实施|操作|处理|计算|评定|参考|支付|付款|缴[费纳]|收费|发放|领取|"
    rf"生效|有效|截止|到期|起止|开始|结束|变更|取消|解除|终止|验收|交付|法律)的?{_RELATIONS}"
)
# 她工作几年了 is about her, and 工作 is what she does; 她的工资 is a topic, and so is 他们公司.
_PERSON = re.compile(
    "(?:[他她]们?+|[这那]个?人)(?!的|[国乡家爸妈父母]|公司|单位|学校|部门|团队|女儿|儿子|妻|丈夫|孩子|领导|老师|同事|朋友)"
)
# 我妈72岁能去吗 is about her, and not about what was talked of.
_OF_SPEAKER = re.compile(
    "(?:我|咱)们?(?:[爸妈爷奶哥姐弟妹妻]|父[亲母]|母亲|老[公婆板]|岳|丈夫|儿子|女儿|孩子|小孩|朋友|同事|领导|家)"
)
# 秋是什么意思 is about a word that is shorter than any subject.
_MEANS = re.compile(r"[^，,。]是(?:什么|啥)(?:意思|含义)")
# What 哪个菜最快 is about.
_ONE_OF_A_KIND = re.compile("哪[一几]?[个些款种位家](.{1,6}?)最(?=[^近新后终初])")
_SHORTEST = 2
# The subject stands at the beginning; an earlier question may be of any length.
_READ = 200


def topic(question: str) -> str:
    """What a Chinese question is about: the name it quotes, or the words before it begins to ask; "" for none."""
    question = question.strip()[:_READ]
    if not CHINESE.search(question):
        return ""
    if quoted := _QUOTED.findall(question):
        return str(quoted[-1])
    told = _WHERE_IT_IS_TOLD.sub("", _without_opening(question))
    if kind := _ONE_OF_A_KIND.match(told):
        return kind[1]
    if spoken_of(question) or asks_to_write(question) or _MEANS.match(told):
        return ""
    within = ""
    for part, asking in _parts(told):
        bare = _bare(part)
        name = _named(_TOLD.sub("", bare) if within else _without_verb(bare, part, asking))
        if _CONDITION.match(name):
            return within
        name = _QUANTITY.sub("", name) or name
        if len(name) < _SHORTEST:
            continue
        if within or not any(uncut(_INSIDE, bare)):
            return f"{within}{name}"
        within = name
    return within


def spoken_of(question: str) -> str:
    """The pronoun by which a question calls the person that it is about; "" for another."""
    person = _PERSON.match(question) or _PERSON.match(_without_opening(question))
    return person[0] if person else ""


def is_of_speaker(question: str) -> bool:
    """Whether a question begins with somebody of who asks it."""
    return _OF_SPEAKER.match(question) is not None


def _parts(question: str) -> Iterator[tuple[str, str]]:
    """What stands before each word that asks, with that word, and what stands behind the last."""
    begin = 0
    for asking in ASKING.finditer(question):
        yield question[begin : asking.start()], asking[0]
        begin = asking.end()
    yield question[begin:], ""


def _named(part: str) -> str:
    """What a part of a question calls by name, up to what that does."""
    # Of 用129套餐，还剩10个月 the rest is what is so of it.
    name = _bare(_without_end(_FAMILIAR, _CLAUSE.split(part, maxsplit=1)[0]))
    verb = next((match for match in uncut(_MODAL, name) if match.start() >= _SHORTEST), None)
    name = as_name(name[: verb.start()] if verb else name)
    return _TELLS.sub("", _bare(name) or name)


def _without_verb(bare: str, part: str, asking: str) -> str:
    """A part of a question without the verb at its end whose object is asked for: 公司 of 公司采用了, before 什么.

    营业收入增长 may be asked of as a whole, but of 成都投了多少 a verb of one character is no part of what it is about.
    给出了哪些建议 is about nothing that it names.
    """
    *before, last = [*segmenter().cut(bare, HMM=False)] or [""]
    is_done = part.rstrip().endswith(("了", "过")) and (_OBJECT.match(asking) or len(last) == 1)
    subject = "".join(before)
    return subject if is_done and (not before or len(subject) >= _SHORTEST) else bare


def is_of_something(name: str) -> bool:
    """Whether a topic is only a relation to something that it does not name: 流程, 主要原因."""
    return _OF_SOMETHING.fullmatch(name) is not None


def may_be_of_something(name: str) -> bool:
    """Whether a topic is such a relation, or that of a matter which may be another's: 申请流程."""
    return is_of_something(name) or _OF_A_MATTER.fullmatch(name) is not None


def _without_opening(question: str) -> str:
    """The question from its subject on; no word is cut: 还款 and 都江堰 stay whole."""
    begin = 0
    for opening in uncut(_OPENING, question):
        if opening.start() != begin:
            break
        begin = opening.end()
    return question[begin:]


def _without_end(end: re.Pattern[str], part: str) -> str:
    """A part of a question without such an end, which is no end of a word: 用 of 管理费用."""
    found = next(uncut(end, part), None)
    return part[: found.start()] if found else part


def _bare(part: str) -> str:
    """A part of a question without what leads over at its ends; no word is cut: 有限, 会计 and 目的 stay whole."""
    leads = {match.start(): match.end() for match in uncut(_LEADING_OVER, part)}
    begin, end = 0, len(part)
    while begin in leads and part[begin] != _ONLY_BEHIND:
        begin = leads[begin]
    for start, stop in reversed(leads.items()):
        if stop == end and start >= begin:
            end = start
    return part[begin:end]


def before_asking(question: str) -> str:
    """What a Chinese question says before it asks for something; "" where it only asks whether that is so."""
    asking = ASKING.search(question)
    return question[: asking.start()] if asking and not _WHETHER.match(asking[0]) else ""


def whole_of(name: str) -> str:
    """What a topic is a part of, as it is said before another part: X200的 of X200的电池; "" where it is none."""
    ends = [match.end() for pattern in (_WITHIN, YEAR) for match in uncut(pattern, name)]
    ends = [end for end in ends if _SHORTEST <= end <= len(name) - _SHORTEST]
    return name[: ends[-1]] if ends else ""
