"""What is told of a turn without a model."""

import pytest

from rag.decision.base import Material, Situation
from rag.decision.signals import Signals, measure, search_words
from rag.language import words
from rag.rewriting.condense import leans_on_history

PALACE = Material("guide", ("故宫（北京）",), "门票旺季60元，淡季40元。", 3.0)
MUSEUM = Material("list", ("首都博物馆",), "免费开放，周一闭馆。", 1.0)


def signals(question: str, **changes: object) -> Signals:
    values: dict[str, object] = {"earlier": (("故宫门票多少钱？", "旺季60元。"),), "in_hand": (PALACE,)}
    return measure(Situation(question, **values | changes))  # type: ignore[arg-type]


def test_terms_are_bigrams_between_filler_words_with_latin_words_and_numbers() -> None:
    assert words.terms("请问 Java 手册的错误码有几位，500 呢？") == ("手册", "错误", "误码", "java", "500")
    assert words.terms("B树是什么，C盘呢？") == words.terms("B 树是什么，C 盘呢，A 和 D？") == ("b树", "c盘")
    assert words.stands_in("u盘", "从 u 盘启动") and words.stands_in("u盘", "从u盘启动")
    assert "c区" not in words.terms("维生素 C 区别")


def test_a_title_is_also_called_without_its_aside() -> None:
    assert words.names("故宫（北京）") == {"故宫（北京）", "故宫"}
    assert words.names("A") == frozenset()


@pytest.mark.parametrize(
    "question",
    [
        "门票多少钱",
        "它在哪？",
        "把电话给我吧。",
        "告诉我开放时间",
        "年假天数",
        "what is its price",
        "贵重不重",
        "现在是第几版",
        "一共几小时",
        "分几类",
        "转让要钱不",
        "有发票没",
        "我们投米面粮油可以不",
        "我想退卡要干嘛",
    ],
)
def test_questions_requests_and_bare_search_words_ask(question: str) -> None:
    assert signals(question).asks == 1
    assert signals(question).states == 0


@pytest.mark.parametrize("question", ["太有意义了！", "我去过那里，真不错。", "我觉得不", "那我还没", "当然不。"])
def test_a_statement_does_not_ask(question: str) -> None:
    assert (signals(question).asks, signals(question).states) == (0, 1)


@pytest.mark.parametrize(
    "question",
    ["其他门票多少钱？", "还有别的门票吗？", "另外两张门票呢？", "它在哪？", "其中最贵的呢？", "该项目谁批的？"],
)
def test_what_points_back_leans_on_the_conversation_as_well(question: str) -> None:
    assert signals(question).points_back == 1
    assert leans_on_history(question)


@pytest.mark.parametrize("question", ["各要多大硬盘", "各有什么用", "分别做什么用"])
def test_what_asks_of_each_leans_on_the_conversation_that_says_of_which(question: str) -> None:
    assert leans_on_history(question)


@pytest.mark.parametrize(
    "question",
    ["各部门分别负责什么工作", "各用户的权限是什么", "各自治区面积多少", "各要素的含义是什么", "各有限公司在哪"],
)
def test_what_names_of_which_it_asks_of_each_leans_on_nothing(question: str) -> None:
    assert not leans_on_history(question)


@pytest.mark.parametrize("question", ["新手该装哪个", "该带什么材料去", "不确定该交多少", "该寄给谁", "该先做什么"])
def test_what_should_be_done_points_to_nothing(question: str) -> None:
    assert signals(question).points_back == 0


def test_a_bare_link_before_another_subject_does_not_point_back() -> None:
    assert signals("那日志规约有哪些要求？").points_back == 0


def test_courtesy_alone_is_told_from_courtesy_with_a_question() -> None:
    assert signals("嗯，好的，太感谢了！").only_courtesy == 1
    asked = signals("谢谢，那门票多少钱？")
    assert (asked.courtesy, asked.only_courtesy, asked.asks) == (1, 0, 1)


def test_terms_are_counted_against_the_evidence_in_hand() -> None:
    measured = signals("旺季、门票和停车")
    assert measured.covered == pytest.approx(2 / 3)
    assert measured.uncovered == pytest.approx(1 / 8)


