import json
import sys
import threading
from concurrent.futures import CancelledError
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption

from loaders import load, wire
from loaders.reader import ReaderLimits, read_in_worker
from rag.errors import DocumentError, MismatchedFile, PasswordNeeded, ReaderCrashed, ReadingTimedOut
from tests.pdf_files import write_pdf


def test_the_worker_reads_what_load_reads(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "年 报😀.pdf", [["第一章 总则", "正文。"], [], ["完"]], outline=[("第一章 总则", 0, 1)])
    progress: list[tuple[int, int]] = []
    document = read_in_worker(path, path.name, on_progress=lambda done, total: progress.append((done, total)))
    assert document == load(path)
    assert progress == [(3, 3)]


def test_it_runs_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_pdf(tmp_path / "a.pdf", [["甲"]])
    monkeypatch.chdir(tmp_path)
    assert read_in_worker(Path("a.pdf"), "a.pdf").text == "甲"


def test_errors_come_back_as_they_are(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["机密"]], encryption=StandardEncryption("secret", "owner", strength=128))
    with pytest.raises(PasswordNeeded):
        read_in_worker(path, "a.pdf")
    assert read_in_worker(path, "a.pdf", "secret").text == "机密"
    with pytest.raises(MismatchedFile) as caught:
        read_in_worker(path, "../a\udcff.txt")
    assert caught.value.values == {"name": "../a\udcff.txt", "kind": "PDF"}


def test_a_file_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["甲"]])
    with pytest.raises(ReadingTimedOut) as caught:
        read_in_worker(path, "a.pdf", limits=ReaderLimits(time_limit_seconds=0.01))
    assert caught.value.values == {"name": "a.pdf", "seconds": 0.01}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on a process's memory")
def test_a_worker_that_dies_is_told_as_a_crash(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["甲"]])
    with pytest.raises(ReaderCrashed):
        read_in_worker(path, "a.pdf", limits=ReaderLimits(memory_limit_mb=1))


def test_reading_can_be_cancelled(tmp_path: Path) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(CancelledError):
        read_in_worker(write_pdf(tmp_path / "a.pdf", [["甲"]]), "a.pdf", cancel=cancel)


def test_every_document_error_survives_the_wire() -> None:
    for kind in DocumentError.__subclasses__():
        returned = wire.decode_failure(json.loads(wire.failure(kind(name="甲.pdf", pages="1–2"))))
        assert type(returned) is kind
        assert returned.values == {"name": "甲.pdf", "pages": "1–2"}
