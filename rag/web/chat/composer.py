"""Where a question is written, and the questions that one could begin with."""

import gradio as gr

from rag.web.chat import render_thread
from rag.web.chat.scene import Changes, Scene
from rag.web.labels import acting


class Composer:
    """`question` reports what was written, `suggestions` what was chosen instead."""

    def build(self, label: gr.I18n) -> None:
        """The parts, in their place on the page."""
        self.question = gr.Textbox(
            elem_id="question",
            label=label("web.chat.placeholder"),
            placeholder=label("web.chat.placeholder"),
            show_label=False,
            container=False,
            lines=1,
            max_lines=6,
            submit_btn=True,
            autofocus=True,
        )
        self.suggestions = acting("suggestions", "ask")
        self.outputs = [self.question, self.suggestions]

    def shown(self, scene: Scene) -> Changes:
        """Ready for a question; what was written so far stays."""
        return {
            self.question: gr.Textbox(submit_btn=True, stop_btn=False),
            self.suggestions: "" if scene.turns else render_thread.suggestions(scene.language),
        }

    def busy(self) -> Changes:
        """While an answer comes: it can be stopped, and nothing else asked."""
        return {self.question: gr.Textbox(value="", submit_btn=False, stop_btn=True), self.suggestions: ""}

    def kept(self, question: str) -> Changes:
        """Ready once more for a question that was not taken."""
        return {self.question: gr.Textbox(value=question.strip(), submit_btn=True, stop_btn=False)}
