"""Small numbers: counts of what a passage lists without counting, and measures and times of day, which are none."""

import pytest

from tests.citations.reasons import reason_of


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("保修期为8个月", "本产品自购买之日起保修一年，人为损坏除外。"),
        ("保修期为三个月", "本产品自购买之日起保修半年，人为损坏除外。"),
        ("须提前3个工作日申请", "申请须提前五日提交。"),
        ("培训为2个小时", "培训时长90分钟。"),
        ("利率上浮5个百分点", "利率上浮3%。"),
        ("上班时间为早上8点", "工作时间为9:00至18:00，午休1小时。"),
        ("上班时间为9点到5点", "工作时间为9:00至18:00，午休1小时。"),
        ("上班时间为8点半", "工作时间为9:00至18:00，午休1小时。"),
        ("会议于下午3点开始", "会议将于14:30在会议室举行。"),
        ("会议于10点整开始", "会议将于9:00在会议室举行。"),
        ("须在6点前离开", "参观者须在17:00前离开。"),
    ],
)
def test_a_small_measure_or_time_is_no_count(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) == "number"


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("公司主要产品有3种", "公司主要产品包括手机、电脑和平板。"),
        ("公司主要产品有三个", "公司主要产品包括手机、电脑和平板。"),
        ("注意事项有3点", "注意事项：关闭电源，拔下插头，等待冷却。"),
        ("注意事项的3点分别是关闭电源、拔下插头和等待冷却", "注意事项：关闭电源，拔下插头，等待冷却。"),
        ("提出了3点整改意见，即关闭电源、拔下插头和等待冷却", "整改意见：关闭电源，拔下插头，等待冷却。"),
        ("要做到3点：关闭电源，拔下插头，等待冷却", "注意事项：关闭电源，拔下插头，等待冷却。"),
        ("电池保修6个月", "电池自购买之日起保修半年。"),
        ("迟到30分钟的扣发奖金", "迟到半小时的，扣发奖金。"),
        ("上班时间为早上9点", "上班时间为9:00至18:00。"),
        ("上班时间为早上9点到下午6点", "上班时间为9:00至18:00。"),
        ("会议于下午3点开始", "会议于15:00开始。"),
        ("会议于下午2点至5点举行", "会议于14:00至17:00举行。"),
        ("会议于下午3点半开始", "会议于15:30开始。"),
        ("会议于15:00开始", "会议于下午三点开始。"),
        ("培训为2个小时", "培训时长两小时。"),
        ("须提前2个星期申请", "申请须提前两周提交。"),
    ],
)
def test_a_count_or_the_same_in_other_words_is_borne_out(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) is None


LESSONS = (
    "一周课程表\n节次 | 周一 | 周二\n第1节 | 物理 | 数学\n第2节 | 数学 | 物理\n第3节 | 化学 | 语文\n第4节 | 物理 | 自习"
    "\n第5节 | 自习 | 自习"
)
RULES = "第一条 卡内余额可以退还。\n第二条 会员卡不得转借。\n第三条 挂失须本人办理。\n第5条至第6条另行规定。"


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("物理一周有4节", LESSONS),
        ("物理共有两节", LESSONS),
        ("会员卡的规定共3条", RULES),
        ("挂失的规定见第3条", "会员卡的规定共3条，挂失须本人办理。"),
        ("挂失的规定在第3页", "会员卡的规定共3页，挂失须本人办理。"),
    ],
)
def test_which_one_it_is_does_not_bear_out_how_many_there_are_nor_these_that(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) == "number"


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("物理在第4节", LESSONS),
        ("物理在第1、4节", LESSONS),
        ("物理一周有3节", LESSONS),  # as many cells have it
        ("挂失见第三条", RULES),
        ("按照规定3条，挂失须本人办理", RULES),  # 第 is left out
        ("会员卡的规定有前3条", RULES),
        ("另行规定的有第5、6条", RULES),
        ("三季度收入为5万元", "第三季度收入为5万元，同比增长。"),
    ],
)
def test_which_one_it_is_bears_out_the_same(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) is None
