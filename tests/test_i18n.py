"""Sentences in both languages."""

import pytest

from rag.errors import NoTextLayer
from rag.i18n import Language, sentence, text


@pytest.mark.parametrize(("language", "pages"), [(Language.ZH, "第 1–3、7 页"), (Language.EN, "pages 1–3, 7 ")])
def test_each_language_has_its_own_comma_between_pages(language: Language, pages: str) -> None:
    assert pages in sentence(language, NoTextLayer(name="扫描件.pdf", pages="1–3、7").message)


def test_one_is_told_in_the_singular() -> None:
    assert text(Language.EN, "web.chat.sources", count=1) != text(Language.EN, "web.chat.sources", count=2)
    assert "{" not in text(Language.EN, "web.chat.sources", count=2)
