"""What a browser sends with an event."""

import re
from pathlib import Path

import gradio as gr

from rag.web.parts import event_fields, event_texts, translations, whole_number

HOSTILE = {"id": "a\ud800b", "count": 3, "set:limit": "\udfff5", "set:list": [], 7: "x"}


def test_what_a_browser_sends_is_text_that_can_be_stored_or_nothing() -> None:
    event = gr.EventData(None, HOSTILE)
    assert event_texts(event, ["id", "count", "missing"]) == ["a?b", "", ""]
    assert event_fields(event, "set:") == {"set:limit": "?5"}
    assert event_texts(gr.EventData(None, "no object"), ["id"]) == [""]


def test_a_number_that_a_browser_sends_is_one_or_nothing() -> None:
    assert [whole_number(text) for text in ("0", "27", "9" * 9)] == [0, 27, 999_999_999]
    assert [whole_number(text) for text in ("", "-1", "1.5", "１２", "²", "9" * 10, "1 ")] == [None] * 7


def test_gradio_has_every_label_that_it_is_to_show_and_no_other_sentence() -> None:
    web = Path(__file__).parent.parent / "rag" / "web"
    shown = {key for path in web.rglob("*.py") for key in re.findall(r'\blabel\("([^"]+)"\)', path.read_text("utf-8"))}
    tables = translations().translations
    assert all(set(table) == {f"web.{key}" for key in shown} for table in tables.values())
    assert (tables["zh-CN"]["web.tab.chat"], tables["en"]["web.tab.chat"]) == ("对话", "Chat")
