"""Images of pages under addresses that nobody can guess: what the browser keeps of its session never stands in one."""

import math
import time
from collections.abc import Callable

from fastapi import FastAPI, Response
from itsdangerous import BadData, URLSafeSerializer

from rag.errors import UnknownDocument, WenquError
from rag.pages import Pages
from rag.signing import Purpose, SigningKey
from rag.types import PageView

# Addresses made within one period are equal, so that the browser finds the image in its own cache.
_PERIOD_SECONDS = 3600
_ROUTE = "/page/{address}"


class PageImages:
    """Addresses for pages that a session was shown, and the route that serves them.

    An address is a signed permission for one page of one document, for one to two hours. It is given out only with a
    `PageView`, that is, to a session that may see the document; a document that is deleted is gone for its addresses.
    """

    def __init__(self, pages: Pages, signing: SigningKey, clock: Callable[[], float] = time.time) -> None:
        self._pages = pages
        self._signer = URLSafeSerializer(signing.key(Purpose.PAGE_IMAGE), salt=Purpose.PAGE_IMAGE)
        self._clock = clock

    def url(self, view: PageView) -> str | None:
        """Where the image of a page is, relative to the application's root; None where it has none."""
        if view.size is None:
            return None
        expires = (math.floor(self._clock() / _PERIOD_SECONDS) + 2) * _PERIOD_SECONDS
        return _ROUTE.removeprefix("/").format(address=self._signer.dumps([view.document_id, view.page, expires]))

    def serve(self, app: FastAPI) -> None:
        """Add the route."""
        app.add_api_route(_ROUTE, self._image, methods=["GET"], include_in_schema=False)

    def _image(self, address: str) -> Response:
        try:
            document_id, page, expires = self._signer.loads(address)
        except BadData:
            return Response(status_code=404)
        left = int(expires - self._clock())
        if left <= 0:
            return Response(status_code=410)
        try:
            image = self._pages.image(document_id, page)
        except UnknownDocument:
            return Response(status_code=404)
        except WenquError:
            return Response(status_code=503)
        return Response(image.data, media_type=image.media_type, headers={"cache-control": f"private, max-age={left}"})
