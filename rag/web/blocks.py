"""Gradio's page, which takes no file but an uploaded one, with streams that cost what they change."""

import logging
from copy import copy
from html import escape
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.block_function import BlockFunction
from gradio.components.api_component import Api
from gradio.route_utils import FnIndexInferError
from gradio.state_holder import SessionState
from gradio.utils import get_upload_folder, is_in_or_equal
from gradio_client.utils import is_file_obj, traverse

from rag.errors import InternalError, NotUploaded, WenquError
from rag.i18n import Language, sentence
from rag.language.folding import encodable
from rag.web.session import language_of

_log = logging.getLogger(__name__)


class _Events(dict[int, BlockFunction]):
    """Of a number that no event has, Gradio would only find out that its own table lacks it."""

    def __missing__(self, number: int) -> BlockFunction:
        raise FnIndexInferError(number)


class Blocks(gr.Blocks):
    """`gr.Blocks` that refuses paths and addresses, and passes over the outputs which a handler leaves alone.

    Gradio checks only where a file lies that says it is one, and fetches it from an address itself.

    Gradio builds a component anew for each output. With the twenty outputs of an answer, that was half of the
    server's work for a streamed update (`python -m bench page`).
    """

    def __init__(self, language: Language, **options: Any) -> None:
        """`language` is that of the sentence by which a program is refused."""
        super().__init__(**options)
        self.default_config.fns = _Events()
        self._language = language

    async def process_api(
        self,
        block_fn: BlockFunction | int,
        inputs: list[Any],
        state: SessionState | None = None,
        request: Any = None,
        *given: Any,
        **named: Any,
    ) -> dict[str, Any]:
        """As Gradio does it. Raises gr.Error, with a sentence of ours, for whatever goes wrong."""
        try:
            return await super().process_api(block_fn, inputs, state, request, *given, **named)
        except gr.Error:
            raise
        except Exception as error:
            told: WenquError = error if isinstance(error, WenquError) else InternalError()
            if told is not error:
                _log.exception("an event of the page failed")
            language = language_of(request, self._language) if request else self._language
            raise gr.Error(escape(sentence(language, told.message)), print_exception=False) from error

    async def preprocess_data(
        self, block_fn: BlockFunction, inputs: list[Any], state: SessionState | None, explicit_call: bool = False
    ) -> Any:
        """As Gradio does it, of texts that UTF-8 can carry. Raises gr.Error for a file that was not uploaded."""
        # Gradio's clients send all parameters, or raise; a request written by hand leaves some out.
        inputs = [*inputs, *(part.value for part in block_fn.inputs[len(inputs) :] if isinstance(part, Api))]
        # A question may be pasted with half an emoji, and Gradio's stream breaks where it is to carry that.
        inputs = traverse(inputs, encodable, lambda value: isinstance(value, str))
        traverse(inputs, self._check_uploaded, is_file_obj)
        return await super().preprocess_data(block_fn, inputs, state, explicit_call)

    def _check_uploaded(self, file: dict[str, Any]) -> None:
        path = file["path"]
        if not (is_in_or_equal(path, get_upload_folder()) and Path(path).is_file()):
            raise gr.Error(sentence(self._language, NotUploaded().message), print_exception=False)

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
