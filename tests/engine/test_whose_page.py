"""A conversation over six files: of which of them pages are read, and what tells of the whole."""

from collections.abc import Callable

import pytest

from tests.engine.rig import SEARCHES, Build, model, over_files, talk
from tests.knowledge import Store
from tests.scripted import retrieval_over

Hold = Callable[..., list[set[str]]]
ANSWER = "是七千亿元[1]。"
FILES = {
    "中兴2023年年报.pdf": ("中兴通讯股份有限公司\n2023 年年度报告", "项目 | 本期\n营业收入 | 1,242 亿元"),
    "华为2023年年报.pdf": ("华为投资控股有限公司\n2023 年年度报告", "项目 | 本期\n营业收入 | 7,042 亿元"),
    "房屋租赁合同.pdf": ("出租人与承租人订立本合同。", "月租金为三千元。"),
    "张三的合同.pdf": ("甲方与张三订立本合同。", "张三的月工资为九千元。"),
    "李四的合同.pdf": ("甲方与李四订立本合同。", "李四的月工资为八千元。"),
    "劳动合同法.pdf": ("第一条 为了完善劳动合同制度，制定本法。", "第二条 用人单位应当订立合同。"),
}


@pytest.fixture
def hold(build: Build, store: Store) -> Hold:
    """Holds a conversation; gives of each turn the files that its evidence is from."""
    for name, pages in FILES.items():
        store.put("me", name, *pages)

    def files(*questions: str) -> list[set[str]]:
        turns = talk(over_files(build, store, *[ANSWER] * len(questions)), *questions)
        return [{item.document_name for item in turn.sources} for turn in turns]

    return files


def test_a_page_is_read_of_the_document_that_has_most_of_the_name(hold: Hold) -> None:
    assert hold("李四的合同第2页讲了什么？") == [{"李四的合同.pdf"}]


def test_a_page_that_was_read_stands_before_the_next_question_as_it_was_read(build: Build, store: Store) -> None:
    store.put("me", "李四的合同.pdf", *FILES["李四的合同.pdf"])
    scripted = model([ANSWER], [ANSWER])
    engine = build(scripted, retrieval=retrieval_over(store.knowledge, order=store.order), decider=SEARCHES)
    assert engine.ask("合同的第2页讲了什么？", "me").place_read
    engine.ask("合同由谁订立？", "me")
    read, then = scripted.calls
    assert [message.content for message in then[: len(read)]] == [message.content for message in read]


def test_of_a_document_that_is_pointed_to_its_kind_tells_which_it_is(hold: Hold) -> None:
    assert hold("这份租赁合同的主要内容是什么？") == [{"房屋租赁合同.pdf"}]


def test_a_report_is_that_of_the_talk_and_so_are_its_pages(hold: Hold) -> None:
    first, *others = hold("华为的营业收入是多少？", "这份年报主要讲了什么？", "第2页讲了什么？", "第1页呢？")
    assert "华为2023年年报.pdf" in first
    assert others == [{"华为2023年年报.pdf"}] * 3


def test_behind_an_answer_from_a_report_a_contract_is_none_of_it(hold: Hold) -> None:
    _, lease, page = hold("华为的营业收入是多少？", "这份租赁合同主要讲了什么？", "第2页讲了什么？")
    assert lease == page == {"房屋租赁合同.pdf"}


def test_a_page_of_another_document_that_a_question_turns_to_is_none_of_the_one_before(hold: Hold) -> None:
    own, lease, same, page = hold(
        "李四的合同第1页讲了什么？", "那租赁合同的第2页呢？", "那租赁合同第1页讲了什么？", "第2页呢？"
    )
    assert own == {"李四的合同.pdf"}
    assert lease == same == page == {"房屋租赁合同.pdf"}


def test_what_a_document_says_of_itself_is_asked_of_the_one_of_the_talk(build: Build, store: Store) -> None:
    for name, pages in FILES.items():
        store.put("me", name, *pages)
    engine = over_files(build, store, *[ANSWER] * 3)
    asked, author, pay = talk(engine, "张三的月工资是多少？", "作者是谁？", "它什么时候发？")
    assert asked.sources and {item.document_name for item in author.sources} == {"张三的合同.pdf"}
    assert [item.text for item in author.sources] == list(FILES["张三的合同.pdf"])
    assert author.generated_question == "作者是谁？"
    assert "作者" not in pay.generated_question and "工资" in pay.generated_question
