"""Pages of images on their way into the knowledge base: real files, real SQLite, a recogniser that knows the text."""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from sqlalchemy import select

from rag.errors import NoTextLayer, PasswordNeeded, ReaderCrashed
from rag.events import IngestFailed, IngestProgress, IngestStage, Searchable
from rag.ingest.ocr_filler import Recogniser
from rag.ingest.page_report import without_text
from rag.knowledge.contents import Contents
from rag.knowledge.document_states import Recognitions
from rag.knowledge.schema import chunks
from rag.types import (
    Box,
    Document,
    DocumentStatus,
    LoadedDocument,
    PageHealth,
    RecognisedLine,
    RecognisedPage,
    Recognition,
)
from tests.ingesting import Rig, last, stored
from tests.knowledge import made_older, open_store, search
from tests.pdf_files import write_pdf
from tests.recognising import BLANK, TEXT, FakeRecogniser, line, pages_told, read_here
from tests.statements import asked_of
from tests.viewing import CountingViewer, pages_over
from tests.waiting import wait_for

PICTURE = RecognisedPage(595, 842, ())


Build = Callable[..., Rig]


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Build]:
    rigs: list[Rig] = []

    def rig(recogniser: Recogniser | None, **loaders: Any) -> Rig:
        rigs.append(Rig(tmp_path / "store", read_here, recogniser, **loaders))
        rigs[-1].ingest.start()
        return rigs[-1]

    yield rig
    for one in rigs:
        one.close()


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    return write_pdf(tmp_path / "扫描件.pdf", [[], [], []])


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    return write_pdf(tmp_path / "手册.pdf", [[TEXT], [], ["附录：加班费的计算。"], []])


def held(build: Build, scan: Path, at: int) -> tuple[FakeRecogniser, Rig, Document]:
    """A scanned file, all of whose pages have text, in the recognition of one of them."""
    recogniser = FakeRecogniser({1: TEXT, 2: TEXT, 3: TEXT}, hold_at=at)
    rig = build(recogniser)
    document = rig.ingest.receive("mine", scan, scan.name).document
    assert recogniser.held.wait(30)
    return recogniser, rig, document


def document_of(rig: Rig) -> Document:
    (document,) = rig.ingest.documents("mine")
    return document


def ready(rig: Rig) -> bool:
    return document_of(rig).status is DocumentStatus.READY


def found(rig: Rig, question: str) -> str:
    (hit, *_) = search(rig.knowledge, question, ["mine"]).hits
    return hit.chunk.passage.text


def kinds(rig: Rig) -> list[tuple[str, str]]:
    groups = rig.ingest.report("mine", document_of(rig).document_id)
    return [(group.sentence.key.removeprefix("page_report."), pages_told(group)) for group in groups]


def test_a_scanned_file_is_searchable_once_its_pages_are_recognised(build: Build, scan: Path) -> None:
    rig = build(FakeRecogniser({1: TEXT, 2: "病假为五天。", 3: BLANK}))
    seen = rig.take_in(scan)
    assert isinstance(seen[-1], Searchable)
    stages = [event.stage for event in seen if isinstance(event, IngestProgress)]
    assert stages[-1] is IngestStage.OCR
    assert wait_for(lambda: ready(rig))
    document = document_of(rig)
    assert (document.pages, document.ocr_pages, document.empty_pages, document.text_pages) == (3, 2, 1, 0)
    assert TEXT in found(rig, "年假有几天")
    assert kinds(rig) == [("ocr", "1–2"), ("blank", "3")]


def test_a_scanned_file_is_not_ready_while_its_pages_wait(build: Build, scan: Path) -> None:
    recogniser = FakeRecogniser({1: BLANK, 2: TEXT, 3: BLANK}, hold_at=2)
    rig = build(recogniser)
    document_id = rig.ingest.receive("mine", scan, scan.name).document.document_id
    assert recogniser.held.wait(30)
    assert (document_of(rig).status, document_of(rig).searchable) == (DocumentStatus.RECOGNISING, False)
    progress = rig.ingest.progress(rig.ingest.documents("mine"))[document_id]
    assert (progress.stage, progress.done, progress.total) == (IngestStage.OCR, 1, 3)
    assert kinds(rig) == [("blank", "1"), ("waiting", "2–3")]


