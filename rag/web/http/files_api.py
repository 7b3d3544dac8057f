"""`/v1/files`: the caller's documents, in OpenAI's form. Their content is not given out again."""

import shutil
from typing import Annotated, Literal

from fastapi import APIRouter, File, Form, UploadFile
from pydantic import BaseModel

from rag.build import Services
from rag.files import passing_file
from rag.i18n import Language, sentence
from rag.types import Document, DocumentStatus, Message
from rag.web.http.errors import RESPONSES
from rag.web.http.keys import CallerOf
from rag.web.http.upload_room import FILES


class FileObject(BaseModel):
    """A document. `uploaded`: it is being read; `processed`: it can be searched; `error`: `status_details` tell why.

    They also tell of content that was there already.
    """

    id: str
    object: Literal["file"] = "file"
    bytes: int
    created_at: int
    filename: str
    purpose: Literal["assistants"] = "assistants"
    status: Literal["uploaded", "processed", "error"]
    status_details: str | None
    pages: int
    chunks: int


class FileList(BaseModel):
    """The caller's documents, oldest first, all in one page."""

    object: Literal["list"] = "list"
    data: list[FileObject]
    has_more: Literal[False] = False


class DeletedFile(BaseModel):
    """A document that is no more."""

    id: str
    object: Literal["file"] = "file"
    deleted: Literal[True] = True


class FilesApi:
    """The routes and what they need."""

    def __init__(self, services: Services) -> None:
        self._ingest = services.ingest
        self._language = services.settings.server.language

    def router(self) -> APIRouter:
        """The routes under their names."""
        router = APIRouter(prefix=FILES, tags=["files"], responses=RESPONSES)
        router.add_api_route("", self.upload, methods=["POST"])
        router.add_api_route("", self.files, methods=["GET"])
        router.add_api_route("/{file_id}", self.file, methods=["GET"])
        router.add_api_route("/{file_id}", self.delete, methods=["DELETE"])
        return router

    def upload(
        self,
        caller: CallerOf,
        file: Annotated[UploadFile, File()],
        purpose: Annotated[Literal["assistants", "user_data"], Form()] = "assistants",  # noqa: ARG002 - all serve one
    ) -> FileObject:
        """Take a document in. It is read in the background; its status tells how far that is."""
        with passing_file() as copy:
            with copy.open("wb") as target:
                shutil.copyfileobj(file.file, target)
            arrival = self._ingest.receive(caller.session_id, copy, file.filename or "")
        return _file(arrival.document, self._language, arrival.notice)

    def files(self, caller: CallerOf) -> FileList:
        """The caller's documents."""
        own = (item for item in self._ingest.documents(caller.session_id) if item.collection_id == caller.session_id)
        return FileList(data=[_file(document, self._language) for document in own])

    def file(self, file_id: str, caller: CallerOf) -> FileObject:
        """One of the documents that the caller can search, a shared one too."""
        return _file(self._ingest.document(caller.session_id, file_id), self._language)

    def delete(self, file_id: str, caller: CallerOf) -> DeletedFile:
        """Delete one of the caller's own documents, with all that was made of it."""
        self._ingest.delete(caller.session_id, file_id)
        return DeletedFile(id=file_id)


def _file(document: Document, language: Language, arrived: Message | None = None) -> FileObject:
    notice = arrived or document.notice
    failed = document.status is DocumentStatus.FAILED
    return FileObject(
        id=document.document_id,
        bytes=document.size,
        created_at=int(document.created_at.timestamp()),
        filename=document.name,
        status="error" if failed else "processed" if document.searchable else "uploaded",
        status_details=sentence(language, notice) if notice else None,
        pages=document.pages,
        chunks=document.chunks,
    )
