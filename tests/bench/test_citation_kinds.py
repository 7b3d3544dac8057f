"""The mistakes and wordings of language models that are planted: each is what its kind says, and made again alike."""

import json
import random
from pathlib import Path

import pytest

from bench import citations
from bench.citation_asked import asked
from bench.citation_documents import Document, of_another, of_another_year
from bench.citation_grids import grids
from bench.citation_kinds import KINDS
from bench.citation_models import RIGHT_MODELS, models
from bench.citation_wordings import WORDINGS

LEASE = "承租人应当在每月五日以前支付租金。"
TABLE = "分部情况：\n名称 | 收入 | 负责人\n华东 | 120 | 王强\n华南 | 80 | 李敏\n西北 | 300 | 赵云\n以上为全部。"


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("party", "水电费由承租人按月支付。", "水电费由出租人按月支付。"),
        ("period", "公司上半年收入增长。", "公司下半年收入增长。"),
        ("comparison", "净利润同比下降3%。", "净利润同比增长3%。"),
        ("superlative", "该厂规模最大。", "该厂规模最小。"),
        ("bound", "年满60岁以上的免费。", "年满60岁以下的免费。"),
        ("limit", "押金不超过两个月租金。", "押金不低于两个月租金。"),
        ("rule", "住户不得饲养犬只。", "住户可以饲养犬只。"),
        ("unit", "预算为300万元。", "预算为300亿元。"),
        ("points", "占比提高2.5个百分点。", "占比提高2.5%。"),
        ("magnitude", "共有12.5人。", "共有125人。"),
        ("ordinal", "获第三名。", "获第四名。"),
        ("exception", "除节假日外，其余时间开放。", "包括节假日在内，其余时间开放。"),
        ("leave", "经主管批准后可以外出。", "未经主管批准后可以外出。"),
        ("one_of", "它是省内最早的学校之一。", "它是省内最早的学校。"),
        ("roles", "原告向被告支付了房租。", "被告向原告支付了房租。"),
    ],
)
def test_a_mistake_is_what_its_kind_says(kind: str, text: str, told: str) -> None:
    made = {KINDS[kind](text, text, random.Random(seed)) for seed in range(8)}
    assert told in made


def test_an_option_is_taken_from_another_list_of_the_passage() -> None:
    passage = "套餐包括米饭、青菜、鸡蛋。饮料有红茶、豆浆、咖啡。可加面条。"
    made = {KINDS["option"]("套餐包括米饭、青菜、鸡蛋。", passage, random.Random(seed)) for seed in range(20)}
    assert "套餐包括米饭、豆浆、鸡蛋。" in made
    assert not any("面条" in str(one) for one in made)


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("wide", "共12人。", "共１２人。"),
        ("percent_in_words", "增长3.5%，占12%。", "增长百分之三点五，占百分之十二。"),
        ("in_digits", "设三个部门。", "设3个部门。"),
        ("scaled", "共1.2万人。", "共12000人。"),
        ("scaled", "共35000人。", "共3.5万人。"),
        ("rounded", "占12.34%。", "占约12.3%。"),
        ("of", "公司的收入。", "公司之收入。"),
        ("bounds", "至少3人。", "不少于3人。"),
        ("rules", "住户不得养犬。", "住户不可以养犬。"),
    ],
)
def test_a_wording_says_the_same(kind: str, text: str, told: str) -> None:
    assert WORDINGS[kind](text, text, random.Random(1)) == told


def test_sentences_about_cells_are_right_and_wrong() -> None:
    made = {case.kind: case.sentence for case in grids([TABLE], random.Random(3))}
    assert made["greatest_told"] == "收入最高的是西北。"
    assert made["greatest"] in ("收入最高的是华东。", "收入最高的是华南。")
    assert made["sum_told"] != made["sum"]
    assert made["difference_told"] not in (made["difference"], made["difference_turned"])
    assert made["word_told"] != made["word"]


def test_a_table_that_goes_on_behind_its_passage_tells_no_greatest() -> None:
    kinds = {case.kind for case in grids([TABLE.removesuffix("\n以上为全部。")], random.Random(3))}
    assert "sum" in kinds
    assert "greatest" not in kinds


def test_two_are_asked_for_and_the_wrong_one_told() -> None:
    right, wrong = asked("公司全年的营业收入比上年增长了两成多。", random.Random(1))
    assert right.question == wrong.question
    assert "还是" in right.question
    assert (right.sentence, wrong.sentence) == ("增长。", "下降。")


def test_what_one_document_says_is_told_of_the_other() -> None:
    texts = {
        "东湖校区": "东湖校区共有学生三千余人，教师二百人。",
        "南湖校区": "这里共有图书馆两座，食堂四个，操场三处。",
    }
    found = [Document(name, name, (text,)) for name, text in texts.items()]
    made = {case.kind: case for case in of_another(found, random.Random(1))}
    assert "南湖校区共有学生三千余人" in made["document"].sentence
    assert made["document"].passage == texts["东湖校区"]
    assert made["document"].beside == texts["南湖校区"]


def test_a_report_is_asked_about_a_year_that_it_does_not_tell_of() -> None:
    report = Document("r", "某公司 2020 年年度报告", (TABLE,))
    made = {case.kind: case.question for case in of_another_year([report], random.Random(1))}
    assert made["year_told"].startswith("2020年")
    assert made["year"].startswith("2016年")


def test_what_the_passage_says_as_well_is_no_mistake_and_a_seed_makes_the_same_again() -> None:
    both = LEASE + LEASE.replace("承租人", "出租人")
    assert "party" in {case.kind for case in models([LEASE], (), 5, random.Random(2))}
    made = [[*models([both] * 5, (), 5, random.Random(2))] for _ in range(2)]
    assert made[0] == made[1]
    assert not [case for case in made[0] if case.kind == "party"]


def test_each_kind_has_a_figure_and_a_count(tmp_path: Path) -> None:
    folder = tmp_path / "cjrc_law"
    folder.mkdir()
    (folder / "passages.jsonl").write_text(json.dumps({"id": "p", "text": LEASE * 3}), encoding="utf-8")
    figures = citations.measure(tmp_path).figures
    made = {name.split(".")[1] for name in figures if name.startswith("models.")}
    assert made & KINDS.keys()
    assert made & RIGHT_MODELS
    for kind in made:
        share = "flagged" if kind in RIGHT_MODELS else "found"
        assert 0 <= figures[f"models.{kind}.{share}"] <= 1
        assert figures[f"models.{kind}.count"] > 0
    counted = figures["sentences_models_found"] + figures["sentences_models_flagged"]
    assert sum(figures[f"models.{kind}.count"] for kind in made) == counted
