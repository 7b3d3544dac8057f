"""Which questions stand alone, and what is made of those that do not."""

import pytest

from rag.language import lead
from rag.language.asked_again import other_way_round
from rag.language.folding import simplified
from rag.language.follow_up import names_matter
from rag.language.words import plainly
from rag.rewriting.condense import (
    By,
    alternatives,
    by_rules,
    in_full,
    joined,
    leans_on_history,
    points_back,
    stand_alone,
)
from rag.rewriting.prompt_form import prompt_form
from rag.turn.condensing import clearly_more_probable, most_probable
from tests.waiting import within_cpu_seconds


@pytest.mark.parametrize(
    "question",
    [
        "那它是什么类型？",
        "病假呢？",
        "为什么？",
        "那另外两个呢？",
        "what about its price?",
        "Or sick leave for new employees?",
        "那下一页呢？",
    ],
)
def test_a_follow_up_leans_on_the_conversation(question: str) -> None:
    assert leans_on_history(question)


@pytest.mark.parametrize("question", ["说详细一点", "写成表格", "请详细讲讲", "展开讲讲第二点", "more details please"])
def test_a_message_that_wants_the_last_answer_in_another_form_leans_on_the_conversation(question: str) -> None:
    assert leans_on_history(question)


@pytest.mark.parametrize("name", ["首付", "本金", "部门", "种子", "条件", "座位"])
def test_a_name_that_begins_like_a_measure_word_is_named_behind_a_link(name: str) -> None:
    assert alternatives(f"那{name}呢？", ["二手房的税费怎么交？"])[0] == f"二手房的{name}怎么交？"


@pytest.mark.parametrize("pointer", ["那份", "那台", "那间", "那条", "那家小店"])
def test_a_thing_pointed_to_by_any_measure_word_is_put_by_its_name(pointer: str) -> None:
    assert by_rules(f"{pointer}要交吗？", ["二手房的税费怎么算？"]) == f"二手房的税费{pointer[2:]}要交吗？"


@pytest.mark.parametrize("pointer", ["那时候", "那会儿", "那段时间", "当时"])
def test_a_time_pointed_to_stays_behind_the_name_of_what_was_then(pointer: str) -> None:
    assert by_rules(f"{pointer}谁负责？", ["公司上市是什么时候？"]) == f"公司上市{pointer}谁负责？"
    assert by_rules("那时间呢？", ["公司上市是什么时候？"]) != "公司上市那时间呢？"


@pytest.mark.parametrize(
    "question",
    [
        "作者是谁？",
        "和2019年比是高了还是低了？",
        "能直接展示给用户看吗？",
        "A 开头的是什么意思？",
        "第一个要素具体指什么？",
    ],
)
def test_a_question_without_a_subject_of_its_own_leans_on_the_conversation(question: str) -> None:
    assert leans_on_history(question)


@pytest.mark.parametrize(
    "question",
    [
        "单表多大才需要分库分表？",
        "生物股份2020年的营业收入是多少？",
        "为什么电离辐射对人体的危害性极大？",
        "钟惺亡故后，谭元春为他做了哪些诗？",
        "《掌故王》这个游戏主要考察什么内容？",
        "什么是羊水栓塞？",
        "邓兆棠是谁？",
        "第12页讲了什么？",
        "这份文件主要讲什么？",
    ],
)
def test_a_whole_question_stands_alone(question: str) -> None:
    assert not leans_on_history(question)


def test_without_a_model_the_last_question_that_stood_alone_goes_before_the_follow_up() -> None:
    earlier = ("员工手册规定的年假有几天？", "那它什么时候过期？")
    assert joined("病假呢？", earlier) == "员工手册规定的年假有几天？ 病假呢？"


def test_the_next_page_is_that_after_the_page_that_was_asked_for() -> None:
    earlier = ["手册第10页讲了什么？", "年假有几天？"]
    assert stand_alone("", "那下一页呢？", earlier).text == by_rules("那下一页呢？", earlier) == "手册第11页讲了什么？"


@pytest.mark.parametrize(
    ("question", "earlier"),
    [
        ("它要申請嗎？", ["年假有幾天？"]),
        ("能折現嗎？", ["年假有幾天？", "請把前面的回答翻譯成英文表格"]),
        ("那下一頁呢？", ["手冊第10頁講了什麼？"]),
    ],
)
def test_a_conversation_in_traditional_characters_is_understood_as_its_simplified_twin(
    question: str, earlier: list[str]
) -> None:
    twin = [simplified(former) for former in earlier]
    assert by_rules(question, earlier) == by_rules(simplified(question), twin)
    assert joined(question, earlier) == joined(simplified(question), twin)


@pytest.mark.parametrize("reply", ["年假有几天？", "它能折现吗？"])
def test_a_question_given_back_in_simplified_characters_is_no_rewrite_either(reply: str) -> None:
    assert stand_alone(reply, "它能折現嗎？", ["年假有幾天？"]).text == "年假能折现吗？"


def test_what_leads_over_to_a_question_is_nothing_to_join_or_complete_with() -> None:
    earlier = ("换个话题，公司一季度营业收入是多少？",)
    assert stand_alone("", "净利润呢？", earlier).text == "公司一季度营业收入是多少？ 净利润呢？"


def test_what_was_said_about_the_talk_is_nothing_to_join_or_complete_with() -> None:
    earlier = ("员工手册规定的年假有几天？", "把你上面说的总结成两句话。")
    assert joined("病假呢？", earlier) == "员工手册规定的年假有几天？ 病假呢？"
    assert by_rules("能折现吗？", earlier) == "员工手册规定的年假能折现吗？"


