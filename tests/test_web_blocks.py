"""Gradio's page passes over what a handler leaves alone, and does all else as Gradio does it."""

from collections.abc import Iterator
from typing import Any

import gradio as gr
import pytest
from fastapi import Request
from gradio.state_holder import SessionState

from rag.errors import StoreUnavailable
from rag.i18n import Language, text
from rag.web.blocks import Blocks


class Page:
    """A page of one event with three outputs."""

    def __init__(self, blocks: gr.Blocks) -> None:
        self.blocks = blocks
        with blocks:
            self.outputs = [gr.Textbox("一"), gr.Markdown("二"), gr.State("三")]
            gr.Button().click(lambda: None, None, self.outputs)
        (self.event,) = self.blocks.fns.values()
        self.session = SessionState(self.blocks)

    async def after(self, changes: dict[int, Any] | Any) -> list[Any]:
        """What the browser is sent when a handler returns values by the places of its outputs."""
        if isinstance(changes, dict) and "__type__" not in changes:
            changes = {self.outputs[place]: value for place, value in changes.items()}
        return await self.blocks.postprocess_data(self.event, changes, self.session)


@pytest.mark.parametrize(
    "changes",
    [
        {0: "新"},
        {1: "<p>新</p>", 2: "记住"},
        {0: gr.Textbox(value="", submit_btn=True), 1: None},
        {0: "新", 1: "<p>新</p>", 2: None},
        gr.skip(),
        ("新", "<p>新</p>", None),
    ],
)
async def test_the_browser_is_sent_what_gradio_itself_would_send(changes: Any) -> None:
    gradio = Page(gr.Blocks(analytics_enabled=False))
    assert await Page(Blocks(Language.ZH, analytics_enabled=False)).after(changes) == await gradio.after(changes)


async def test_a_part_that_is_left_alone_is_not_built_anew() -> None:
    page = Page(Blocks(Language.ZH, analytics_enabled=False))
    await page.after({0: "新"})
    assert page.session[page.outputs[1]._id] is page.outputs[1]


async def test_a_state_is_kept_for_the_event_that_follows() -> None:
    page = Page(Blocks(Language.ZH, analytics_enabled=False))
    await page.after({2: "记住"})
    assert page.session[page.outputs[2]._id] == "记住"


async def test_a_part_that_is_no_output_is_an_error_as_in_gradio() -> None:
    page = Page(Blocks(Language.ZH, analytics_enabled=False))
    with pytest.raises(ValueError, match="not specified as output"):
        await page.blocks.postprocess_data(page.event, {gr.Textbox(): "新"}, page.session)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("streams", [False, True])
async def test_what_fails_on_the_page_is_told_in_the_readers_language_and_nothing_of_its_inside(
    language: Language, streams: bool
) -> None:
    refused, unforeseen = StoreUnavailable(path="/srv/<b>store</b>", reason="busy"), KeyError("SELECT secret")
    expected = [
        text(language, "error.store_unavailable", path="b&gt;", reason="busy"),
        text(language, "error.internal"),
    ]
    told = [await _told(error, language, streams=streams) for error in (refused, unforeseen)]
    assert told == expected


async def test_what_a_handler_says_itself_is_told_as_it_is() -> None:
    assert await _told(gr.Error("说清楚了"), Language.EN, streams=False) == "说清楚了"


async def _told(error: Exception, language: Language, *, streams: bool) -> str:
    """What is said where a handler fails on a page whose reader has chosen a language."""

    def fails() -> None:
        raise error

    def breaks() -> Iterator[str]:
        raise error
        yield ""

    other = Language.EN if language is Language.ZH else Language.ZH
    page = Blocks(other, analytics_enabled=False)
    with page:
        gr.Button().click(breaks if streams else fails, None, gr.Textbox())
    (event,) = page.fns.values()
    headers = [(b"cookie", f"wenqu_language={language}".encode())]
    request = gr.Request(Request({"type": "http", "headers": headers}))
    with pytest.raises(gr.Error) as raised:
        await page.process_api(event, [], SessionState(page), request=request)
    return str(raised.value.message)
