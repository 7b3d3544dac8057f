"""Names in a sentence that its passage does not have, and everyday words, which are none."""

from dataclasses import replace

import pytest

from rag.citations import check
from rag.language.lexicon import lexicon
from rag.types import Message
from tests.citations.reasons import reason_among, reason_of, reason_of_last
from tests.samples import evidence


@pytest.mark.parametrize(
    ("sentence", "passage", "is_right"),
    [
        ("您需要在7天内提交申请", "员工应在7天内提交申请。", True),
        ("期末余额较年初增长12%", "期末余额比年初增加12%。", True),
        ("女员工的产假为98天", "职工生育的产假为98天。", True),
        ("员工每年可休10天年假", "员工每年享有10天带薪年休假。", True),
        ("2023年营收为12.5亿元", "2023年营业收入125,000万元。", True),
        ("旷工3天将被解除劳动合同", "无故缺勤3天的，公司解除劳动合同。", True),
        ("请填写申请表并盖章", "须提交加盖公章的申请表。", True),
        ("超过3天未取件的将退回", "快件超过3日未领取的，退回寄件人。", True),
        ("员工须选一种方式申请年假", "员工须以下列方式之一申请年假。", True),
        ("罚100元后员工可补办工牌", "员工缴纳100元后可补办工牌。", True),
        ("设备每度电的费用为0.6元", "设备用电的费用为每千瓦时0.6元。", True),
        ("提前退租的，赔两个月租金", "提前退租的，支付两个月租金的违约金。", True),
        ("机关录用的人不能申请", "机关录用人员不得申请。", True),
        ("租房每月可扣1500元", "租房每月扣除1500元。", True),
        ("当不能到场办理时，可以委托他人", "本人无法到场办理的，可以委托他人。", True),
        ("刘今须选一种方式申请年假", "员工须以下列方式之一申请年假。", False),
        ("杜甫需要在7天内提交申请", "员工应在7天内提交申请。", False),
        ("女员工的产假为98天，由刘备批准", "职工生育的产假为98天，由主管批准。", False),
        ("可用京东付款", "可用移动支付软件付款。", False),
    ],
)
def test_everyday_words_that_the_passage_lacks_are_no_names(sentence: str, passage: str, is_right: bool) -> None:
    assert reason_of(sentence, passage) == (None if is_right else "name")


@pytest.mark.parametrize(
    "word",
    [*"您较很且此每内男女休填签今往掉度够稍选罚丢款报换穿", "年终奖", "排队", "网约车", "一站式", "蓝牙", "五险一金"],
)
def test_a_common_character_or_an_everyday_word_is_of_no_name(word: str) -> None:
    whole = (0, len(word))
    assert not any(lexicon().is_of_a_name(word, place, whole, whole) for place in range(len(word)))


@pytest.mark.parametrize("name", ["刘", "孙", "翀", "京东", "王掉", "刘今", "选江", "王休", "蓝牙路", "王女"])
def test_a_name_is_one_beside_them(name: str) -> None:
    whole = (0, len(name))
    assert any(lexicon().is_of_a_name(name, place, whole, whole) for place in range(len(name)))


def test_a_character_that_was_asked_with_begins_no_name() -> None:
    assert reason_of_last("药要30℃以下保存[1]。", "【贮藏】30℃以下保存。", "药怎么保存？") is None
    assert reason_of_last("王明教数学[1]。", "数学由李老师任教。", "王老师教什么？") == "name"


@pytest.mark.parametrize(("file", "reason"), [("云州市数据条例.pdf", None), ("海州市数据条例.pdf", "name")])
def test_what_a_document_says_of_itself_is_said_of_what_it_is_called(file: str, reason: str | None) -> None:
    passage = replace(evidence(1, "第五十三条 本条例自2026年7月1日起施行。"), document_name=file)
    assert reason_among("云州市数据条例从2026年7月1日起施行[1]。", [passage]) == reason


def test_what_is_not_there_is_told_in_whole_words() -> None:
    (checked,) = check("张伟负责工程验收[1]。", [evidence(1, "图纸由李娜设计，工程款按月支付，先验货后收货。")])
    assert checked.reason == Message("citation.name", {"text": "张伟负责工程验收"})


def test_of_what_each_costs_is_no_name() -> None:
    assert reason_of("冲击钻的进价是15.4元/盒", "品名 | 单位 | 进价\n冲击钻 | 盒 | 15.4") is None
