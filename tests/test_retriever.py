from rag.retriever import KnowledgeBaseRetriever
from rag.types import LoadedDocument, Page, PageHealth, Passage, Section
from tests.knowledge import Store
from tests.scripted import retrieval_over


def test_a_hit_becomes_a_document_with_its_place(store: Store) -> None:
    store.put("me", "手册.pdf", "员工每年有十天年假。", "病假需要医院证明。", "差旅费三十天内报销。")
    retriever = KnowledgeBaseRetriever(retrieval=retrieval_over(store.knowledge), collections=("me",), k=1)
    (document,) = retriever.invoke("病假证明")
    assert document.page_content == "病假需要医院证明。"
    score = document.metadata.pop("score")
    assert 0 < score <= 1
    assert document.metadata == {"source": "手册.pdf", "page": 2, "page_label": "2", "heading_path": []}


def test_of_a_table_that_goes_on_a_document_has_the_header_too(store: Store) -> None:
    page = Page(1, "1", "管理费用 | 1,234 | 1,100", PageHealth.TEXT)
    rows = Passage(page.text, 0, len(page.text), 1, 1, "1", (), context="项目 | 本期 | 上期")
    registered = store.catalog.register("me", "年报.pdf", "年报", len(page.text))
    store.knowledge.add(registered.document_id, (Section(rows, (rows,)),), LoadedDocument((page,)))
    retriever = KnowledgeBaseRetriever(retrieval=retrieval_over(store.knowledge), collections=("me",))
    (document,) = retriever.invoke("管理费用是多少？")
    assert document.page_content == "项目 | 本期 | 上期\n管理费用 | 1,234 | 1,100"


def test_it_gives_no_more_than_k_where_a_question_names_pages_to_be_read(store: Store) -> None:
    store.put("me", "手册.pdf", *(f"{number}月的销售额另见附表。" for number in range(1, 9)))
    retrieval = retrieval_over(store.knowledge, order=store.order)
    retriever = KnowledgeBaseRetriever(retrieval=retrieval, collections=("me",))
    assert len(retriever.invoke("第2页到第7页讲了什么？")) == 6
    assert len(retriever.invoke("第2页到第7页讲了什么？", k=3)) == 3
    assert len(KnowledgeBaseRetriever(retrieval=retrieval, collections=("me",), k=2).invoke("前4页讲了什么？")) == 2


def test_only_its_collections_are_searched(store: Store) -> None:
    store.put("you", "手册.pdf", "员工每年有十天年假。")
    assert KnowledgeBaseRetriever(retrieval=retrieval_over(store.knowledge), collections=("me",)).invoke("年假") == []