@pytest.mark.parametrize("reply", ["", "它能折现吗？", "它能折现吗", "员工手册规定的年假有几天？", "它是十天。"])
def test_a_reply_that_is_no_rewrite_gives_way_to_the_rules(reply: str) -> None:
    assert stand_alone(reply, "它能折现吗？", ("员工手册规定的年假有几天？",)).text == "员工手册规定的年假能折现吗？"


def test_a_rewrite_that_may_be_right_is_taken_before_the_rules() -> None:
    earlier = ("员工手册规定的年假有几天？",)
    assert stand_alone("年假能折现吗？", "它能折现吗？", earlier).text == "年假能折现吗？"


def test_a_reply_that_gives_the_follow_up_back_is_joined_where_the_rules_cannot_help() -> None:
    assert stand_alone("加班呢？", "加班呢？", ("年假有几天？",)).text == "年假有几天？ 加班呢？"


@pytest.mark.parametrize(
    "question",
    [
        "马耳他属于哪个国家？",
        "那曲海拔多少？",
        "土耳其的首都是哪里？",
        "秋是什么意思？",
        "都江堰在哪里？",
        "离婚冷静期是多久？",
        "就业补贴怎么领？",
        "对账单怎么下载？",
        "同步失败的原因是什么？",
    ],
)
def test_a_word_is_not_cut_for_the_pronoun_or_the_opening_in_it(question: str) -> None:
    assert not leans_on_history(question)


def test_a_nod_and_small_talk_are_no_part_of_a_stand_alone_question() -> None:
    earlier = ["你好呀", "X200的电池能拍多少张？", "真的吗"]
    assert joined("好的，那保修呢？", earlier) == "X200的电池能拍多少张？ 那保修呢？"
    assert joined("行政处罚呢？", earlier) == "X200的电池能拍多少张？ 行政处罚呢？"


CODES = ("错误码的格式是怎样的？",)


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("重新查一下", "错误码的格式是怎样的？"),
        ("不是，我问的是日志规约", "日志规约"),
        ("不对，我问的是它的长度", "错误码的格式的长度"),
        ("好的，那说说日志", "日志"),
        ("說說它的長度", "说说错误码的格式的长度"),
    ],
)
def test_who_corrects_or_leads_over_is_taken_at_the_word(question: str, whole: str) -> None:
    assert leans_on_history(question)
    assert by_rules(question, CODES) == whole


def test_a_growth_without_its_subject_leans_on_the_question_before() -> None:
    asked = ("生物股份2020年的营业收入是多少？",)
    assert leans_on_history("同比增长了多少？")
    assert by_rules("同比增长了多少？", asked) == "生物股份2020年的营业收入同比增长了多少？"


def test_what_a_question_says_of_its_subject_is_no_part_of_it() -> None:
    assert by_rules("那它最多能传多大？", ("我的资料会保存在哪里，谁能看到？",)) == "那资料最多能传多大？"


@pytest.mark.parametrize(
    ("question", "earlier", "whole"),
    [
        ("常量呢？", "Java手册里方法名用什么风格命名？", "Java手册里常量用什么风格命名？"),
        ("那现金流量净额呢？", "公司2020年归属于股东的净利润是多少？", "公司2020年现金流量净额是多少？"),
        ("那净利润呢", "云岭食品的营业收入是多少？", "云岭食品的净利润是多少？"),
        ("停车费呢", "物业费的金额是多少？", "停车费的金额是多少？"),
        ("2019年呢？", "公司2020年的净利润是多少？", "公司2019年的净利润是多少？"),
        ("2019年是多少？", "公司2020年的净利润是多少？", "公司2019年的净利润是多少？"),
        ("那婚假呢？", "员工手册的年假有几天？", "员工手册的婚假有几天？"),
        ("病假呢？", "年假有几天？", "病假有几天？"),
        ("住宿费呢？", "学费分几次交？", "住宿费分几次交？"),
        ("交通费呢？", "差旅费多久能报销？", "交通费多久能报销？"),
        ("餐费补贴呢？", "交通补贴几个月发一次？", "餐费补贴几个月发一次？"),
    ],
)
def test_what_about_another_part_of_the_same_whole_may_ask_the_same_of_it(
    question: str, earlier: str, whole: str
) -> None:
    assert alternatives(question, [earlier]) == (whole,)


@pytest.mark.parametrize("end", ["", "？", "？？", "。", "～", "~", "……", " ?!"])
def test_what_about_another_is_told_whatever_marks_it_ends_with(end: str) -> None:
    question = f"那病假呢{end}"
    assert leans_on_history(question)
    assert alternatives(question, ["年假有几天？"]) == ("病假有几天？",)
    assert prompt_form(question, stand_alone("", question, ["年假能折现吗？"]).text) == plainly(question)


@pytest.mark.parametrize(
    ("earlier", "question", "others"),
    [
        ("畅享99流量有多少？", "尊享199呢？", ("尊享199流量有多少？",)),
        ("去日本流量怎么收费？", "泰国呢？", ("去泰国流量怎么收费？",)),
        ("北京机房有几个？", "上海呢？", ("上海机房有几个？",)),
        ("我幼儿园的", "没呢", ()),
        ("钦州", "南宁呢", ()),
        ("接电话多少钱一分钟？", "美国呢？", ()),
    ],
)
def test_what_was_asked_of_a_proper_name_may_be_asked_of_another(
    earlier: str, question: str, others: tuple[str, ...]
) -> None:
    assert alternatives(question, [earlier]) == others


def test_another_of_what_is_part_of_nothing_takes_the_place_of_all_of_it() -> None:
    assert alternatives("手机银行呢", ["柜台转20万到别的银行收多少"]) == ("手机银行收多少",)


def test_what_about_another_asks_the_very_last_question_again_though_that_names_no_subject() -> None:
    earlier = in_full((question, "") for question in ("房东拖着不退怎么办", "可以养狗吗"))
    assert joined("那猫呢", earlier) == "可以养狗吗 那猫呢"
    assert joined("那兔子呢", in_full((question, "") for question in (*earlier, "那猫呢"))) == "可以养狗吗 那兔子呢"


