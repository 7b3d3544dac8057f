"""The part that shows what is in one document. What is looked at is known to the page, not to the server."""

from datetime import tzinfo

import gradio as gr

from rag.build import Services
from rag.errors import WenquError
from rag.i18n import Language
from rag.types import Document
from rag.web.files import render_detail
from rag.web.files.render_detail import PASSAGES_AT_ONCE, VIEWS
from rag.web.page_images import PageImages
from rag.web.parts import EACH, event_texts, scripted_part, text_span, whole_number
from rag.web.readers import Readers
from rag.web.render_leaf import Spot
from rag.web.session import zone_of

_PLACE = ("id", "view", "home", "pageNumber", "start", "end", "first")


class Inspector:
    """Pages, passages and the report of a document, as the page's script asks for them."""

    def __init__(self, services: Services, readers: Readers, images: PageImages) -> None:
        self._services = services
        self._images = images
        self._readers = readers
        part = scripted_part("inspector", "inspect", "check")
        part.inspect(self._inspect, [readers.browser], [part], **EACH)
        part.check(self._check, [readers.browser], [part], **EACH)

    def _check(self, stored: object, event: gr.EventData, request: gr.Request) -> dict[str, str]:
        return self._inspect(stored, event, request, checks=True)

    def _inspect(
        self, stored: object, event: gr.EventData, request: gr.Request, checks: bool = False
    ) -> dict[str, str]:
        """What is seen at a place; `checks` its document before. The script is told whose answer it is."""
        session_id, language = self._readers.of(stored, request)
        place = dict(zip(_PLACE, event_texts(event, _PLACE), strict=True))
        try:
            if checks:
                self._services.self_check.request(session_id, place["id"])
            html = self._html(session_id, place, language, zone_of(request))
        except WenquError as error:
            html = render_detail.failed(error.message, language)
        return {"asked": event_texts(event, ["asked"])[0], "html": html}

    def _html(self, session_id: str, place: dict[str, str], language: Language, zone: tzinfo | None) -> str:
        """Raises UnknownDocument, StoreError."""
        document = self._services.ingest.document(session_id, place["id"])
        view = place["view"] if place["view"] in VIEWS else VIEWS[0]
        if view == "report":
            body = self._report(session_id, document, language, zone)
        elif not document.pages:
            body = render_detail.nothing(language)
        elif view == "passages":
            first = whole_number(place["first"]) or 0
            first = first if first < document.chunks else 0  # it may have been read anew meanwhile
            chunks = self._services.contents.chunks(session_id, document.document_id, first, PASSAGES_AT_ONCE)
            body = render_detail.passages(chunks, document, first, language)
        else:
            body = self._page(session_id, document, place, language)
        return render_detail.frame(document, view, body, language)

    def _page(self, session_id: str, document: Document, place: dict[str, str], language: Language) -> str:
        number = whole_number(place["pageNumber"]) or 1
        marked = text_span(place["start"], place["end"])
        view = self._services.pages.view(session_id, document.document_id, number, marked)
        home = (whole_number(place["home"]) or number) if marked else number
        spot = Spot(document.document_id, home, number, marked, is_browsing=marked is None)
        return render_detail.page(view, spot, self._images.url(view), language)

    def _report(self, session_id: str, document: Document, language: Language, zone: tzinfo | None) -> str:
        groups = self._services.ingest.report(session_id, document.document_id)
        checking = document.document_id in self._services.self_check.checking()
        check = self._services.self_check.checks(session_id).get(document.document_id)
        return render_detail.report(document, groups, check, checking, language, zone)
