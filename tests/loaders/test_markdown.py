from pathlib import Path

import pytest

from loaders import load
from tests.waiting import within_cpu_seconds

BLANKS = " " * 50_000


@pytest.mark.parametrize("rows", [f"a|b\n{BLANKS}x", f"a|b\n-|-\nc{BLANKS}x|"])
def test_many_blanks_in_or_below_a_row_take_no_time(tmp_path: Path, rows: str) -> None:
    path = tmp_path / "a.md"
    path.write_text(rows, encoding="utf-8")
    with within_cpu_seconds(1):
        assert load(path).text.startswith("a")


@pytest.mark.parametrize(
    "text",
    [
        "当 a<b 且 c>d 时成立。",
        "若 i<p，则 q>r。",
        "if a <b and c> d.",
        "a<u=b>c。",
        "<b and='x' or> 为空。",
        "<p align='center 为空 > 甲。",
    ],
)
def test_what_stands_between_two_comparisons_stays(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"# {text}甲\n\n{text}", encoding="utf-8")
    document = load(path)
    assert document.text == f"{text}甲\n{text}"
    assert document.outline[0].title == f"{text}甲"


@pytest.mark.parametrize(
    "tag",
    [
        "<b>",
        "</B >",
        "<p align=center>",
        "<div class=\"a > b\" data-x-1 = '2'>",
        "<details open>",
        "<font size=+1 color=red />",
    ],
)
def test_a_tag_that_lays_out_is_left_out_with_its_attributes(tmp_path: Path, tag: str) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"进入{tag}设置。", encoding="utf-8")
    assert load(path).text == "进入设置。"


def test_a_break_is_a_blank(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text('进入<br clear="all"/>设置。', encoding="utf-8")
    assert load(path).text == "进入 设置。"


def test_a_comment_is_read_in_code_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("年假<!-- 内部 -->十天。\n<!--\n旧版：\n\n五天 -- a<b。\n-->\n见 `<!-- 甲 -->`。\n<!-- 甲", "utf-8")
    assert load(path).text == "年假十天。\n见 `<!-- 甲 -->`。\n<!-- 甲"


@pytest.mark.parametrize("filler", ["<!--", "<!-- -", "<b a=", '<b a="', "<b a='b' ", "<b a=b ", "a='b' ", "` <b"])
def test_many_open_tags_take_no_time(tmp_path: Path, filler: str) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"甲。\n<b {filler * 15_000}", encoding="utf-8")
    with within_cpu_seconds(5):
        assert load(path).text.startswith("甲。")
