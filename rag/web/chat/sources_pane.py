"""The evidence of the turn in view, and the page that a passage of it stands on."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import gradio as gr

from rag.errors import UnknownDocument, WenquError
from rag.pages import Pages
from rag.types import Evidence, Message, Turn
from rag.web.chat.render_sources import cards
from rag.web.chat.turn_sources import first_sentence, of_live, of_turn, opened
from rag.web.markup import notice, said
from rag.web.page_images import PageImages
from rag.web.parts import EACH, Changes, event_texts, scripted_part, text_span, whole_number
from rag.web.readers import Readers, Scene
from rag.web.render_leaf import Spot, leaf
from rag.web.view import TurnView

_PLACE = ("document", "home", "pageNumber", "start", "end", "keyStart", "keyEnd")


class SourcesPane:
    """`part` are the cards of a turn's evidence, `page` is the leaf that the page's script asks for.

    Cards tell which of them is to be opened. The script asks for its page once nothing more urgent is under way, and
    not while the reader looks at another one.
    """

    def __init__(self, readers: Readers, pages: Pages, images: PageImages) -> None:
        self._pages = pages
        self._images = images
        self._readers = readers
        self.page = scripted_part("leaf", "look")
        self.part = scripted_part("sources", "cite")
        self.outputs = [self.part]
        # Each press is answered; the script drops a page that is looked at no more when it comes.
        self.page.look(self._look, [readers.browser], [self.page], **EACH)
        self.part.cite(self._cite, [readers.browser], self.outputs, **EACH)

    def shown(self, scene: Scene) -> Changes:
        """The evidence of the branch in view: of its newest turn that has some."""
        turn = next((turn for turn in reversed(scene.turns) if turn.sources), None)
        if turn is None:
            return {self.part: {"html": cards((), (), scene.language)}}
        return {self.part: self._of(turn, scene)}

    def found(self, view: TurnView, earlier: Sequence[Turn], scene: Scene) -> Changes:
        """The evidence of a turn that goes on, which follows the `earlier` ones."""
        sources = of_live(view.evidence, view.candidates, earlier, self._spots(scene, view.evidence))
        return {self.part: {"live": True, "html": cards(sources, _others(earlier, None), scene.language)}}

    def _cite(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        """The evidence of the turn whose marker was pressed, in one of its sentences."""
        scene = self._readers.scene(stored, request)
        turn_id, number, sentence, asked = event_texts(event, ["id", "number", "sentence", "asked"])
        with_sources = [turn for turn in reversed(scene.turns) if turn.sources]
        # The turn that goes on has no id yet; what it reuses was brought in by another.
        turn = next((turn for turn in with_sources if turn_id in (turn.turn_id, "") and _has(turn, number)), None)
        if turn is None:
            value = self._nowhere(number, scene) if number else self.shown(scene)[self.part]
        else:
            value = {**self._of(turn, scene), **({"open": number, "sentence": sentence} if number else {})}
        return {self.part: {**value, "asked": asked}}

    def _nowhere(self, number: str, scene: Scene) -> Mapping[str, Any]:
        """A marker that stands for nothing is said to, above what there is."""
        shown = self.shown(scene)[self.part]
        remark = f'<p class="remark gone">{said(scene.language, "chat.unknown_source", number=number)}</p>'
        return {**shown, "html": f"{remark}{shown['html']}", "open": ""}

    def _look(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        """A page. The script is told whose answer it is, as by now another one may have been asked for."""
        session_id, language = self._readers.of(stored, request)
        *values, asked = event_texts(event, (*_PLACE, "asked"))
        try:
            spot = _read(values)
            view = self._pages.view(session_id, spot.document_id, spot.page, spot.span, spot.key)
            html = leaf(view, spot, self._images.url(view), language)
        except UnknownDocument:
            html = notice(Message("web.source.gone"), language)
        except WenquError as error:
            html = notice(error.message, language)
        return {self.page: {"asked": asked, "html": html}}

    def _of(self, turn: Turn, scene: Scene) -> Mapping[str, Any]:
        """A turn's cards, and which of them is opened unless the reader asked for another."""
        earlier = scene.turns[: scene.turns.index(turn)]
        sources = of_turn(turn, earlier, self._spots(scene, turn.sources), self._pages)
        first = opened(turn, sources)
        of = "" if turn is scene.turns[-1] else turn.question
        html = cards(sources, _others(scene.turns, turn), scene.language, of)
        return {"turn": turn.turn_id, "open": str(first), "sentence": first_sentence(turn, first), "html": html}

    def _spots(self, scene: Scene, evidence: Sequence[Evidence]) -> dict[int, Spot]:
        """Where passages are looked up, by number; nowhere where their document is no more."""
        spans = self._pages.spans(scene.who.session_id, evidence)
        found = (item for item in evidence if item.number in spans)
        return {item.number: Spot(item.document_id, item.page, item.page, spans[item.number]) for item in found}


def _read(values: Sequence[str]) -> Spot:
    """The spot that a browser names. Raises UnknownDocument."""
    document_id, home, number, start, end, first, last = values
    page = whole_number(number)
    if page is None:
        raise UnknownDocument
    return Spot(document_id, whole_number(home) or page, page, text_span(start, end), key=text_span(first, last))


def _has(turn: Turn, number: str) -> bool:
    """Whether a turn has the evidence of that number; every one of them has none in particular."""
    return not number or number in {str(item.number) for item in turn.sources}


def _others(turns: Collection[Turn], shown: Turn | None) -> list[Turn]:
    """The turns with evidence of their own to show, the newest first."""
    return [turn for turn in reversed(list(turns)) if turn.sources and turn is not shown]
