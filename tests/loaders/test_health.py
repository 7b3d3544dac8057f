import pytest

from loaders.health import numbered_pages, page_health, ranges
from rag.errors import EmptyFile, GarbledText, NoWords
from rag.types import PageHealth


@pytest.mark.parametrize(
    "text",
    [
        "高血压患者每天的食盐摄入量",
        "plain English, 100%",
        "Привет, мир",
        "مرحبا بالعالم",
        "αi = ∑ exp(xᵢ) 其中 N 为个数",
        "東京タワー",
    ],
)
def test_text_of_one_language_is_text(text: str) -> None:
    assert page_health(text) is PageHealth.TEXT


@pytest.mark.parametrize("text", ["ބཌྷ֥ܱඌեۀߎݖ࿐ބཌྷ֥ܱ", "ä¸­æ–‡æ–‡æ¡£æ˜¯ä¹±ç", "\ue001\ue002\ue003中文", "���本�"])
def test_scripts_that_do_not_go_together_are_garbled(text: str) -> None:
    assert page_health(text) is PageHealth.GARBLED


GOOD = "公司的注册资本为人民币五千万元，法定代表人为张三。本公司依照中华人民共和国公司法设立，经营范围包括软件开发。"
MOJIBAKE = "锟斤拷" * 20


@pytest.mark.parametrize(
    "text",
    [
        "".join(chr(ord(one) + 1733) if "一" <= one <= "龥" else one for one in GOOD),
        "".join(chr(ord(one) - 1) if "一" <= one <= "龥" and not at % 2 else one for at, one in enumerate(GOOD)),
        GOOD.encode().decode("gbk", "ignore"),
        "锟斤拷" * 20,
        "(cid:123)(cid:4567)" * 20,
    ],
)
def test_characters_too_rare_for_any_text_are_garbled(text: str) -> None:
    assert page_health(text) is PageHealth.GARBLED


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "公司的註冊資本為人民幣五千萬元，法定代表人為張三。本公司依照中華人民共和國公司法設立，經營範圍包括軟體開發。",
    ],
)
def test_text_in_either_writing_is_text(text: str) -> None:
    assert page_health(text) is PageHealth.TEXT


@pytest.mark.parametrize(
    ("lines", "health"),
    [
        (["ᆈ᭮ᓄ⭘ⲴᆇփǄ", "ѫ᮷Ԧˈ൘㕆䈁时ᓄ䈕㕆䈁↔᮷ԦǄ", "fonts, report.tex, 参考文献"], PageHealth.GARBLED),
        (["学ᒪㅢж学期", GOOD], PageHealth.TEXT),
        (["语言：Русский، العربية, ไทย, 한국어, עברית", GOOD, GOOD], PageHealth.TEXT),
    ],
)
def test_a_page_with_many_words_of_several_alphabets_is_garbled(lines: list[str], health: PageHealth) -> None:
    assert page_health("\n".join(lines)) is health


def test_blanks_are_empty() -> None:
    assert page_health(" \n\t ") is PageHealth.EMPTY


def test_page_numbers_are_told_as_ranges() -> None:
    assert ranges([1, 2, 3, 7, 9, 10]) == "1–3、7、9–10"


def test_one_page_of_text_is_enough() -> None:
    pages = numbered_pages(["", GOOD, MOJIBAKE], "a.docx")
    assert [page.health for page in pages] == [PageHealth.EMPTY, PageHealth.TEXT, PageHealth.GARBLED]


def test_a_file_without_text_is_refused_with_its_pages() -> None:
    with pytest.raises(GarbledText) as garbled:
        numbered_pages(["", MOJIBAKE], "a.txt")
    assert garbled.value.values == {"name": "a.txt", "pages": "2"}


def test_nobody_is_sent_to_recognise_images_in_a_file_of_blanks() -> None:
    with pytest.raises(EmptyFile):
        numbered_pages(["", ""], "a.txt")
    with pytest.raises(NoWords) as caught:
        numbered_pages([""], "a.docx", NoWords)
    assert "另存为 PDF" in str(caught.value)
