"""What is asked of one version of a document is searched for in that alone."""

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from rag.knowledge.base import SHARED_COLLECTION
from rag.rerank.features import FeatureReranker
from rag.retrieval.query import Query
from rag.retrieval.versions import OTHER_VERSIONS, version_asked
from rag.types import Message, SearchResult
from tests.knowledge import TOKENIZER, Store
from tests.scripted import retrieval_over

FILES = ("差旅制度-2023版.pdf", "差旅制度-2025版.pdf", "接口说明V1.9.pdf", "接口说明V1.10.pdf", "2024年报.pdf")


def _asked(store: Store, *questions: str) -> tuple[list[str], tuple[str, ...]]:
    """The files that a question is put to, and the question without that."""
    names = {store.put("me", name, f"{name}的正文。").document_id: name for name in FILES}
    found = version_asked(store.order, Query(questions, ["me"]))
    if found is None:
        return [], ()
    return sorted(names[document_id] for document_id in found.scope.document_ids or ()), tuple(found.phrasings)


@pytest.mark.parametrize(
    ("question", "files", "left"),
    [
        ("普通员工在2023版住宿标准是多少？", ["差旅制度-2023版.pdf"], "普通员工住宿标准是多少?"),
        ("2025年版的餐补多少", ["差旅制度-2025版.pdf"], "餐补多少"),
        ("按新制度餐补多少", ["差旅制度-2025版.pdf", "接口说明V1.10.pdf"], "餐补多少"),
        ("旧版的餐补多少", ["差旅制度-2023版.pdf", "接口说明V1.9.pdf"], "餐补多少"),
        ("V1.9里限流是多少", ["接口说明V1.9.pdf"], "限流是多少"),
    ],
)
def test_a_question_for_a_version_is_put_to_it_without_saying_so(
    question: str, files: list[str], left: str, store: Store
) -> None:
    assert _asked(store, question) == (files, (left,))


@pytest.mark.parametrize(
    "question",
    [
        "餐补多少",
        "2023版还有效吗",  # another version says so
        "2023版和2025版的餐补各是多少",
        "2024版的营业收入是多少",  # there is no such version
        "2023年的餐补多少",  # a year is when something was so
        "2023版呢",
    ],
)
def test_any_other_question_is_put_to_all_documents(question: str, store: Store) -> None:
    assert _asked(store, question) == ([], ())


def test_of_two_versions_the_one_that_the_follow_up_itself_names_counts(store: Store) -> None:
    files, left = _asked(store, "2023版餐补多少 2025版呢", "2025版呢")
    assert files == ["差旅制度-2025版.pdf"]
    assert left[0] == "餐补多少 呢"


def test_what_everybody_is_shown_is_no_version_of_a_readers_own_document(store: Store) -> None:
    store.put("me", "差旅制度-2023版.pdf", "餐补每天一百元。")
    store.put(SHARED_COLLECTION, "差旅制度-2025版.pdf", "餐补每天二百元。")
    assert version_asked(store.order, Query(["按新制度餐补多少"], ["me", SHARED_COLLECTION])) is None


def _found(store: Store, question: str, *, texts: Mapping[str, str] = MappingProxyType({})) -> SearchResult:
    """What a question finds in the files, some of which may say something else."""
    for name in FILES:
        told = f"{name}的{'餐补每天一百元' if name[0] == '差' else '限流另见附表'}。"
        store.put("me", name, texts.get(name, told))
    ranked = FeatureReranker(TOKENIZER.words)
    retrieval = retrieval_over(store.knowledge, reranker=ranked, order=store.order)
    return retrieval.find([question], ["me"])


def _told(store: Store, question: str) -> tuple[Message, ...]:
    return tuple(note for note in _found(store, question).trace.notes if note.key == OTHER_VERSIONS)


def _files(found: SearchResult) -> list[str]:
    """The versions that what was found is from, the best first."""
    return [hit.chunk.document_name for hit in found.hits if hit.chunk.document_name.startswith("差旅")]


def test_of_a_document_with_other_versions_these_are_told_where_none_is_asked_for(store: Store) -> None:
    assert _told(store, "差旅餐补多少") == (Message(OTHER_VERSIONS, {"names": "“差旅制度-2025版”“差旅制度-2023版”"}),)


@pytest.mark.parametrize(
    "question", ["2023版差旅餐补多少", "旧版差旅餐补多少", "2023年差旅餐补多少", "差旅餐补有什么变化", "2024的餐补"]
)
def test_where_a_question_tells_a_version_or_is_about_them_no_others_are_told(question: str, store: Store) -> None:
    assert _told(store, question) == ()


@pytest.mark.parametrize("question", ["差旅餐补多少", "差旅餐补每天多少元"])
def test_of_several_versions_the_newest_answers_where_none_is_asked_for(question: str, store: Store) -> None:
    assert _files(_found(store, question)) == ["差旅制度-2025版.pdf"]


def test_an_older_version_answers_what_the_newest_does_not_tell(store: Store) -> None:
    texts = {"差旅制度-2025版.pdf": "住宿标准为每晚五百元。"}
    assert _files(_found(store, "差旅餐补多少", texts=texts))[0] == "差旅制度-2023版.pdf"


def test_an_older_version_answers_though_another_document_comes_near(store: Store) -> None:
    texts = {"差旅制度-2025版.pdf": "住宿标准为每晚五百元。", "2024年报.pdf": "差旅餐补支出见附表。"}
    assert _files(_found(store, "差旅餐补每天多少元", texts=texts))[0] == "差旅制度-2023版.pdf"


def test_where_nobody_judges_what_was_found_all_versions_answer(store: Store) -> None:
    for name, told in {"差旅制度-2023版.pdf": "差旅餐补每天一百元。", "差旅制度-2025版.pdf": "差旅住宿另定。"}.items():
        store.put("me", name, told)
    found = retrieval_over(store.knowledge, order=store.order).find(["差旅餐补多少"], ["me"])
    assert set(_files(found)) == {"差旅制度-2023版.pdf", "差旅制度-2025版.pdf"}


def test_a_year_and_a_number_do_not_tell_which_version_is_newer(store: Store) -> None:
    for name in ("休假制度V3.0.pdf", "休假制度2019版.pdf"):
        store.put("me", name, f"{name}的年假十天。")
    assert version_asked(store.order, Query(["旧版的年假多少天"], ["me"])) is None


@pytest.mark.parametrize(
    "question",
    [
        "差旅餐补有什么变化",
        "差旅餐补历年是多少",
        "差旅餐补哪年最高",
        "差旅餐补连续三年是多少",
        "差旅餐补最高的年份",
        "上一年差旅餐补多少",
        "二〇二三年差旅餐补多少",
    ],
)
def test_what_is_asked_of_several_versions_is_found_in_all_of_them(question: str, store: Store) -> None:
    assert {"差旅制度-2023版.pdf", "差旅制度-2025版.pdf"} <= set(_files(_found(store, question)))
