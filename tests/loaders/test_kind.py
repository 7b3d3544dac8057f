import zipfile
from pathlib import Path

import docx
import pytest

from loaders import load
from loaders.kind import FileKind, identify, is_pdf
from rag.errors import DamagedFile, EmptyFile, MismatchedFile, NotText, UnsupportedFile
from tests.pdf_files import write_pdf


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("name", ["a.pdf", "年 报（终稿）😀.PDF", "../../etc/passwd.pdf", "没有扩展名"])
def test_a_pdf_is_known_by_any_name_that_does_not_deny_it(tmp_path: Path, name: str) -> None:
    path = write_pdf(tmp_path / "stored", [["你好"]])
    assert identify(path, name) is FileKind.PDF


@pytest.mark.parametrize("name", ["a.docx", "a.txt", "a.pdf", "a"])
def test_whether_a_file_is_a_pdf_is_told_without_opening_an_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    pdf, archive = write_pdf(tmp_path / "one", [["你好"]]), tmp_path / "another"
    docx.Document().save(str(archive))
    monkeypatch.setattr(zipfile, "ZipFile", None)
    assert is_pdf(pdf, name) and not is_pdf(archive, name)
    assert not is_pdf(write(tmp_path / "third", "以 %PDF-1.7 开头的文字".encode()), "a.txt")


def test_a_pdf_header_may_come_after_junk(tmp_path: Path) -> None:
    assert identify(write(tmp_path / "a.pdf", b"junk\n" * 20 + b"%PDF-1.4\n"), "a.pdf") is FileKind.PDF


def test_a_pdf_with_junk_before_its_header_is_known_without_a_name(tmp_path: Path) -> None:
    path = write(tmp_path / "a", b"junk\n" * 20 + b"%PDF-1.4\n%\xe2\xe3\n" + bytes(range(256)) * 8)
    assert identify(path, "a") is FileKind.PDF


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "PK 赛规则：两队轮流答题。"),
        ("a.md", "PDF 文件以 %PDF-1.7 开头，其后是 1 0 obj 与 endobj。"),
        ("a.txt", "BM25 是一种排序的办法。"),
    ],
)
def test_text_is_text_whatever_it_begins_with_or_speaks_of(tmp_path: Path, name: str, text: str) -> None:
    assert load(write(tmp_path / name, text.encode())).text == text


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.pdf", "这里其实是文字".encode(), "TXT"),
        ("a.txt", b"%PDF-1.7\n%\xe2\xe3", "PDF"),
        ("a.docx", b"%PDF-1.7\n%\xe2\xe3", "PDF"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), "DOC/XLS/PPT"),
        ("a.pdf", b"\x89PNG\r\n\x1a\n" + bytes(100), "PNG"),
        ("a.pdf", b"RIFF\x00\x10\x00\x00WEBPVP8 " + bytes(100), "WEBP/WAV/AVI"),
        ("a.pdf", b"\x00\x00\x00\x18ftypheic" + bytes(100), "HEIC/MP4"),
        ("a.txt", b"<!DOCTYPE html><html>", "HTML"),
        ("a.csv", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), "DOC/XLS/PPT"),
    ],
)
def test_a_renamed_file_is_told_apart(tmp_path: Path, name: str, content: bytes, kind: str) -> None:
    with pytest.raises(MismatchedFile) as caught:
        identify(write(tmp_path / "stored", content), name)
    assert caught.value.values == {"name": name, "kind": kind}


def test_a_docx_is_read_whatever_its_main_part_is_called(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("年假为十天。")
    document.save(str(tmp_path / "usual.docx"))
    with zipfile.ZipFile(tmp_path / "usual.docx") as usual, zipfile.ZipFile(tmp_path / "a.docx", "w") as archive:
        for name in usual.namelist():
            content = usual.read(name).replace(b"document.xml", b"document2.xml")
            archive.writestr(name.replace("document.xml", "document2.xml"), content)
    assert load(tmp_path / "a.docx").text == "年假为十天。"


@pytest.mark.parametrize(("name", "part", "kind"), [("a.docx", "xl/workbook.xml", "XLSX"), ("a.pdf", "OFD.xml", "OFD")])
def test_an_archive_that_is_called_otherwise_is_told_by_its_main_part(
    tmp_path: Path, name: str, part: str, kind: str
) -> None:
    path = tmp_path / name
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(part, "<x/>")
    with pytest.raises(MismatchedFile) as caught:
        identify(path, name)
    assert caught.value.values["kind"] == kind


@pytest.mark.parametrize(
    ("place", "damage"),
    [
        (b"PK\x01\x02", b"PK\x01\x03"),
        (b"\x01\x00\x31\x00\x00\x00", b"\x01\x00\xff\xff\xff\x7f"),
        (b"\x14\x00\x00\x08", b"\xff\x00\x00\x08"),
        ("名".encode(), b"\xff\xff\xff"),
    ],
    ids=["mark", "size", "version", "name"],
)
def test_an_office_file_whose_directory_cannot_be_read_is_damaged(tmp_path: Path, place: bytes, damage: bytes) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("名", "x")
    content = path.read_bytes()
    directory = content.index(b"PK\x01\x02")
    assert place in content[directory:]
    path.write_bytes(content[:directory] + content[directory:].replace(place, damage, 1))
    with pytest.raises(DamagedFile):
        identify(path, "a.docx")


@pytest.mark.parametrize("content", [b"", b" \n\n", b"\xef\xbb\xbf", bytes(50)])
def test_a_file_of_nothing_is_empty(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(EmptyFile):
        identify(write(tmp_path / "a.txt", content), "a.txt")


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    binary = bytes(range(256)) * 8
    with pytest.raises(UnsupportedFile):
        identify(write(tmp_path / "a", binary), "a.bin")
    with pytest.raises(UnsupportedFile):
        identify(write(tmp_path / "b", b"some text"), "a.exe")
    with pytest.raises(NotText):
        load(write(tmp_path / "c.txt", binary))


def test_bytes_that_are_no_pdf_at_all_are_damaged(tmp_path: Path) -> None:
    with pytest.raises(DamagedFile):
        identify(write(tmp_path / "a.pdf", bytes(range(256)) * 8), "a.pdf")


@pytest.mark.parametrize("name", ["a.pdf", "a.docx"])
def test_a_file_cut_off_after_a_few_bytes_is_damaged_and_not_called_a_text(tmp_path: Path, name: str) -> None:
    with pytest.raises(DamagedFile):
        identify(write(tmp_path / name, b"hello"), name)
