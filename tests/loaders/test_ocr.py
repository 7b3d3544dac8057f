"""The real recogniser, over one image of a page; what cannot be recognised is told."""

import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption

from loaders import load
from loaders.ocr import OcrJob, PageRecogniser, ocr_installed
from loaders.ocr_text import with_recognised
from loaders.wire import from_line, to_line
from rag.errors import DamagedFile, PasswordNeeded, ReadingTimedOut, WrongPassword
from rag.types import PageHealth
from tests.pdf_files import write_pdf, write_scan

needs_package = pytest.mark.skipif(not ocr_installed(), reason="needs rapidocr and onnxruntime")
NEVER = threading.Event()


@pytest.fixture
def recogniser() -> Iterator[PageRecogniser]:
    recogniser = PageRecogniser(time_limit_seconds=250)
    yield recogniser
    recogniser.close()


def job(path: Path, page: int = 1, password: str | None = None) -> OcrJob:
    return OcrJob(path, path.name, password, page, 100, 3000)


@needs_package
def test_a_mixed_file_has_its_images_text_in_place_and_keeps_its_own(
    recogniser: PageRecogniser, tmp_path: Path
) -> None:
    lines = ["第三章", "公司的注册资本为人民币一千万元。"]
    path = write_scan(tmp_path / "章程.pdf", [["第一章 总则"], lines, []], text_pages=[1])
    document = load(path)
    recognised = {number: recogniser(job(path, number), NEVER) for number in (2, 3)}
    assert recognised[3].blank
    pages = with_recognised(document, recognised).pages
    assert [page.health for page in pages] == [PageHealth.TEXT, PageHealth.OCR, PageHealth.EMPTY]
    assert pages[0] == document.pages[0]
    assert pages[1].text.split("\n") == lines
    # The second line is drawn 740 points above the lower edge of a page of 842 points.
    box = pages[1].lines[1].box
    assert box.top < 1 - 740 / 842 < box.bottom + 0.005
    assert box.left == pytest.approx(72 / 595, abs=0.02)
    assert box.right == pytest.approx((72 + 12 * len(lines[1])) / 595, abs=0.02)


def test_blank_pages_need_no_package(recogniser: PageRecogniser, tmp_path: Path) -> None:
    assert recogniser(job(write_scan(tmp_path / "空白.pdf", [[]])), NEVER).blank


def test_a_locked_file_is_opened_with_its_password_only(recogniser: PageRecogniser, tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "密.pdf", [[]], encryption=StandardEncryption("secret", "owner", strength=128))
    with pytest.raises(PasswordNeeded):
        recogniser(job(path), NEVER)
    with pytest.raises(WrongPassword):
        recogniser(job(path, password="guessed"), NEVER)
    assert recogniser(job(path, password="secret"), NEVER).blank


def test_a_page_that_is_not_there_is_damaged_and_the_next_is_read(recogniser: PageRecogniser, tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [[]])
    with pytest.raises(DamagedFile):
        recogniser(job(path, 7), NEVER)
    assert recogniser(job(path), NEVER).blank


def test_a_page_that_takes_too_long_or_is_called_off_ends_its_worker_and_the_next_is_read(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [[]])
    recogniser = PageRecogniser(time_limit_seconds=0.01)
    with pytest.raises(ReadingTimedOut):
        recogniser(job(path), NEVER)
    assert recogniser._worker._process is None
    called_off = threading.Event()
    called_off.set()
    recogniser = PageRecogniser(time_limit_seconds=60)
    with pytest.raises(CancelledError):
        recogniser(job(path), called_off)
    assert recogniser(job(path), NEVER).blank
    recogniser.close()


def test_a_job_survives_the_wire() -> None:
    sent = job(Path("/a/甲.pdf"), 3, "秘密")
    assert from_line(OcrJob, to_line(sent)) == sent
