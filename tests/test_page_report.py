"""Which pages are searched, and why the others are not, in sentences."""

import pytest

from rag.i18n import Language, sentence
from rag.page_report import page_report
from rag.types import PageHealth, Recognition


def test_pages_of_one_kind_are_told_in_ranges() -> None:
    health = dict.fromkeys(range(1, 9), PageHealth.TEXT) | {2: PageHealth.EMPTY, 3: PageHealth.EMPTY, 7: PageHealth.OCR}
    groups = page_report(health, {2: Recognition.BLANK, 3: Recognition.BLANK, 7: Recognition.READ})
    assert [(group.kind, group.pages, group.count, group.searchable) for group in groups] == [
        ("text", "1、4–6、8", 5, True),
        ("blank", "2–3", 2, False),
        ("ocr", "7", 1, True),
    ]


def test_a_page_that_was_recognised_but_is_not_stored_yet_waits() -> None:
    assert page_report({1: PageHealth.EMPTY}, {1: Recognition.READ})[0].kind == "waiting"


@pytest.mark.parametrize("language", list(Language))
def test_every_reason_has_a_sentence_with_its_pages(language: Language) -> None:
    health = dict.fromkeys(range(1, 20), PageHealth.EMPTY) | {20: PageHealth.GARBLED, 21: PageHealth.TEXT}
    outcomes = dict(enumerate(Recognition, start=1))
    groups = page_report(health, outcomes)
    assert {group.kind for group in groups} == {*Recognition, *PageHealth} - {"read", "ocr"}
    for group in groups:
        told = sentence(language, group.sentence)
        assert group.pages in told
        assert "page_report" not in told