def test_who_corrects_of_what_it_was_asked_asks_the_same_of_that() -> None:
    assert joined("不是，我问的是信用卡的", ["违约金怎么算"]) == "违约金怎么算 信用卡的呢"
    assert alternatives("不对，我问的是Y200的。", ["X200的电池能用多久？"]) == ("Y200的电池能用多久？",)
    assert alternatives("那租赁合同的第2页呢？", ["李四的合同第1页讲了什么？"]) == ()


def test_which_is_most_so_of_some_is_asked_again_of_all_of_these() -> None:
    assert by_rules("哪个最难", ["五花肉要多少", "哪个菜最快"]) == "菜哪个最难"


@pytest.mark.parametrize("earlier", ["What is the input voltage range?", "最后去了哪"])
def test_a_question_with_a_topic_may_be_whole_behind_one_that_named_none(earlier: str) -> None:
    assert alternatives("房费多少", [earlier]) == ("房费多少",)


@pytest.mark.parametrize(
    ("earlier", "question", "whole"),
    [("钦州", "南宁呢", "南宁"), ("北京机房有几个？", "Y200呢？", "Y200机房有几个？")],
)
def test_what_comes_next_is_about_the_name_that_was_put_in_the_place_of_another(
    earlier: str, question: str, whole: str
) -> None:
    assert in_full([(earlier, ""), (question, "")]) == (earlier, whole)


@pytest.mark.parametrize(
    ("question", "earlier"),
    [
        ("人为损坏呢？", "保修期是多长？"),
        ("2019年呢？", "公司2020年比2018年的净利润增长多少？"),
        ("上一年呢？", "公司2020年的净利润是多少？"),
        ("原因呢？", "公司2020年的净利润是多少？"),
        ("电梯坏了呢？", "写字楼的租金是多少？"),
        ("结婚了的呢？", "公司的年假有几天？"),
        ("离职后呢？", "公司的年假有几天？"),
        ("想续租呢？", "写字楼的租金是多少？"),
        ("打算退租呢？", "写字楼的租金是多少？"),
        ("如果不休呢？", "员工手册的年假有几天？"),
        ("它们呢？", "公司的净利润是多少？"),
        ("病假呢？", "员工手册的年假带薪吗？"),
        ("营业收入呢？", "公司2020年的净利润同比增长了多少？"),
        ("期初呢？", "合同里有没有提到违约金？"),
        ("2019年呢？", "手册里怎么规定年假的？"),
    ],
)
def test_what_is_no_other_part_or_asked_otherwise_is_joined_to_the_question_before(question: str, earlier: str) -> None:
    assert alternatives(question, [earlier]) == ()
    assert stand_alone("", question, [earlier]).text == f"{earlier} {question}"


@pytest.mark.parametrize(
    ("question", "earlier", "full", "others"),
    [
        (
            "公司有多少员工？",
            "生物股份2020年归属于上市公司股东的净利润是多少？",
            "生物股份2020年归属于上市公司股东的净利润公司有多少员工？",
            ("生物股份2020年公司有多少员工？", "公司有多少员工？"),
        ),
        (
            "屏幕尺寸多大？",
            "X200的电池能用多久？",
            "X200的电池屏幕尺寸多大？",
            ("X200屏幕尺寸多大？", "屏幕尺寸多大？"),
        ),
        ("带薪吗？", "员工手册的年假有几天？", "员工手册的年假带薪吗？", ("员工手册带薪吗？",)),
        ("比2019年多多少？", "公司2020年的净利润是多少？", "公司2020年的净利润比2019年多多少？", ()),
        ("占收入的比例呢？", "公司2020年研发投入多少？", "公司2020年研发投入占收入的比例呢？", ()),
        ("它多重？", "X200的电池能用多久？", "X200的电池多重？", ()),
    ],
)
def test_a_topic_of_its_own_may_be_of_the_part_talked_about_of_its_whole_or_of_neither(
    question: str, earlier: str, full: str, others: tuple[str, ...]
) -> None:
    assert stand_alone("", question, [earlier]).text == full
    assert alternatives(question, [earlier]) == others


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("该公司的地址在哪？", "公司的地址在哪？"),
        ("就该公司的业绩说明什么？", "就公司的业绩说明什么？"),
        ("我该怎么充电？", "X200的电池我该怎么充电？"),
        ("应该充多久？", "X200的电池应该充多久？"),
    ],
)
def test_a_duty_is_no_demonstrative(question: str, whole: str) -> None:
    assert by_rules(question, ["X200的电池能用多久？"]) == whole


@pytest.mark.parametrize(
    "question",
    ["我该怎么请病假？", "可以远程办公吗？", "有没有年终奖？", "对员工有什么要求？", "需要准备哪些材料？", "我想退学"],
)
def test_an_opening_without_a_subject_may_begin_a_new_question(question: str) -> None:
    earlier = ["公司2020年的营业收入是多少？"]
    full = stand_alone("", question, earlier).text
    assert full == f"公司2020年的营业收入{question}"
    assert alternatives(question, earlier) == (question,)


@pytest.mark.parametrize(
    "question", ["年假有几天？", "婚假几天？", "保修几年？", "分红多少？", "租金多少？", "税怎么交？"]
)
def test_one_noun_is_enough_for_a_new_question_where_the_documents_tell_of_it_alone(question: str) -> None:
    earlier = ["蓝湾制药2022年的净利润是多少？"]
    assert question in alternatives(question, earlier)


