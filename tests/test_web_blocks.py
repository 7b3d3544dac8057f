"""Gradio's page passes over what a handler leaves alone, and does all else as Gradio does it."""

from typing import Any

import gradio as gr
import pytest
from gradio.state_holder import SessionState

from rag.i18n import Language
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
