"""The endpoints for programs, with stable names: one client of gradio_client is one session."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.events import api

from rag.build import Services
from rag.errors import NotUploaded, WenquError
from rag.events import IngestFailed, Searchable
from rag.i18n import Language, sentence
from rag.types import Document, TurnStatus
from rag.web.bounded_queue import ANSWERS, UPLOADS
from rag.web.http.wire import of_live, of_turn
from rag.web.readers import Readers
from rag.web.session import client_session
from rag.web.view import TurnView, views


class Api:
    """`/upload` and `/chat`."""

    def __init__(self, services: Services, readers: Readers) -> None:
        self._services = services
        self._most_asking = services.settings.server.max_waiting
        self._readers = readers

    def wire(self) -> None:
        """Publish both under their names."""
        api(self.upload, api_name="upload", concurrency_id=UPLOADS)
        api(self.chat, api_name="chat", concurrency_id=ANSWERS, concurrency_limit=self._most_asking)

    def upload(self, files: list[gr.FileData], request: gr.Request, password: str = "") -> list[dict[str, Any]]:
        """Take files in; returns, once each is searchable or has failed, its file, status, pages, chunks, message.

        `password` opens those of the files that are protected. `file` is what sources call it.
        """
        session_id, language = client_session(request), self._readers.language(request)
        # A client may send anything; what is no list is one file, if it is any.
        uploads = [_uploaded(file, language) for file in (files if isinstance(files, list) else [files])]
        # They stay where Gradio has put them, until it deletes them: another client that sent the same has the same.
        return [self._take_in(session_id, path, name, password, language) for path, name in uploads]

    def chat(self, message: str, request: gr.Request) -> Iterator[dict[str, Any]]:
        """Answer a question; partial results come until the last one, which is whole. Pages count from 1.

        `status` is how far it is, at last "finished", "cut", "stopped" or "failed"; `message` says why it is not whole.
        `model` is "extractive" where the answer quotes the sources and no model wrote it.
        """
        language, question = self._readers.language(request), message if isinstance(message, str) else ""
        events = self._services.engine.stream(question, client_session(request))
        with closing(events):
            for view in views(question, events):
                yield self._reply(view, language)

    def _take_in(self, session_id: str, path: Path, name: str, password: object, language: Language) -> dict[str, Any]:
        ingest, key = self._services.ingest, password if isinstance(password, str) and password else None
        try:
            arrival = ingest.receive(session_id, path, name, key)
            for event in ingest.follow(session_id, arrival.document.document_id):
                match event:
                    case Searchable(document):
                        told = sentence(language, arrival.notice) if arrival.notice else ""
                        return _report(document.name, "ready", document, told)
                    case IngestFailed(document) if document.message:
                        return _report(document.name, "failed", document, sentence(language, document.message))
        except WenquError as error:
            return _report(name, "failed", None, sentence(language, error.message))
        raise AssertionError("an ingest ends with Searchable or IngestFailed")

    def _reply(self, view: TurnView, language: Language) -> dict[str, Any]:
        """What is known so far. Raises gr.Error for a question of which nothing came."""
        if view.error is not None and not view.answer:
            raise gr.Error(sentence(language, view.error.message), print_exception=False)
        turn, error = view.turn, view.error
        halted = turn.halted if turn else error.message if error else None
        return {
            "answer": turn.answer if turn else view.answer,
            "sources": of_turn(turn, language) if turn else of_live(view.evidence, view.candidates, language),
            "status": turn.status if turn else TurnStatus.FAILED if error else view.stage,
            "message": sentence(language, halted) if halted else "",
            "model": turn.model if turn else "",
        }


def _uploaded(file: object, language: Language) -> tuple[Path, str]:
    """Where a file lies that `Blocks` has let through, and its name. Raises gr.Error for what is none."""
    path, name = (file.get("path"), file.get("orig_name")) if isinstance(file, dict) else (None, None)
    if not isinstance(path, str):
        raise gr.Error(sentence(language, NotUploaded().message), print_exception=False)
    return Path(path), name if isinstance(name, str) and name else Path(path).name


def _report(name: str, status: str, document: Document | None, message: str) -> dict[str, Any]:
    pages, chunks = (document.pages, document.chunks) if document else (0, 0)
    return {"file": name, "status": status, "pages": pages, "chunks": chunks, "message": message}
