"""What is found twice takes one place; what says anything else keeps its own."""

from dataclasses import replace

import pytest

from rag.retrieval.deduplication import without_copies
from rag.types import Chunk, Hit, Passage

RULE = "员工工作满三年的，每年有十二天年假，须提前两周向部门负责人申请，经人事部门确认后生效。"
OTHER = "差旅住宿费每晚不超过450元，凭发票报销；超出的部分由本人承担，特殊情况须事先经部门负责人书面同意。"
COPY, ORIGINAL = "手册 (2).pdf", "手册.pdf"


def hit(number: int, text: str = RULE, name: str = ORIGINAL, start: int = 0, **changes: object) -> Hit:
    """A hit on a chunk of the document of that name."""
    passage = Passage(text, start, start + len(text), 1, 1, "1", ("第二章 休假",))
    passage = replace(passage, **changes)  # type: ignore[arg-type]
    return Hit(Chunk(number, name, "me", name, number, passage), 1 / number, {})


def kept(*hits: Hit, limit: int = 5) -> list[int]:
    """The chunks that are left."""
    return [one.chunk.chunk_id for one in without_copies(hits, limit)[0]]


@pytest.mark.parametrize("name", [COPY, "手册(1).pdf", "手册（2）.pdf", "手册.docx", "手册 (3).txt"])
def test_what_the_same_file_says_again_is_left_out(name: str) -> None:
    left, copies = without_copies([hit(1), hit(2, name=name)], 5)
    assert [one.chunk.chunk_id for one in left] == [1]
    assert {chunk: better.chunk.chunk_id for chunk, better in copies.items()} == {2: 1}


def test_blanks_case_and_width_make_no_other_passage() -> None:
    text = "按照 ISO9001（2015）标准，每台设备每年检验一次，检验记录由质量部保存，保存期不少于五年，到期统一销毁。"
    again = "按照 iso9001(2015)标准,每台设备每年检验一次，检验记录由质量部保存，\n保存期不少于五年，到期统一销毁。"
    assert kept(hit(1, text), hit(2, again, COPY)) == [1]


def test_a_part_of_a_better_hit_is_a_copy_and_what_holds_more_than_it_is_not() -> None:
    more = f"{RULE}未休的年假可以顺延到次年三月底。"
    assert kept(hit(1, more), hit(2, RULE, COPY)) == [1]
    assert kept(hit(1, RULE), hit(2, more, COPY)) == [1, 2]


@pytest.mark.parametrize(
    ("said", "instead"),
    [("十二天", "十五天"), ("两周", "三周"), ("三年", "十三年"), ("须提前", "不须提前"), ("部门负责人", "总经理")],
)
def test_one_other_number_or_word_makes_another_passage(said: str, instead: str) -> None:
    assert kept(hit(1), hit(2, RULE.replace(said, instead), COPY)) == [1, 2]


@pytest.mark.parametrize("longer", ["1450元", "3.450元", "2,450元"])
def test_a_number_is_no_part_of_a_longer_one(longer: str) -> None:
    text = "450元是每晚住宿费的上限，凭发票报销；超出的部分由本人承担，特殊情况须事先经部门负责人书面同意。"
    assert kept(hit(1, text.replace("450元", longer)), hit(2, text, COPY)) == [1, 2]


def test_words_that_a_better_hit_has_within_another_word_are_no_copy() -> None:
    text = "满足前款条件的员工可以在入职当年申请带薪年假，具体天数按照当年在职的月数折算，不足一天的部分不计。"
    assert kept(hit(1, f"不{text}"), hit(2, text, COPY)) == [1, 2]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("2022年手册.pdf", "2023年手册.pdf"),
        ("手册v1.2.pdf", "手册v1.3.pdf"),
        ("手册 (2022).pdf", "手册 (2023).pdf"),
        ("北京分公司手册.pdf", "上海分公司手册.pdf"),
    ],
)
def test_the_same_words_under_another_name_say_it_of_another_year_version_or_branch(name: str, other: str) -> None:
    assert kept(hit(1, name=name), hit(2, name=other)) == [1, 2]


def test_the_same_words_under_another_heading_or_table_header_say_it_of_something_else() -> None:
    assert kept(hit(1), hit(2, name=COPY, heading_path=("第三章 实习生",))) == [1, 2]
    assert kept(hit(1, context="姓名 | 天数"), hit(2, name=COPY, context="部门 | 天数")) == [1, 2]


def test_hits_of_one_document_are_kept_whatever_they_share() -> None:
    neighbour = hit(2, RULE[5:], start=5)
    assert kept(hit(1), neighbour, hit(3, start=900)) == [1, 2, 3]


def test_a_heading_is_kept_for_what_stands_below_it() -> None:
    assert kept(hit(1, f"第二章 休假\n{RULE}"), hit(2, "第二章 休假", COPY)) == [1, 2]


def test_the_places_go_to_the_next_in_their_order_and_what_comes_after_is_not_looked_at() -> None:
    hits = [hit(1), hit(2, name=COPY), hit(3, OTHER), hit(4, OTHER, COPY), hit(5, OTHER[::-1]), hit(6, name=COPY)]
    left, copies = without_copies(hits, 3)
    assert [one.chunk.chunk_id for one in left] == [1, 3, 5]
    assert list(copies) == [2, 4]
    assert without_copies((), 3) == ((), {})
