"""What a question is about, and follow-ups that are completed with it."""

import pytest

from rag.language.follow_up import completed
from rag.language.topic import spoken_of, topic
from tests.waiting import within_cpu_seconds


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("员工手册规定的年假有几天？", "员工手册规定的年假"),
        ("你知道伊索寓言吗", "伊索寓言"),
        ("换个话题，生物股份的股票代码是多少？", "生物股份的股票代码"),
        ("请问青海湖在哪里呀", "青海湖"),
        ("为什么电离辐射对人体的危害性极大？", "电离辐射对人体的危害性"),
        ("《掌故王》这个游戏主要考察什么内容？", "《掌故王》"),
        ("MySQL 的默认端口是多少？", "MySQL 的默认端口"),
        ("都有哪些会议？", "会议"),
        ("卑鄙是什么意思？", "卑鄙"),
        ("秋是什么意思？", ""),
        ("会员要钱吗？", "会员"),
        ("我用129套餐，还剩10个月解约要多少违约金", "129套餐"),
        ("节目不能超过几分钟？", "节目"),
        ("空调功能有哪些？", "空调功能"),
        ("每月哪天还款？", "还款"),
        ("最后期限是哪天", "最后期限"),
        ("哪个菜最快", "菜"),
        ("一期工程什么时候完工？", "一期工程"),
        ("最后一期是什么时候？", "最后一期"),
        ("每周几开会？", "开会"),
        ("哪类产品能退？", "产品"),
        ("尊享199的月费是多少？", "尊享199的月费"),
        ("深圳算一线吗？", "深圳"),
        ("学术英语也是必修吗？", "学术英语"),
        ("乙肝是大三阳还是小三阳？", "乙肝"),
        ("预算是由谁审批的？", "预算"),
    ],
)
def test_a_question_is_about_what_stands_before_its_asking(question: str, about: str) -> None:
    assert topic(question) == about


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("公司开了多少年了", "公司"),
        ("苹果电脑装得了吗", "苹果电脑"),
        ("王菲有一首歌我最最喜欢是什么歌", "王菲有一首歌"),
        ("他们公司去年怎么样", "公司"),
        ("对于加班工资怎么规定的", "加班工资"),
        ("忘了刷卡怎么补救", "刷卡"),
        ("研发投入占营收的比例是多少？", "研发投入占营收的比例"),
        ("病假工资怎么算", "病假工资"),
        ("建表规约里规定表必须有哪几个字段？", "建表规约里"),
        ("考勤规定有哪些？", "考勤规定"),
        ("年假怎么算", "年假"),
        ("公司2020年的研发费用是多少？", "公司2020年的研发费用"),
        ("那个电影好看吗？", "电影"),  # not 个电影
        ("这款软件很好用吗？", "软件"),
        ("副作用有哪些？", "副作用"),
        ("故宫你去过没有", "故宫"),
        ("简爱是谁写的", "简爱"),
        ("现在怎么办", ""),
    ],
)
def test_what_stands_around_a_name_is_no_part_of_it(question: str, about: str) -> None:
    assert topic(question) == about


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("会计政策是什么？", "会计政策"),
        ("有限责任公司怎么设立？", "有限责任公司"),
        ("去年的营业收入是多少？", "去年的营业收入"),
        ("年会的目的是什么？", "年会的目的"),
        ("什么是过拟合？", "过拟合"),
        ("过敏了怎么办？", "过敏"),
    ],
)
def test_no_word_is_cut_where_what_leads_over_to_the_asking_is_left_out(question: str, about: str) -> None:
    assert topic(question) == about


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("还款期限是多久？", "还款期限"),
        ("还本付息怎么计算？", "还本付息"),
        ("最低工资标准是多少？", "最低工资标准"),
        ("最高人民法院在哪里？", "最高人民法院"),
        ("都江堰是谁修的？", "都江堰"),
        ("也门首都在哪里？", "也门首都"),
        ("想象力怎么培养？", "想象力"),
        ("大家族是什么？", "大家族"),
        ("我司2020年营业收入是多少？", "我司2020年营业收入"),
        ("很多公司有年假吗？", "很多公司有年假"),
        ("我方违约责任是什么？", "违约责任"),
        ("我国的首都在哪里？", "首都"),
        ("合同的生效日期是哪天？", "合同的生效日期"),
        # What only leads over to the subject goes.
        ("你最喜欢的电影是什么？", "电影"),
        ("还有病假有几天？", "病假"),
        ("我很想知道年假有几天？", "年假"),
    ],
)
def test_no_word_is_cut_where_an_opening_is_left_out(question: str, about: str) -> None:
    assert topic(question) == about


