from pathlib import Path
from typing import Any

import docx
from docx.shared import Pt

from loaders import load
from rag.types import Heading

TEXT = "年度优秀员工奖励五千元，由人力资源部发放，具体名单以公告为准，员工可以在五个工作日内提出异议。"


def outline(document: Any, path: Path) -> tuple[Heading, ...]:
    document.save(str(path / "a.docx"))
    return load(path / "a.docx").outline


def by_hand(document: Any, text: str, size: float | None = None, bold: bool = True) -> None:
    run = document.add_paragraph().add_run(text)
    run.bold = bold
    run.font.size = Pt(size) if size else None
    document.add_paragraph(TEXT)


def test_titles_without_a_style_are_known_by_their_size(tmp_path: Path) -> None:
    document = docx.Document()
    for title in ("奖惩办法", "休假制度"):
        by_hand(document, title, 16)
        by_hand(document, "适用范围", 14, bold=False)
    document.add_table(2, 2).cell(0, 0).text = "姓名"
    assert [(heading.level, heading.title) for heading in outline(document, tmp_path)] == [
        (1, "奖惩办法"),
        (2, "适用范围"),
        (1, "休假制度"),
        (2, "适用范围"),
    ]


def test_bold_titles_of_the_text_s_size_are_headings_and_bold_text_is_none(tmp_path: Path) -> None:
    document = docx.Document()
    for title in ("奖惩办法", "休假制度"):
        by_hand(document, title)
    for _ in range(2):
        by_hand(document, "请注意，奖励不得转让")
        document.add_paragraph("重要").add_run("提示").bold = True
    assert [heading.title for heading in outline(document, tmp_path)] == ["奖惩办法", "休假制度"]
    document.styles["Normal"].font.bold = True
    assert outline(document, tmp_path) == ()


def test_headings_set_by_hand_stand_beside_those_of_a_style(tmp_path: Path) -> None:
    document = docx.Document()
    by_hand(document, "员工手册", 26)
    for number, (title, part) in enumerate((("总则", "范围"), ("休假", "年假"))):
        document.add_heading(title, level=1)
        document.add_heading(part, level=2)
        by_hand(document, f"{'二三'[number]}、考勤管理", 16)
        by_hand(document, "奖惩办法", 16)
        by_hand(document, "（一）要点")
        by_hand(document, "要点")
    assert [(heading.level, heading.title) for heading in outline(document, tmp_path)][:6] == [
        (1, "总则"),
        (2, "范围"),
        (1, "二、考勤管理"),
        (1, "奖惩办法"),
        (3, "（一）要点"),
        (1, "休假"),
    ]
