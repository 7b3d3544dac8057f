"""From a question to evidence: search, rerank, threshold and assembly, with an account of each."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy import update

from rag.errors import ModelUnreachable
from rag.knowledge.base import STILL_FILLING
from rag.knowledge.request import SearchRequest
from rag.knowledge.schema import chunks
from rag.language.place import named_place
from rag.rerank import Reranker
from rag.retrieval import Retrieval
from rag.retrieval.openings import IN_THE_NAMED
from rag.retrieval.reading import NO_SUCH_PAGE
from rag.retrieval.relevant import with_best_alone
from rag.settings import RerankSettings
from rag.tokens import average_estimate
from rag.types import Hit, Provider, SearchResult
from tests.knowledge import Store, search
from tests.samples import hit, ids, texts
from tests.scripted import FixedKnowledgeBase, retrieval_over

HITS = tuple(hit(number, f"第{number}段。", score=1 - number / 10) for number in range(1, 7))


class Reversing:
    """Turns the order round and holds the last hits for relevant. Remembers what it was given."""

    def __init__(self, relevant: int = 9) -> None:
        self.given: list[tuple[str, int]] = []
        self._relevant = relevant

    def rank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        self.given.append((question, len(hits)))
        return tuple(
            replace(hit, relevance=0.9 if place < self._relevant else 0.1) for place, hit in enumerate(hits[::-1])
        )


class OnlyWith:
    """Holds for relevant what has a word."""

    def __init__(self, word: str) -> None:
        self._word = word

    def rank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        found = [replace(hit, relevance=0.9 if self._word in hit.chunk.passage.text else 0.1) for hit in hits]
        return tuple(sorted(found, key=lambda hit: -(hit.relevance or 0)))


class Failing:
    """A reranker whose server does not answer."""

    def rank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        raise ModelUnreachable(base_url="http://rerank.test", model="rerank")


class Certain:
    """Is sure that the first hit answers."""

    def rank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        return tuple(replace(hit, relevance=0.9, likely=float(place == 0)) for place, hit in enumerate(hits))


def retrieval(
    reranker: Reranker | None,
    *hits: Hit,
    limit: int = 3,
    insert_block: Reranker | None = None,
    enough: float = 1.0,
    **settings: object,
) -> Retrieval:
    rules = RerankSettings.model_validate({"score_threshold": 0.5, **settings})
    request = SearchRequest(limit=limit)
    return Retrieval(
        FixedKnowledgeBase(*hits),
        request,
        rules,
        reranker,
        room=360,
        estimate=average_estimate,
        enough=enough,
        insert_block=insert_block,
    )


def test_without_a_reranker_the_order_is_that_of_the_search() -> None:
    result = retrieval(None, *HITS).find(["问"], ["me"])
    assert ids(result.hits) == [1, 2, 3]
    assert {"rerank", "assemble"} <= result.trace.seconds.keys()
    assert result.nearest == ()


def test_the_reranker_gets_the_stand_alone_question_and_more_hits_than_are_wanted() -> None:
    reranker = Reversing()
    result = retrieval(reranker, *HITS).find(["独立的问题", "那呢"], ["me"], limit=2)
    assert reranker.given == [("独立的问题", 6)]
    assert ids(result.hits) == [6, 5]


def test_the_reranker_gets_as_many_hits_as_is_set_and_no_fewer_than_are_wanted() -> None:
    reranker = Reversing()
    retrieval(reranker, *HITS, input_top_n=4).find(["问"], ["mine"])
    retrieval(reranker, *HITS, limit=5, input_top_n=1).find(["问"], ["mine"])
    assert reranker.given == [("问", 4), ("问", 5)]


def test_behind_a_relevant_hit_those_below_the_threshold_stay() -> None:
    result = retrieval(Reversing(relevant=1), *HITS).find(["问"], ["me"])
    assert (ids(result.hits), result.nearest) == ([6, 5, 4], ())


def test_where_nothing_is_relevant_the_nearest_hits_are_told_apart() -> None:
    result = retrieval(Reversing(relevant=0), *HITS).find(["问"], ["me"])
    assert (result.hits, ids(result.nearest)) == ((), [6, 5, 4])


def test_a_reranker_that_does_not_answer_is_skipped_and_the_trace_says_so() -> None:
    result = retrieval(Failing(), *HITS).find(["问"], ["me"])
    assert ids(result.hits) == [1, 2, 3]
    assert [note.key for note in result.trace.notes] == ["search.not_reranked"]


@pytest.mark.parametrize(
    ("provider", "limit", "found"),
    [
        (Provider.EMBEDDED, None, [1]),
        (Provider.OLLAMA, None, [1, 2, 3]),
        (Provider.EXTRACTIVE, None, [1, 2, 3]),
        (Provider.EMBEDDED, 2, [1, 2]),
    ],
)
def test_only_a_model_that_reads_slowly_gets_no_more_than_is_enough_unless_a_number_is_asked_for(
    provider: Provider, limit: int | None, found: list[int]
) -> None:
    result = retrieval(Certain(), *HITS, enough=0.95).find(["问"], ["me"], provider=provider, limit=limit)
    assert ids(result.hits) == found


def test_while_vectors_are_being_made_nothing_is_enough() -> None:
    searched = retrieval(Certain(), *HITS, enough=0.95)
    vars(searched.knowledge)["notes"] = (STILL_FILLING,)
    assert ids(searched.find(["问"], ["me"], provider=Provider.EMBEDDED).hits) == [1, 2, 3]


def test_of_what_only_words_found_nothing_is_enough() -> None:
    by_words = [replace(one, routes={"chunk_sparse": one.score}) for one in HITS]
    searched = retrieval(Certain(), *by_words, enough=0.95)
    assert ids(searched.find(["问"], ["me"], provider=Provider.EMBEDDED).hits) == [1, 2, 3]


def test_what_a_filter_kept_is_all_used() -> None:
    found = retrieval(Certain(), *HITS, enough=0.95, insert_block=Reversing())
    assert ids(found.find(["问"], ["me"], provider=Provider.EMBEDDED).hits) == [6, 5, 4]


def twice(number: int) -> tuple[Hit, Hit]:
    """A passage and its copy in the same file under a second name."""
    one = hit(
        number, f"第{number}条：出差期间的住宿费凭发票报销，超出标准的部分由本人承担，特殊情况须事先经负责人同意。"
    )
    chunk = replace(one.chunk, parent_id=number)
    again = replace(chunk, chunk_id=10 * number, document_id="again", document_name="员工手册 (2).pdf")
    return replace(one, chunk=chunk), replace(one, chunk=again)


@pytest.mark.parametrize("relevant", [9, 0])
def test_copies_take_no_places_of_what_is_used_or_came_nearest(relevant: int) -> None:
    hits = [one for number in (4, 3, 2, 1) for one in twice(number)]
    result = retrieval(Reversing(relevant), *hits).find(["问"], ["me"])
    assert ids(result.hits or result.nearest) == [10, 20, 30]
    passages = {item.chunk_id: item.passage for item in result.trace.candidates}
    assert passages == {10: 10, 1: 10, 20: 20, 2: 20, 30: 30, 3: None, 40: None, 4: None}


def test_a_filter_that_fails_leaves_the_order_and_the_refusal_to_the_reranker() -> None:
    refused = retrieval(Reversing(relevant=0), *HITS, insert_block=Failing()).find(["问"], ["me"])
    assert (refused.hits, ids(refused.nearest)) == ((), [6, 5, 4])
    found = retrieval(Reversing(), *HITS, insert_block=Failing()).find(["问"], ["me"])
    assert [(one.chunk.chunk_id, one.relevance) for one in found.hits] == [(6, 0.9), (5, 0.9), (4, 0.9)]
    assert [note.key for note in found.trace.notes] == ["search.not_filtered"]


def test_a_filter_judges_the_rerankers_hits_and_those_of_the_search_where_that_fails() -> None:
    block = Reversing(relevant=1)
    found = retrieval(Reversing(), *HITS, insert_block=block).find(["问"], ["me"])
    assert ids(found.hits) == [1, 2, 3]
    alone = retrieval(Failing(), *HITS).find(["问"], ["me"], insert_block=block)
    assert ids(alone.hits) == [6, 5, 4]
    assert [note.key for note in alone.trace.notes] == ["search.not_reranked"]


def test_a_filter_alone_gets_as_many_hits_as_a_reranker() -> None:
    block = Reversing()
    retrieval(None, *HITS, insert_block=block).find(["问"], ["me"], limit=1)
    assert block.given == [("问", 6)]


def test_nothing_found_asks_no_reranker() -> None:
    reranker = Reversing()
    assert retrieval(reranker).find(["问"], ["me"]).hits == ()
    assert reranker.given == []


def test_another_request_holds_from_the_next_search_on(store: Store) -> None:
    store.put("me", "手册.pdf", "年假为十天。", "病假为五天。", "婚假为三天。")
    found = Retrieval(store.knowledge, SearchRequest(), RerankSettings(), None, room=360, estimate=average_estimate)
    assert len(found.find(["假为几天"], ["me"]).hits) == 3
    found.request = SearchRequest(limit=1)
    assert len(found.find(["假为几天"], ["me"]).hits) == 1


def test_a_candidate_tells_the_terms_that_gave_most_to_its_score_by_words(store: Store) -> None:
    store.put("me", "手册.pdf", "年假为十天。", "服务器每天备份，管理员收到通知。")
    found = Retrieval(store.knowledge, SearchRequest(), RerankSettings(), None, room=360, estimate=average_estimate)
    first, *others = found.find(["年假有几天"], ["me"]).trace.candidates
    assert next(iter(first.terms)) == "年假"
    assert 0 < len(first.terms) <= 4
    assert list(first.terms.values()) == sorted(first.terms.values(), reverse=True)
    assert all("年假" not in item.terms for item in others)


def test_a_candidate_tells_what_all_terms_that_it_does_not_name_gave_together(store: Store) -> None:
    store.put("me", "手册.pdf", "入职满一年的员工享有带薪年休假十天。", "服务器每天备份，管理员收到通知。")
    found = Retrieval(store.knowledge, SearchRequest(), RerankSettings(), None, room=360, estimate=average_estimate)
    question = "入职满一年的员工享有多少天带薪年休假"
    first = found.find([question], ["me"]).trace.candidates[0]
    (score,) = [
        hit.routes["chunk_sparse"]
        for hit in search(store.knowledge, question, ["me"]).hits
        if hit.chunk.chunk_id == first.chunk_id
    ]
    assert first.other_terms > 0
    assert sum(first.terms.values()) + first.other_terms == pytest.approx(score, abs=0.02)


def placed(store: Store, reranker: Reranker | None = None) -> Retrieval:
    """A retrieval that reads where a question points to; its reranker holds nothing for relevant."""
    rules = RerankSettings(score_threshold=0.5)
    room, estimate, order = 360, average_estimate, store.order
    reranker = reranker or Reversing(relevant=0)
    return Retrieval(store.knowledge, SearchRequest(), rules, reranker, room=room, estimate=estimate, order=order)


def find(retrieval: Retrieval, question: str) -> SearchResult:
    """What a question finds at the place that it names."""
    return retrieval.find([question], ["me"], place=named_place(question))


def test_what_names_a_page_is_read_there_whatever_is_relevant(store: Store) -> None:
    store.put("me", "手册.pdf", "年假为十天。", "病假为五天。", "婚假为三天。")
    found = find(placed(store), "第2页讲了什么？")
    assert texts(found.hits) == ["病假为五天。"]
    assert found.hits[0].relevance is None
    assert [note.key for note in found.trace.notes] == ["search.in_place"]


def test_what_is_read_is_no_more_than_somebody_has_asked_for(store: Store) -> None:
    pages = [f"{number}月的销售额另见附表，并由财务部门在次月核对。" for number in range(1, 9)]
    store.put("me", "月报.pdf", *pages)
    own, question = placed(store), "第2页到第7页讲了什么？"
    assert texts(find(own, question).hits) == pages[1:7]
    asked = own.find([question], ["me"], limit=3, place=named_place(question))
    assert texts(asked.hits) == pages[1:4]
    assert asked.prompt == "read"


def test_what_is_asked_of_a_page_is_searched_for_on_it(store: Store) -> None:
    store.put("me", "手册.pdf", "年假为十天。", "年假要提前申请。病假为五天。", "婚假为三天。")
    own = placed(store)
    assert [hit.chunk.passage.page for hit in find(own, "第2页的年假是多少").hits] == [2]
    everything = retrieval_over(store.knowledge, order=store.order)
    found = find(everything, "第2页的年假是多少")
    assert [hit.chunk.passage.page for hit in found.hits] == [2] and found.trace.routes


def test_what_something_is_to_be_written_from_is_what_it_names_or_all_of_the_document(store: Store) -> None:
    store.put("me", "员工手册.pdf", "年假为十天。", "病假为五天。")
    own = placed(store, OnlyWith("年假"))
    whole, part = find(own, "写三个面试问题"), find(own, "出三道关于年假的判断题")
    assert texts(whole.hits) == ["年假为十天。", "病假为五天。"] and not whole.trace.routes
    assert part.hits[0].chunk.passage.text == "年假为十天。" and part.trace.routes
    assert whole.prompt == part.prompt == "write"
    # What no passage is about is written from the whole document all the same.
    assert find(placed(store, OnlyWith("婚假")), "写一封给客户经理的感谢信").prompt == "write"


def test_what_is_read_names_the_prompt_that_has_it_told(store: Store) -> None:
    store.put("me", "员工手册.pdf", "年假为十天。", "病假为五天。")
    own = placed(store, OnlyWith("病假"))
    assert find(own, "第2页讲了什么？").prompt == "read"
    assert find(own, "员工手册第2页讲了什么？").prompt == "read"
    assert find(own, "What is on page 2?").prompt == "read_briefly"
    assert find(own, "这份手册有哪些章节？").prompt == "outline"
    assert find(own, "第2页的病假是几天？").prompt == "question"
    # Nothing on the page answers: it is read, and asked about.
    assert find(own, "第1页提到婚假了吗？").prompt == "question"


def test_a_long_chapter_is_searched_through_to_its_end_and_no_further(store: Store) -> None:
    store.put(
        "me", "制度.pdf", *(f"第{number}条 一般规定。" for number in range(40)), "定金不退。", "定金在附则里另有规定。"
    )
    with store.catalog.engine.begin() as connection:
        of_chapter = update(chunks).where(chunks.c.page <= 41)
        connection.execute(of_chapter.values(heading_path='["第三章 付款"]'))
    found = find(placed(store, OnlyWith("定金")), "第三章有没有提到定金？")
    assert found.hits[0].chunk.passage.page == 41 and all(hit.chunk.passage.page < 42 for hit in found.hits)


def test_without_a_place_nothing_is_read_in_place(store: Store) -> None:
    store.put("me", "手册.pdf", "年假为十天。", "病假为五天。")
    assert not placed(store).find(["第2页讲了什么？"], ["me"]).hits


def test_what_a_page_is_only_named_beside_is_searched_for_elsewhere_too(store: Store) -> None:
    store.put("me", "合同.pdf", "合同期为三年。", "合同最后一页要盖章。", "甲方代表签字处。")
    found = find(placed(store, OnlyWith("盖章")), "合同最后一页要盖章吗")
    assert found.hits[0].chunk.passage.page == 2 and found.trace.routes


def test_what_is_counted_may_be_a_thing_that_is_told_elsewhere(store: Store) -> None:
    store.put("me", "附注.pdf", "一、总则", "第一部分养老保险由单位缴纳。")
    with store.catalog.engine.begin() as connection:
        connection.execute(update(chunks).where(chunks.c.page == 1).values(heading_path='["一、总则"]'))
    own = placed(store, OnlyWith("养老"))
    assert find(own, "第一部分养老保险怎么缴").hits[0].chunk.passage.page == 2
    assert find(own, "第一章的养老保险怎么缴").hits[0].chunk.passage.page == 1


def test_where_no_document_has_the_place_the_question_is_searched_for(store: Store) -> None:
    store.put("me", "手册.pdf", "年假为十天。")
    found = find(placed(store), "第九章讲了什么？")
    assert not found.hits and found.nearest
    assert find(placed(store), "第9页的年假有几天？").nearest


def test_for_a_page_that_there_is_not_nothing_is_found_and_that_is_said(store: Store) -> None:
    store.put("me", "手册.pdf", "年假为十天。")
    found = find(placed(store), "第9页讲了什么？")
    assert not found.hits and not found.nearest
    assert found.trace.notes == (NO_SUCH_PAGE,)


def test_what_a_document_is_asked_by_name_is_found_in_it_and_the_trace_says_so(store: Store) -> None:
    store.put("me", "员工手册.pdf", "第一章 总则", "年假的天数为十天。")
    store.put("me", "旧规定.pdf", "第一章 旧规定", "年假的天数为五天。")
    reranker = Reversing()
    found = find(placed(store, reranker), "《员工手册》中，年假有几天？")
    assert {hit.chunk.document_name for hit in found.hits} == {"员工手册.pdf"}
    assert found.trace.notes == (IN_THE_NAMED,)
    assert [question for question, _ in reranker.given] == ["年假有几天？"]


def test_what_the_document_that_is_asked_does_not_have_is_searched_for_everywhere(store: Store) -> None:
    store.put("me", "员工手册.pdf", "第一章 总则", "年假的天数为十天。")
    store.put("me", "差旅规定.pdf", "第一章 旅费", "住宿费每天三百元。")
    found = find(placed(store, OnlyWith("住宿费")), "《员工手册》中，住宿费是多少？")
    assert found.hits[0].chunk.document_name == "差旅规定.pdf"
    assert IN_THE_NAMED not in found.trace.notes


def test_what_a_follow_ups_own_words_find_best_in_the_same_document_is_taken_too() -> None:
    def found(chunk_id: int, document: str) -> Hit:
        one = hit(chunk_id)
        return replace(one, chunk=replace(one.chunk, document_id=document))

    first, own, other = found(1, "a"), found(2, "a"), found(3, "b")
    assert with_best_alone([first], [first, own, other], {3: 0.9, 2: 0.6, 1: 0.1}) == (first, own)
    assert with_best_alone([first, own], [first, own], {2: 0.6}) == (first, own)
    assert with_best_alone([first], [first, own], {1: 0.9, 2: 0.6}) == (first,)
    assert with_best_alone([first], [first, own], {2: 0.3}) == (first,)
    assert with_best_alone([], [], {2: 0.9}) == ()


def test_a_search_brings_what_answers_the_follow_ups_own_words_behind_its_first_hit() -> None:
    retrieval = retrieval_over(FixedKnowledgeBase(*HITS), reranker=OnlyWith("段"))
    asked = ("投标保证金什么时候开标", "什么时候开标")
    found = retrieval.find(asked, ("mine",), limit=2, alone={5: 0.6, 1: 0.2})
    assert ids(found.hits)[:2] == [ids(retrieval.find(asked, ("mine",), limit=2).hits)[0], 5]
