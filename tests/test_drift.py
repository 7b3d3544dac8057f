"""Which rewrites of a question are taken, and which drift from it."""

import pytest

from rag.rewriting.drift import accept_rewrite, brought_in, dropped, lost_numbers
from tests.waiting import within_cpu_seconds


def test_the_first_line_of_a_reply_is_the_rewrite_without_its_label() -> None:
    assert accept_rewrite("完整问题：病假有几天？\n\n解释：……", "那病假呢？", ()) == "病假有几天？"


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("", "那病假呢？"),
        ("年假有几天？", "那病假呢？"),
        ("病假的天数是" + "很多" * 60, "那病假呢？"),
        ("营业收入是多少？", "2019年的呢？"),
        ("病假的天数是年假的一半。", "那病假有几天？"),
    ],
)
def test_a_reply_that_cannot_be_the_rewrite_is_refused(reply: str, question: str) -> None:
    assert accept_rewrite(reply, question, ("年假有几天？",)) is None


@pytest.mark.parametrize(
    ("question", "rewrite", "lost"),
    [
        ("2019年的呢？", "营业收入是多少？", {"2019"}),
        ("Redis 呢？", "缓存的默认端口是多少？", {"Redis"}),
        ("那《通知》呢？", "员工手册什么时候生效？", {"通知"}),
        ("哪些情况不算？", "哪些情况算加班？", {"不"}),
        ("What about GPT-4?", "What is its price?", {"GPT-4"}),
    ],
)
def test_numbers_names_and_negations_must_stay(question: str, rewrite: str, lost: set[str]) -> None:
    assert dropped(question, rewrite) >= lost


@pytest.mark.parametrize(
    ("question", "rewrite"),
    [
        ("那2019年的呢？", "2019年的营业收入是多少？"),
        ("redis呢？", "Redis 的默认端口是多少？"),
        ("有没有例外？", "年假是否有例外？"),
        ("它能不能折现？", "年假能折现吗？"),
        ("What about its price?", "How much is the annual plan?"),
    ],
)
def test_what_only_looks_like_a_loss_is_none(question: str, rewrite: str) -> None:
    assert dropped(question, rewrite) == frozenset()


def test_words_from_nowhere_are_brought_in() -> None:
    known = ("年假有几天？", "那病假呢？", "员工手册规定为十天。")
    assert brought_in("员工手册规定的病假有几天？", known) == frozenset()
    assert brought_in("北京的病假有几天？", known) == {"北京"}
    assert brought_in("Google 2024 年的病假", known) == {"google", "2024"}


def test_a_rewrite_may_use_what_was_told_but_nothing_else() -> None:
    told = ("归属于上海证券交易所。",)
    assert (
        accept_rewrite("上海证券交易所在哪里？", "它在哪里？", ("股票代码是多少？",), told) == "上海证券交易所在哪里？"
    )
    assert accept_rewrite("深圳证券公司在哪里？", "它在哪里？", ("股票代码是多少？",), told) is None


@pytest.mark.parametrize(
    ("question", "rewrite", "earlier"),
    [
        ("这本书怎么样", "一句顶一万句怎么样", "一句顶一万句是谁写的"),
        ("他们红吗", "摩登兄弟红吗", "摩登兄弟你知道吗"),
        ("那另外两个呢？", "create_time 和 update_time 是什么类型？", "id、create_time、update_time 是什么类型？"),
        ("去哪买好", "去哪买拖鞋好", "拖鞋坏了"),
    ],
)
def test_a_rewrite_may_put_names_for_what_points_and_into_the_midst_of_a_term(
    question: str, rewrite: str, earlier: str
) -> None:
    assert accept_rewrite(rewrite, question, (earlier,)) == rewrite


def test_a_rewrite_without_anything_of_the_question_is_none() -> None:
    assert accept_rewrite("员工手册年假有几天？", "张三呢？", ("员工手册年假有几天？", "年假？")) is None


def test_what_only_names_and_then_tells_is_no_rewrite() -> None:
    earlier, told = ("电脑坏了打什么电话？",), ("电脑坏了打值班手机150-9999-1234。",)
    assert accept_rewrite("晚上呢，电脑坏了打值班手机150-9999-1234。", "晚上呢", earlier, told) is None
    assert accept_rewrite("晚上电脑坏了打什么电话？", "晚上呢", earlier, told) == "晚上电脑坏了打什么电话？"
    assert accept_rewrite("那晚上呢，打什么电话？", "晚上呢", earlier, told) == "那晚上呢，打什么电话？"


def test_a_number_of_full_width_is_the_same_number() -> None:
    assert accept_rewrite("年假满5年有几天？", "满５年的呢？", ("年假有几天？",)) == "年假满5年有几天？"


