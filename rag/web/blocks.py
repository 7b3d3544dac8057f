"""Gradio's page, with streams that cost what they change."""

from copy import copy
from typing import Any

import gradio as gr
from gradio.block_function import BlockFunction
from gradio.state_holder import SessionState


class Blocks(gr.Blocks):
    """`gr.Blocks` that passes over the outputs which a handler leaves alone.

    Gradio builds a component anew for each of them. With the twenty outputs of an answer, that was half of the
    server's work for a streamed update (`python -m bench page`).
    """

    async def postprocess_data(
        self, block_fn: BlockFunction, predictions: list[Any] | dict[Any, Any], state: SessionState | None
    ) -> list[Any]:
        """As Gradio does it where a handler returns no dict of its outputs."""
        if not isinstance(predictions, dict) or not predictions or not predictions.keys() <= set(block_fn.outputs):
            return await super().postprocess_data(block_fn, predictions, state)
        # What stands on the server only costs nothing.
        changed = [output for output in block_fn.outputs if output in predictions or output.stateful]
        values = [predictions.get(output, gr.skip()) for output in changed]
        narrowed = copy(block_fn)
        narrowed.outputs = changed
        done = await super().postprocess_data(narrowed, values if len(values) != 1 else values[0], state)
        by_output = dict(zip(changed, done, strict=True))
        return [by_output.get(output, gr.skip()) for output in block_fn.outputs]
