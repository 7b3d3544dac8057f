"""What stands at the ends of a topic and is no part of it: how much of it is asked about, short verbs, adverbs."""

import pytest

from rag.language.topic import topic


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