@pytest.mark.parametrize(
    ("question", "rewrite", "told"),
    [
        ("那华为和小米呢？", "华为的营业收入是多少？", "公司的营业收入是多少？"),
        ("那华为和小米的利润呢？", "华为的利润是多少？", "公司的营业收入是多少？"),
        ("苹果、香蕉和梨呢？", "苹果和香蕉的价格是多少？", "西瓜的价格是多少？"),
        ("What about Tesla and Ford?", "What is the revenue of Tesla?", "What is the revenue of Apple?"),
        ("and microsoft?", "What is the revenue of apple?", "What is apple's revenue in 2020?"),
        ("and ford?", "What is the food of birds?", "What is the food of birds and cats?"),
        ("Does it cover Ford?", "Does the warranty cover Tesla?", "What warranty does Tesla have?"),
    ],
)
def test_all_that_a_question_names_must_stay(question: str, rewrite: str, told: str) -> None:
    assert accept_rewrite(rewrite, question, (), (told,)) is None


@pytest.mark.parametrize(
    ("question", "rewrite", "told"),
    [
        ("那三年期的呢？", "一年期的存款利率是多少？", "一年期的存款利率是多少？"),
        ("那个三年期的呢？", "一年期的存款利率是多少？", "一年期的存款利率是多少？"),
        ("那三个月的呢？", "两个月的存款利率是多少？", "两个月的存款利率是多少？"),
        ("涨了百分之二十吗？", "价格涨了百分之十吗？", "价格涨了百分之十。"),
        ("百分之十的呢？", "百分之二十的税率是多少？", "百分之二十的税率是多少？"),
        ("它5月的销量是多少？", "X200在2015年的销量是多少？", "X200在2015年上市。"),
        ("它5月的销量是多少？", "X200上市5天的销量是多少？", "X200上市5天。"),
        ("第三条呢？", "第五条说了什么？", "第五条说了什么？"),
        ("那X2呢？", "X200多少钱？", "X200多少钱？"),
        ("它多少钱？", "iPhone 5多少钱？", "iPhone 15好用吗？"),
    ],
)
def test_a_number_is_no_part_of_another_and_changes_in_no_script(question: str, rewrite: str, told: str) -> None:
    assert accept_rewrite(rewrite, question, (), (told,)) is None


@pytest.mark.parametrize(
    ("question", "rewrite"),
    [
        ("哪些情况禁止报销？", "哪些情况可以报销？"),
        ("哪些情况不得报销？", "哪些情况可以报销？"),
        ("哪些报销会被拒绝？", "哪些报销会被批准？"),
        ("哪些情况不算报销？", "哪些情况算不算报销？"),
        ("没有发票不能报销吗？", "有发票不能报销吗？"),
        ("不超过5天的报销呢？", "超过5天的报销可以吗？"),
        ("除了机票以外还能报销什么？", "机票能报销什么？"),
        ("除机票外还能报销什么？", "机票还能报销什么？"),
        ("Can all be refunded except fees?", "Can all fees be refunded?"),
    ],
)
def test_a_prohibition_a_bound_or_an_exception_must_stay(question: str, rewrite: str) -> None:
    assert accept_rewrite(rewrite, question, (), ("超过5天的报销可以批准吗？",)) is None


@pytest.mark.parametrize("name", ["张四", "员工张四", "李三", "王明"])
def test_a_name_from_the_halves_of_others_is_new(name: str) -> None:
    told = "员工张三、李四、王芳和李明的年假有几天？"
    assert accept_rewrite(f"{name}的年假有几天？", "那他的年假呢？", (), (told,)) is None
    assert accept_rewrite("员工张三的年假有几天？", "那他的年假呢？", (), (told,)) is not None


@pytest.mark.parametrize(
    ("question", "rewrite", "told"),
    [
        ("那华为和小米呢？", "小米、华为的营业收入是多少？", "公司的营业收入是多少？"),
        ("跟它一样吗？", "病假跟年假一样吗？", "年假和病假有几天？"),
        ("那和平精英呢？", "和平精英的价格是多少？", "王者荣耀的价格是多少？"),
        ("What about Tesla and Ford?", "What is the revenue of Ford and Tesla?", "What is the revenue of Apple?"),
        ("and refunds?", "What is the refund policy?", "What is the shipping policy?"),
        ("And its price?", "How much is the X200?", "How heavy is the X200 and how much is it?"),
        ("那三年期的呢？", "3年期的存款利率是多少？", "一年期的存款利率是多少？"),
        ("那20%的呢？", "百分之二十的税率是多少？", "税率是多少？"),
        ("19年呢？", "2019年的营业收入是多少？", "2020年的营业收入是多少？"),
        ("200的呢？", "X200的电池能用多久？", "X100和X200的电池能用多久？"),
        ("第二个呢？", "超时要罚多少？", "第一个是迟到，第二个是超时，要罚多少？"),
        ("这两个要申请吗？", "年假和病假要申请吗？", "年假和病假有几天？"),
        ("这个制度怎么样？", "年假怎么样？", "年假有几天？"),
        ("哪些不能报销？", "差旅费哪些禁止报销？", "差旅费禁止报销吗？"),
        ("除了机票以外还能报销什么？", "差旅费除机票外还能报销什么？", "差旅费能报销吗？"),
        ("除此之外呢？", "年假还有什么规定？", "年假的规定有哪些？"),
        ("3:30的会议在哪开？", "下午3:30的会议在哪开？", "下午的会议在哪开？"),
        ("没错，它要申请吗？", "年假要申请吗？", "年假有几天？"),
    ],
)
def test_the_same_in_another_form_is_no_drift(question: str, rewrite: str, told: str) -> None:
    assert accept_rewrite(rewrite, question, (), (told,)) == rewrite


