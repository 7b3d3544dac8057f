import zipfile
from pathlib import Path

import docx
import pytest

from loaders import load
from rag.errors import DamagedFile, FileTooLarge, NoTextLayer
from rag.types import Heading


def test_headings_tables_and_pages_are_read_in_order(tmp_path: Path) -> None:
    document = docx.Document()
    document.core_properties.title = "合同"
    document.add_heading("总则", level=1)
    document.add_paragraph("为了规范合同，制定本法。")
    table = document.add_table(rows=2, cols=3)
    for row, texts in zip(table.rows, [("项目", "金额", "说明"), ("租金", "100", "每月")], strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    document.add_page_break()
    document.add_heading("分则", level=2)
    document.save(str(tmp_path / "a.docx"))
    loaded = load(tmp_path / "a.docx")
    first = "总则\n为了规范合同，制定本法。\n项目 | 金额 | 说明\n租金 | 100 | 每月"
    assert [page.text for page in loaded.pages] == [first, "分则"]
    assert loaded.outline == (Heading(1, "总则", 1), Heading(2, "分则", 2))
    assert loaded.title == "合同"


def test_a_merged_cell_stands_in_its_row_once(tmp_path: Path) -> None:
    document = docx.Document()
    table = document.add_table(rows=1, cols=3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "合并"
    table.cell(0, 2).text = "单独"
    document.save(str(tmp_path / "a.docx"))
    assert load(tmp_path / "a.docx").text == "合并 | 单独"


def test_a_document_without_words_is_refused(tmp_path: Path) -> None:
    docx.Document().save(str(tmp_path / "a.docx"))
    with pytest.raises(NoTextLayer):
        load(tmp_path / "a.docx")


def test_a_damaged_document_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.docx", "w") as archive:
        archive.writestr("word/document.xml", "<broken")
    with pytest.raises(DamagedFile):
        load(tmp_path / "a.docx")


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(tmp_path / "a.docx", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("word/document.xml", "w", force_zip64=True) as member,
    ):
        for _ in range(301):
            member.write(bytes(1024 * 1024))
    with pytest.raises(FileTooLarge):
        load(tmp_path / "a.docx")
