"""What a turn's events leave for those who want to see how its answer came about."""

from dataclasses import replace

from rag import events, trace
from rag.i18n import Language, sentence
from rag.retrieval.candidates import candidates_of
from rag.retrieval.reading import IN_PLACE
from rag.types import Budget, Decision, Message, RouteTrace, SearchResult, SearchTrace, Span, TurnTrace
from tests.samples import evidence, hit

BUDGET = Budget(4096, 100, 0, 0, 0, 300, 20, 512)
SEARCH = SearchTrace(
    routes=(RouteTrace("chunk_dense", ((1, 0.9), (2, 0.8)), 0.25), RouteTrace("chunk_sparse", ((2, 7.0),), 0.125)),
    notes=(Message("search.words_only"),),
    seconds={"embed": 0.5, "fuse": 0.0, "search": 1.0, "rerank": 0.25, "assemble": 0.125},
)


def folded(*happened: tuple[events.TurnEvent, float]) -> TurnTrace:
    result = TurnTrace()
    for event, now in happened:
        result = trace.fold(result, event, now)
    return result


def test_every_step_stands_where_it_was_between_the_question_and_the_end() -> None:
    told = folded(
        (events.Decided(Decision.RETRIEVE, Message("decision.first_question"), 0.9, 0.5), 1.0),
        (events.Retrieved((evidence(1),), 1.5, SEARCH), 3.0),
        (events.Budgeted(BUDGET, ()), 3.25),
        (events.Reading(10, 10), 3.5),
        (events.Thinking("想"), 4.0),
        (events.Thinking("完"), 4.5),
        (events.Token("答"), 5.0),
        (events.Token("案"), 6.0),
    )
    assert told.spans == (
        Span("decide", 0.5, 1.0),
        Span("embed", 1.5, 2.0),
        Span("chunk_dense", 2.0, 2.25),
        Span("chunk_sparse", 2.25, 2.375),
        Span("fuse", 2.375, 2.5),
        Span("rerank", 2.5, 2.75),
        Span("assemble", 2.75, 2.875),
        Span("read", 3.25, 4.0),
        Span("think", 4.0, 5.0),
        Span("write", 5.0, 6.0),
    )
    assert told.found == {"chunk_dense": 2, "chunk_sparse": 1}
    assert told.notes == SEARCH.notes


def test_steps_that_were_not_taken_are_not_told() -> None:
    read = SearchTrace(notes=(Message("search.in_place"),), seconds={"assemble": 0.5})
    told = folded((events.Retrieved((evidence(1),), 0.5, read), 2.5))
    assert told.spans == (Span("assemble", 2.0, 2.5),)


def test_what_had_no_room_of_a_place_is_told_by_document_as_the_last_prompt_had_it() -> None:
    read = SearchTrace(notes=(IN_PLACE,), seconds={"assemble": 0.5})
    others = (replace(evidence(4, page=8), document_name="附录.pdf"), evidence(5, page=5), evidence(6, page=7))
    told = folded(
        (events.Retrieved((evidence(1),), 0.5, read), 1.0),
        (events.Budgeted(BUDGET, (evidence(2, page=3),)), 2.0),
        (events.Budgeted(BUDGET, (replace(evidence(3, page=3), last_page=4), *others)), 3.0),
    )
    assert told.notes == (
        IN_PLACE,
        Message("search.no_room", {"name": "员工手册.pdf", "count": 3, "pages": "3–5、7"}),
        Message("search.no_room", {"name": "附录.pdf", "count": 1, "pages": "8"}),
    )


