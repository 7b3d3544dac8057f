"""Dates with an English month, in the sentence or in its passage."""

import pytest

from rag.citations import check
from rag.citations.plain import plain
from tests.samples import evidence

CONTRACT = "本合同于2020年3月15日在上海签订，自2020年4月1日起生效，有效期三年。"
LEASE = "The lease was signed in Shanghai on March 15, 2020 and takes effect on 1 April 2020 for 3 years."


def reason_of(sentence: str, passage: str) -> str | None:
    """Of a sentence in another language than its passage no more is judged than its numbers."""
    (checked,) = check(f"{sentence}[1]", [evidence(1, passage)])
    return checked.reason.key if checked.reason else None


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("The contract was signed in Shanghai on March 15, 2020.", CONTRACT),
        ("The contract was signed on the 15th of March 2020.", CONTRACT),
        ("合同于2020年3月15日签订，有效期3年。", LEASE),
        ("租约自2020-04-01起生效，有效期3年。", LEASE),
        ("The lease takes effect on April 1, 2020.", LEASE),
        ("The lease was signed on 15 Mar 2020 in Shanghai.", LEASE),
        ("The lease was signed in March 2020 in Shanghai.", LEASE),
    ],
)
def test_a_date_in_english_is_the_same_as_in_chinese(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) is None


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("The contract was signed in Shanghai on May 15, 2020.", CONTRACT),
        ("The contract was signed in Shanghai on March 16, 2020.", CONTRACT),
        ("The contract was signed in Shanghai on March 15, 2021.", CONTRACT),
        ("合同于2020年5月15日签订，有效期3年。", LEASE),
        ("The lease was signed in Shanghai on June 15, 2020.", LEASE),
        ("The lease takes effect on 1 May 2020.", LEASE),
    ],
)
def test_another_date_is_found_in_either_language(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) == "citation.number"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("March 15, 2020", ["year", "month", "day"]),
        ("15th March", ["month", "day"]),
        ("Sept. 3", ["month", "day"]),
        ("December 2019", ["year", "month"]),
        ("You may 15 times march 3 miles", ["", ""]),
        ("Marching 15", [""]),
        ("Mark 3", [""]),
        ("March 1,500 miles", [""]),
        ("May 5.5%", ["percent"]),
        ("Decision 12", [""]),
    ],
)
def test_a_month_is_one_only_beside_a_day_or_year(text: str, kinds: list[str]) -> None:
    assert [number.kind for number in plain(text).numbers] == kinds
