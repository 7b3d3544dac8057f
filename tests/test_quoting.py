"""What is quoted behind a model that knows no answer."""

from collections.abc import Sequence

import pytest

from rag import i18n
from rag.embeddings.encoder import Encoder
from rag.knowledge.similarities import similarities
from rag.language.refusals import refuses
from rag.quoting import knew_nothing, nearest, nearest_quote, quoted_behind
from rag.types import Similarity
from tests.fakes import FixedEmbeddings
from tests.knowledge import TOKENIZER, by_words
from tests.samples import evidence


@pytest.mark.parametrize(
    ("answer", "unknown"),
    [
        ("我不知道，资料中没有相关内容。", True),
        ("抱歉，我无法回答这个问题。", True),
        ("资料中没有提到年终奖。", True),
        ("资料未说明利率。", True),
        ("I don't know, the documents say nothing about it.", True),
        ("年假为十天[1]。", False),
        ("公司没有班车[1]。", False),
        ("我不知道全名，但资料说他姓张。", False),
        ("资料中没有提到年终奖。年假为十天。", False),
        ("资料中没有提到时间限制，随时可以报销。", False),
        ("没有任何限制。", False),
        ("不包含任何税费。", False),
        ("没有相关工作经验的人不能报名。", False),
        ("不清楚的地方请咨询人事部。", False),
        ("不知道密码的，可拨打总机。", False),
        ("没有相关规定要求员工缴纳押金。", False),
        ("资料中没有有关押金的要求，因此员工不需要缴纳。", False),
        ("没有找到相关内容。", True),
        ("没有提到年假的规定。", True),
        ("我不知道，因为资料中没有提到年假的天数。", True),
        ("根据资料，无法回答该问题，因为没有提到年假。", True),
        ("抱歉，资料中没有找到与年终奖有关的内容，因此无法回答。", True),
        ("", False),
    ],
)
def test_an_answer_that_knows_nothing_is_told_from_one_that_says_something(answer: str, unknown: bool) -> None:
    assert refuses(answer) is unknown


def test_the_two_sentences_that_come_nearest_are_quoted_in_their_order_each_once() -> None:
    def by_length(_question: str, texts: Sequence[str]) -> list[Similarity]:
        return [Similarity(0.8 + len(text) / 1000) for text in texts]

    held = (evidence(1, "短句在此。这是最长的一句话呀。"), evidence(2, "这是最长的一句话呀。稍微长一点的。"))
    assert nearest_quote("问题", held, by_length) == "> 这是最长的一句话呀。[1]\n>\n> 稍微长一点的。[2]"
    assert nearest_quote("问题", (), by_length) == ""


def test_a_sentence_that_is_far_behind_the_nearest_is_not_quoted_beside_it() -> None:
    def fixed(_question: str, texts: Sequence[str]) -> list[Similarity]:
        return [
            {"甲是第一句。": Similarity(0.9), "乙是第二句。": Similarity(0.83)}.get(text, Similarity(0.8))
            for text in texts
        ]

    best = nearest("问题", [(1, "甲是第一句。丙是第三句。乙是第二句。")], fixed, 3)
    assert [sentence.text for sentence in best] == ["甲是第一句。", "乙是第二句。"]


def test_the_title_that_was_asked_gives_its_place_to_what_stands_behind_it() -> None:
    notes = (evidence(1, "一、食堂的开放时间\n每天七点开门。\n食堂的桌椅请勿挪动。"),)
    assert "食堂的开放时间" not in nearest_quote("食堂的开放时间是什么？", notes, by_words)
    assert "每天七点开门。[1]" in nearest_quote("食堂的开放时间是什么？", notes, by_words)


@pytest.mark.parametrize(
    "said",
    [
        i18n.text(i18n.Language.ZH, "own_answer.nearest", quote=""),
        i18n.text(i18n.Language.EN, "own_answer.nearest", quote=""),
        "我不知道，资料中没有相关内容。\n\n资料里最接近的原文是：\n\n",
    ],
)
def test_what_was_quoted_as_the_nearest_is_no_answer(said: str) -> None:
    quoted = "> 双休日不安排出勤。[1]\n>\n> 周一至周五九点上班。[1]"
    answer = said + quoted
    assert quoted_behind(answer) == "双休日不安排出勤。[1]\n周一至周五九点上班。[1]"
    assert knew_nothing(answer)


@pytest.mark.parametrize(
    ("answer", "nothing"),
    [
        ("我不知道，资料中没有相关内容。", True),
        ("我不知道，资料中没有相关内容[1]。", True),
        ("没有提到年假的规定。", True),
        ("I don’t know, the documents say nothing about it.", True),
        ("规定如下：\n\n> 双休日不安排出勤。[1]", False),
        ("我不知道，资料中没有相关内容。\n\n年假为十天。", False),
        ("没有任何限制。", False),
        ("The documents do not require a deposit.", False),
    ],
)
def test_an_answer_knew_nothing_where_it_says_no_more_than_that_there_is_none(answer: str, nothing: bool) -> None:
    assert knew_nothing(answer) is nothing


def test_a_sentence_is_near_by_meaning_or_by_shared_words_and_by_these_alone_where_the_model_fails() -> None:
    texts = ["双休日不安排出勤。", "餐费补贴每天一百元。"]
    meaning = Encoder(FixedEmbeddings({"周六要来吗": (1, 0), texts[0]: (1, 0.1), texts[1]: (0, 1)}), "m")
    rest, meals = similarities("周六要来吗", texts, meaning, TOKENIZER.words)
    assert rest.total > 0.9
    assert meals.total < 0.1
    broken = Encoder(FixedEmbeddings({}), "m")
    rest, meals = similarities("餐费补贴是多少", texts, broken, TOKENIZER.words)
    assert meals.total > rest.total == 0.0
