"""Small numbers: counts of what a passage lists without counting, and measures and times of day, which are none."""

import pytest

from rag.citations import check
from tests.samples import evidence


def reason_of(sentence: str, passage: str) -> str | None:
    (checked,) = check(f"{sentence}[1]。", [evidence(1, passage)])
    return checked.reason and checked.reason.key


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
    assert reason_of(sentence, passage) == "citation.number"


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
        ("租金每3个月支付一次", "租金每季支付一次。"),
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
