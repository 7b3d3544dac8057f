"""Dense fields besides the chunks': filled in the background, and a hit on one counts for its chunks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import text

from rag import i18n
from rag.database import open_database, reading
from rag.embeddings.encoder import Encoder
from rag.errors import ConfigError
from rag.i18n import Language
from rag.knowledge.catalog import Catalog
from rag.knowledge.filler import VectorFiller
from rag.knowledge.questions import Questions
from rag.knowledge.request import (
    CHUNK_DENSE,
    CHUNK_SPARSE,
    PARENT_CHUNK_DENSE,
    QUESTIONS_DENSE,
    FusionSpec,
    SearchRequest,
    SingleSearchRequest,
    from_settings,
)
from rag.knowledge.stored import StoredKnowledgeBase
from rag.settings import DenseFields, DenseFieldSettings, FuseSettings, RouteSettings, Settings
from rag.types import EVERYTHING, Document, Hit, LoadedDocument, Page, PageHealth, Passage, Scope, Section
from tests.fakes import FakeEmbeddings
from tests.knowledge import SETTINGS, local_knowledge, made_older, open_store, search, vectors_of
from tests.samples import texts
from tests.statements import asked_of
from tests.waiting import already, wait_for

LINES = ("员工每年有十天年假。", "须提前两周申请。", "服务器每天凌晨备份。", "备份保留三十天。")


@dataclass(frozen=True)
class Fields:
    """A knowledge base with all its dense fields, and what fills them."""

    catalog: Catalog
    knowledge: StoredKnowledgeBase
    filler: VectorFiller
    questions: Questions

    def put(self, collection_id: str, *lines: str) -> Document:
        """Add a document of these sections, and wait for its vectors."""
        document = self.catalog.register(collection_id, "手册.txt", str(hash(lines)), 10)
        self.knowledge.add(document.document_id, *sections_of(*lines))
        self.filler.wake()
        return document

    def search(self, question: str, field: str, scope: Scope = EVERYTHING) -> tuple[Hit, ...]:
        request = SearchRequest([SingleSearchRequest(field)], FusionSpec(weights=[1.0]))
        return search(self.knowledge, question, ["me"], request, scope).hits


def sections_of(*lines: str) -> tuple[tuple[Section, ...], LoadedDocument]:
    """Sections with two chunks each, and their document with a page for every section."""
    sections, pages, start = [], [], 0
    for number in range(0, len(lines), 2):
        whole, page = "".join(lines[number : number + 2]), number // 2 + 1
        middle, end = start + len(lines[number]), start + len(whole)
        place = {"page": page, "last_page": page, "page_label": str(page)}
        children = (
            Passage(lines[number], start, middle, **place),  # type: ignore[arg-type]
            Passage(lines[number + 1], middle, end, **place),  # type: ignore[arg-type]
        )
        sections.append(Section(Passage(whole, start, end, **place), children))  # type: ignore[arg-type]
        pages.append(Page(page, str(page), whole, PageHealth.TEXT))
        start = end + 1
    return tuple(sections), LoadedDocument(tuple(pages))


def open_fields(folder: Path) -> Fields:
    catalog = Catalog(open_database(f"sqlite:///{folder / 'knowledge.db'}"), "fake")
    more = {
        PARENT_CHUNK_DENSE: Encoder(FakeEmbeddings(dimension=64), "other"),
        QUESTIONS_DENSE: Encoder(FakeEmbeddings(), "fake"),
    }
    knowledge = local_knowledge(catalog, FakeEmbeddings(), more=more)
    return Fields(catalog, knowledge, VectorFiller(catalog, knowledge, already()), Questions(catalog.engine))


@pytest.fixture
def fields(tmp_path: Path) -> Iterator[Fields]:
    opened = open_fields(tmp_path)
    yield opened
    opened.filler.close()


def test_a_hit_on_a_parent_counts_for_all_its_chunks(fields: Fields) -> None:
    fields.put("me", *LINES)
    assert wait_for(lambda: vectors_of(fields.catalog, "other") == 2)
    hits = fields.search("备份", PARENT_CHUNK_DENSE)
    assert set(texts(hits[:2])) == set(LINES[2:])
    assert hits[0].routes[PARENT_CHUNK_DENSE] == hits[1].routes[PARENT_CHUNK_DENSE]


def test_vectors_of_different_models_never_meet(fields: Fields) -> None:
    fields.put("me", *LINES)
    assert wait_for(lambda: (vectors_of(fields.catalog, "fake"), vectors_of(fields.catalog, "other")) == (4, 2))
    result = search(
        fields.knowledge,
        "保留三十天",
        ["me"],
        SearchRequest(
            [SingleSearchRequest(field) for field in (CHUNK_DENSE, PARENT_CHUNK_DENSE, CHUNK_SPARSE)],
            FusionSpec(weights=[0.5, 0.2, 0.3]),
        ),
    )
    assert set(result.hits[0].routes) == {CHUNK_DENSE, PARENT_CHUNK_DENSE, CHUNK_SPARSE}
    assert result.trace.notes == ()


def test_a_hit_on_a_question_counts_for_the_chunk_that_answers_it(fields: Fields) -> None:
    fields.put("me", *LINES)
    chunks = {pending.text: pending.chunk_id for pending in fields.questions.pending(9)}
    fields.knowledge.add_questions(chunks[LINES[0]], ["能休息多久？", "假期怎么算？"])
    fields.filler.wake()
    assert wait_for(lambda: texts(fields.search("能休息多久", QUESTIONS_DENSE)) == [LINES[0]])


def test_a_question_that_another_chunk_answers_too_counts_for_both(fields: Fields) -> None:
    fields.put("me", *LINES)
    first, second, *_ = fields.questions.pending(9)
    fields.knowledge.add_questions(first.chunk_id, ["能休息多久？"])
    fields.filler.wake()
    assert wait_for(lambda: texts(fields.search("能休息多久", QUESTIONS_DENSE)) == [LINES[0]])
    fields.knowledge.add_questions(second.chunk_id, ["能休息多久？"])
    assert texts(fields.search("能休息多久", QUESTIONS_DENSE)) == [LINES[0], LINES[1]]


def test_what_is_asked_is_asked_once_though_nothing_came_of_it(fields: Fields) -> None:
    document = fields.put("me", *LINES)
    for pending in fields.questions.pending(3):
        fields.knowledge.add_questions(pending.chunk_id, [])
    assert [pending.text for pending in fields.questions.pending(9)] == [LINES[3]]
    fields.knowledge.delete(document.document_id)
    assert fields.questions.pending(9) == ()


def test_a_document_that_is_stored_anew_keeps_the_questions_of_the_chunks_that_it_still_has(fields: Fields) -> None:
    document = fields.put("me", *LINES)
    first, second, *_ = fields.questions.pending(9)
    fields.knowledge.add_questions(first.chunk_id, ["能休息多久？", "假期怎么算？"])
    fields.knowledge.add_questions(second.chunk_id, [])
    fields.filler.wake()
    assert wait_for(lambda: texts(fields.search("能休息多久", QUESTIONS_DENSE)) == [LINES[0]])
    fields.knowledge.add(document.document_id, *sections_of("新的一页。", *LINES[:2], LINES[2]))
    assert [pending.text for pending in fields.questions.pending(9)] == ["新的一页。", LINES[2]]
    hits = fields.search("能休息多久", QUESTIONS_DENSE)
    assert texts(hits) == [LINES[0]]
    assert hits[0].chunk.chunk_id > second.chunk_id
    with reading(fields.catalog.engine) as connection:
        assert connection.scalar(text("SELECT count(*) FROM questions")) == 2


def test_questions_of_a_chunk_that_is_gone_are_not_kept(fields: Fields) -> None:
    document = fields.put("me", *LINES)
    chunk_id = fields.questions.pending(1)[0].chunk_id
    fields.knowledge.delete(document.document_id)
    fields.knowledge.add_questions(chunk_id, ["还在吗？"])
    with reading(fields.catalog.engine) as connection:
        assert connection.scalar(text("SELECT count(*) FROM questions")) == 0


def test_chunks_that_wait_for_questions_are_found_without_a_look_at_the_others_in_an_older_store_too(
    tmp_path: Path,
) -> None:
    before = open_store(tmp_path)
    before.put("me", "手册.txt", LINES[0])
    made_older(before.catalog.engine, 8, "DROP INDEX chunks_not_questioned")
    engine = open_store(tmp_path).catalog.engine
    with asked_of(engine) as asked:
        (waiting,) = Questions(engine).pending(5)
    assert waiting.text == LINES[0]
    assert asked.steps[0] == "SCAN chunks USING INDEX chunks_not_questioned"


def test_a_scope_holds_for_parents_and_questions_too(fields: Fields) -> None:
    fields.put("me", *LINES)
    chunk_ids = [pending.chunk_id for pending in fields.questions.pending(9)]
    for chunk_id in chunk_ids:
        fields.knowledge.add_questions(chunk_id, [f"备份问题{chunk_id}"])
    fields.filler.wake()
    assert wait_for(lambda: len(fields.search("备份问题", QUESTIONS_DENSE)) == 4)
    first_page = Scope(pages=frozenset({1}))
    for field in (PARENT_CHUNK_DENSE, QUESTIONS_DENSE):
        assert set(texts(fields.search("备份", field, first_page))) == set(LINES[:2])


def test_a_new_process_and_a_deletion_see_all_fields(tmp_path: Path, fields: Fields) -> None:
    document = fields.put("me", *LINES)
    assert wait_for(lambda: vectors_of(fields.catalog, "other") == 2)
    assert open_fields(tmp_path).search("备份", PARENT_CHUNK_DENSE) == fields.search("备份", PARENT_CHUNK_DENSE)
    fields.knowledge.delete(document.document_id)
    fields.knowledge.clear_deleted()
    assert fields.search("备份", PARENT_CHUNK_DENSE) == ()
    assert (vectors_of(fields.catalog, "fake"), vectors_of(fields.catalog, "other")) == (0, 0)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (("questions_dense",), "questions_dense 没有启用.*dense_fields"),
        (("chunk_dense",) * 2, "chunk_dense 写了不止一次"),
    ],
)
def test_a_field_that_is_off_or_named_twice_is_told_in_the_readers_language(fields: tuple[str, ...], told: str) -> None:
    routes = tuple(RouteSettings.model_validate({"anns_field": field}) for field in fields)
    weights = FuseSettings(weights=(1.0,) * len(fields))
    with pytest.raises(ConfigError) as refused:
        from_settings(SETTINGS.model_copy(update={"requests": routes, "fuse": weights}))
    assert re.search(told, i18n.sentence(Language.ZH, refused.value.message))


def test_fields_that_are_on_are_searched_when_nothing_else_is_said() -> None:
    request = from_settings(settings_with(parent_chunk=True, fuse=FuseSettings(weights=(0.5, 0.2, 0.3))))
    assert weights_of(request) == {CHUNK_DENSE: 0.5, PARENT_CHUNK_DENSE: 0.2, CHUNK_SPARSE: 0.3}


@pytest.mark.parametrize("method", ["weighted", "rrf"])
def test_a_field_is_switched_on_by_its_own_line_and_takes_its_share_of_the_chunks(method: str) -> None:
    fuse = FuseSettings.model_validate({"method": method})
    assert weights_of(from_settings(settings_with(fuse=fuse))) == {CHUNK_DENSE: 0.7, CHUNK_SPARSE: 0.3}
    parents = from_settings(settings_with(parent_chunk=True, fuse=fuse))
    assert weights_of(parents) == {CHUNK_DENSE: 0.55, PARENT_CHUNK_DENSE: 0.15, CHUNK_SPARSE: 0.3}
    questions = from_settings(settings_with(questions=True, fuse=fuse))
    assert weights_of(questions) == {CHUNK_DENSE: 0.55, QUESTIONS_DENSE: 0.15, CHUNK_SPARSE: 0.3}
    both = from_settings(settings_with(parent_chunk=True, questions=True, fuse=fuse))
    expected = {CHUNK_DENSE: 0.4, PARENT_CHUNK_DENSE: 0.15, QUESTIONS_DENSE: 0.15, CHUNK_SPARSE: 0.3}
    assert weights_of(both) == expected


def test_weights_of_another_number_are_told_with_the_routes_that_they_are_for() -> None:
    settings = settings_with(parent_chunk=True, fuse=FuseSettings(weights=(0.6, 0.4)))
    told = "写了 2 个权重，而检索方式有 3 种，依次是 chunk_dense、parent_chunk_dense、chunk_sparse，请按这个次序"
    with pytest.raises(ConfigError, match=told):
        from_settings(settings)
    one = settings.model_copy(update={"requests": (RouteSettings(anns_field="chunk_sparse"),)})
    with pytest.raises(ConfigError, match="有 1 种，依次是 chunk_sparse，"):
        from_settings(one)


def settings_with(*, parent_chunk: bool = False, questions: bool = False, fuse: FuseSettings) -> Settings:
    """Settings with further dense fields switched on."""
    on = DenseFieldSettings()
    dense = DenseFields(parent_chunk=on if parent_chunk else None, questions=on if questions else None)
    return SETTINGS.model_copy(update={"dense_fields": dense, "fuse": fuse})


def weights_of(request: SearchRequest) -> dict[str, float]:
    """What each route weighs."""
    fields = [route.anns_field for route in request.requests]
    return dict(zip(fields, request.fuse.weights, strict=True))