@pytest.mark.parametrize("question", ["电话多少？", "地址在哪？", "价格多少？", "面积多少？", "原因是什么？"])
def test_what_each_thing_has_its_own_of_is_no_new_question(question: str) -> None:
    earlier = ["洗碗机怎么安装？"]
    assert question not in alternatives(question, earlier)


@pytest.mark.parametrize("question", ["带薪吗？", "同比增长了多少？", "一共是多少？", "还有别的补贴吗？"])
def test_what_says_too_little_or_goes_on_begins_no_new_question(question: str) -> None:
    earlier = ["公司的年假有几天？"]
    assert question not in alternatives(question, earlier)


@pytest.mark.parametrize("rest", ["试用期多长？", "病假怎么请？"])
def test_a_link_before_a_new_question_is_no_part_of_it(rest: str) -> None:
    question, earlier = f"还有，{rest}", ["年假有几天？"]
    assert alternatives(question, earlier) == (rest,)


@pytest.mark.parametrize("question", ["还有，怎么申请？", "还有，多少钱？"])
def test_a_link_makes_no_new_question_of_what_names_no_topic(question: str) -> None:
    earlier = ["年假有几天？"]
    assert alternatives(question, earlier) == ()


@pytest.mark.parametrize(
    ("question", "earlier", "full"),
    [
        ("那Y200的呢？", "X200的电池能用多久？", "Y200的电池能用多久？"),
        ("Y200的……", "X200的电池能用多久？", "Y200的电池能用多久？"),
        ("那中兴通讯的呢？", "华为技术2020年的营业收入是多少？", "中兴通讯的营业收入是多少？"),
    ],
)
def test_what_is_asked_of_another_whole_is_said_of_that(question: str, earlier: str, full: str) -> None:
    assert stand_alone("", question, [earlier]).text == full


def test_a_name_means_another_whole_where_it_calls_a_document() -> None:
    question, earlier = "中兴通讯呢？", "华为技术2020年的营业收入是多少？"
    assert alternatives(question, [earlier], of_document=True) == ("中兴通讯的营业收入是多少？",)
    part = "管理费用呢？"
    assert alternatives(part, [earlier])[0] == "华为技术2020年管理费用是多少？"


@pytest.mark.parametrize(
    ("question", "earlier", "full"),
    [
        ("那乙方呢？", "甲方的违约责任是什么？", "乙方的违约责任是什么？"),
        ("那二等奖呢？", "一等奖的奖金是多少？", "二等奖的奖金是多少？"),
        ("女职工呢？", "男职工的退休年龄是多少？", "女职工的退休年龄是多少？"),
        ("住宿费呢？", "博士的学费是多少？", "博士的住宿费是多少？"),
        ("X300呢？", "X200的电池能用多久？", "X300的电池能用多久？"),
        ("商铺的呢？", "写字楼的租金是多少？", "商铺的租金是多少？"),
    ],
)
def test_a_name_that_ends_like_that_of_the_whole_or_the_part_is_of_its_kind(
    question: str, earlier: str, full: str
) -> None:
    assert alternatives(question, [earlier]) == (full,)


@pytest.mark.parametrize(
    ("question", "earlier", "part", "of_whole"),
    [
        ("上海呢？", "北京的住宿标准是多少？", "北京的上海是多少？", "上海的住宿标准是多少？"),
        ("净利润呢？", "公司的股东是谁？", "公司的净利润是谁？", "净利润的股东是谁？"),
    ],
)
def test_a_name_that_ends_like_neither_may_be_of_either_kind_and_first_is_another_part(
    question: str, earlier: str, part: str, of_whole: str
) -> None:
    assert alternatives(question, [earlier]) == (part, of_whole)


@pytest.mark.parametrize(
    ("question", "earlier", "full"),
    [
        ("那期初呢？", "2018年第一季度的应收票据期末余额是多少？", "2018年第一季度的应收票据期初余额是多少？"),
        ("期初呢？", "应收票据是多少？", "应收票据期初是多少？"),
        ("上期呢？", "本期的管理费用是多少？", "上期的管理费用是多少？"),
        ("第二季度呢？", "公司第一季度的营业收入是多少？", "公司第二季度的营业收入是多少？"),
    ],
)
def test_of_another_time_in_the_table_the_same_is_asked(question: str, earlier: str, full: str) -> None:
    assert alternatives(question, [earlier]) == (full,)


def test_of_a_question_without_a_year_another_year_is_asked() -> None:
    question, earlier = "那2019年呢？", "华为技术的营业收入是多少？"
    assert alternatives(question, [earlier]) == ("华为技术2019年的营业收入是多少？",)


def test_of_several_meanings_the_one_that_the_documents_tell_most_of_is_taken() -> None:
    assert most_probable({"a": {1: 0.3}, "b": {2: 0.4}}, {}, 0.15) == "b"
    assert most_probable({"a": {1: 0.4}, "b": {2: 0.4}}, {}, 0.15) == "a"
    assert most_probable({"a": {}, "b": {}}, {}, 0.15) == "a"


def test_with_a_name_before_it_a_question_is_not_taken_for_answered_by_what_only_has_the_name() -> None:
    alone = {7: 0.6, 8: 0.1}
    assert most_probable({"名 问": {1: 0.7, 7: 0.3}, "问": alone}, alone, 0.15) == "问"
    assert most_probable({"名 问": {1: 0.7, 7: 0.65}, "问": alone}, alone, 0.15) == "名 问"
    # What a question finds alone has to be relevant, or more so than with the name.
    weak = {7: 0.1}
    assert most_probable({"名 问": {1: 0.7}, "问": weak}, weak, 0.15) == "名 问"
    assert most_probable({"名 问": {1: 0.08}, "问": weak}, weak, 0.15) == "问"


