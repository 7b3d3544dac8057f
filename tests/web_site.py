"""What a page's script would send to the whole application, without the page."""

import json
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from fastapi import FastAPI
from gradio.routes import App

from rag.web.application import create_app
from tests.fakes_web import FakeServices
from tests.serving import on_a_port


class Site:
    """An application that is served, and its client."""

    def __init__(self, client: httpx.Client, app: FastAPI) -> None:
        self._client, self._app = client, app
        self.events = client.get("/config").json()["dependencies"]
        self._ids = {event["api_name"]: event["id"] for event in self.events}

    def join(
        self,
        name: str,
        *data: Any,
        page: str | None = None,
        address: str = "127.0.0.1",
        reader: str = "zh",
        **told: Any,
    ) -> httpx.Response:
        """Put an event into the queue, from a page that nobody else has, through a proxy on this machine.

        `reader` is the language that was chosen on the page.
        """
        page = secrets.token_hex(8) if page is None else page
        body = {"data": data, "fn_index": self._ids[name], "session_hash": page, "trigger_id": 1, "event_data": told}
        # As a browser writes it, which escapes what UTF-8 cannot carry.
        headers = {"content-type": "application/json", "x-forwarded-for": address}
        headers["cookie"] = f"wenqu_language={reader}"
        return self._client.post("/gradio_api/queue/join", content=json.dumps(body), headers=headers)

    @contextmanager
    def lines(self, page: str) -> Iterator[Iterator[str]]:
        """What a page is told while its events go on."""
        with self._client.stream("GET", "/gradio_api/queue/data", params={"session_hash": page}) as told:
            yield told.iter_lines()

    def heard(self, name: str, *data: Any, **told: Any) -> str:
        """All that a page is told of an event, once it has ended."""
        page = secrets.token_hex(8)
        self.join(name, *data, page=page, **told).raise_for_status()
        with self.lines(page) as lines:
            told_of_it = "\n".join(lines)
        assert '"success":true' in told_of_it
        return told_of_it

    def from_an_older_page(self) -> httpx.Response:
        """An event that there is not, of a kind that there may have been."""
        return self._client.post("/gradio_api/queue/join", json={"data": [], "fn_index": 9999, "session_hash": "old"})

    def ask(self, session_id: str, **options: str) -> httpx.Response:
        return self.join("ask", "慢", {"session_id": session_id, "conversation_id": None}, **options)

    def hears(self, page: str, word: str) -> bool:
        """Whether a page is told a word before its event has ended."""
        with self.lines(page) as lines:
            return any(word in str(message) for message in messages(lines))

    def rename(self, session_id: str) -> httpx.Response:
        return self.join("_rename", {"session_id": session_id, "conversation_id": None})

    def of_no_event(self, path: str, number: int, page: str | None = None) -> httpx.Response:
        """An event by a number that none has, past the queue."""
        body = {"data": [], "fn_index": number, "session_hash": page}
        return self._client.post(f"/gradio_api/{path}", json=body)

    def past_the_queue(self, name: str, *data: Any) -> httpx.Response:
        return self._client.post(f"/gradio_api/run/{name}", json={"data": data, "fn_index": self._ids[name]})

    def remembered(self) -> int:
        """How many pages the server keeps a copy of its parts for."""
        return len(self._mounted.state_holder.session_data)

    def pages(self) -> int:
        """Of how many pages the server keeps what they are to be told."""
        return len(self._mounted.get_blocks()._queue.pending_messages_per_session)

    def accounts(self) -> int:
        """Of how many events the server keeps when they were done, and for whom."""
        return len(self._mounted.get_blocks()._queue.event_analytics)

    def chat(self) -> httpx.Response:
        return self._client.post("/gradio_api/call/chat", json={"data": ["慢"]})

    @property
    def _mounted(self) -> App:
        (mounted,) = (app for route in self._app.routes if isinstance(app := getattr(route, "app", None), App))
        return mounted


def messages(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The messages of a stream of events."""
    return (json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:"))


@contextmanager
def site_over(services: FakeServices) -> Iterator[Site]:
    """A site of these services, served."""
    app = create_app(services)  # type: ignore[arg-type]
    with on_a_port(app) as url, httpx.Client(base_url=url, timeout=30) as client:
        yield Site(client, app)
