"""Recognition that a machine, a password or strange text gets in the way of."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption

from loaders.ocr import OcrJob
from rag.errors import PasswordNeeded
from rag.knowledge.contents import Contents
from rag.types import DocumentStatus, LoadedDocument, Page, PageHealth, RecognisedPage, Recognition
from tests.ingesting import Rig
from tests.pdf_files import write_pdf
from tests.recognising import BLANK, TEXT, FakeRecogniser, line, read_here
from tests.waiting import wait_for

OTHER = "病假为五天，需要医院证明，并在三日之内补交给人事部门存档备查，逾期没有补交的按照事假处理。"


class Reader:
    """Reads in this process, and later says that a page has a text layer."""

    def __init__(self) -> None:
        self.instead: dict[int, str] = {}

    def __call__(self, path: Path, *, name: str, password: str | None, **_: object) -> LoadedDocument:
        loaded = read_here(path, name=name, password=password)
        pages = (
            Page(page.number, page.label, self.instead.get(page.number, page.text), PageHealth.TEXT)
            if page.number in self.instead
            else page
            for page in loaded.pages
        )
        return LoadedDocument(tuple(pages))


class Locked(FakeRecogniser):
    """Recognises with the password alone."""

    def __call__(self, job: OcrJob, cancel: object) -> RecognisedPage:
        if job.password != "secret":
            raise PasswordNeeded(name=job.name)
        return super().__call__(job, cancel)  # type: ignore[arg-type]


class Place:
    """A store folder whose rig is made with a recogniser."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reader = Reader()
        self.rigs: list[Rig] = []

    def build(self, recogniser: FakeRecogniser) -> Rig:
        self.rigs.append(Rig(self.folder / "store", self.reader, recogniser))
        self.rigs[-1].ingest.start()
        return self.rigs[-1]

    def scan(self, pages: int, encryption: StandardEncryption | None = None) -> Path:
        return write_pdf(self.folder / "扫描件.pdf", [[]] * pages, encryption=encryption)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path)
    yield place
    for rig in place.rigs:
        rig.close()


def outcomes(rig: Rig) -> Mapping[int, Recognition]:
    (document,) = rig.ingest.documents("mine")
    return rig.ocr._recognitions.outcomes(document.document_id)


def healths(rig: Rig) -> list[PageHealth]:
    (document,) = rig.ingest.documents("mine")
    return list(Contents(rig.catalog.engine).health(document.document_id).values())


def ready(rig: Rig) -> bool:
    return rig.ingest.documents("mine")[0].status is DocumentStatus.READY


def test_pages_that_a_machine_has_no_room_to_recognise_are_tried_again(place: Place) -> None:
    pages: dict[int, str | RecognisedPage | Exception] = {1: TEXT, 2: TEXT, 3: OSError(28, "No space left"), 4: TEXT}
    recogniser = FakeRecogniser(pages)
    rig = place.build(recogniser)
    scan = place.scan(4)
    rig.ingest.receive("mine", scan, scan.name)
    assert wait_for(lambda: (3, None) in recogniser.asked)
    assert outcomes(rig) == {1: "read", 2: "read", 3: "waiting", 4: "waiting"}
    pages[3] = TEXT
    assert wait_for(lambda: ready(rig))
    assert set(outcomes(rig).values()) == {Recognition.READ}


def test_a_page_that_a_recogniser_breaks_at_costs_no_other_page(place: Place) -> None:
    rig = place.build(FakeRecogniser({1: TEXT, 2: ValueError("strange"), 3: OTHER}))
    rig.take_in(place.scan(3))
    assert wait_for(lambda: ready(rig))
    assert outcomes(rig) == {1: "read", 2: "failed", 3: "read"}


def test_text_that_cannot_be_stored_is_given_up_and_the_other_pages_are_recognised(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = place.build(FakeRecogniser(dict.fromkeys(range(1, 8), TEXT)))
    add, failures = rig.knowledge.add, [ValueError("strange")]

    def add_or_fail(document_id: str, sections: tuple[object, ...], *more: object, **how: object) -> object:
        if sections and failures:
            raise failures.pop()
        return add(document_id, sections, *more, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(rig.knowledge, "add", add_or_fail)
    rig.take_in(place.scan(7))
    assert wait_for(lambda: ready(rig))
    assert list(outcomes(rig).values()) == ["failed"] + ["read"] * 6


def test_a_page_that_is_read_anew_and_has_text_keeps_it(place: Place) -> None:
    rig = place.build(FakeRecogniser({1: TEXT, 2: TEXT}))
    rig.take_in(place.scan(2))
    assert wait_for(lambda: ready(rig))
    place.reader.instead = {2: OTHER}
    (document,) = rig.ingest.documents("mine")
    rig.ingest.reread("mine", document.document_id)
    assert wait_for(lambda: healths(rig) == [PageHealth.OCR, PageHealth.TEXT] and ready(rig))
    assert Contents(rig.catalog.engine).placed(document.document_id, 2)[1].text == OTHER


def test_what_an_older_program_took_for_text_is_tried_once(place: Place) -> None:
    recogniser = FakeRecogniser({1: TEXT, 2: BLANK})
    rig = place.build(recogniser)
    rig.take_in(place.scan(2))
    assert wait_for(lambda: ready(rig))
    (document,) = rig.ingest.documents("mine")
    rig.ocr._recognitions.store(document.document_id, 2, Recognition.READ, line(" "))
    rig.ocr.wake()
    assert wait_for(lambda: outcomes(rig) == {1: "read", 2: "nothing"})


def test_a_locked_scan_that_was_stopped_is_resumed_with_its_password(place: Place) -> None:
    recogniser = Locked({1: TEXT, 2: TEXT, 3: TEXT}, hold_at=2)
    rig = place.build(recogniser)
    scan = place.scan(3, StandardEncryption("secret", "owner", strength=128))
    document = rig.ingest.receive("mine", scan, scan.name, password="secret").document
    assert recogniser.held.wait(30)
    rig.ingest.stop_recognition("mine", document.document_id)
    assert wait_for(lambda: ready(rig))
    recogniser.hold_at = 0
    rig.ingest.resume_recognition("mine", document.document_id)
    assert wait_for(lambda: set(outcomes(rig).values()) == {Recognition.READ})
    assert wait_for(lambda: rig.ocr._passwords == {})


def test_the_password_of_a_document_deleted_after_its_reading_is_forgotten(place: Place) -> None:
    rig = place.build(FakeRecogniser({}))
    scan = place.scan(1)
    document = rig.ingest.receive("other", scan, scan.name).document
    loaded = read_here(scan, name=scan.name, password=None)
    rig.knowledge.delete(document.document_id)
    rig.ocr.expect(document.document_id, scan.name, loaded, "secret")
    assert rig.ocr._passwords.get(document.document_id) is None