@pytest.mark.parametrize(
    "question", ["哪天人最多", "哪些是热饮", "哪些诗是写愁的", "哪种公园效果最好", "哪个部门人最多", "哪首诗最长"]
)
def test_which_of_all_it_is_goes_on_about_nothing(question: str) -> None:
    assert not leans_on_history(question)
    assert by_rules(question, ["3月5日返工是因为什么"]) == question


@pytest.mark.parametrize(
    ("question", "full"),
    [
        ("哪个部门审批", "年假哪个部门审批"),
        ("哪天生效", "年假哪天生效"),
        ("哪些人可以申请", "年假哪些人可以申请"),
        ("哪年最多", "年假哪年最多"),
    ],
)
def test_who_or_which_it_is_of_what_was_talked_of_goes_on_about_that(question: str, full: str) -> None:
    assert by_rules(question, ["年假有几天？"]) == full


def test_a_name_before_a_question_of_its_own_tells_nothing_of_passages_that_only_have_the_name() -> None:
    alone = {7: 0.08, 8: 0.01}
    assert not clearly_more_probable({1: 0.4, 7: 0.1}, alone, 0.05)
    assert clearly_more_probable({1: 0.4, 7: 0.3}, alone, 0.05)
    assert not clearly_more_probable({7: 0.97}, {7: 0.96}, 0.05)
    # What finds nothing by itself may say too little.
    assert clearly_more_probable({1: 0.4}, {7: 0.04}, 0.05)


@pytest.mark.parametrize("question", ["可以养狗吗？", "在哪里吃晚饭？", "有WiFi吗？", "店有多大？"])
def test_a_question_with_a_noun_of_its_own_may_be_about_no_more_than_that(question: str) -> None:
    assert question in alternatives(question, ["房租一个月多少钱？"])


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("可以养宠物吗？", True),
        ("有温泉吗？", True),
        ("有多少用户反映搜索不准？", True),
        ("工资几号发？", True),
        ("可以养狗吗？", True),
        ("在哪里吃晚饭？", True),
        ("店有多大？", True),
        ("有WiFi吗？", True),
        ("防水吗？", False),
        ("可以累计吗？", False),
        ("什么时候付？", False),
        ("需要审批吗？", False),
        ("原因是什么？", False),
        ("面积多大？", False),
    ],
)
def test_a_noun_that_is_no_aspect_of_something_is_a_matter_of_its_own(question: str, names: bool) -> None:
    assert names_matter(question) is names


@pytest.mark.parametrize("question", ["赵磊有哪些任务？", "张伟做了什么？", "孙丽为什么没来？", "王五负责什么？"])
def test_nothing_is_put_before_a_persons_name(question: str) -> None:
    earlier = ["会议什么时候开的？"]
    assert by_rules(question, earlier) == question
    assert by_rules(f"{question[:2]}呢？", earlier) is None
    assert by_rules(f"它由{question}", earlier) == f"会议由{question}"


@pytest.mark.parametrize(
    ("message", "sums_up"),
    [
        ("总结一下乙方的义务", True),
        ("请帮我归纳离职的要求", True),
        ("Summarize the duties", True),
        ("总结报告什么时候交？", False),
        ("年终总结什么时候交？", False),
        ("整理费由谁承担？", False),
    ],
)
def test_what_is_to_be_summed_up_may_be_of_the_talk(message: str, sums_up: bool) -> None:
    assert (lead.SUMS_UP.match(message) is not None) is sums_up
    assert not sums_up or (leans_on_history(message) and alternatives(message, ["X200的电池能用多久？"]) == ())


def test_subjects_of_two_turns_are_not_taken_for_one() -> None:
    asked = in_full([("那甲方提前解约呢？", ""), ("空调坏了谁修？", "")])
    assert asked[1] == "空调坏了谁修？"
    assert by_rules("可以养宠物吗？", asked) == "空调可以养宠物吗？"
    assert in_full([("年假有几天？", ""), ("产假多少天？", "")])[1] == "产假多少天？"
    assert in_full([("青海湖在哪里？", ""), ("门票多少钱？", "")])[1] == "青海湖门票多少钱？"


def test_a_rewrite_says_whether_a_model_or_the_rules_made_it() -> None:
    earlier = ("员工手册的年假有几天？",)
    assert stand_alone("员工手册里婚假有多少天？", "那婚假呢？", earlier).by is By.MODEL
    assert stand_alone("", "它能折现吗？", earlier).by is By.RULES
    assert stand_alone("员工手册的年假能折现吗？", "它能折现吗？", earlier).by is By.RULES
    assert stand_alone("", "那婚假呢？", earlier).by is By.JOINED


@pytest.mark.parametrize("question", ["How long are log files kept?", "How does RAG work?", "What is the MTU?"])
def test_an_english_question_with_words_of_its_own_stands_alone(question: str) -> None:
    assert not leans_on_history(question)


@pytest.mark.parametrize(
    "question", ["Give me an example", "Tell me more about it", "Can you elaborate?", "What else?"]
)
def test_an_english_request_about_the_last_answer_leans_on_it(question: str) -> None:
    assert leans_on_history(question)


def test_a_model_may_find_that_a_short_question_is_whole() -> None:
    assert stand_alone("病假有几天？", "病假有几天？", ("年假有几天？",)).text == "病假有几天？"


@pytest.mark.parametrize(
    ("question", "earlier", "put"),
    [
        ("那日志文件要保存多久？", "错误码的格式是怎样的？", "错误码的格式，日志文件要保存多久？"),
        ("A 开头的是什么意思？", "错误码的格式是怎样的？", "错误码的格式，A 开头的是什么意思？"),
        ("能直接展示给用户看吗？", "错误码的格式是怎样的？", "错误码的格式能直接展示给用户看吗？"),
        ("同比增长了多少？", "公司2020年的营业收入是多少？", "公司2020年的营业收入同比增长了多少？"),
        ("它的保修期多久？", "X200的电池能用多久？", "X200的电池的保修期多久？"),
        ("那加班呢？", "年假有几天？", "那加班呢？"),
        ("为什么？", "年假有几天？", "为什么？"),
        ("2021", "公司2023年的营业收入是多少？", "2021"),
        ("What about sick leave?", "How many days of annual leave are there?", "What about sick leave?"),
    ],
)
def test_a_model_is_asked_a_sentence_where_the_rules_only_put_a_name_before_it(
    question: str, earlier: str, put: str
) -> None:
    assert prompt_form(question, stand_alone("", question, [earlier]).text) == put


