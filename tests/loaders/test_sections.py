import pytest

from loaders.outline import complete_outline
from loaders.sections import split_document
from rag.types import LoadedDocument, Page, PageHealth, Passage
from tests.waiting import within_cpu_seconds

RULES = """公司车辆管理办法
第一章 总则
第一条 为加强车辆管理，提高使用效率，制定本办法。
第二条 本办法适用于公司所有公务用车。
第三条 车辆由行政部统一管理。
第二章 用车申请
第四条 用车须提前一天填写申请单。
第五条 申请单由部门负责人审批。"""


def split(*pages: str) -> list[Passage]:
    made = tuple(Page(number, str(number), text, PageHealth.TEXT) for number, text in enumerate(pages, start=1))
    whole = LoadedDocument(made, complete_outline((), made))
    return [child for section in split_document(whole, 200, 40, 800) for child in section.children]


def test_a_chapter_begins_a_passage_with_its_heading_however_short_the_last_articles_are() -> None:
    assert [passage.text for passage in split(RULES)][1:] == [
        "第二条 本办法适用于公司所有公务用车。\n第三条 车辆由行政部统一管理。",
        "第二章 用车申请\n第四条 用车须提前一天填写申请单。\n第五条 申请单由部门负责人审批。",
    ]


def test_short_articles_that_share_a_passage_stand_under_their_chapter_and_one_that_fills_it_under_its_own() -> None:
    assert [passage.heading_path for passage in split(RULES)] == [
        ("第一章 总则", "第一条"),
        ("第一章 总则",),
        ("第二章 用车申请",),
    ]


def test_what_stands_above_the_first_heading_takes_no_heading_from_what_follows() -> None:
    (passage,) = split("考勤制度\n第一章 总则\n第一条 为规范考勤，制定本制度。\n第二条 本制度适用于全体。")
    assert passage.heading_path == ("第一章 总则",)


def test_a_heading_that_is_long_enough_for_a_passage_still_waits_for_its_text() -> None:
    heading = "五、公司对会计政策、会计估计变更或者重大会计差错更正的具体原因及其影响所作的说明"
    above = "四、其他\n本项不适用，详见后文的说明，此处不再一一重复列示，也不另行披露其他的有关事项。"
    below = f"（一）会计政策变更\n{'企业会计准则要求于年初执行新的收入准则。' * 3}"
    assert len(heading) >= 40
    assert [passage.text for passage in split(f"{above}\n{heading}\n{below}")] == [above, f"{heading}\n{below}"]


def test_a_heading_at_the_foot_of_a_page_stands_with_its_text_on_the_next() -> None:
    first, second = split(f"一、概述\n{'这是概述的一句话。' * 6}\n二、方法", f"{'这是方法的一句话。' * 6}")
    assert (first.text[:4], second.text[:4], second.page) == ("一、概述", "二、方法", 2)
    assert second.heading_path == ("二、方法",)


def test_headings_without_any_text_are_one_passage() -> None:
    (passage,) = split("第一章 总则\n第二章 申请\n第三章 附则")
    assert passage.text == "第一章 总则\n第二章 申请\n第三章 附则"
    assert passage.heading_path == ()


def test_a_passage_begins_with_an_article_whose_number_has_blanks_or_is_traditional() -> None:
    body = "本條規定了事項的辦理期限與責任人，逾期按照有關辦法處理，並且記入檔案。" * 2
    for number in ("第 {} 条", "第{}條"):
        articles = [f"{number.format(index)}{body}" for index in range(1, 5)]
        assert [passage.text.split("\n") for passage in split("\n".join(articles))] == [articles[:2], articles[2:]]


def test_rows_that_a_page_break_parts_from_their_first_cell_know_it() -> None:
    rows = [f"市场部 | 员工{number} | 5,{number}00" for number in range(10, 20)]
    rest = [f"| 员工{number} | 6,{number}00" for number in range(20, 30)]
    header = "部门 | 姓名 | 工资"
    other = "财务部 | 员工30 | 7,000"
    found = split("\n".join([header, *rows]), "\n".join([*rest, other]))
    assert [passage.context for passage in found if passage.text.startswith("| ")] == [f"{header}\n市场部"]
    alone = split("\n".join([header, *rows, "表格到此为止，以下是另一张表。"]), "\n".join([*rest, other]))
    assert [passage.context for passage in alone if passage.text.startswith("| ")] == [""]
    empty = split("\n".join([header, *rest, *rest, *rest]))
    assert {passage.context for passage in empty[1:]} == {header}