@pytest.mark.parametrize(
    "question",
    [
        "能帮我查一下年假有几天吗？",
        "你能告诉我年假有几天吗？",
        "请帮我找一下年假有几天",
        "麻烦帮我看一下年假有几天？",
        "能不能告诉我们年假有几天？",
        "可以帮忙查下年假有几天吗？",
        "我想问一下年假有几天？",
        "请问能介绍一下年假吗？",
        "帮我看看年假有几天",
    ],
)
def test_what_a_speaker_says_to_be_told_something_is_no_subject(question: str) -> None:
    assert topic(question) == "年假"


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("查封期限是多久？", "查封期限"),
        ("找零怎么算？", "找零"),
        ("看守所在哪里？", "看守所"),
        ("问询函是什么时候发的？", "问询函"),
        ("告知义务是什么？", "告知义务"),
        ("帮扶对象是谁？", "帮扶对象"),
        ("请假流程怎么走？", "请假流程"),
        ("能源消耗是多少？", "能源消耗"),
        ("介绍信怎么开？", "介绍信"),
    ],
)
def test_a_name_that_begins_like_such_a_request_is_a_subject(question: str, about: str) -> None:
    assert topic(question) == about


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("合同里有没有提到违约金？", "合同里违约金"),
        ("合同中是否约定了违约金的上限？", "合同中违约金的上限"),
        ("手册里怎么规定年假的？", "手册里年假"),
        ("酒店房间里有没有浴缸？", "酒店房间里浴缸"),
        ("手册里有没有说明书？", "手册里说明书"),
        # Here the subject stands before the asking, and here is none.
        ("合同里付款方式是什么？", "合同里付款方式"),
        ("合同里怎么说的？", "合同里"),
        ("初中有哪些课程？", "初中"),
    ],
)
def test_behind_the_document_that_may_tell_of_it_the_subject_comes_after_the_asking(question: str, about: str) -> None:
    assert topic(question) == about
    assert completed("怎么计算？", question) == f"{about}怎么计算？"


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("这篇论文提出了什么方法？", "论文"),
        ("公司采用了哪些会计政策？", "公司"),
        ("给出了哪些投资建议？", "投资建议"),
        ("作者使用过什么数据集？", "作者"),
        ("合同约定了哪些义务？", "合同"),
        ("董事长换了几次？", "董事长"),
        # It asks not for an object, or the verb tells what is asked of.
        ("过敏了怎么办？", "过敏"),
        ("营业收入增长了多少？", "营业收入增长"),
        ("故宫的开放时间是什么？", "故宫的开放时间"),
    ],
)
def test_a_verb_whose_object_is_asked_for_is_no_part_of_the_subject(question: str, about: str) -> None:
    assert topic(question) == about


@pytest.mark.parametrize("question", ["", "为什么？", "是谁啊", "你喜欢什么？", "What is the price of the plan?"])
def test_a_question_that_names_nothing_in_chinese_is_about_nothing(question: str) -> None:
    assert topic(question) == ""


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("它的面积有多大？", "青海湖的面积有多大？"),
        ("那里门票多少钱？", "青海湖门票多少钱？"),
        ("同比增长了多少？", "青海湖同比增长了多少？"),
        ("那他们为什么去那里？", "那青海湖为什么去那里？"),
        ("然后怎么去？", "然后青海湖怎么去？"),
        ("该湖的成因是什么？", "青海湖湖的成因是什么？"),
        ("不应该收费吗？", "青海湖不应该收费吗？"),
        ("其中有鱼吗？", "青海湖其中有鱼吗？"),
        ("青海湖呢，有鱼吗？", "青海湖呢，有鱼吗？"),
    ],
)
def test_a_follow_up_gets_the_name_for_its_pronoun_or_as_its_subject(question: str, whole: str) -> None:
    assert completed(question, "青海湖在哪里？") == whole