def test_a_question_that_stood_alone_and_a_models_own_rewrite_are_put_as_they_are() -> None:
    assert prompt_form("年假有几天？", "年假有几天？") == "年假有几天？"
    assert prompt_form("保修期多久？", "X200的保修期多久？") == "X200的保修期多久？"
    assert prompt_form("好的，年假有几天？", "年假有几天？") == "年假有几天？"


@pytest.mark.parametrize(
    ("question", "leans"),
    [
        ("Who approves it?", True),
        ("Can you explain that?", True),
        ("What does it say about travel?", True),
        ("Who approves annual leave?", False),
        ("How many days of leave do employees get and when do they expire?", False),
        ("A policy is needed: which documents have to be handed in together with it?", False),
    ],
)
def test_a_pronoun_of_a_short_english_question_points_back(question: str, leans: bool) -> None:
    assert leans_on_history(question) is leans


@pytest.mark.parametrize(
    ("asked", "question", "whole"),
    [
        (["租赁期限是多久？", "租金多少？"], "什么时候交？", "租金什么时候交？"),
        (["公司2020年营业收入是多少？", "毛利率是多少？"], "为什么下降？", "公司2020年毛利率为什么下降？"),
        (["公司2020年营业收入是多少？", "董事长是谁？"], "他多大年纪？", "公司2020年董事长多大年纪？"),
        (["简爱是谁写的？", "那作者是谁？"], "他是哪里人？", "简爱作者是哪里人？"),
        (["员工手册里年假有几天？", "病假呢？"], "需要什么材料？", "员工手册里病假需要什么材料？"),
        (["员工手册里年假有几天？", "病假呢？", "那婚假呢？"], "要审批吗？", "员工手册里婚假要审批吗？"),
        (["北京的住宿标准是多少？", "上海呢？"], "需要发票吗？", "上海的住宿标准需要发票吗？"),
        (["年假能折现吗？", "病假呢？"], "怎么申请？", "病假怎么申请？"),
        (["氯雷他定会嗜睡吗？", "布洛芬呢？"], "一天几次？", "布洛芬一天几次？"),
        (["阿司匹林一天几次？", "布洛芬呢？"], "它怎么吃？", "布洛芬怎么吃？"),
        (["第一期要还多少？", "第13期呢？"], "那一期利息是多少？", "第13期利息是多少？"),
        (["P1故障多久响应？", "P2呢？", "多久恢复？"], "谁负责？", "P2故障谁负责？"),
        (["北京机房在哪里？", "上海呢？"], "电话是多少？", "上海机房电话是多少？"),
        (["错误代码E101的处理办法是什么？", "那E103呢？"], "谁负责？", "E103的处理办法谁负责？"),
        (["上海分公司的地址是哪里？", "深圳分公司呢？"], "怎么走？", "深圳分公司的地址怎么走？"),
        (["公司2020年的净利润是多少？", "营业收入呢？"], "为什么下降？", "公司2020年营业收入为什么下降？"),
        # These name no subject, or one that is told of the last.
        (["年假有几天？", "它能折现吗？"], "怎么申请？", "年假怎么申请？"),
        (["青海湖在哪里？", "第一个岛叫什么？"], "有多大？", "青海湖有多大？"),
        (["北京机房在哪里？", "电话呢？"], "有多少机柜？", "北京机房有多少机柜？"),
        (["北京机房在哪里？", "负责人呢？"], "有多少机柜？", "北京机房有多少机柜？"),
        (["阿司匹林怎么吃？", "孕妇呢？"], "有什么副作用？", "阿司匹林有什么副作用？"),
        (["年假怎么申请？", "周末呢？"], "要审批吗？", "年假要审批吗？"),
        (["年假怎么申请？", "超过五天呢？"], "要审批吗？", "年假要审批吗？"),
        (["年假怎么申请？", "原因呢？"], "要几天？", "年假要几天？"),
        (["年假有几天？", "那你呢？"], "怎么申请？", "年假怎么申请？"),
    ],
)
def test_a_follow_up_without_a_subject_goes_on_from_the_newest(asked: list[str], question: str, whole: str) -> None:
    assert by_rules(question, in_full((former, "") for former in asked)) == whole


@pytest.mark.parametrize(
    ("asked", "question", "whole"),
    [
        (["租赁期限是多久？", "租金多少？"], "押金多少？", "租赁期限押金多少？"),
        (["年假有几天？", "病假多少天？"], "产假多少天？", "年假产假多少天？"),
        (["租赁期限是多久？"], "总结一下乙方的义务", "总结一下乙方的义务"),
        (["租赁期限是多久？", "总结一下乙方的义务"], "什么时候开始？", "租赁期限什么时候开始？"),
        (["青海湖在哪里？", "青海湖的面积有多大？"], "门票多少钱？", "青海湖门票多少钱？"),
    ],
)
def test_subjects_are_not_put_one_before_the_other(asked: list[str], question: str, whole: str) -> None:
    assert by_rules(question, in_full((former, "") for former in asked)) == whole


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("哪个更长？", "年假和婚假哪个更长？"),
        ("那哪个长", "年假和婚假哪个长"),
        ("区别是什么", "年假和婚假区别是什么"),
        ("它们有什么不同？", "年假和婚假有什么不同？"),
        ("相差多少天？", "年假和婚假相差多少天？"),
        ("两者都要证明吗？", "年假和婚假都要证明吗？"),
        ("这两个可以一起休吗？", "年假和婚假可以一起休吗？"),
        ("前者可以结转吗？", "年假可以结转吗？"),
        ("后者要审批吗？", "婚假要审批吗？"),
        # These are about the last alone.
        ("哪个部门审批？", "婚假哪个部门审批？"),
        ("有不同意见怎么办？", "婚假有不同意见怎么办？"),
        ("差几天怎么办？", "婚假差几天怎么办？"),
        ("它们怎么申请？", "婚假怎么申请？"),
        ("两个月能休完吗？", "婚假两个月能休完吗？"),
    ],
)
def test_what_compares_is_asked_of_the_last_two_subjects(question: str, whole: str) -> None:
    assert by_rules(question, in_full([("年假有几天？", ""), ("婚假呢？", "")])) == whole