def test_a_scanned_file_is_searchable_from_its_first_page_on(build: Build, scan: Path) -> None:
    recogniser = FakeRecogniser({1: TEXT, 2: "病假为五天。", 3: BLANK}, hold_at=2)
    rig = build(recogniser)
    rig.ingest.receive("mine", scan, scan.name)
    assert recogniser.held.wait(30)
    assert document_of(rig).searchable
    assert TEXT in found(rig, "年假有几天")


def test_how_all_pages_stand_is_not_read_for_each_of_them(build: Build, tmp_path: Path) -> None:
    scan = write_pdf(tmp_path / "扫描件.pdf", [[]] * 6)
    rig = build(FakeRecogniser(dict.fromkeys(range(1, 7), TEXT)))
    with asked_of(rig.catalog.engine) as asked:
        rig.take_in(scan)
        assert wait_for(lambda: ready(rig))
    of_pages = (statement for statement in asked.statements if statement.startswith("SELECT recognitions.number"))
    whole = [own for own in of_pages if "LIMIT" not in own and "recognitions.number =" not in own]
    assert len(whole) <= 3, "the first page's text, the others', and how all pages stand at the end"


def test_how_far_several_documents_are_is_told_together(build: Build, scan: Path, mixed: Path) -> None:
    recogniser = FakeRecogniser({1: TEXT, 2: TEXT, 3: TEXT}, hold_at=2)
    rig = build(recogniser)
    ids = [rig.ingest.receive("mine", path, path.name).document.document_id for path in (scan, mixed)]
    assert recogniser.held.wait(30)
    recognitions = Recognitions(rig.catalog.engine)
    assert wait_for(lambda: len(recognitions.unfinished()) == 2)
    assert recognitions.counts([*ids, "gone"]) == {ids[0]: (1, 3), ids[1]: (0, 2)}
    assert [document.document_id for document in rig.catalog.known([*ids, "gone"])] == ids
    assert recognitions.waiting(ids[0], 1) == (2,)


def test_a_mixed_file_is_searched_at_once_and_loses_no_page(build: Build, mixed: Path) -> None:
    recogniser = FakeRecogniser({2: "病假为五天，需要医院证明。", 4: "婚假为三天。"}, hold_at=2)
    rig = build(recogniser)
    assert isinstance(rig.take_in(mixed)[-1], Searchable)
    assert recogniser.held.wait(30)
    assert TEXT in found(rig, "年假有几天")
    assert wait_for(lambda: document_of(rig).embedded == document_of(rig).chunks)
    assert document_of(rig).status is DocumentStatus.EMBEDDING
    embedded = len(rig.filler._knowledge.encoders.configured["chunk_dense"].embeddings.embedded)  # type: ignore[attr-defined]
    recogniser.go_on.set()
    assert wait_for(lambda: ready(rig))
    document = document_of(rig)
    assert (document.text_pages, document.ocr_pages, document.pages) == (2, 2, 4)
    assert "病假为五天" in found(rig, "病假有几天")
    assert "婚假为三天" in found(rig, "婚假有几天")
    assert TEXT in found(rig, "年假有几天")
    texts = rig.filler._knowledge.encoders.configured["chunk_dense"].embeddings.embedded[embedded:]  # type: ignore[attr-defined]
    assert TEXT not in texts, "the vectors of what has not changed are kept"


def test_every_batch_of_recognised_pages_has_its_headings(build: Build, tmp_path: Path) -> None:
    chapters = [f"第{number}章 {name}" for number, name in zip("一二三四五六七", "子丑寅卯辰巳午", strict=True)]
    pages = {
        number: RecognisedPage(
            595, 842, (*line(chapter[-1] + TEXT).lines, RecognisedLine(chapter, Box(0.1, 0.1, 0.4, 0.12)))
        )
        for number, chapter in enumerate(chapters, start=1)
    }
    rig = build(FakeRecogniser(pages))
    rig.take_in(write_pdf(tmp_path / "章程.pdf", [[]] * len(pages)))
    assert wait_for(lambda: ready(rig))
    with rig.catalog.engine.connect() as connection:
        assert [json.loads(path) for path in connection.scalars(select(chunks.c.heading_path))] == [
            [chapter] for chapter in chapters
        ]


