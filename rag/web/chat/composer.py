"""Where a question is written, and the questions that one could ask instead."""

import time
from collections.abc import Sequence
from html import escape

import gradio as gr

from rag import i18n
from rag.i18n import Language
from rag.types import Message
from rag.web import icons
from rag.web.markup import notice, said, tool
from rag.web.parts import Changes, action_part, label, scripted_part, static_part
from rag.web.readers import Scene

_SECONDS = 2.0
# What can be asked of the guide; of files of one's own, once there are any.
_SUGGESTIONS = {"guide": ("first", "second", "third"), "files": ("gist", "chapters", "page")}


class Composer:
    """`question` reports what was written, `suggestions` what was chosen instead."""

    def __init__(self) -> None:
        """`timer` ticks where the model is to think of more questions."""
        self.timer = gr.Timer(_SECONDS, active=False)
        self.notice = scripted_part("refusal")
        with gr.Column(elem_id="entry"):
            self._attach = static_part("attach")
            self.question = gr.Textbox(
                elem_id="question",
                label=label("chat.question"),
                placeholder=label("chat.placeholder"),
                show_label=False,
                container=False,
                lines=1,
                max_lines=6,
                submit_btn=True,
                autofocus=True,
            )
        self.suggestions = action_part("suggestions", "ask")
        self.outputs = [self.notice, self._attach, self.question, self.suggestions]

    def shown(self, scene: Scene) -> Changes:
        """Ready for a question; what was written so far stays."""
        return {
            self.notice: None,
            self._attach: _attach(scene.language),
            self.question: gr.Textbox(submit_btn=True, stop_btn=False),
            self.suggestions: "" if scene.turns else _first_suggestions(scene.language),
        }

    def suggested(self, questions: Sequence[str], expects_more: bool) -> Changes:
        """Questions that may follow, if there are any yet; whether it is worth looking again."""
        changes: Changes = {} if expects_more else {self.timer: gr.Timer(active=False)}
        return changes | ({self.suggestions: _suggestions(questions)} if questions else {})

    def busy(self) -> Changes:
        """While an answer comes: it can be stopped, and nothing else asked."""
        return {self.notice: None, self.question: gr.Textbox(submit_btn=False, stop_btn=True), self.suggestions: ""}

    def empty(self) -> Changes:
        """Busy, what was written being what is answered."""
        return self.busy() | {self.question: gr.Textbox(value="", submit_btn=False, stop_btn=True)}

    def refused(self, question: str, message: Message, language: Language) -> Changes:
        """Ready once more, and why a question was not taken; the page's script puts it back into an empty field."""
        # Nothing is drawn for a value that did not change, and writing on has wiped what said the same before.
        refusal = {"html": notice(message, language), "question": question.strip(), "drawn": time.time_ns()}
        return {self.notice: refusal, self.question: gr.Textbox(submit_btn=True, stop_btn=False)}


def _first_suggestions(language: Language) -> str:
    """Questions to begin with; the style sheet shows those of the guide only where there are no other files."""
    asked = {
        kind: [i18n.text(language, f"web.suggestion.{name}") for name in names] for kind, names in _SUGGESTIONS.items()
    }
    return "".join(f'<div class="of-{kind}">{_suggestions(texts)}</div>' for kind, texts in asked.items())


def _suggestions(questions: Sequence[str]) -> str:
    """Questions to choose from."""
    texts = [escape(question) for question in questions]
    return "".join(f'<button type="button" data-act="ask" data-id="{text}">{text}</button>' for text in texts)


def _attach(language: Language) -> str:
    """The button in the question's field that leads to the choice of files."""
    return tool(icons.CLIP, said(language, "chat.attach"), 'data-pick="files"')