@pytest.mark.parametrize("question", ["哪个更长？", "区别是什么？", "有什么区别？", "相差多少天？"])
def test_what_compares_points_back_and_is_not_searched_for_alone(question: str) -> None:
    assert points_back(plainly(question)) and alternatives(question, ["年假有几天？"]) == ()


@pytest.mark.parametrize(
    ("question", "rewrite", "kept"),
    [
        ("病假呢？", "员工手册里病假有几天？", "员工手册里病假有几天？"),
        ("病假呢？", "年假能折现吗？ 病假呢？", "病假能折现吗？"),
        ("那病假呢？", "年假能折现吗？ 那病假呢？", "病假能折现吗？"),
        ("周末呢？", "年假带薪吗？ 周末呢？", "周末呢？"),
        ("租金多少？", "租赁期限租金多少？", "租赁期限租金多少？"),
        ("它什么时候过期？", "年假什么时候过期？", "它什么时候过期？"),
        ("租金是多少？", "租金是多少？", "租金是多少？"),
    ],
)
def test_of_a_former_question_with_a_subject_of_its_own_the_rewrite_is_gone_on_from(
    question: str, rewrite: str, kept: str
) -> None:
    assert in_full([("租赁期限是多久？", ""), (question, rewrite)])[1] == kept


@pytest.mark.parametrize(
    "relation", ["原因", "条件", "流程", "依据", "后果", "期限", "优缺点", "主要原因", "流程和材料"]
)
def test_a_relation_alone_names_no_subject(relation: str) -> None:
    earlier, question = ["年假有几天？"], f"{relation}是什么？"
    assert leans_on_history(question)
    assert stand_alone("", question, earlier).text == f"年假{question}"
    assert alternatives(question, earlier) == ()
    assert by_rules("谁审批？", in_full((former, "") for former in (*earlier, question))) == "年假谁审批？"


@pytest.mark.parametrize("relation", ["申请流程", "截止日期", "适用范围", "报销标准", "法律后果"])
def test_a_relation_of_a_matter_may_be_of_the_last_subject_or_a_new_one(relation: str) -> None:
    earlier, question = ["员工手册的年假有几天？"], f"{relation}是什么？"
    full = stand_alone("", question, earlier).text
    assert leans_on_history(question) and full == f"员工手册的年假{question}"
    assert alternatives(question, earlier) == (f"员工手册{question}", question)


@pytest.mark.parametrize(
    "question",
    [
        "年假的流程是什么？",
        "年假申请流程是什么？",
        "同步失败的原因是什么？",
        "离婚的条件是什么？",
        "差旅费报销标准是多少？",
        "最低工资标准是多少？",
        "会计政策是什么？",
        "违约责任是什么？",
    ],
)
def test_a_relation_with_what_it_is_of_stands_alone(question: str) -> None:
    assert not leans_on_history(question)


@pytest.mark.parametrize(
    ("former", "whole"),
    [
        ("年终总结什么时候提交？", "年终总结谁审批？"),
        ("翻译费用谁承担？", "翻译费用谁审批？"),
        ("重复报销怎么处理？", "报销谁审批？"),
        ("简化流程是什么意思？", "简化流程谁审批？"),
        ("再总结一下", "年假谁审批？"),
        ("翻译成英文", "年假谁审批？"),
        ("把上面的内容概括成三点", "年假谁审批？"),
    ],
)
def test_a_former_question_on_a_summary_or_translation_is_not_about_the_talk(former: str, whole: str) -> None:
    assert by_rules("谁审批？", ["年假有几天？", former]) == whole


@pytest.mark.parametrize(
    ("question", "earlier", "others"),
    [
        ("比赛几点开始？", "复试时间是什么时候？", ("比赛几点开始？",)),
        ("住宿费呢？", "比赛的报名费是多少？", ("比赛的住宿费是多少？",)),
        ("同等学力怎么报名？", "复试时间是什么时候？", ("同等学力怎么报名？",)),
        ("比2019年多多少？", "公司2020年的净利润是多少？", ()),
        ("与同行比怎么样？", "公司2020年的净利润是多少？", ()),
        ("占比多少？", "公司2020年的净利润是多少？", ()),
    ],
)
def test_only_a_whole_word_at_its_beginning_compares(question: str, earlier: str, others: tuple[str, ...]) -> None:
    assert alternatives(question, [earlier]) == others


@pytest.mark.parametrize(
    ("question", "earlier", "others"),
    [
        ("公积金比例呢？", "员工手册里年假有几天？", ("员工手册里公积金比例是多少？",)),
        ("加班工资呢？", "员工手册的试用期多长？", ("员工手册的加班工资是多少？",)),
        ("婚假呢？", "员工手册里年假有几天？", ("员工手册里婚假有几天？",)),
        ("产假呢？", "员工手册里试用期多长？", ("员工手册里产假多长？",)),
        ("管理费用呢？", "公司2020年的净利润是多少？", ("公司2020年管理费用是多少？",)),
    ],
)
def test_an_amount_is_not_asked_for_in_days(question: str, earlier: str, others: tuple[str, ...]) -> None:
    assert alternatives(question, [earlier])[:1] == others


