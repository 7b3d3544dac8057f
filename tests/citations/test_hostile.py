"""Answers, passages and questions of one thing over and over: none keeps the program busy."""

import random
from dataclasses import replace

import pytest

from rag.citations import check
from rag.language.lexicon import lexicon
from rag.language.segmentation import segmenter
from tests.samples import evidence
from tests.waiting import within_cpu_seconds

_LENGTH = 4000
# Hardly one is needed; it was 8 to 100 where each line or word looked through all of question and passage.
_MOST_SECONDS = 4


@pytest.mark.parametrize("unit", ["- a\n", "| a | b |\n", "属于", "每月1元", "第1条", "红灯亮表示故障，", "周一1元，"])
@pytest.mark.parametrize("length", [200, _LENGTH], ids=["sentences", "one"])
def test_no_answer_takes_long_to_check(unit: str, length: int) -> None:
    lexicon(), list(segmenter().cut("读词典"))  # which are read once only
    whole, sentence = ((unit * _LENGTH)[:size] for size in (_LENGTH, length))
    answer = f"{sentence}[1]。\n" * (_LENGTH // length)
    with within_cpu_seconds(_MOST_SECONDS):
        check(answer, [replace(evidence(1), text=whole)], [whole])


def test_a_long_sentence_without_a_pause_is_compared_in_parts() -> None:
    lexicon(), list(segmenter().cut("读词典"))
    chance = random.Random(1)
    text, passage = ("".join(chance.choices("年假", k=2 * _LENGTH)) for _ in range(2))
    with within_cpu_seconds(_MOST_SECONDS):
        check(f"{text}[1]。", [replace(evidence(1), text=passage)])


def test_no_sentence_of_many_clauses_is_looked_for_clause_by_clause() -> None:
    lexicon(), list(segmenter().cut("读词典"))
    answer = ("一期1元，" * _LENGTH)[:_LENGTH]
    passage = f"{answer.replace('一期', '二期')}一期2元，"
    with within_cpu_seconds(_MOST_SECONDS):
        check(f"{answer}[1]。", [replace(evidence(1), text=passage)], ["一期多少？"])


def test_what_a_sentence_takes_does_not_grow_with_the_answer_before_it() -> None:
    lexicon(), list(segmenter().cut("读词典"))
    told = "公司在云川市设有研发中心，参与国家标准的制定，产品用于通信设备，客户遍及全国各地，"
    answer = f"{told}员工有120人[1]。\n" * 3000
    with within_cpu_seconds(_MOST_SECONDS):
        check(answer, [replace(evidence(1), text=f"{told}员工有120人。")])
