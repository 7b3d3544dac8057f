import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption

from loaders import load, wire
from loaders.ocr_text import with_recognised
from loaders.process import WorkerProcess, limit_memory
from loaders.reader import ReaderLimits, read_in_worker, split_in_worker
from loaders.sections import split_document
from loaders.wire import Lengths
from rag.errors import DocumentError, MismatchedFile, PasswordNeeded, ReaderCrashed, ReadingTimedOut, TooManyPassages
from rag.types import (
    Box,
    Heading,
    LoadedDocument,
    Page,
    PageHealth,
    PlacedLine,
    RecognisedLine,
    RecognisedPage,
)
from tests.pdf_files import write_pdf

ROOT = Path(__file__).parents[2]
needs_pipes = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes with a name in a folder")

LIMITS = ReaderLimits(max_pages=10, max_chunks=1000, time_limit_seconds=60, memory_limit_mb=3000)
LENGTHS = Lengths(max_len=200, overlap=40, parent_max_len=800)


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A file that hangs whoever opens it: nobody writes to it."""
    path = tmp_path / "a.pdf"
    os.mkfifo(path)
    return path


def test_the_worker_reads_what_load_reads(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "年 报😀.pdf", [["第一章 总则", "正文。"], [], ["完"]], outline=[("第一章 总则", 0, 1)])
    progress: list[tuple[int, int]] = []
    document = read_in_worker(path, path.name, LIMITS, on_progress=lambda done, total: progress.append((done, total)))
    assert document == load(path)
    assert progress == [(3, 3)]


def test_it_runs_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_pdf(tmp_path / "a.pdf", [["甲"]])
    monkeypatch.chdir(tmp_path)
    assert read_in_worker(Path("a.pdf"), "a.pdf", LIMITS).text == "甲"


def test_errors_come_back_as_they_are(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["机密"]], encryption=StandardEncryption("secret", "owner", strength=128))
    with pytest.raises(PasswordNeeded):
        read_in_worker(path, "a.pdf", LIMITS)
    assert read_in_worker(path, "a.pdf", LIMITS, "secret").text == "机密"
    with pytest.raises(MismatchedFile) as caught:
        read_in_worker(path, "../a\udcff.txt", LIMITS)
    assert caught.value.values == {"name": "../a\udcff.txt", "kind": "PDF"}


def test_a_file_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["甲"]])
    with pytest.raises(ReadingTimedOut) as caught:
        read_in_worker(path, "a.pdf", replace(LIMITS, time_limit_seconds=0.01))
    assert caught.value.values == {"name": "a.pdf", "seconds": 0.01}


@pytest.mark.clock
@needs_pipes
def test_a_file_that_hangs_its_reader_is_given_up_at_the_time_limit(pipe: Path) -> None:
    start = time.monotonic()
    with pytest.raises(ReadingTimedOut):
        read_in_worker(pipe, "a.pdf", replace(LIMITS, time_limit_seconds=1))
    assert 1 <= time.monotonic() - start < 5


@needs_pipes
def test_a_reader_that_hangs_ends_with_the_process_that_waits_for_it(pipe: Path) -> None:
    command = [sys.executable, "-m", "loaders.worker"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin is not None
        worker.stdin.write(wire.to_line(wire.ReadJob(pipe, "a.pdf", None, 10, 3000)))
        worker.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            worker.wait(1)
        worker.stdin.close()  # as the system does for a process that is killed
        assert worker.wait(30) != 0


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the reader through Linux's /proc")
def test_a_reader_ended_by_a_signal_is_told_as_a_crash(pipe: Path) -> None:
    def crash() -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            lists = Path("/proc/self/task").glob("*/children")
            for child in [int(child) for found in lists for child in found.read_text().split()]:
                if b"loaders.worker" in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(child, signal.SIGSEGV)
                    return
            time.sleep(0.05)

    with ThreadPoolExecutor(1) as helper, pytest.raises(ReaderCrashed):
        helper.submit(crash)
        read_in_worker(pipe, "a.pdf", replace(LIMITS, time_limit_seconds=20))


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is Linux's")
def test_a_worker_that_dies_is_told_as_a_crash(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["甲"]])
    with pytest.raises(ReaderCrashed):
        read_in_worker(path, "a.pdf", replace(LIMITS, memory_limit_mb=1))


def test_a_pipe_that_windows_finds_broken_is_a_crash_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class BrokenPipe:
        def write(self, _: bytes) -> None:
            raise OSError(errno.EINVAL, "Invalid argument")

        close = flush = lambda self: self.write(b"")

    made = WorkerProcess.__init__

    def broken(process: WorkerProcess, module: str) -> None:
        made(process, module)
        assert process._process.stdin is not None
        process._process.stdin.close()
        process._process.stdin = BrokenPipe()  # type: ignore[assignment]

    monkeypatch.setattr(WorkerProcess, "__init__", broken)
    with pytest.raises(ReaderCrashed):
        read_in_worker(write_pdf(tmp_path / "a.pdf", [["甲"]]), "a.pdf", LIMITS)


def test_a_lasting_worker_keeps_nothing_of_what_it_wrote_about_earlier_work() -> None:
    with WorkerProcess("loaders.view_worker") as worker:
        worker._stderr.write(b"of an earlier page")
        worker.send([b"no request\n"])
        told = worker.last_words()
    assert "JSONDecodeError" in told and "earlier" not in told


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
def test_an_interrupt_from_the_terminal_is_for_the_app_which_then_ends_its_workers() -> None:
    with WorkerProcess("loaders.view_worker") as worker:
        assert os.getpgid(worker._process.pid) != os.getpgrp()


def test_reading_can_be_cancelled(tmp_path: Path) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(CancelledError):
        read_in_worker(write_pdf(tmp_path / "a.pdf", [["甲"]]), "a.pdf", LIMITS, cancel=cancel)


def test_a_document_is_split_in_a_worker_as_in_this_process() -> None:
    rows = "\n".join(["姓名 | 部门 | 工资", *(f"张三{number} | 财务部 | {number}" for number in range(60))])
    texts = ["第一章 总则\n" + "员工按本制度休假。" * 60, "", f"第二章 工资\n{rows}\ud83d"]
    pages = tuple(Page(number, f"第{number}页", text, PageHealth.TEXT) for number, text in enumerate(texts, start=1))
    document = LoadedDocument(pages, (Heading(1, "第一章 总则", 1), Heading(1, "第二章 工资", 3)))
    same, sections = split_in_worker(document, "甲.txt", LENGTHS, LIMITS)
    assert same == document
    assert sections == split_document(document, 200, 40, 800)
    assert {passage.context for section in sections for passage in section.children} == {"", "姓名 | 部门 | 工资"}


def test_recognised_pages_are_read_and_split_in_the_worker_as_in_this_process() -> None:
    outline = (Heading(1, "第一章 总则", 1),)
    known = Page(2, "二", "识别过的。" * 10, PageHealth.OCR, (PlacedLine(0, 5, Box(0.1, 0.2, 0.3, 0.4)),))
    image = Page(3, "三", "", PageHealth.EMPTY)
    document = LoadedDocument(
        (Page(1, "一", "第一章 总则\n" + "员工休假。" * 10, PageHealth.TEXT), known, image), outline
    )
    lines = (
        RecognisedLine("第二章 工资", Box(0.1, 0.1, 0.4, 0.12)),
        RecognisedLine("月薪" * 30 + "。", Box(0.1, 0.2, 0.4, 0.22)),
    )
    recognised = {3: RecognisedPage(595, 842, lines)}
    whole = with_recognised(document, recognised)
    split = split_in_worker(document, "甲.pdf", LENGTHS, LIMITS, recognised=recognised)
    assert split == (replace(whole, outline=outline), split_document(whole, 200, 40, 800))
    assert split[1][-1].children[-1].heading_path == ("第二章 工资",)


@pytest.mark.parametrize(
    ("limits", "refusal"),
    [
        (replace(LIMITS, time_limit_seconds=0.01), ReadingTimedOut),
        (LIMITS, TooManyPassages),
        pytest.param(
            replace(LIMITS, memory_limit_mb=1),
            ReaderCrashed,
            marks=pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is Linux's"),
        ),
    ],
)
def test_a_document_that_cannot_be_split_within_the_limits_is_given_up(
    limits: ReaderLimits, refusal: type[DocumentError]
) -> None:
    document = LoadedDocument((Page(1, "1", "甲乙丙。" * 100_000, PageHealth.TEXT),))
    with pytest.raises(refusal):
        split_in_worker(document, "甲.txt", LENGTHS, limits)


def test_every_document_error_survives_the_wire() -> None:
    for kind in DocumentError.__subclasses__():
        assert not kind.__subclasses__()  # only what stands directly below is found again
        returned = wire.decode_failure(json.loads(wire.failure(kind(name="甲.pdf", pages="1–2"))))
        assert type(returned) is kind
        assert returned.values == {"name": "甲.pdf", "pages": "1–2"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no module for limits")
@pytest.mark.parametrize("refusal", [ValueError("current limit exceeds maximum limit"), OSError("Invalid argument")])
def test_a_system_that_refuses_a_limit_on_memory_has_its_files_read_without(
    monkeypatch: pytest.MonkeyPatch, refusal: Exception
) -> None:
    refused: list[object] = []

    def refuse(*limits: object) -> None:
        refused.append(limits)
        raise refusal

    monkeypatch.setattr("resource.setrlimit", refuse)
    limit_memory(3000)
    assert refused