@pytest.mark.parametrize(
    ("question", "earlier", "others"),
    [
        ("它一季度亏了多少？", "东北电气的股东人数是多少？", ("东北电气一季度亏了多少？",)),
        ("为什么亏损？", "东北电气的净利润是多少？", ("东北电气为什么亏损？",)),
        ("它多重？", "X200的电池能用多久？", ()),
    ],
)
def test_what_is_asked_of_it_behind_an_amount_may_be_of_the_whole(
    question: str, earlier: str, others: tuple[str, ...]
) -> None:
    assert alternatives(question, [earlier]) == others


@pytest.mark.parametrize("question", ["这本书的作者是谁？", "本文的作者是谁", "这份合同的押金是多少？"])
def test_what_is_asked_of_a_document_that_is_pointed_to_is_whole(question: str) -> None:
    assert not leans_on_history(question)
    assert by_rules(question, ["图灵测试是什么？"]) == plainly(question)


def test_who_doubts_an_answer_asks_its_question_again() -> None:
    earlier = ["第三条说了什么？", "年假可以折现吗？"]
    assert by_rules("你确定吗？", earlier) == plainly("年假可以折现吗？")


def test_nothing_is_put_before_somebody_of_the_speaker_nor_is_a_condition_a_subject() -> None:
    assert by_rules("我妈72岁能去吗", ["包含机票吗"]) == "我妈72岁能去吗"
    assert by_rules("我该怎么充电？", ["X200的电池能用多久？"]) == "X200的电池我该怎么充电？"
    assert by_rules("分别做什么用", ["LTSP 服务器要几块网卡"]) == "LTSP 服务器分别做什么用"
    assert by_rules("几点的飞机回来", ["提前5天退扣多少"]) is None


def test_who_is_spoken_of_by_a_pronoun_is_the_subject_of_what_follows() -> None:
    assert by_rules("会 Rust 吗？", ["她工作几年了？"]) == "她会 Rust 吗？"


@pytest.mark.parametrize(
    ("question", "earlier", "whole"),
    [
        ("2023版呢？", "餐补标准是多少？", "2023版的餐补标准是多少？"),
        ("那旧版的呢", "新版的餐补是多少", "旧版的餐补是多少"),
        ("V1.9呢", "V2.0里限流是多少", "V1.9的限流是多少"),
        ("2023年的版本呢", "餐补是多少", "2023年的版本的餐补是多少"),
    ],
)
def test_of_another_version_the_same_is_asked(question: str, earlier: str, whole: str) -> None:
    assert by_rules(question, [earlier]) == whole


@pytest.mark.parametrize("question", ["2023版税收入呢", "2023版的住宿呢", "病假呢"])
def test_what_is_more_than_a_version_is_not_asked_of_one(question: str) -> None:
    assert by_rules(question, ["餐补标准是多少？"]) != f"{question.removesuffix('呢')}的餐补标准是多少？"


def test_a_comparison_of_versions_is_asked_of_none() -> None:
    assert by_rules("2023版呢", ["2023版和2025版的餐补有什么区别"]) is None


def test_how_something_is_done_is_what_the_next_question_goes_on_about() -> None:
    earlier = ["图形安装程序需要多少内存？", "怎么制作安装U盘？"]
    assert by_rules("可以写到分区上吗？", earlier) == "制作安装U盘可以写到分区上吗？"
    assert by_rules("要谁批？", ["年假有几天？", "怎么申请？"]) == "年假要谁批？"


def test_how_something_else_is_done_may_be_a_question_of_its_own() -> None:
    asked = "怎么看一个包里有哪些文件？"
    assert asked in alternatives(f"那{asked}", ["怎么查出一个文件属于哪个软件包？"])


@pytest.mark.parametrize(
    ("question", "earlier", "whole"),
    [
        ("调慢呢？", "软件语音合成的语速怎么调快？", "软件语音合成的语速怎么调慢？"),
        ("关闭呢", "高对比度主题怎么启用？", "高对比度主题怎么关闭？"),
        ("病假呢", "年假怎么请假", "病假怎么请假"),
    ],
)
def test_the_opposite_of_what_was_asked_is_asked_of_the_same(question: str, earlier: str, whole: str) -> None:
    assert alternatives(question, [earlier]) == (whole,)


def test_a_long_message_of_opposites_is_compared_at_once() -> None:
    with within_cpu_seconds(1):
        assert other_way_round("减少" * 1000, "容量", "容量" + "多少" * 1000) is None


def test_what_was_compared_last_is_all_that_the_next_comparison_is_of() -> None:
    earlier = ["什么是 inode？", "apt 跟 aptitude 有什么不同？"]
    assert by_rules("哪个比较推荐？", earlier) == "apt 跟 aptitude哪个比较推荐？"


def test_the_verb_whose_object_is_asked_for_is_no_part_of_a_subject() -> None:
    assert by_rules("有多少个？", ["代号来自哪里？"]) == "代号有多少个？"


@pytest.mark.parametrize(
    ("last", "goes_on_from"),
    [("我想辞职要提前几天说", "我想辞职要提前几天说"), ("它什么时候开门", "怀孕了能辞退我吗")],
)
def test_what_is_asked_again_is_the_last_question_that_says_enough(last: str, goes_on_from: str) -> None:
    assert stand_alone("", "试用期呢", ("怀孕了能辞退我吗", last)).text == f"{goes_on_from} 试用期呢"
