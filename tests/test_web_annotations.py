"""What stands for the markers of an answer that goes out over HTTP."""

from rag.i18n import Language
from rag.web.http.openai_wire import annotations
from tests.samples import evidence, turn


def test_an_answer_of_nothing_but_markers_does_not_bring_its_passage_with_each() -> None:
    answer = turn("年假有几天？", f"年假为十天{'[1]' * 2000}。", (evidence(1),))
    noted = annotations(answer, "http://localhost/", Language.ZH)
    assert len(noted) == 1000
    assert noted[-1]["file_citation"]["number"] == 1
