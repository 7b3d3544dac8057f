"""Sentences in both languages."""

import pytest

from rag.errors import NoTextLayer
from rag.i18n import Language, sentence, text
from rag.ingest.page_report import page_report
from rag.types import PageHealth, Recognition

KINDS = "PDF, DOCX, XLSX, PPTX, HTML, TXT, MD, CSV"


@pytest.mark.parametrize(("language", "pages"), [(Language.ZH, "第 1–3、7 页"), (Language.EN, "pages: 1–3, 7)")])
def test_each_language_has_its_own_comma_between_pages(language: Language, pages: str) -> None:
    assert pages in sentence(language, NoTextLayer(name="扫描件.pdf", pages="1–3、7").message)


@pytest.mark.parametrize(
    ("key", "one", "more"),
    [
        ("web.chat.sources", "1 passage", "2 passages"),
        ("web.chat.corrected", "1 source put", "2 sources put"),
        ("web.files.using", "using 0 of 1 file", "using 0 of 2 files"),
        ("web.files.using_with_sample", "using 0 of 1 file (", "using 0 of 2 files ("),
        ("web.check.how", "1 sentence taken", "2 sentences taken"),
        ("web.files.limits", f"{KINDS}. Up to 5 MB and 1 page a file", f"{KINDS}. Up to 5 MB and 2 pages a file"),
        ("backfill.done", "1 turn imported, 1 parent filled in.", "2 turns imported, 2 parents filled in."),
        ("error.too_many_questions", "1 of your questions is", "2 of your questions are"),
        ("error.too_many_here", "1 question from your network is", "2 questions from your network are"),
    ],
)
def test_one_is_told_in_the_singular(key: str, one: str, more: str) -> None:
    others = {"used": 0, "among": 5, "moment": "", "size": 5}
    for number, told in ((1, one), (2, more)):
        numbers = dict.fromkeys(("count", "limit", "pages", "imported", "filled"), number)
        assert text(Language.EN, key, **numbers, **others).startswith(told)


def test_a_report_of_one_page_speaks_of_one_page() -> None:
    (of_one,) = page_report("甲.pdf", {3: PageHealth.EMPTY}, {3: Recognition.LOCKED})
    (of_more,) = page_report("甲.pdf", dict.fromkeys((3, 4), PageHealth.EMPTY), {})
    assert sentence(Language.EN, of_one.sentence).startswith("Page 3: needs the password")
    assert sentence(Language.EN, of_more.sentence) == "Pages 3–4: no text"
