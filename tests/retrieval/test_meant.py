"""Which documents are read where a question names a place in them: five files of four kinds."""

from dataclasses import replace
from pathlib import Path

import pytest

from rag.knowledge.base import SHARED_COLLECTION
from rag.language.place import named_place
from rag.language.whole_document import points_to_document
from rag.retrieval.meant import called
from rag.retrieval.query import Query
from rag.retrieval.reading import asks_for_more, read
from tests.knowledge import Store, open_store

LAW, OWN, LEASE = "劳动合同法.pdf", "李四的合同.pdf", "房屋租赁合同.pdf"
HUAWEI, ZTE = "华为2023年年报.pdf", "中兴2023年年度报告.pdf"
FILES = {
    LAW: ("劳动合同法 第一条 为了完善劳动合同制度。", "第二条 用人单位应当依法订立合同。"),
    OWN: ("甲方：乙公司。乙方：李四。", "李四的月工资为八千元。"),
    LEASE: ("甲方出租房屋一套给乙方。", "月租金为三千元。"),
    HUAWEI: ("华为投资控股有限公司", "营业收入为七千亿元。"),
    ZTE: ("中兴通讯股份有限公司", "营业收入为一千亿元。"),
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """The files, the last of them the newest."""
    store = open_store(tmp_path)
    for name, pages in FILES.items():
        store.put("me", name, *pages, embed=False)
    return store


def read_of(store: Store, question: str, spoken_of: str = "") -> set[str]:
    """The names of the documents that are read, after an answer from one of them."""
    place = named_place(question, alone=not spoken_of)
    assert place
    collections = ["me", SHARED_COLLECTION]
    known = store.order.documents(collections)
    of_talk = [document.document_id for document in known if document.name == spoken_of]
    found = read(store.order, replace(place, spoken_of=of_talk[0] if of_talk else None), Query((), collections))
    return {chunk.document_name for chunk in found.chunks}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("李四的合同第2页讲了什么？", {OWN}),
        ("劳动合同法第2页讲了什么？", {LAW}),
        ("合同第2页讲了什么？", {LAW, OWN, LEASE}),
        ("张三的合同第2页讲了什么？", {LAW, OWN, LEASE}),
        ("李四和王五的租赁合同第2页讲了什么？", {OWN, LEASE}),
        ("华为的合同第2页讲了什么？", {HUAWEI, LAW, OWN, LEASE}),
    ],
)
def test_a_document_with_part_of_a_name_gives_way_to_one_that_has_all_of_that_and_more(
    store: Store, question: str, names: set[str]
) -> None:
    assert read_of(store, question) == names


def test_the_name_in_an_earlier_question_is_weighed_alike(store: Store) -> None:
    before = named_place("李四的合同第1页讲了什么？")
    place = named_place("第2页讲了什么？")
    assert before and place
    known = store.order.documents(["me"])
    assert [one.name for one in called(known, replace(place, formerly=before.about))] == [OWN]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("这份租赁合同的主要内容是什么？", {LEASE}),
        ("这份租赁合同第2页讲了什么？", {LEASE}),
        ("那中兴年报主要讲了什么？", {ZTE}),
        ("这份年报主要讲了什么？", {HUAWEI, ZTE}),
        ("这份报告主要讲了什么？", {HUAWEI, ZTE}),
        ("这两份年度报告分别讲了什么？", {HUAWEI, ZTE}),
        ("这份合同主要讲了什么？", {LAW, OWN, LEASE}),
        # No file is called so: it may be any.
        ("这份采购合同的主要内容是什么？", set(FILES)),
        ("这份扫描文档主要讲了什么？", set(FILES)),
        ("这份文件主要讲了什么？", set(FILES)),
        ("这三份文件分别讲了什么？", set(FILES)),
        ("那这份文件主要讲了什么？", set(FILES)),
        ("上传的这份租赁合同主要讲了什么？", {LEASE}),
        # It may be a plan that a document tells of.
        ("第2页里这个合同的期限是什么？", set(FILES)),
        ("What is this document about?", set(FILES)),
    ],
)
def test_what_a_question_says_of_the_document_that_it_points_to_chooses_it(
    store: Store, question: str, names: set[str]
) -> None:
    assert read_of(store, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("这份年报主要讲了什么？", {HUAWEI}),
        ("这份年度报告的主要内容是什么？", {HUAWEI}),
        ("这份报告第2页讲了什么？", {HUAWEI}),
        # It was talked of another.
        ("这份租赁合同主要讲了什么？", {LEASE}),
        ("这份租赁合同第2页讲了什么？", {LEASE}),
        ("这份合同主要讲了什么？", {LAW, OWN, LEASE}),
        ("这份中兴年报主要讲了什么？", {ZTE}),
        ("该公司年报第2页讲了什么？", {HUAWEI}),
        # No file is called so.
        ("这份扫描报告第2页讲了什么？", {HUAWEI}),
        ("这份手册主要讲了什么？", {HUAWEI}),
        ("这份采购合同主要讲了什么？", set(FILES)),
        ("这份文件主要讲了什么？", set(FILES)),
    ],
)
def test_behind_an_answer_the_document_that_it_is_from_is_meant_if_it_can_be_called_so(
    store: Store, question: str, names: set[str]
) -> None:
    assert read_of(store, question, HUAWEI) == names


def test_the_shared_guide_is_not_meant_by_its_kind_beside_own_files(store: Store) -> None:
    store.put(SHARED_COLLECTION, "使用指南.md", "先上传文件。", "再提问。", embed=False)
    assert read_of(store, "这份指南主要讲了什么？") == set(FILES)


def test_what_a_document_is_pointed_to_by_is_nothing_that_is_asked_there(store: Store) -> None:
    for question, more in (("这份租赁合同第2页讲了什么？", False), ("这份租赁合同第1页的甲方是谁？", True)):
        place = named_place(question)
        assert place and asks_for_more(place, read(store.order, place, Query((), ["me"])).names) is more


@pytest.mark.parametrize("question", ["这两份年报分别讲了什么？", "这3份合同讲了什么", "这几份文件", "这些报告"])
def test_several_documents_are_not_one_that_is_pointed_to(question: str) -> None:
    assert not points_to_document(question)


@pytest.mark.parametrize("question", ["这份三方协议讲了什么？", "该三方协议讲了什么？", "这一份年报"])
def test_a_number_in_what_a_document_is_called_is_no_count_of_them(question: str) -> None:
    assert points_to_document(question)
