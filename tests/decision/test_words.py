"""The words that every turn is looked through for."""

import re
import time

import pytest

from rag.decision import signals
from rag.decision.rules import plain_case
from rag.language import follow_up, meta_questions, talk, words
from rag.language.parted import parted
from tests.waiting import within_cpu_seconds, within_seconds

_OWN_WORDS = re.compile(r"[\u4e00-\u9fff]+|[a-z]{2,}|[（(\[【]")
_MOST_SECONDS = 0.2
PATTERNS = {
    name: value
    for module in (words, talk, meta_questions, follow_up, signals)
    for name, value in vars(module).items()
    if isinstance(value, re.Pattern)
}


def hostile_rows(pattern: re.Pattern[str]) -> list[str]:
    """Each word that a pattern is made of, and other characters that it repeats, over and over."""
    units = [*_OWN_WORDS.findall(pattern.pattern), "谢谢你", "非常好", "好多了", "1", "1.", " ", "a-", "麻烦 "]
    return list(dict.fromkeys(units))


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("length", [40, 400, 2000])  # ascending: a pattern that explodes fails at the first
def test_no_message_keeps_a_pattern_busy(name: str, length: int) -> None:
    pattern = PATTERNS[name]
    for unit in hostile_rows(pattern):
        row = (unit * length)[: length - 4]
        for text in (row + "x", row + "，请问"):
            begun = time.thread_time()
            pattern.sub("", text)
            assert time.thread_time() - begun < _MOST_SECONDS, (name, unit)


@pytest.mark.parametrize("greeting", ["你好", "大家好", "okay ", "好的好的了解了"])
def test_a_long_greeting_is_small_talk_at_once(greeting: str) -> None:
    with within_cpu_seconds(_MOST_SECONDS):
        plain_case(greeting * 200 + "，请问", has_history=False, in_hand=False)
        verdict = plain_case(greeting * 200, has_history=False, in_hand=False)
    assert verdict is not None and verdict.reason.key == "decision.small_talk"


@pytest.mark.parametrize(
    "asked", ["继续", "请继续", "接着说", "继续写下去吧", "好的，继续。", "往下说", "go on", "Please continue."]
)
def test_whoever_wants_the_rest_of_an_answer_gets_it_without_a_search(asked: str) -> None:
    verdict = plain_case(asked, has_history=True, in_hand=False)
    assert verdict is not None and verdict.reason.key == "decision.about_the_talk"


@pytest.mark.parametrize(
    ("asked", "sums_up"),
    [
        ("总结一下我们的对话", True),
        ("把前面的内容总结一下", True),
        ("把以上的概括一下", True),
        ("把上面的总结翻译成英文", False),
        ("刚才的总结再短一点", False),
        ("把上面的概括改成大纲", False),
    ],
)
def test_what_is_to_be_done_with_a_summary_sums_up_nothing_more(asked: str, sums_up: bool) -> None:
    assert talk.sums_up_the_talk(asked) is sums_up


@pytest.mark.parametrize("unit", ["1", "重复"])
def test_a_long_message_is_read_at_once_whatever_it_repeats(unit: str) -> None:
    with within_seconds(2):
        message = unit * (20_000 // len(unit))
        plain_case(message, has_history=True, in_hand=True)
        parted(message)
