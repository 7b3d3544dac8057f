"""Gradio's queue, with limits that keep one visitor from taking all the places."""

import sys
from typing import Any

import gradio as gr
from fastapi import HTTPException, Request
from gradio.data_classes import PredictBodyInternal
from gradio.queueing import Event, Queue

from rag.errors import InvalidRequest, OutdatedPage, TooManyRequests, WenquError
from rag.i18n import sentence
from rag.language.folding import encodable
from rag.settings.server import ServerSettings
from rag.types import Message
from rag.web.networks import check_place, network_of
from rag.web.session import is_visitors, language_of

# The queues of what may take long. Everything else is done at once, and never refused because others wait for answers.
_LONG = ANSWERS, UPLOADS = "answers", "uploads"
# How many uploads of programs, and how many events of one kind on the page, are done at once.
_AT_ONCE = 16
# How many short events may wait or be done, of one session and in all; a page hardly sends two at a time. And of how
# many events a page may leave unread what they came to, which Gradio keeps until then.
_SHORT_OWN, _SHORT_PLACES, _UNREAD = 32, 512, 64
# Of how many pages Gradio keeps what they are to be told. By itself it forgets the one that came first, in the midst of
# its answer too, and whoever invents names of pages would have it forget all.
_PAGES = 2_000
# What Gradio has room for beside the questions, all in all. Each of those waits in a thread of its own (0.3 MB), and so
# can tell its place.
_SHORT_AT_ONCE = 40
# Gradio looks for questions a thousand times a second, which a model on the same cores would feel.
_LOOK_SECONDS = 0.02
# By what a client calls itself, Gradio keeps what it is to be told.
_LONGEST_NAME = 200


class BoundedQueue(Queue):
    """Limits how many questions wait: of one session, of one network, and in all; and apart from them, short events."""

    def __init__(self, page: gr.Blocks, server: ServerSettings) -> None:
        page.max_threads = server.max_waiting + _SHORT_AT_ONCE
        super().__init__(
            live_updates=True,
            concurrency_count=page.max_threads,
            update_intervals=1,
            max_size=None,
            blocks=page,
            default_concurrency_limit=_AT_ONCE,
        )
        self.sleep_when_free = _LOOK_SECONDS
        self.progress_update_sleep_when_free = 1.0  # progress of Gradio's own kind is not used here
        # Whenever an event ends, Gradio makes a table of the last ten thousand, which nobody is shown.
        self.ANALYTICS_MAX_EVENTS = 0
        self.pending_messages_per_session.max_size = sys.maxsize
        self._server = server

    async def push(self, body: PredictBodyInternal, request: Request, username: str | None) -> Any:
        """As Gradio does it. Raises HTTPException where there are too many, and for an event that does not exist."""
        page = body.session_hash
        if page is not None and not (0 < len(page) <= _LONGEST_NAME and encodable(page) == page):
            detail = Message("request.session", {"limit": _LONGEST_NAME})
            raise self._refused(400, InvalidRequest(parameter="session_hash", detail=detail), request)
        if body.fn_index is not None:
            event = self.blocks.fns.get(body.fn_index)
            if event is None:
                raise self._refused(404, OutdatedPage(), request)
            if len(self.pending_event_ids_session.get(page or "", ())) >= _UNREAD:
                raise self._refused(429, TooManyRequests(), request)
            self._check(self._asker(body, page, request), event.concurrency_id in _LONG, request)
            if page not in self.pending_messages_per_session:
                self._forget_pages()
        return await super().push(body, request, username)

    def _forget_pages(self) -> None:
        """Of too many pages, forget half of those that nothing goes on for: first those that have read all."""
        told, unread = self.pending_messages_per_session, self.pending_event_ids_session
        if len(told) < _PAGES:
            return
        going_on = {event.session_hash for is_long in (True, False) for event in self._taken(is_long)}
        left = [page for page in told if page not in going_on]
        left.sort(key=lambda page: bool(unread.get(page)) and not told[page].empty())
        for page in left[: _PAGES // 2]:
            del told[page]
            unread.pop(page, None)

    def _check(self, asker: str, is_long: bool, request: Request) -> None:
        taken = [(self._asker_of(event), network_of(event.request)) for event in self._taken(is_long)]
        places, own = _SHORT_PLACES, _SHORT_OWN
        if is_long:
            places, own = self._server.max_waiting, self._server.max_waiting_per_session
        try:
            check_place(asker, network_of(request), taken, places, own)
        except WenquError as error:
            # Of 503, the page would say something of its own, in English.
            raise self._refused(429, error if is_long else TooManyRequests(), request) from error

    def _refused(self, status: int, error: WenquError, request: Request) -> HTTPException:
        return HTTPException(status, sentence(language_of(request, self._server.language), error.message))

    def _taken(self, is_long: bool) -> list[Event]:
        """The events of a kind that wait or are being handled."""
        waiting = (event for queue in self.event_queue_per_concurrency_id.values() for event in queue.queue)
        in_hand = (event for job in self.active_jobs for event in job or ())
        return [event for event in (*waiting, *in_hand) if (event.concurrency_id in _LONG) is is_long]

    def _asker_of(self, event: Event) -> str | None:
        if event.data is None:
            return None
        # Gradio names the session after the event where a program has named none.
        named = event.session_hash if event.session_hash != event._id else None
        return self._asker(event.data, named, event.request)

    def _asker(self, body: PredictBodyInternal, named: str | None, request: Request) -> str:
        """Who asks: a visitor by what the browser keeps, a program by its session, or by its address without one."""
        for part, value in zip(self.blocks.fns[body.fn_index or 0].inputs, body.data, strict=False):
            kept = value.get("session_id") if isinstance(part, gr.BrowserState) and isinstance(value, dict) else None
            if is_visitors(kept):
                return kept
        return named or (request.client.host if request.client else "")
