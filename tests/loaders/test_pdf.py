import re
from pathlib import Path
from typing import Any

import pypdfium2.raw as pdfium
import pytest
from pypdf import PdfWriter
from pypdf.generic import (
    ArrayObject,
    ByteStringObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    TextStringObject,
)
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from loaders import load
from loaders.ocr_text import with_recognised
from rag.errors import DamagedFile, PasswordNeeded, TooManyPages, WrongPassword
from rag.types import Box, Heading, PageHealth, RecognisedLine, RecognisedPage
from tests.pdf_files import FONT, write_book, write_pdf, write_scan


def test_pages_keep_their_number_label_and_health(tmp_path: Path) -> None:
    document = load(write_pdf(tmp_path / "a.pdf", [["高血压的诊断标准"], [], ["食盐摄入量"]]))
    assert [(page.number, page.label, page.text, page.health) for page in document.pages] == [
        (1, "1", "高血压的诊断标准", PageHealth.TEXT),
        (2, "2", "", PageHealth.EMPTY),
        (3, "3", "食盐摄入量", PageHealth.TEXT),
    ]


def test_progress_tells_every_page(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    load(write_pdf(tmp_path / "a.pdf", [["甲"], ["乙"]]), on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_the_outline_is_the_files_own(tmp_path: Path) -> None:
    pages = [["血压", "正文甲。"], ["诊断", "正文乙。"]]
    document = load(write_pdf(tmp_path / "a.pdf", pages, outline=[("血压", 0, 1), ("诊断", 1, 2)]))
    assert document.outline == (Heading(1, "血压", 1), Heading(2, "诊断", 2))


def test_one_bookmark_does_not_hide_the_chapters(tmp_path: Path) -> None:
    pages = [["第一章 总则", "甲方履行义务。"], ["第二章 附则", "本合同自签字起生效。"]]
    document = load(write_pdf(tmp_path / "a.pdf", pages, outline=[("第一章 总则", 0, 1)]))
    assert document.outline == (Heading(1, "第一章 总则", 1), Heading(1, "第二章 附则", 2))


def test_an_outline_that_tells_nothing_of_the_text_gives_way_to_numbering(tmp_path: Path) -> None:
    pages = [["第一章 总则", "正文甲。"]]
    document = load(write_pdf(tmp_path / "a.pdf", pages, outline=[("OLE_LINK1", 0, 1)]))
    assert document.outline == (Heading(1, "第一章 总则", 1),)


def test_a_bookmark_and_a_label_that_are_cut_within_a_character_leave_the_rest_readable(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["血压"], ["诊断"]], outline=[("血压", 0, 1), ("诊断", 0, 2)])
    cut = ByteStringObject(b"\xfe\xff\x4e\x2d\xd8\x3d")
    writer = PdfWriter(clone_from=str(path))
    root: Any = writer.root_object
    root["/Outlines"]["/First"][NameObject("/Title")] = cut
    first = DictionaryObject({NameObject("/P"): cut, NameObject("/S"): NameObject("/r")})
    second = DictionaryObject({NameObject("/P"): TextStringObject("A" * 1000)})
    numbers = ArrayObject([NumberObject(0), first, NumberObject(1), second])
    writer.root_object[NameObject("/PageLabels")] = DictionaryObject({NameObject("/Nums"): numbers})
    writer.write(str(path))
    document = load(path)
    assert document.outline == (Heading(1, "诊断", 2),)
    assert [page.label for page in document.pages] == ["1", "A" * 120 + "…"]


def test_a_password_is_asked_for_and_checked(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["机密"]], encryption=StandardEncryption("秘密1", "owner", strength=128))
    with pytest.raises(PasswordNeeded):
        load(path)
    with pytest.raises(WrongPassword):
        load(path, password="wrong")


def test_the_right_password_opens(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["机密"]], encryption=StandardEncryption("secret", "owner", strength=128))
    assert load(path, password="secret").text == "机密"


@pytest.mark.parametrize("written", [" abc 123\n", "ａｂｃ　１２３"], ids=["copied", "wide"])
def test_a_password_opens_as_it_was_meant_too(tmp_path: Path, written: str) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["机密"]], encryption=StandardEncryption("abc 123", "owner", strength=128))
    assert load(path, password=written).text == "机密"


def test_an_owners_password_does_not_keep_readers_out(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["公开"]], encryption=StandardEncryption("", "owner", strength=128))
    assert load(path).text == "公开"


def test_a_truncated_file_is_read_or_damaged_but_never_silent(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["甲"]])
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(DamagedFile):
        load(path)


def test_a_file_of_images_only_comes_with_its_pages_and_its_outline(tmp_path: Path) -> None:
    document = load(write_pdf(tmp_path / "a.pdf", [[], []], outline=[("血压", 0, 2)]))
    assert [page.health for page in document.pages] == [PageHealth.EMPTY] * 2
    assert document.outline == (Heading(1, "血压", 2),)


