"""What a browser sends with an event."""

import gradio as gr

from rag.web.labels import sent, told

HOSTILE = {"id": "a\ud800b", "count": 3, "set:limit": "\udfff5", "set:list": [], 7: "x"}


def test_what_a_browser_sends_is_text_that_can_be_stored_or_nothing() -> None:
    event = gr.EventData(None, HOSTILE)
    assert told(event, ["id", "count", "missing"]) == ["a?b", "", ""]
    assert sent(event, "set:") == {"set:limit": "?5"}
    assert told(gr.EventData(None, "no object"), ["id"]) == [""]
