"""Workbooks: sheets as pages, rows as lines, numbers as they are shown, and files that mean harm."""

import zipfile
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from loaders import archives, load
from loaders.reader import ReaderLimits, read_in_worker
from loaders.rows import find_rows
from loaders.sections import split_document
from loaders.xlsx_formats import BUILT_IN, shown
from rag.errors import DamagedFile, FileTooLarge, LockedOfficeFile, MismatchedFile, NoWords, TooManyPages
from rag.types import Heading, LoadedDocument, PageHealth

Build = Callable[[Any], None]
SHEET = "xl/worksheets/sheet1.xml"
HEADER = ["地区", "门店", "销售额"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "甲.xlsx"


def read(path: Path, *rows: list[Any], title: str = "销售", also: Build = lambda sheet: None) -> LoadedDocument:
    """What is read of a workbook of one sheet."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for row in rows:
        sheet.append(row)
    also(sheet)
    book.save(path)
    return load(path)


def lines(document: LoadedDocument) -> list[str]:
    """The lines of the first sheet below its name."""
    return document.pages[0].text.split("\n")[1:]


def tampered(path: Path, parts: Mapping[str, str]) -> Path:
    """A workbook, with some of its parts replaced."""
    read(path, HEADER, ["华东", "一店", 5])
    with zipfile.ZipFile(path) as archive:
        content = {name: parts.get(name, archive.read(name)) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in content.items():
            archive.writestr(name, part)
    return path


def sheet_of(rows: str, before: str = "", after: str = "") -> Mapping[str, str]:
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    start = f"{before}<worksheet xmlns='{space}'><dimension ref='A1:XFD1048576'/>"
    return {SHEET: f"{start}<sheetData>{rows}</sheetData>{after}</worksheet>"}


def cell(place: str, text: str) -> str:
    return f"<c r='{place}' t='inlineStr'><is><t>{text}</t></is></c>"


def test_each_shown_sheet_is_a_page_under_its_name_and_one_without_text_before_others_is_empty(path: Path) -> None:
    book = openpyxl.Workbook()
    for name in ("一月", "空白", "二月", "Sheet4", "Sheet5"):
        book.create_sheet(name)
    book.remove(book.worksheets[0])
    for name in ("一月", "二月"):
        book[name].append([name, "张三"])
    book.save(path)
    document = load(path)
    assert [(page.number, page.label, page.text, page.health) for page in document.pages] == [
        (1, "1", "一月\n一月 | 张三", PageHealth.TEXT),
        (2, "2", "", PageHealth.EMPTY),
        (3, "3", "二月\n二月 | 张三", PageHealth.TEXT),
    ]
    assert document.outline == (Heading(1, "一月", 1), Heading(1, "二月", 3))


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_a_sheet_that_is_hidden_is_not_read(path: Path, state: str) -> None:
    def hide(sheet: Any) -> None:
        other = sheet.parent.create_sheet("底稿", 0)
        other.append(["秘密"])
        other.sheet_state = state

    document = read(path, HEADER, also=hide)
    assert len(document.pages) == 1 and "秘密" not in document.text


def test_the_header_stands_above_every_chunk_and_a_title_above_it_is_a_heading(path: Path) -> None:
    rows = [[f"地区{number}", f"门店{number}", number] for number in range(60)]
    document = read(path, ["2025年销售统计表"], ["单位：万元"], HEADER, *rows)
    assert lines(document)[:4] == ["2025年销售统计表", "单位：万元", "地区 | 门店 | 销售额", "地区0 | 门店0 | 0"]
    children = [child for section in split_document(document, 200, 40, 800) for child in section.children]
    assert len(children) > 3
    assert all("地区 | 门店 | 销售额" in child.text_in_context for child in children)
    assert {child.heading_path for child in children} == {("销售", "2025年销售统计表")}


def test_tables_are_parted_by_empty_rows_and_each_stands_in_its_own_columns(path: Path) -> None:
    second = [[None, None, None, "姓名", "电话"], [None, None, None, "张三", "021"]]
    document = read(path, HEADER, ["华东", None, 5], [], ["人员"], [], *second, also=lambda sheet: None)
    assert lines(document) == ["地区 | 门店 | 销售额", "华东 |  | 5", "人员", "姓名 | 电话", "张三 | 021"]
    assert document.outline == (Heading(1, "销售", 1), Heading(2, "人员", 1))


def test_rows_that_go_on_behind_an_empty_one_stay_in_their_columns(path: Path) -> None:
    document = read(path, HEADER, ["华东", "一店", 5], [], [None, "二店", 6], [None, "三店", 7])
    assert lines(document) == [" | ".join(HEADER), "华东 | 一店 | 5", "", " | 二店 | 6", " | 三店 | 7"]


def test_the_rows_of_a_table_too_wide_for_its_header_to_be_repeated_name_their_columns(path: Path) -> None:
    titles = [f"第{number}项补贴金额" for number in range(24)]
    top = ["序号", "部门", "姓名", "应发", *[None] * 23, "实发工资"]
    header = [None, None, None, *titles, None]

    def merge(sheet: Any) -> None:
        for place in ("A1:A2", "B1:B2", "C1:C2", "D1:AA1", "AB1:AB2"):
            sheet.merge_cells(place)

    people = [1, "财务部", "张三", *range(24), 8000], ["合计"], [2, "法务部", "李四", 5]
    group, first, *rows = lines(read(path, top, header, *people, also=merge))
    assert group == "应发"
    assert first == " | ".join(["序号", "部门", "姓名", *titles, "实发工资"])
    assert len(rows) == 5 and all(len(row) <= 160 for row in rows)
    assert all(row.startswith("序号：1，部门：财务部，姓名：张三，第") for row in rows[:3])
    assert rows[2].endswith("，第23项补贴金额：23，实发工资：8000")
    assert rows[3:] == ["序号：合计", "序号：2，部门：法务部，姓名：李四，第0项补贴金额：5"]


def test_alike_columns_of_a_wide_table_are_named_with_the_title_above_them(path: Path) -> None:
    years = [f"{year}年本科批次录取情况" for year in range(2021, 2025)]
    top = ["招生计划", None, None, *(one for year in years for one in (year, None, None))]
    header = ["序号", "院校代码", "院校", *("录取人数", "最低分", "最低位次") * 4]
    rows = [1, "10558", "甲大学", *range(12)], [2, "10013", "乙大学", *range(12)]
    group, names, *told = lines(read(path, top, header, *rows))
    assert group == "招生计划"
    assert names.startswith("序号 | 院校代码 | 院校 | 2021年本科批次录取情况 录取人数 | 2021年本科批次录取情况 最低分")
    assert any("2024年本科批次录取情况 最低分：10" in row for row in told)


def test_a_name_behind_figures_is_told_in_each_line_of_its_row(path: Path) -> None:
    titles = [f"第{number}项补贴金额" for number in range(24)]
    rows = [[at, f"{at}%", 100 + at, f"{name}大学", *range(24)] for at, name in enumerate("甲乙丙", start=1)]
    _, *told = lines(read(path, ["序号", "概率", "院校代码", "院校", *titles], *rows))
    assert all("，院校：甲大学，第" in row for row in told[:3]) and told[3].startswith("序号：2，概率：2%")


@pytest.mark.parametrize(
    "above", [["编制单位：甲公司", None, None, "单位：万元"], [None, "口径：含已注销的门店在内", "固定不变"]]
)
def test_what_is_noted_above_the_titles_of_a_table_is_not_its_header(path: Path, above: list[str | None]) -> None:
    document = read(path, above, ["地区", "门店", "销售额", "利润"], ["华东", "一店", 5, 6], ["华北", "二店", 7, 8])
    told, *rows = lines(document)
    assert told == " ".join(filter(None, above))
    assert [row.header for row in find_rows("\n".join(rows))] == ["", *["地区 | 门店 | 销售额 | 利润"] * 2]


def test_a_row_of_one_cell_within_a_table_does_not_end_it_and_a_note_below_is_none_of_it(path: Path) -> None:
    document = read(path, HEADER, ["华东"], ["上海", "一店", 5], ["注：未经审计。"])
    assert lines(document) == ["地区 | 门店 | 销售额", "华东 |", "上海 | 一店 | 5", "注：未经审计。"]


def test_what_is_merged_over_rows_stands_in_each_and_over_columns_in_the_first(path: Path) -> None:
    def merge(sheet: Any) -> None:
        for place in ("A1:C1", "A2:A3", "B2:C2", "A5:A6"):
            sheet.merge_cells(place)

    long = "很长的说明" * 9
    rows = ["销售表"], ["地区", "业绩"], [None, "数量", "金额"], ["华东", 5, 6], [long, 7, 8], [None, 9, 10]
    assert lines(read(path, *rows, also=merge)) == [
        "销售表",
        "地区 | 业绩",
        "地区 | 数量 | 金额",
        "华东 | 5 | 6",
        f"{long} | 7 | 8",
        " | 9 | 10",
    ]


def test_empty_rows_and_columns_are_left_out_the_line_breaks_of_a_cell_and_the_room_in_a_word(path: Path) -> None:
    document = read(path, [], [None, "姓 名", None, "电话\n手机"], [None, "张三", None, " 1 | 2 "])
    assert lines(document) == ["姓名 | 电话 手机", "张三 | 1 / 2"]


def test_a_formula_that_was_not_reckoned_is_shown_itself_and_one_that_was_by_its_result(path: Path) -> None:
    assert lines(read(path, ["合计", "=SUM(B2:B9)"])) == ["合计 | =SUM(B2:B9)"]
    results = (
        "<c t='str'><f>A2</f><v>华东</v></c><c><f>1+1</f><v>2</v></c><c t='b'><v>1</v></c><c t='e'><v>#N/A</v></c>"
    )
    assert lines(load(tampered(path, sheet_of(f"<row>{results}</row>")))) == ["华东 | 2 | TRUE | #N/A"]


def test_dates_and_amounts_of_a_workbook_are_as_excel_shows_them(path: Path) -> None:
    def formats(sheet: Any) -> None:
        for place, code in {"A1": 'yyyy"年"m"月"d"日"', "B1": "0.0%", "C1": "#,##0.00", "D1": "yyyy-mm-dd"}.items():
            sheet[place].number_format = code

    day = date(2025, 3, 1)
    assert lines(read(path, [day, 0.125, 1234.5, day], also=formats)) == [
        "2025年3月1日 | 12.5% | 1,234.50 | 2025-03-01"
    ]


@pytest.mark.parametrize(
    ("raw", "code", "text"),
    [
        ("45717", "m/d/yyyy", "2025-03-01"),
        ("45717", BUILT_IN[31], "2025年3月1日"),
        ("45717", BUILT_IN[57], "2025年3月"),
        ("45717", "mmm-yy", "2025-03"),
        ("45717.604", "yyyy/m/d h:mm", "2025-03-01 14:29"),
        ("45717.0", "yyyy-mm-dd hh:mm:ss", "2025-03-01"),
        ("45717.5", "上午/下午h时mm分", "下午12时00分"),
        ("45717", '[$-804]yyyy"年"m"月"d"日"\\ aaaa;@', "2025年3月1日 星期六"),
        ("0.604", "h:mm AM/PM", "14:29"),
        ("1.1", "[h]:mm:ss", "26:24:00"),
        ("99999999", "yyyy-mm-dd", "99999999"),
        ("-1", "yyyy-mm-dd", "-1"),
        ("0.12", "0%", "12%"),
        ("0.125", "0.00", "0.13"),
        ("-1234.5", '"¥"#,##0.00_);[Red]\\("¥"#,##0.00\\)', "(¥1,234.50)"),
        ("0", '_ * #,##0.00_ ;_ * -#,##0.00_ ;_ * "-"??_ ;_ @_ ', "-"),
        ("12.5", '0.0"万元"', "12.5万元"),
        ("12", "00000", "00012"),
        ("2.5", "0.##", "2.5"),
        ("-3", "0", "-3"),
        ("0.30000000000000004", "General", "0.3"),
        ("8.3333333333333339", "General", "8.333333333"),
        ("12345678901.256", "General", "12345678901.26"),
        ("1.5E-7", "General", "0.00000015"),
        ("1.2E+20", "General", "120000000000000000000"),
        ("45717", "[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", "2025-03-01"),
        ("45717", '[$-411]ggge"年"m"月"d"日";@', "2025年3月1日"),
        ("330106199001011234", "General", "330106199001011234"),
        ("1234567", '0!.0,"万"', "1234567"),
        ("13800138000", "000-0000-0000", "13800138000"),
        ("5", "[>100]0.0;0.00", "5"),
        ("1E400", "0.00", "1E400"),
        ("无", "0.00", "无"),
    ],
)
def test_a_number_is_shown_by_its_format_where_that_is_simple(raw: str, code: str, text: str) -> None:
    assert shown(raw, code) == text


def test_days_may_be_counted_from_1904(path: Path) -> None:
    def count_from_1904(sheet: Any) -> None:
        sheet.parent.epoch = CALENDAR_MAC_1904
        sheet["A1"], sheet["B1"] = date(2025, 3, 1), "甲"

    document = read(path, also=count_from_1904)
    with zipfile.ZipFile(path) as archive:
        assert b"44255" in archive.read(SHEET)
    assert lines(document) == ["2025-03-01 | 甲"]


@pytest.mark.parametrize("change", [lambda name: name.replace("/", "\\"), str.upper, lambda name: name])
def test_the_parts_of_a_workbook_may_be_named_as_some_exporters_do(path: Path, change: Callable[[str], str]) -> None:
    read(path, HEADER, ["华东", "一店", 5])
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in content.items():
            archive.writestr(change(name), part.replace(b' s="', b' s="" x="'))
    assert lines(load(path)) == ["地区 | 门店 | 销售额", "华东 | 一店 | 5"]


def test_a_workbook_without_text_says_so_and_one_of_too_many_sheets_is_refused(path: Path) -> None:
    with pytest.raises(NoWords):
        read(path)
    read(path, HEADER, also=lambda sheet: sheet.parent.create_sheet("二"))
    with pytest.raises(TooManyPages):
        load(path, max_pages=1)


def test_a_size_that_is_only_declared_and_a_cell_at_the_end_take_no_time(path: Path) -> None:
    rows = f"<row r='1'>{cell('A1', '甲')}{cell('XFD1', '乙')}</row><row r='1048576'>{cell('XFD1048576', '丙')}</row>"
    beyond = f"<row r='99999999'>{cell('A1', '丁')}</row><row r='2'>{cell('ZZZ2', '戊')}</row>"
    tampered(path, sheet_of(rows + beyond))
    limits = ReaderLimits(max_pages=10, max_chunks=1000, time_limit_seconds=10, memory_limit_mb=1000)
    assert lines(read_in_worker(path, path.name, limits)) == ["甲 | 乙", "丙"]


def test_merged_cells_that_overlap_take_no_time(path: Path) -> None:
    rows = "".join(f"<row r='{row}'>{cell(f'A{row}', '甲')}{cell(f'B{row}', '乙')}</row>" for row in range(1, 5001))
    merged = "".join(f"<mergeCell ref='A{row}:XFD1048576'/>" for row in range(1, 5000))
    tampered(path, sheet_of(rows, after=f"<mergeCells>{merged}</mergeCells>"))
    limits = ReaderLimits(max_pages=10, max_chunks=1000, time_limit_seconds=10, memory_limit_mb=1000)
    assert lines(read_in_worker(path, path.name, limits)) == ["甲"]


def test_an_entity_brings_nothing_from_outside_and_nothing_that_swells(path: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("机密", encoding="utf-8")
    entity = f"<!DOCTYPE x [<!ENTITY x SYSTEM 'file://{tmp_path}/secret'>]>"
    row = f"<row r='1'>{cell('A1', '&x;')}{cell('B1', '乙')}</row>"
    assert lines(load(tampered(path, sheet_of(row, before=entity)))) == ["乙"]
    swelling = "<!ENTITY a 'aaaaaaaaaa'>" + "".join(
        f"<!ENTITY {name} '{f'&{part};' * 10}'>" for part, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    row = f"<row r='1'><c r='A1' t='str'><v>&i;</v></c>{cell('B1', '乙')}</row>"
    with pytest.raises(DamagedFile):
        load(tampered(path, sheet_of(row, before=f"<!DOCTYPE x [{swelling}]>")))


def test_a_file_that_unpacks_to_too_much_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_MAX_UNPACKED_MB", 1)
    with pytest.raises(FileTooLarge):
        load(tampered(path, {SHEET: " " * 3_000_000}))


@pytest.mark.parametrize("part", ["<worksheet", "<worksheet><sheetData><row r='1'><c r='A1' t='s'><v>9</v></c></row>"])
def test_a_damaged_part_is_told_as_damage(path: Path, part: str) -> None:
    with pytest.raises(DamagedFile):
        load(tampered(path, {SHEET: part}))


def test_a_file_that_was_cut_off_is_damaged(path: Path) -> None:
    read(path, HEADER)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(DamagedFile):
        load(path)


def test_a_workbook_with_a_password_says_so_and_an_older_one_what_it_is(path: Path) -> None:
    older = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    path.write_bytes(older + "EncryptedPackage".encode("utf-16-le"))
    with pytest.raises(LockedOfficeFile):
        load(path)
    path.write_bytes(older)
    with pytest.raises(MismatchedFile) as caught:
        load(path)
    assert caught.value.values["kind"] == "DOC/XLS/PPT"
