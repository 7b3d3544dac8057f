import pytest

from rag.repetition import first_round


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


def test_twelve_months_are_no_repetition() -> None:
    assert first_round("".join(f"{month}月收入为 {month * 10} 万元；" for month in range(1, 13))) is None