@pytest.mark.parametrize(
    "question", ["其他景点有哪些？", "其它景点有哪些？", "其她游客多吗？", "吉他课有吗？", "他人能进吗？"]
)
def test_the_pronoun_within_others_or_a_guitar_gives_way_to_no_name(question: str) -> None:
    assert completed(question, "青海湖在哪里？") == f"青海湖{question}"


@pytest.mark.parametrize("question", ["那纳木错呢？", "为什么？", "那为什么呢", "真的吗？", "What about its size?"])
def test_a_follow_up_that_lacks_more_than_a_name_is_not_completed(question: str) -> None:
    assert completed(question, "青海湖在哪里？") is None


def test_nothing_is_completed_with_a_topic_that_is_not_found() -> None:
    assert completed("它有多大？", "是谁？") is None
    assert completed("它有多大？", "What is the lake called?") is None


@pytest.mark.parametrize("repeated", ["是", "，", " ", "《"])
def test_a_long_earlier_question_is_read_in_no_time(repeated: str) -> None:
    with within_cpu_seconds(10):
        completed("它有多大？", f"年{repeated * 20_000}假多少天？")


@pytest.mark.parametrize(
    ("question", "person", "about"),
    [
        ("她工作几年了？", "她", ""),
        ("他们什么时候开会？", "他们", ""),
        ("这个人毕业多久了", "这个人", ""),
        ("她的工资是多少？", "", "工资"),
        ("提前5天退扣多少", "", ""),
        ("超过30天怎么办", "", ""),
        ("满二叉树是什么", "", "满二叉树"),
        ("他们公司去年怎么样", "", "公司"),
        ("它的电池能用多久", "", "电池"),
    ],
)
def test_who_is_spoken_of_is_the_subject_and_not_what_they_do_nor_a_condition(
    question: str, person: str, about: str
) -> None:
    assert (spoken_of(question), topic(question)) == (person, about)


@pytest.mark.parametrize(
    ("question", "about"), [("哪一章讲打印机", "打印机"), ("第几节提到了备份？", "备份"), ("哪个部门审批", "部门审批")]
)
def test_where_something_is_told_is_no_part_of_what_it_is(question: str, about: str) -> None:
    assert topic(question) == about


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("伙食费22天是多少？", "伙食费"),
        ("押金300元什么时候退？", "押金"),
        ("合同总共多少钱？", "合同"),
        ("加上违约金一共拿回多少？", "加上违约金"),
        ("成都投了多少车？", "成都"),
        ("合同签了多少份？", "合同"),
        ("这是个什么案子？", "案子"),
        ("光伏装不装？", "光伏"),
        ("我买了个无人机，要登记吗？", "无人机"),
        ("无证驾驶罚多少？", "无证驾驶"),
        ("故意伤害判几年？", "故意伤害"),
    ],
)
def test_amounts_measures_adverbs_and_short_verbs_are_no_part_of_a_topic(question: str, about: str) -> None:
    assert topic(question) == about


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("2020年营业收入多少？", "2020年营业收入"),
        ("40301什么意思？", "40301"),
        ("G7178次几点到？", "G7178次"),
        ("营业收入增长了多少？", "营业收入增长"),
        ("超过30天怎么办？", ""),
        ("13岁算儿童吗？", "13岁"),
    ],
)
def test_dates_codes_longer_verbs_and_an_amount_alone_stay_in_a_topic(question: str, about: str) -> None:
    assert topic(question) == about


def test_what_is_left_open_ends_no_topic() -> None:
    assert topic("儿童的……") == topic("儿童的呢") == "儿童"


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("你刚才说的补送要多长时间", "补送"),
        ("前面提到的保证金是多少", "保证金"),
        ("之前说明书里的电压是多少", "之前说明书里的电压"),
    ],
)
def test_that_it_was_spoken_of_before_is_no_part_of_a_topic(question: str, about: str) -> None:
    assert topic(question) == about
