"""Which pages are searched, and why the others are not, in sentences."""

import pytest

from rag.i18n import Language, sentence
from rag.ingest.page_report import page_report
from rag.types import PageHealth, Recognition
from tests.recognising import pages_told


def test_pages_of_one_kind_are_told_in_ranges() -> None:
    health = dict.fromkeys(range(1, 9), PageHealth.TEXT) | {2: PageHealth.EMPTY, 3: PageHealth.EMPTY, 7: PageHealth.OCR}
    groups = page_report("甲.pdf", health, {2: Recognition.BLANK, 3: Recognition.BLANK, 7: Recognition.READ})
    told = [(group.sentence.key, pages_told(group), group.sentence.values["count"]) for group in groups]
    assert told == [
        ("page_report.text", "1、4–6、8", 5),
        ("page_report.blank", "2–3", 2),
        ("page_report.ocr", "7", 1),
    ]
    assert [group.searchable for group in groups] == [True, False, True]


def test_a_page_that_was_recognised_but_is_not_stored_yet_waits() -> None:
    assert page_report("甲.pdf", {1: PageHealth.EMPTY}, {1: Recognition.READ})[0].sentence.key == "page_report.waiting"


@pytest.mark.parametrize("language", list(Language))
def test_every_reason_has_a_sentence_with_its_pages(language: Language) -> None:
    health = dict.fromkeys(range(1, 20), PageHealth.EMPTY) | {20: PageHealth.GARBLED, 21: PageHealth.TEXT}
    outcomes = dict(enumerate(Recognition, start=1))
    groups = page_report("甲.pdf", health, outcomes)
    kinds = {*Recognition, *PageHealth} - {"read", "ocr"}
    assert {group.sentence.key for group in groups} == {f"page_report.{kind}" for kind in kinds}
    for group in groups:
        told = sentence(language, group.sentence)
        assert pages_told(group) in told
        assert "page_report" not in told


@pytest.mark.parametrize(
    ("file", "zh", "en"),
    [
        ("表.xlsx", "第 1–2 个工作表有文字，可以检索", "Sheets 1–2: text, searchable"),
        ("讲稿.PPTX", "第 1–2 张幻灯片有文字，可以检索", "Slides 1–2: text, searchable"),
    ],
)
def test_sheets_and_slides_are_reported_as_what_they_are(file: str, zh: str, en: str) -> None:
    (group,) = page_report(file, dict.fromkeys((1, 2), PageHealth.TEXT), {})
    assert (sentence(Language.ZH, group.sentence), sentence(Language.EN, group.sentence)) == (zh, en)
