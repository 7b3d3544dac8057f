"""Blanks within words, as a text layer has them that a recogniser made."""

from pathlib import Path

from loaders import load
from loaders.cleaning import without_stray_blanks
from tests.pdf_files import write_pdf

SEEN = "我们从 他的视点看见洗碗工和两 个厨工，他 们曾经向罗比起哄，不过已经自 觉地回去干自己的活 儿了"
MEANT = "出席会议的有财政部 民政部 残疾人联合会的代表，其他部门列席，会议由主任主持，历时两天"


def test_sentences_of_a_page_with_very_many_blanks_between_chinese_characters_lose_them() -> None:
    seen, whole = [SEEN] * 3, [SEEN.replace(" ", "")] * 3
    others = ["第三条 供应 商应当具备资质，并且", "设备名称 数量 | 单价", "第一章 总则"]
    kept = ["第三条 供应商应当具备资质，并且", *others[1:]]
    assert without_stray_blanks("\n".join([*seen, *others])) == "\n".join([*whole, *kept])


def test_few_blanks_and_those_of_short_lines_are_meant() -> None:
    for text in ("\n".join([MEANT, *[MEANT.replace(" ", "、")] * 9]), "\n".join(["甲方 张三，乙方 李四"] * 12), SEEN):
        assert without_stray_blanks(text) == text


def test_the_pages_of_a_file_are_read_without_them(tmp_path: Path) -> None:
    lines = [f"{half}。" for half in (SEEN[:24], SEEN[24:]) for _ in range(4)]
    first, _ = load(write_pdf(tmp_path / "a.pdf", [[SEEN] * 4, lines])).pages
    assert "两个厨工" in first.text and "两 个" not in first.text.split("\n")[0]