def test_a_question_without_terms_has_nothing_that_is_not_covered() -> None:
    measured = signals("为什么呢？")
    assert (measured.wordless, measured.covered, measured.uncovered) == (1, 1, 0)


def test_what_a_question_without_terms_is_held_against_says_nothing() -> None:
    sibling = Material("guide", ("故宫（北京）",), "午门是正门。", 9.0)
    why = signals("为什么呢？", elsewhere=(sibling, MUSEUM))
    assert (why.margin, why.sibling_margin, why.sibling_covers) == (0, 0, 0)
    assert signals("正门呢？", elsewhere=(sibling, MUSEUM)).sibling_margin == 1


def test_only_numbers_that_stand_nowhere_before_are_new() -> None:
    measured = signals("60元的票和100元的票有什么不同？")
    assert (measured.numbers, measured.new_numbers) == (1, 0.5)


def test_names_are_told_by_whether_they_are_in_hand() -> None:
    measured = signals("故宫离首都博物馆远吗？", elsewhere=(MUSEUM,))
    assert (measured.names_in_hand, measured.names_elsewhere) == (1, 1)
    assert signals("它离得远吗？", elsewhere=(MUSEUM,)).names_elsewhere == 0


def test_the_name_of_a_document_tells_nothing_where_its_other_passages_bear_it() -> None:
    sibling = Material("guide", ("故宫",), "停车场在东门。")
    measured = signals("故宫停车方便吗？", elsewhere=(sibling,))
    assert (measured.names_in_hand, measured.names_elsewhere) == (0, 0)
    assert measured.uncovered == pytest.approx(3 / 8)


def test_another_topic_is_told_from_another_thing() -> None:
    topic, thing = signals("换个话题，停车方便吗？"), signals("换一家近的")
    assert (topic.new_topic, topic.seeks) == (1, 0)
    assert (thing.new_topic, thing.seeks) == (0, 1)


def test_a_name_alone_asks() -> None:
    assert (signals("故宫").asks, signals("故宫").states) == (1, 0)


def test_a_heading_is_also_called_without_its_number() -> None:
    assert words.names("3.2 差旅") == {"3.2 差旅", "差旅"}
    assert words.names("第三章 休假") == {"第三章 休假", "休假"}
    assert words.names("【禁忌】") == {"禁忌"}
    assert words.names("第五条：违约责任") == {"第五条：违约责任", "违约责任"}
    assert words.names("7天酒店") == {"7天酒店"}


def test_a_name_inside_a_name_in_hand_is_not_another() -> None:
    short = Material("list", ("故宫",), "")
    in_hand = Material("guide", ("故宫餐厅",), "")
    assert signals("故宫餐厅几点开门？", in_hand=(in_hand,), elsewhere=(short,)).names_elsewhere == 0


def test_the_margin_compares_the_best_scores() -> None:
    assert signals("开放吗？", elsewhere=(MUSEUM,)).margin == pytest.approx((1 - 3) / (1 + 3))
    assert signals("开放吗？").margin == -1
    assert signals("开放吗？", in_hand=()).margin == 0


def test_only_passages_of_a_document_in_hand_are_siblings() -> None:
    sibling = Material("guide", ("故宫",), "停车场在东门。", 5.0)
    measured = signals("停车方便吗？", elsewhere=(MUSEUM, sibling))
    assert measured.sibling_margin == 1
    assert measured.sibling_covers == pytest.approx(1 / 3)
    other = signals("停车方便吗？", elsewhere=(MUSEUM,))
    assert (other.sibling_margin, other.sibling_covers) == (0, 0)


def test_the_last_answer_may_speak_of_the_evidence_in_hand() -> None:
    assert signals("多少钱？", earlier=(("去哪玩？", "去故宫吧。"),)).answer_names_in_hand == 1
    assert signals("多少钱？", earlier=()).answer_names_in_hand == 0


def test_a_search_is_for_the_question_under_the_titles_in_hand() -> None:
    assert search_words("几点开门？", [PALACE, PALACE]) == "几点开门？ 故宫（北京）"