def test_a_row_of_very_many_cells_is_split_in_no_time_and_each_passage_of_it_knows_its_first_cell() -> None:
    row = " | ".join(["编号", *map(str, range(40_000))])
    with within_cpu_seconds(3):
        _, *rest = split(row)
    assert {passage.context for passage in rest} == {"编号"}


@pytest.mark.parametrize(("question", "answer"), [("问：", "答："), ("Q{}: ", "A{}: "), ("问{}：", "答{}：")])
def test_an_answer_stands_with_its_question(question: str, answer: str) -> None:
    asked = "在非工作日发起的大额转账申请，系统一般会在什么时候完成最后的入账处理，要等多久？"
    told = "将在下一个工作日的上午九点以后统一入账，届时会有短信通知。"
    pairs = [f"{question.format(number)}{asked}\n{answer.format(number)}{told}" for number in range(1, 6)]
    passages = split("\n".join(pairs))
    assert [passage.text for passage in passages] == ["\n".join(pairs[first : first + 2]) for first in (0, 2, 4)]


@pytest.mark.parametrize(
    "asked", ["怎么办理补卡？", "我的卡在外地出差时丢了，同事能不能拿着我的身份证替我办理挂失和补卡？需要带哪些材料？"]
)
def test_a_question_without_a_mark_is_never_parted_from_its_answer(asked: str) -> None:
    told = "可以，请在工作日到任一门店的服务台办理，当场领取新卡。补卡收取工本费五元，原卡积分保留，两天以后可以查到。"
    passages = split("\n".join(f"{number}号窗口：{asked}\n{told[number:]}" for number in range(1, 12)))
    assert len(passages) > 2
    assert not any(passage.text.endswith("？") for passage in passages)
    pairs = [f"{asked}\n{told[number : number + 9]}" for number in range(1, 12)]
    assert all(any(pair in passage.text for passage in passages) for pair in pairs)


def test_what_is_asked_next_is_not_the_answer_to_a_question() -> None:
    asked = [f"{number}. 第{number}类材料应当由谁在什么时候提交到哪个窗口？" for number in range(1, 21)]
    begun = [passage.text.split("\n")[0] for passage in split("\n".join(asked))]
    assert begun == asked[: len(begun) * 4 : 4]


@pytest.mark.parametrize("rest", ["（4）利用房屋从事违法活动的", "以上各项，以书面通知为准。", "违约金 | 一个月租金"])
def test_the_rest_of_a_section_behind_a_page_break_stays_with_it(rest: str) -> None:
    article = "第四条 有下列情形之一的，甲方可以解除本合同：\n（一）擅自将房屋转租给第三人使用的；\n（二）损坏房屋的；"
    following = "第五条 乙方可以在租赁期内提前解除合同，但应当提前三十日以书面形式通知甲方，押金照退。"
    kept, parted = split(article, f"{rest}\n{following}")
    assert (kept.heading_path, kept.text, kept.last_page) == (("第四条",), f"{article}\n{rest}", 2)
    assert (parted.heading_path, parted.text, parted.page) == (("第五条",), following, 2)


@pytest.mark.parametrize("title", ["车辆管理办法", "各部门："])
def test_a_title_above_the_first_heading_of_a_page_is_no_rest_of_what_stands_before(title: str) -> None:
    article = "第四条 有下列情形之一的，甲方可以解除本合同：\n（一）擅自将房屋转租给第三人使用的；\n（二）损坏房屋的；"
    following = "第一条 为了加强车辆管理，提高使用效率，制定本办法，请各部门遵照执行。"
    assert [passage.text for passage in split(article, f"{title}\n{following}")] == [article, f"{title}\n{following}"]
