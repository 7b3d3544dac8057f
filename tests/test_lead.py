import pytest

from rag.language.lead import to_the_point, without_lead
from rag.language.words import plainly


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("换个话题，注册资本是多少？", "注册资本是多少？"),
        ("好的，那我们换一个话题吧，注册资本是多少？", "注册资本是多少？"),
        ("顺便问一下，索引怎么命名？", "索引怎么命名？"),
        ("对了：病假有几天？", "病假有几天？"),
        ("By the way, what is a mutex?", "what is a mutex?"),
    ],
)
def test_what_leads_over_to_a_question_is_none_of_it(question: str, rest: str) -> None:
    assert without_lead(question) == rest
    assert to_the_point(plainly(question)) == rest


@pytest.mark.parametrize("nod", ["好嘞，", "好的，", "对了对了，", "嗯嗯，好呀！"])
def test_what_a_speaker_nods_to_is_none_of_the_question(nod: str) -> None:
    assert to_the_point(plainly(f"{nod}年假呢？")) == "年假呢？"


@pytest.mark.parametrize(
    "question",
    [
        "换个话题",
        "对了的题目有几道？",
        "怎样换个话题，又不失礼？",
        "回到错误码，能给用户看吗？",
        "换个问题的顺序，结果一样吗？",
    ],
)
def test_words_of_the_question_itself_stay(question: str) -> None:
    assert without_lead(question) == question