def test_a_page_that_neither_reader_can_read_has_no_text_and_is_recognised(tmp_path: Path) -> None:
    document = load(write_pdf(tmp_path / "a.pdf", [["年假为十天。"], ["锟斤拷" * 10, "第一章 锟斤拷锟斤拷锟斤拷"]]))
    assert [(page.text, page.health) for page in document.pages] == [
        ("年假为十天。", PageHealth.TEXT),
        ("", PageHealth.GARBLED),
    ]
    assert document.outline == ()
    seen = RecognisedPage(595, 842, (RecognisedLine("病假为五天。", Box(0.1, 0.1, 0.5, 0.12)),))
    page = with_recognised(document, {2: seen}).pages[1]
    assert (page.text, page.health) == ("病假为五天。", PageHealth.OCR)


def test_a_scanners_stamp_does_not_make_an_image_a_page_of_text(tmp_path: Path) -> None:
    path = write_scan(tmp_path / "a.pdf", [["第一章"], ["正文。"]], text_pages=[2], stamp="Scanned by app")
    first, second = load(path).pages
    assert (first.text, first.health) == ("Scanned by app", PageHealth.EMPTY)
    assert (second.text, second.health) == ("正文。", PageHealth.TEXT)


def test_a_scan_that_is_stored_in_strips_is_an_image_too(tmp_path: Path) -> None:
    path = write_scan(tmp_path / "a.pdf", [["第一章"]], stamp="Scanned by app", strips=5)
    assert [page.health for page in load(path).pages] == [PageHealth.EMPTY]


def test_a_long_stamp_that_three_images_have_alike_does_not_make_them_pages_of_text(tmp_path: Path) -> None:
    stamp = "Collected by an example library, for study only, delete it after one day"
    path = write_scan(tmp_path / "a.pdf", [["第一章"], ["第二章"], ["第三章"], [stamp]], text_pages=[4], stamp=stamp)
    *scanned, text = load(path).pages
    assert [page.health for page in scanned] == [PageHealth.EMPTY] * 3
    assert text.health is PageHealth.TEXT


def test_too_many_pages_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TooManyPages) as caught:
        load(write_pdf(tmp_path / "a.pdf", [["甲"], ["乙"], ["丙"]]), max_pages=2)
    assert caught.value.values == {"name": "a.pdf", "pages": 3, "limit": 2}


def test_a_number_or_a_name_keeps_the_hyphen_at_the_end_of_a_line_and_a_word_does_not(tmp_path: Path) -> None:
    lines = ["本项目的合同编号为HT-", "2024-0015，负责人是Jean-", "Pierre，完成了infor-", "mation的训练。"]
    text = load(write_pdf(tmp_path / "a.pdf", [lines])).text
    assert "编号为HT-2024-0015，负责人是Jean-Pierre，完成了information的训练" in text


def test_a_number_with_small_letters_keeps_its_hyphen_too(tmp_path: Path) -> None:
    text = load(write_pdf(tmp_path / "a.pdf", [["这一批货物的编号是sku-", "a15，已经停止供应。"]])).text
    assert "编号是sku-a15，已经" in text


def test_a_name_that_the_page_has_without_a_hyphen_has_none_at_the_end_of_a_line(tmp_path: Path) -> None:
    lines = ["计算过程用数据流图表示的是Tensor-", "Flow，它的名字TensorFlow来源于此。"]
    assert "表示的是TensorFlow，它的名字" in load(write_pdf(tmp_path / "a.pdf", [lines])).text


def test_an_address_and_a_word_that_the_page_has_with_a_hyphen_keep_it_at_the_end_of_a_line(tmp_path: Path) -> None:
    lines = ["申请的网址是 https://help.a.org/create-an-", "api-key，其中的one-hot向量以及one-", "hot编码都已说明。"]
    text = load(write_pdf(tmp_path / "a.pdf", [lines])).text
    assert "https://help.a.org/create-an-api-key，" in text
    assert "以及one-hot编码" in text


def test_the_header_of_a_table_is_read_once_however_many_pages_repeat_it(tmp_path: Path) -> None:
    rows = [["城市", "住宿费", "补助"], *([f"城市{number}", f"{300 + number}", "80"] for number in range(100))]
    document = load(write_book(tmp_path / "a.pdf", [("费用标准", [rows])]))
    assert len(document.pages) > 2
    assert document.text.split("\n") == ["费用标准", *(" | ".join(row) for row in rows)]


def test_a_line_is_not_taken_for_the_rest_of_a_note_that_the_margin_has_a_little_higher(tmp_path: Path) -> None:
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(tmp_path / "a.pdf"))
    canvas.setFont(FONT, 8)
    canvas.drawString(470, 707, "2.0 版")
    canvas.setFont(FONT, 10)
    lines = [
        "家庭自测血压时应当静坐五分钟，不要抽烟也不要喝浓茶",
        "或者咖啡，每天早晚各测一次，并且把两次的结果都记下",
        "来交给医生。",
    ]
    for index, line in enumerate(lines):
        canvas.drawString(72, 700 - 14 * index, line)
    canvas.save()
    assert load(tmp_path / "a.pdf").text.split("\n") == ["2.0 版", "".join(lines)]


