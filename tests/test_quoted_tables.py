"""Tables in what is quoted, and signs in it that would be markers."""

from rag.citations import check
from rag.quoting import Quoted, nearest_quote, quoted_blocks
from rag.types import CheckedSentence, Support
from rag.web.markdown import markdown
from tests.knowledge import by_words
from tests.samples import evidence
from tests.tags import Tags

RATES = (
    "二、住宿标准\n城市级别 | 总监 | 经理 | 员工\n一线城市 | 800元 | 600元 | 450元\n其他城市 | 500元 | 380元 | 280元"
)


def test_the_rows_that_a_question_names_are_quoted_as_a_table_whose_header_stands_once() -> None:
    header = "> | 城市级别 | 总监 | 经理 | 员工 |\n> | --- | --- | --- | --- |\n"
    one = nearest_quote("一线城市的员工住宿标准是多少", (evidence(1, RATES),), by_words)
    assert one.startswith(f"{header}> | 一线城市[1] | 800元 | 600元 | 450元 |")
    both = nearest_quote("员工的住宿标准", (evidence(1, RATES),), by_words)
    assert both.count(header) == 1
    assert both.count("城市[1] |") == 2
    short = evidence(1, "城市级别 | 总监 | 经理 | 员工\n一线城市 | 800元 | 600元 | 450元")
    assert nearest_quote("总监和经理", (short,), by_words) == f"{header}> | 一线城市[1] | 800元 | 600元 | 450元 |"


def test_rows_of_two_passages_stand_in_one_table_and_its_caption_above_it() -> None:
    header = "表3 住宿标准 |\n城市 | 总监 | 备注\n城市 | 每晚"
    rows = [
        Quoted("一线 | 800元", 1, lead=header, is_row=True),
        Quoted("其他 | 500元 | 含早", 2, lead=header, is_row=True),
    ]
    assert quoted_blocks([*rows, Quoted("住宿费凭发票报销。", 2)]) == [
        "表3 住宿标准\n| 城市 | 总监 每晚 | 备注 |\n| --- | --- | --- |\n"
        "| 一线[1] | 800元 |  |\n| 其他[2] | 500元 | 含早 |",
        "住宿费凭发票报销。[2]",
    ]


def test_the_titles_of_a_header_of_two_lines_are_quoted_in_one() -> None:
    header = "景点 | 旺季 |  | 淡季\n景点 | 成人 | 儿童 | 成人 | 儿童"
    tickets = evidence(1, f"{header}\n故宫 | 60 | 30 | 40 | 20\n天坛 | 15 | 8 | 10 | 5")
    quote = nearest_quote("故宫成人", (tickets,), by_words)
    titles, _, first, *_ = quote.split("\n")
    assert titles == "> | 景点 | 旺季 成人 | 旺季 儿童 | 淡季 成人 | 淡季 儿童 |"
    assert first == "> | 故宫[1] | 60 | 30 | 40 | 20 |"
    assert not any(sentence.added for sentence in check(quote, (tickets,), ("故宫成人",)))


def test_of_a_quoted_table_each_row_is_borne_out_and_its_header_says_nothing() -> None:
    held = (evidence(1, RATES),)
    checked = check(nearest_quote("一线城市的员工住宿标准是多少", held, by_words), held, ("员工住宿标准",))
    assert [(sentence.support, sentence.is_bare) for sentence in checked[:2]] == [
        (Support.UNMARKED, False),
        (Support.SUPPORTED, False),
    ]


def test_a_title_reaches_over_no_column_that_has_none_at_all() -> None:
    row = Quoted("甲公司 |  | 20 |  | 普通股", 1, lead="股东 |  | 数量 |  | 种类\n股东 |  | 总数", is_row=True)
    assert quoted_blocks([row])[0].startswith("| 股东 |  | 数量 总数 |  | 种类 |\n")


def test_what_looks_like_a_marker_in_what_is_quoted_is_none() -> None:
    said, row = "注意力由文献[2]提出，见[1, 3]。", "下标 | arr[1] | 首项 [1][3]"
    held = (evidence(1, "别的。"), evidence(2, said), evidence(3, f"名称 | 写法 | 又写\n{row}\n指针 | *p | &p"))
    prose, table = quoted_blocks([Quoted(said, 2), Quoted(row, 3, lead="名称 | 写法 | 又写", is_row=True)])
    answer = f"{prose}\n\n{table}"
    assert [sentence.numbers for sentence in check(answer, held) if sentence.numbers] == [(2,), (3,)]
    assert all(sentence.support is Support.SUPPORTED for sentence in check(answer, held) if sentence.numbers)
    shown = Tags(markdown(answer, lambda number, _: f"<{number}>")).text
    assert "注意力由文献[2]提出，见[1, 3]。" in shown
    assert "arr[1]" in shown


def test_a_cell_is_as_long_as_its_text_whatever_markers_and_their_check_stand_behind_it() -> None:
    row = "| 女性套餐[1] | 899元 |"
    answer = f"| 套餐 | 价格 |\n| --- | --- |\n{row}"
    sentence = CheckedSentence(answer.index(row), len(answer), Support.SUPPORTED, (1,))
    assert markdown(answer, lambda _number, _place: "", (sentence,)).count('<td class="short">') == 2


def test_a_note_across_a_table_is_quoted_as_a_sentence_and_not_below_titles_of_columns() -> None:
    table = "类别 | 个人荣誉 | 团队荣誉\n院级 | 3 | 2\n校级 | 4 | 3\n备注：获得多项奖时，只加最高的分。不重复加分。 |"
    assert nearest_quote("获得多项奖怎么加分", (evidence(1, table),), by_words).startswith(
        "> 备注：获得多项奖时，只加最高的分。[1]"
    )


def test_of_several_things_that_are_asked_for_all_rows_are_quoted_each_once_and_else_the_nearest() -> None:
    rows = [f"{number} | 第{number}只股票 | {number}.5%" for number in range(1, 6)]
    held = [
        evidence(1, "\n".join(["排名 | 名称 | 占比", *rows[:3]])),
        evidence(2, "\n".join(["排名 | 名称 | 占比", *rows[1:]])),
    ]
    quote = nearest_quote("占比最大的股票有哪些", held, by_words)
    assert [quote.count(f"第{number}只股票") for number in range(1, 6)] == [1] * 5
    assert nearest_quote("第2只股票占比多少", held, by_words).count("只股票") <= 2