@pytest.mark.parametrize(
    ("question", "rewrite", "told"),
    [
        ("甲方有什么义务？", "乙方有什么义务？", "乙方的违约责任是什么？"),
        ("期初余额呢？", "应收票据期末余额是多少呢？", "应收票据期末余额是多少？"),
        ("上半年的净利润呢？", "公司下半年的净利润是多少？", "公司下半年的营业收入是多少？"),
        ("女职工呢？", "男职工的退休年龄呢？", "男职工的退休年龄是多少？"),
        ("最高限额呢？", "信用卡的最低限额是多少呢？", "信用卡的最低限额是多少？"),
        ("税前利润呢？", "公司的税后利润是多少呢？", "公司的税后利润是多少？"),
    ],
)
def test_a_word_must_not_give_way_to_its_counterpart(question: str, rewrite: str, told: str) -> None:
    assert accept_rewrite(rewrite, question, (), (told,)) is None


@pytest.mark.parametrize(
    ("question", "rewrite", "told"),
    [
        ("甲方有什么义务？", "合同里甲方有什么义务？", "合同里乙方的违约责任是什么？"),
        ("甲方比乙方多什么义务？", "合同里甲方比乙方多什么义务？", "合同里有什么？"),
        ("这词作者是谁？", "静夜思的作者是谁？", "静夜思是谁写的？"),
        ("这个星座的人怎么样？", "双鱼座的人怎么样？", "双鱼座是几月？"),
        ("有几本书值得看？", "有几本余华的书值得看？", "余华是谁？"),
    ],
)
def test_what_only_looks_like_a_counterpart_is_none(question: str, rewrite: str, told: str) -> None:
    assert accept_rewrite(rewrite, question, (), (told,)) == rewrite


@pytest.mark.parametrize(
    ("question", "rewrite"),
    [
        ("保修期多久？", "X200的保修期是多长时间？"),
        ("它什么时候上市？", "X200何时上市？"),
        ("能退货吗？", "X200能否退货？"),
    ],
)
def test_another_way_to_ask_brings_nothing_in(question: str, rewrite: str) -> None:
    assert accept_rewrite(rewrite, question, ("X200的电池能用多久？",)) == rewrite
    assert brought_in(f"{rewrite}北京", ("X200的电池能用多久？", question)) == {"北京"}


@pytest.mark.parametrize(
    ("question", "rewrite"), [("前者呢", "写字楼的租金是多少？"), ("两个都要交吗", "租金和保证金都要交吗？")]
)
def test_what_points_to_two_things_may_be_their_names(question: str, rewrite: str) -> None:
    assert accept_rewrite(rewrite, question, ("租金是多少？", "写字楼的保证金什么时候退？")) == rewrite


@pytest.mark.parametrize(
    ("question", "put", "lost"),
    [
        ("Who approves more than 5,000 yuan?", "5000元以上由谁审批？", set()),
        ("What was the revenue in Q3 2023?", "2023年第三季度的收入是多少？", set()),
        ("Is it within 2 months?", "是两个月内吗？", set()),
        ("第39条规定了什么？", "第三十九条的内容", set()),
        ("两个月内要交吗？", "Must it be paid within two months?", set()),
        ("What happens at 3 pm?", "下午3点有什么？", set()),
        ("What were the sales of 2020?", "公司的年销售额是多少？", {"2020"}),
        ("What is the leave after 10 years?", "满20年的年假有几天？", {"10"}),
    ],
)
def test_a_number_is_not_lost_where_it_is_written_in_another_way(question: str, put: str, lost: set[str]) -> None:
    assert lost_numbers(question, put) == lost


def test_a_long_row_of_names_is_compared_in_no_time() -> None:
    names = "、".join(f"部门{number}的员工" for number in range(400))
    with within_cpu_seconds(1.5):
        assert "部门" in dropped(f"{names}呢？", "年假有几天？")
        assert not dropped("年假和" * 600, "年假")