def test_recognised_text_has_boxes_on_its_page(build: Build, scan: Path, tmp_path: Path) -> None:
    rig = build(FakeRecogniser({1: BLANK, 2: TEXT, 3: BLANK}))
    rig.take_in(scan)
    assert wait_for(lambda: ready(rig))
    (hit, *_) = search(rig.knowledge, "年假有几天", ["mine"]).hits
    pages = pages_over(tmp_path / "store", rig.catalog, CountingViewer())
    passage = hit.chunk.passage
    view = pages.view("mine", hit.chunk.document_id, passage.page, (passage.start, passage.end))
    pages.close()
    assert (view.page, view.text.passage, view.boxes) == (2, TEXT, (Box(0.1, 0.2, 0.9, 0.22),))


def test_pages_that_were_recognised_are_not_recognised_again_after_a_restart(build: Build, scan: Path) -> None:
    recogniser = FakeRecogniser({1: TEXT, 2: BLANK, 3: "婚假为三天。"}, hold_at=2)
    ended = build(recogniser)
    ended.ingest.receive("mine", scan, scan.name)
    assert recogniser.held.wait(30)
    ended.close()
    recogniser.hold_at = 0
    restarted = build(recogniser)
    assert wait_for(lambda: ready(restarted))
    assert [page for page, _ in recogniser.asked] == [1, 2, 2, 3]
    assert document_of(restarted).ocr_pages == 2


def test_what_was_recognised_but_not_stored_before_a_kill_is_stored_after_it(build: Build, mixed: Path) -> None:
    recogniser = FakeRecogniser({2: BLANK, 4: BLANK}, hold_at=2)
    killed = build(recogniser)
    document_id = killed.take_in(mixed)[-1].document.document_id  # type: ignore[union-attr]
    assert recogniser.held.wait(30)
    killed.close()
    killed.ocr._recognitions.store(document_id, 2, Recognition.BLANK)
    killed.ocr._recognitions.store(document_id, 4, Recognition.READ, line("婚假为三天。"))
    restarted = build(recogniser)
    assert wait_for(lambda: ready(restarted))
    assert Contents(restarted.catalog.engine).placed(document_id, 4)[1].health is PageHealth.OCR


@pytest.mark.parametrize("forgotten", [False, True])
def test_a_deleted_file_stops_its_recognition_at_once_and_leaves_nothing(
    build: Build, scan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: bool
) -> None:
    recogniser, rig, document = held(build, scan, at=1)
    gone = "delete_collection" if forgotten else "delete"
    delete = getattr(rig.knowledge, gone)

    def delete_late(name: str) -> None:
        assert wait_for(lambda: rig.ocr.progress() == {})
        delete(name)

    monkeypatch.setattr(rig.knowledge, gone, delete_late)
    if forgotten:
        rig.ingest.forget("mine")
    else:
        rig.ingest.delete("mine", document.document_id)
    assert stored(tmp_path) == []
    assert [page for page, _ in recogniser.asked] == [1]
    assert isinstance(rig.take_in(write_pdf(tmp_path / "别的.pdf", [[TEXT]]))[-1], Searchable)


def test_what_is_recognised_of_a_file_that_is_read_anew_waits_for_the_end_of_that(tmp_path: Path, mixed: Path) -> None:
    begun, go_on, readings = threading.Event(), threading.Event(), iter((None, PasswordNeeded(name=mixed.name)))

    def read(path: Path, *, name: str, password: str | None, **_: object) -> LoadedDocument:
        if refused := next(readings):
            begun.set()
            assert go_on.wait(30)
            raise refused
        return read_here(path, name=name, password=password)

    recogniser = FakeRecogniser({2: "病假为五天，须有证明。", 4: BLANK}, hold_at=4)
    rig = Rig(tmp_path / "store", read, recogniser)
    rig.ingest.start()
    document_id = rig.ingest.receive("mine", mixed, mixed.name).document.document_id
    assert recogniser.held.wait(30)
    rig.ingest.reread("mine", document_id)
    assert begun.wait(30)
    recogniser.go_on.set()
    assert wait_for(lambda: document_id not in rig.ocr.progress())
    assert document_of(rig).status is DocumentStatus.READING
    go_on.set()
    assert wait_for(lambda: ready(rig))
    assert document_of(rig).reread_failure == PasswordNeeded(name=mixed.name).message
    assert "病假为五天" in found(rig, "病假须有证明")
    rig.close()


