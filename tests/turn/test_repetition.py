import random

import pytest

from rag.turn.repetition import first_round
from tests.waiting import within_cpu_seconds


@pytest.mark.parametrize(
    ("before", "round_"),
    [
        ("表必须有以下字段：", "表名不使用复数名词；"),
        ("", "先登录系统，再点确定。"),
        ("要点如下：\n", "- 提前两周申请\n"),
    ],
)
def test_an_answer_that_goes_round_ends_after_its_first_round(before: str, round_: str) -> None:
    assert first_round(before + 3 * round_) is None
    assert first_round(before + 4 * round_) == before + round_
    assert first_round(before + 4 * round_ + "没说完") == before + round_


def test_a_long_list_that_begins_again_ends_after_its_first_round() -> None:
    rules = "".join(f"[{place}] 第{name}条规定不同；" for place, name in enumerate("甲乙丙丁戊己庚辛", 1))
    assert first_round("规定如下：" + rules) is None
    assert first_round("规定如下：" + 2 * rules) == "规定如下：" + rules
    assert first_round(2 * "先登录系统，再点确定，然后等待。") is None


def test_a_long_sentence_is_said_three_times_at_most() -> None:
    sentence = "资产负债表项目在第一季度也发生了变动，包括应收账款、应付账款等。"
    assert first_round("要点如下：" + 2 * sentence) is None
    assert first_round("要点如下：" + 3 * sentence) == "要点如下：" + sentence


def test_numbers_before_each_round_do_not_hide_it() -> None:
    answer = "字段有：" + "".join(f"[{number}] 表名不使用复数名词；" for number in range(1, 5))
    assert first_round(answer) == "字段有：[1] 表名不使用复数名词；"


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "年假十天。",
        "0,0,0,0,0,0,0,0,0,0,",
        "| 2019 | 无 |\n| 2020 | 无 |\n| 2021 | 无 |\n| 2022 | 无 |\n| 2023 | 无 |\n",
        "第一步登录，第二步填写，第三步提交，第四步确认，第五步等待。",
    ],
)
def test_what_only_looks_alike_is_no_round(answer: str) -> None:
    assert first_round(answer) is None


def test_who_counts_on_for_ever_is_stopped_after_the_first_number() -> None:
    counting = "".join(f"A{number:04}（用户端错误），" for number in range(1, 40))
    assert first_round(f"有这些：{counting}") == "有这些：A0001（用户端错误），"


@pytest.mark.parametrize(
    "answer",
    [
        "| 年份 | 营收 |\n| --- | --- |\n" + "".join(f"| {2000 + n} | {20 + n * 7 % 5}.0 |\n" for n in range(60)),
        "| 年份 | 编号 |\n| --- | --- |\n" + "".join(f"| {2000 + n} | {100 + n} |\n" for n in range(60)),
        "历年净利润：\n" + "".join(f"- {2003 + n}年净利润{11 + n * 7 % 5}.3亿元\n" for n in range(22)),
    ],
)
def test_rows_that_differ_in_their_numbers_are_data(answer: str) -> None:
    assert all(first_round(answer[:end]) is None for end in range(len(answer) + 1))


def test_numbers_without_end_are_stopped_and_kept() -> None:
    listed = "".join(f"- {1900 + n}年净利润{11 + n * 7 % 5}.3亿元\n" for n in range(60))
    assert first_round(listed + "- 19") == listed


def test_what_was_told_before_a_model_began_to_count_is_kept() -> None:
    told = "".join(f"- 第{n * 3}条罚款{n * n}元\n" for n in range(1, 15))
    counting = "".join(f"- 第{n}条罚款500元\n" for n in range(50, 72))
    assert first_round(told + counting) == told + "- 第50条罚款500元\n"


def test_twelve_months_are_no_repetition() -> None:
    assert first_round("".join(f"{month}月收入为 {month * 10} 万元；" for month in range(1, 13))) is None


CODES = "错误码的命名规范、错误码的分类和使用方法、"
VERSE = "两岸猿声啼不住 轻舟已过万重山 朝辞白帝彩云间 千里江陵一日还 故人西辞黄鹤楼 烟花三月下扬州 孤帆远影碧空尽 "


@pytest.mark.parametrize(
    ("phrase", "rounds"),
    [(CODES, 3), ("错误码的命名规范和错误码的分类和", 4), ("错误码的定义的说明 ", 6), ("错误码[1]与错误码的分类", 5)],
)
def test_a_phrase_that_goes_round_within_a_sentence_ends_after_its_first_round(phrase: str, rounds: int) -> None:
    said = f"规程如下。本章讲到{phrase}"
    assert first_round(said + phrase * (rounds - 2)) is None
    for rest in ("", phrase[:1], phrase[:5]):
        assert first_round(said + phrase * (rounds - 1) + rest) == said.rstrip("、 ")


def test_an_item_before_the_first_round_does_not_move_it() -> None:
    assert first_round("包括前言、" + 5 * CODES) == "包括前言、" + CODES.rstrip("、")


@pytest.mark.parametrize(
    "answer",
    [
        "| 分类 | 一 | 二 |\n| 备注 |" + 12 * " 按规定执行 |",
        "第一组负责错误码的命名、第二组负责错误码的分类、第三组负责错误码的使用、第四组负责错误码的维护、第五组负责错误码的废止",
        "、".join(
            f"错误码的{name}" for name in ("命名", "分类", "使用", "维护", "废止", "登记", "查询", "公布", "审查")
        ),
        "总额 = " + " + ".join(5 * ["单价 × 数量"]),
        "总额 = " + " + ".join(f"第{place}期的单价 × 第{place}期的数量" for place in range(1, 12)),
        "```python\nvalues = [" + " ".join(20 * ['"无"']) + " " + " ".join(40 * ["0.0"]),
        "—" * 80 + "……" * 40 + "签字" + "_" * 90,
        2 * VERSE,
        "全年" + " ".join(8 * ["没有变化"]),
        "检查结果为" + "、".join(24 * ["否"]) + "、" + "是、否、" * 30,
    ],
)
def test_what_shares_phrases_within_a_sentence_is_no_round(answer: str) -> None:
    assert all(first_round(answer[:end]) is None for end in range(len(answer) + 1))


def test_a_list_that_says_again_what_it_said_ends_before_that_whatever_the_order() -> None:
    said = "1. 清单列出测试过的硬件。\n2. 这份清单还远不完整。\n"
    again = "3. 这份清单还远不完整。\n4. 清单列出测试过的硬件。\n"
    assert first_round(f"{said}{again}") == said.rstrip()
    assert first_round(said + again.split("4", maxsplit=1)[0]) is None


def test_items_that_are_short_or_said_once_more_are_a_list_all_the_same() -> None:
    cells = "- 周一：无\n- 周二：无\n- 周二：无\n- 周三：无\n- 周三：无\n"
    assert first_round(cells) is None
    assert first_round("- 甲方每月五日前付款。\n- 乙方每月开具发票。\n- 甲方每月五日前付款。\n- 逾期另计。\n") is None


def test_a_long_line_without_an_end_keeps_nothing_waiting() -> None:
    line = "".join(random.Random(1).choices("abcdefgh ", k=4000))
    with within_cpu_seconds(1):  # it was 10
        assert [first_round(line[:length]) for length in range(0, len(line), 20)] == [None] * 200