def test_what_had_no_room_of_sheets_and_slides_is_told_as_such() -> None:
    read = SearchTrace(notes=(IN_PLACE,), seconds={"assemble": 0.5})
    left = [replace(evidence(2, page=3), document_name=name) for name in ("台账.xlsx", "汇报.PPTX")]
    told = folded((events.Retrieved((), 0.5, read), 1.0), (events.Budgeted(BUDGET, tuple(left)), 2.0))
    assert [sentence(Language.ZH, note) for note in told.notes[1:]] == [
        "“台账.xlsx”还有 1 段（第 3 个工作表）放不进提示词，模型没有读到",
        "“汇报.PPTX”还有 1 段（第 3 张幻灯片）放不进提示词，模型没有读到",
    ]
    assert trace.fold(told, events.Budgeted(BUDGET, tuple(left)), 3.0).notes == told.notes


def test_what_had_no_room_of_a_place_that_is_read_whole_or_of_a_search_is_no_note() -> None:
    read = SearchTrace(notes=(IN_PLACE,), seconds={"assemble": 0.5})
    whole = folded((events.Retrieved((), 0.5, read), 1.0), (events.Budgeted(BUDGET, ()), 2.0))
    assert whole.notes == (IN_PLACE,)
    found = folded((events.Retrieved((), 1.5, SEARCH), 3.0), (events.Budgeted(BUDGET, (evidence(2),)), 4.0))
    assert found.notes == SEARCH.notes


def test_what_turns_out_to_have_been_thoughts_was_no_writing() -> None:
    told = folded(
        (events.Budgeted(BUDGET, ()), 1.0),
        (events.Token("想"), 2.0),
        (events.ThoughtsEnded(), 3.0),
        (events.Token("答"), 4.0),
    )
    assert told.spans == (Span("read", 1.0, 2.0), Span("think", 2.0, 4.0), Span("write", 4.0, 4.0))


def test_a_refusal_without_a_model_is_written_but_not_read() -> None:
    told = folded((events.Retrieved((), 1.5, SEARCH), 3.0), (events.Token("我不知道"), 3.5))
    assert told.spans[-1] == Span("write", 3.5, 3.5)
    assert told.spans[-2].step == "assemble"


def test_a_second_try_with_half_the_evidence_keeps_what_the_search_found() -> None:
    told = folded((events.Retrieved((), 1.5, SEARCH), 3.0), (events.EvidenceShortened(()), 4.0))
    assert told.found == {"chunk_dense": 2, "chunk_sparse": 1}


def test_a_candidate_knows_its_ranks_and_the_passage_that_took_it_in() -> None:
    first, second, third = hit(1), hit(2, page=2), hit(3, page=3)
    third = replace(third, chunk=replace(third.chunk, parent_id=9))
    result = SearchResult((first, second, third), SEARCH)
    judged = [replace(item, relevance=share) for item, share in ((second, 0.9), (first, 0.6), (third, 0.01))]
    one, two, three = candidates_of(result, judged, judged[:2], (replace(judged[0], joined=(1,)),), {})
    assert (two.fused, two.reranked, dict(two.ranks)) == (2, 1, {"chunk_dense": 2, "chunk_sparse": 1})
    assert (two.passage, two.relevant, two.relevance) == (2, True, 0.9)
    assert (one.fused, one.reranked, one.passage) == (1, 2, 2), "its text is covered by the passage of its neighbour"
    assert (three.passage, three.relevant, dict(three.ranks)) == (None, False, {})


def test_of_many_candidates_only_the_best_and_the_used_are_told() -> None:
    hits = tuple(replace(hit(number), chunk=replace(hit(number).chunk, parent_id=number)) for number in range(1, 31))
    told = candidates_of(SearchResult(hits), (), hits, (hits[24],), {})
    assert [item.chunk_id for item in told] == [*range(1, 11), 25]
    assert {item.reranked for item in told} == {None}


def test_a_copy_is_told_under_the_passage_that_says_the_same() -> None:
    first, second, third = (
        replace(hit(number), chunk=replace(hit(number).chunk, parent_id=number)) for number in (1, 2, 3)
    )
    hits = (first, second, third)
    told = candidates_of(SearchResult(hits), (), hits, (first,), {2: first})
    assert [item.passage for item in told] == [1, 1, None]