def test_lines_in_typewriter_letters_among_others_are_those_of_a_listing_and_a_page_of_them_is_text(
    tmp_path: Path,
) -> None:
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(tmp_path / "a.pdf"))
    listing = ["the shell that runs each of the jobs below is", "named by this name here whatever the user has as"]
    for page in ("定时任务如下所示：", ""):
        canvas.setFont(FONT, 10)
        canvas.drawString(72, 720, page)
        for index, line in enumerate(listing):
            canvas.setFont("Courier", 10)
            canvas.drawString(72, 700 - 14 * index, line)
        canvas.showPage()
    canvas.save()
    beside, alone = (page.text.split("\n") for page in load(tmp_path / "a.pdf").pages)
    assert beside == ["定时任务如下所示：", *listing]
    assert alone == [" ".join(listing)]


def test_a_line_between_two_low_characters_is_as_high_as_its_font(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = pdfium.FPDFText_GetLooseCharBox

    def as_low_as_its_stroke(page: Any, index: int, box: Any) -> Any:
        told = measured(page, index, box)
        if pdfium.FPDFText_GetUnicode(page, index) == ord("一"):
            box.bottom += 5
            box.top = box.bottom + 1.4
        return told

    monkeypatch.setattr(pdfium, "FPDFText_GetLooseCharBox", as_low_as_its_stroke)
    lines = [
        "出差人员应在返回后十个工作日内提交报销单并附上车票以及住宿发票，不予",
        "受理的票据退回。",
        "一类城市指北京上海广州和深圳，二类城市指省会城市，两名员工应合住一",
        "间标准间，按较高的标准报销。",
    ]
    assert "两名员工应合住一间标准间" in load(write_pdf(tmp_path / "a.pdf", [lines])).text


def test_an_item_whose_bullet_is_higher_than_its_text_goes_on_in_its_second_line(tmp_path: Path) -> None:
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(tmp_path / "a.pdf"))
    lines = ["家庭自测血压时应当静坐五分钟，不要抽烟也不要喝浓茶", "或者咖啡，每天早晚各测一次。"]
    for item in range(2):
        canvas.setFont("Helvetica", 18)
        canvas.drawString(62, 700 - 50 * item, "•")
        canvas.setFont(FONT, 12)
        for index, line in enumerate(lines):
            canvas.drawString(80, 700 - 50 * item - 20 * index, line)
    canvas.save()
    assert load(tmp_path / "a.pdf").text.split("\n") == [f"• {''.join(lines)}"] * 2


@pytest.mark.parametrize(
    "line",
    ["46）声部轮流传递，会有两次鼓钹对击，此时你应当听到钹", "声部轮流传递，会有两次鼓钹对击，应当听到钹和长号2"],
)
def test_a_line_whose_first_or_last_digit_is_higher_is_as_high_as_its_chinese(tmp_path: Path, line: str) -> None:
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(tmp_path / "a.pdf"))
    left = 72.0
    for number, text in enumerate(
        ["应这时你可以听到一个音调柔和动人的主题在长笛和双簧管", line, "所发出的足够的泛音。"]
    ):
        for part in re.findall(r"\d+|\D+", text):
            size = 20 if part.isdigit() else 12
            canvas.setFont(FONT, size)
            canvas.drawString(left, 760 - 20 * number, part)
            left += canvas.stringWidth(part, FONT, size)
        left = 72.0
    canvas.save()
    assert load(tmp_path / "a.pdf").text.endswith(f"{line}所发出的足够的泛音。")


@pytest.mark.parametrize("left", [180, 212])  # 212: below the last character
def test_a_heading_in_bold_strokes_is_a_line_of_its_own_below_a_sentence(tmp_path: Path, left: float) -> None:
    # pdfium takes a stroke to be as wide as it is before it is scaled: the heading reaches the line above, for it.
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(tmp_path / "a.pdf"))
    above = ["家庭自测血压时应当静坐五分钟，不要抽烟也不要喝浓茶", "或者咖啡，每天早晚各测一次。"]
    for place, text in enumerate([*above, "第四章 申请条件"]):
        canvas.setLineWidth(60)
        written = canvas.beginText()
        written.setFont(FONT, 320 if place == len(above) else 209)
        written.setTextRenderMode(2 if place == len(above) else 0)
        written.setTextTransform(
            0.05, 0, 0, 0.05, left if place == len(above) else 72, 700 - 16 * place - place // 2 * 10
        )
        written.textOut(text)
        canvas.drawText(written)
    canvas.save()
    assert load(tmp_path / "a.pdf").text.split("\n") == ["".join(above), "第四章 申请条件"]


def test_text_that_runs_downwards_is_one_line(tmp_path: Path) -> None:
    assert load(write_pdf(tmp_path / "a.pdf", [list("员工入职满一年以后")])).text == "员工入职满一年以后"