def test_stopping_keeps_what_was_recognised(build: Build, scan: Path) -> None:
    _, rig, document = held(build, scan, at=2)
    rig.ingest.stop_recognition("mine", document.document_id)
    assert wait_for(lambda: ready(rig))
    assert kinds(rig) == [("ocr", "1"), ("stopped", "2–3")]


def test_what_was_stopped_can_be_resumed(build: Build, scan: Path) -> None:
    recogniser, rig, document = held(build, scan, at=2)
    rig.ingest.stop_recognition("mine", document.document_id)
    assert wait_for(lambda: ready(rig))
    assert rig.ingest.stopped("mine") == {document.document_id: 2}
    assert rig.ingest.stopped("other") == {}
    recogniser.hold_at = 0
    rig.ingest.resume_recognition("mine", document.document_id)
    assert wait_for(lambda: kinds(rig) == [("ocr", "1–3")])
    assert wait_for(lambda: ready(rig)) and rig.ingest.stopped("mine") == {}


def test_a_file_stopped_before_any_text_was_found_says_so_and_can_be_resumed(build: Build, scan: Path) -> None:
    recogniser, rig, document = held(build, scan, at=1)
    rig.ingest.stop_recognition("mine", document.document_id)
    failed = last(rig, document.document_id)
    assert isinstance(failed, IngestFailed) and failed.document.message is not None
    assert failed.document.message.key == "error.recognition_stopped"
    recogniser.hold_at = 0
    rig.ingest.resume_recognition("mine", document.document_id)
    assert isinstance(last(rig, document.document_id), Searchable)


def test_pages_that_fail_are_told_and_the_others_are_searched(build: Build, scan: Path) -> None:
    rig = build(FakeRecogniser({1: ReaderCrashed(name="x"), 2: PICTURE, 3: TEXT}))
    assert isinstance(rig.take_in(scan)[-1], Searchable)
    assert kinds(rig) == [("failed", "1"), ("nothing", "2"), ("ocr", "3")]


def test_a_file_of_blank_pages_is_called_empty_and_not_unclear(build: Build, scan: Path) -> None:
    failed = build(FakeRecogniser(dict.fromkeys((1, 2, 3), BLANK))).take_in(scan)[-1]
    assert isinstance(failed, IngestFailed) and failed.document.message is not None
    assert failed.document.message.key == "error.empty_file"


def test_a_file_without_any_text_fails_and_is_recognised_anew_when_tried_again(build: Build, scan: Path) -> None:
    pages: dict[int, str | RecognisedPage | Exception] = {1: BLANK, 2: PICTURE, 3: ReaderCrashed(name="x")}
    rig = build(FakeRecogniser(pages))
    failed = rig.take_in(scan)[-1]
    assert isinstance(failed, IngestFailed)
    assert failed.document.message is not None
    assert (failed.document.message.key, failed.document.message.values["pages"]) == ("error.nothing_recognised", "1–3")
    pages[3] = TEXT
    rig.ingest.reread("mine", failed.document.document_id)
    assert isinstance(last(rig, failed.document.document_id), Searchable)


@pytest.mark.parametrize("limits", [{"time_limit_seconds": 0.01}, {"max_chunks": 1}])
def test_recognised_text_that_is_split_too_slowly_or_into_too_many_passages_is_given_up(
    build: Build, scan: Path, limits: dict[str, int]
) -> None:
    failed = build(FakeRecogniser({1: TEXT * 6, 2: BLANK, 3: BLANK}), **limits).take_in(scan)[-1]
    assert isinstance(failed, IngestFailed) and failed.document.message is not None
    assert failed.document.message.key == "error.nothing_recognised"


def test_nobody_recognises_while_somebody_waits_for_an_answer(build: Build, scan: Path) -> None:
    recogniser = FakeRecogniser({1: TEXT, 2: BLANK, 3: BLANK})
    rig = build(recogniser)
    rig.idle.clear()
    rig.ingest.receive("mine", scan, scan.name)
    assert wait_for(lambda: document_of(rig).status is DocumentStatus.RECOGNISING)
    assert not threading.Event().wait(0.3) and recogniser.asked == []
    rig.idle.set()
    assert wait_for(lambda: ready(rig))


def test_what_is_stopped_while_somebody_waits_for_an_answer_is_not_recognised_after_it(
    build: Build, scan: Path
) -> None:
    recogniser = FakeRecogniser({1: TEXT, 2: TEXT, 3: TEXT})
    rig = build(recogniser)
    rig.idle.clear()
    document = rig.ingest.receive("mine", scan, scan.name).document
    assert wait_for(lambda: document_of(rig).status is DocumentStatus.RECOGNISING)
    assert not threading.Event().wait(0.3)
    rig.ingest.stop_recognition("mine", document.document_id)
    rig.idle.set()
    assert wait_for(lambda: document_of(rig).status is DocumentStatus.FAILED)
    assert recogniser.asked == [] and rig.ingest.stopped("mine") == {document.document_id: 3}


def test_a_long_file_does_not_hold_up_a_short_one(build: Build, tmp_path: Path) -> None:
    recogniser = FakeRecogniser(dict.fromkeys(range(1, 13), TEXT), hold_at=1)
    rig = build(recogniser)
    long = rig.ingest.receive("mine", write_pdf(tmp_path / "长.pdf", [[]] * 12), "长.pdf").document
    assert recogniser.held.wait(30)
    short = rig.ingest.receive("mine", write_pdf(tmp_path / "短.pdf", [[]] * 2), "短.pdf").document
    state = rig.catalog.document
    assert wait_for(lambda: state(short.document_id).status is DocumentStatus.RECOGNISING)
    recogniser.go_on.set()
    assert wait_for(lambda: state(long.document_id).ocr_pages == 12)
    assert [page for page, _ in recogniser.asked] == [1, *range(2, 7), 1, *range(7, 12), 2, 12]
    assert state(short.document_id).ocr_pages == 2


def test_a_password_serves_recognition_and_is_kept_nowhere(build: Build, tmp_path: Path) -> None:
    encryption = StandardEncryption("secret", "owner", strength=128)
    path = write_pdf(tmp_path / "密.pdf", [[], []], encryption=encryption)
    recogniser = FakeRecogniser({1: TEXT, 2: PasswordNeeded(name="密.pdf")})
    rig = build(recogniser)
    document = rig.ingest.receive("mine", path, path.name, password="secret").document
    assert isinstance(last(rig, document.document_id), Searchable)
    assert recogniser.asked[0] == (1, "secret")
    assert wait_for(lambda: kinds(rig) == [("ocr", "1"), ("locked", "2")])
    assert wait_for(lambda: rig.ocr._passwords == {})


def test_without_the_package_a_scanned_file_fails_and_says_what_to_install(
    build: Build, scan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.ingest.ocr_filler.ocr_installed", lambda: False)
    failed = build(None).take_in(scan)[-1]
    assert isinstance(failed, IngestFailed)
    assert failed.document.message is not None
    assert failed.document.message.key == "error.ocr_needed"
    assert "rapidocr" in str(failed.document.message.values["command"])


def test_where_recognition_is_switched_off_no_visitor_is_told_to_install_it() -> None:
    assert isinstance(without_text("扫描件.pdf", {1: Recognition.MISSING}, enabled=False), NoTextLayer)


def test_once_the_package_is_installed_a_mixed_files_pages_are_recognised(
    build: Build, mixed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.ingest.ocr_filler.ocr_installed", lambda: False)
    rig = build(None)
    assert isinstance(rig.take_in(mixed)[-1], Searchable)
    assert wait_for(lambda: ready(rig))
    assert kinds(rig) == [("text", "1、3"), ("missing", "2、4")]
    rig.close()
    with_package = build(FakeRecogniser({2: "病假为五天。", 4: BLANK}))
    assert wait_for(lambda: kinds(with_package) == [("text", "1、3"), ("ocr", "2"), ("blank", "4")])
    assert wait_for(lambda: ready(with_package))


def test_the_store_of_an_older_program_gets_what_recognition_needs(tmp_path: Path) -> None:
    before = open_store(tmp_path)
    document = before.put("me", "手册.pdf", TEXT)
    columns = (("documents", "ocr_pages"), ("documents", "outline"), ("pages", "lines"))
    dropped = [f"ALTER TABLE {table} DROP COLUMN {column}" for table, column in columns]
    made_older(before.catalog.engine, 4, *dropped, "DROP TABLE recognitions")
    after = open_store(tmp_path)
    assert after.catalog.document(document.document_id) == document
    assert Contents(after.catalog.engine).content(document.document_id).text == TEXT
    assert Recognitions(after.catalog.engine).unfinished() == ()
